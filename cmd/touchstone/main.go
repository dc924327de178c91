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

// Exit statuses of every command.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

type commandLine struct {
	Doctor   doctorCommand   `cmd:"" help:"Try the sandboxes and tools for real; say what is missing and how to mend it."`
	Dataset  datasetCommand  `cmd:"" help:"Build benchmark releases from Python repositories, and check them."`
	Evaluate evaluateCommand `cmd:"" help:"Judge docstrings: regenerate the bodies, run the tests, print pass@k."`
	Version  versionCommand  `cmd:"" help:"Print the version."`

	Verbose bool `help:"Log more." short:"v"`
}

// place is where and with what a command runs.
type place struct {
	stdout io.Writer
	stderr io.Writer
	log    *slog.Logger
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
	p := &place{stdout: stdout, stderr: stderr, log: slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: level}))}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	command.BindTo(ctx, (*context.Context)(nil))
	if err := command.Run(p); err != nil {
		if errors.Is(err, context.Canceled) && ctx.Err() != nil {
			if errors.Is(err, errNothingKept) {
				fmt.Fprintln(stderr, "touchstone: interrupted;", errNothingKept)
			} else {
				fmt.Fprintln(stderr, "touchstone: interrupted; the same command goes on from here")
			}
			return exitFailed
		}
		var usage usageError
		if errors.As(err, &usage) {
			fmt.Fprintln(stderr, "touchstone:", err)
			return exitUsage
		}
		fmt.Fprintln(stderr, "touchstone:", err)
		return exitFailed
	}
	return exitDone
}

// errNothingKept goes with the error of an interrupted command that begins anew.
var errNothingKept = errors.New("nothing was kept (with --out it would go on from here)")

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
