// Touchstone is a public leaderboard for systems that document code and
// systems that find their way in it. This is its one binary: each command is
// in a file of its own and only wires packages together.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"touchstone/internal/sandbox"
)

// Exit statuses of every command. One that is interrupted has failed: the
// status does not say that a signal ended it, for it ended itself, in order.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

type commandLine struct {
	Doctor       doctorCommand       `cmd:"" help:"Try the sandboxes and tools for real; say what is missing and how to mend it."`
	Dataset      datasetCommand      `cmd:"" help:"Build benchmark releases from Python repositories, and check them."`
	Evaluate     evaluateCommand     `cmd:"" help:"Judge docstrings: regenerate the bodies, run the tests, print pass@k."`
	Localization localizationCommand `cmd:"" help:"Build releases of the localization track from git histories, predict with the baselines, score."`
	Measure      measureCommand      `cmd:"" help:"Compare texts with references: BLEU, ROUGE, leak, length."`
	Models       modelsCommand       `cmd:"" help:"Register the models of BERTScore and CodeBERTScore."`
	Serve        serveCommand        `cmd:"" help:"Run the site: leaderboard, uploads, and the evaluation behind them."`
	Submit       submitCommand       `cmd:"" help:"Upload docstrings to a site, and wait for their scores."`
	Admin        adminCommand        `cmd:"" help:"Look after a site: tokens, evaluators, releases, hidden submissions."`
	Healthy      healthyCommand      `cmd:"" help:"Ask a running site whether it can answer (for health checks)."`
	Version      versionCommand      `cmd:"" help:"Print the version."`

	Verbose bool `help:"Log more." short:"v"`
}

// place is where and with what a command runs.
type place struct {
	stdout io.Writer
	stderr *meter
	log    *slog.Logger
}

// say writes a message for a person.
func (p *place) say(format string, values ...any) {
	fmt.Fprintf(p.stderr, "touchstone: "+format+"\n", values...)
}

func main() {
	sandbox.Init() // does not return in the process that becomes a sandbox
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	var line commandLine
	parser, err := kong.New(&line,
		kong.Name("touchstone"),
		kong.Description("A benchmark and leaderboard for code documentation: a docstring is good when an independent model, given it, writes the body again so that the tests pass."),
		kong.Writers(stdout, stderr),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		panic(err)
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(stderr, "touchstone:", err)
		return exitUsage
	}
	level := slog.LevelInfo
	if line.Verbose {
		level = slog.LevelDebug
	}
	screen := newMeter(stderr)
	p := &place{stdout: stdout, stderr: screen, log: slog.New(plainLog{out: screen, level: level})}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	command.BindTo(ctx, (*context.Context)(nil))
	err = command.Run(p)
	screen.close()
	return p.end(ctx, err)
}

// end says how a command ended, and gives its exit status.
func (p *place) end(ctx context.Context, err error) int {
	var usage usageError
	var kept unkept
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, context.Canceled) && ctx.Err() != nil && errors.As(err, &kept):
		p.say("interrupted; %v", kept)
	case errors.Is(err, context.Canceled) && ctx.Err() != nil:
		p.say("interrupted; the same command goes on from here")
	case errors.As(err, &usage):
		p.say("%v", err)
		return exitUsage
	default:
		p.say("%v", err)
	}
	return exitFailed
}

// unkept goes with the error of an interrupted command that begins anew, and
// says so.
type unkept string

func (e unkept) Error() string { return string(e) }

const (
	errNothingKept    = unkept("nothing was kept (with --out it would go on from here)")
	errNothingWritten = unkept("nothing was written; the same command begins anew")
)

// usageError is a command line that parses but makes no sense.
type usageError string

func (e usageError) Error() string { return string(e) }

type versionCommand struct{}

func (versionCommand) Run(p *place) error {
	fmt.Fprintln(p.stdout, version())
	return nil
}

// version is the module's version, or the commit it was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "dev"
}
