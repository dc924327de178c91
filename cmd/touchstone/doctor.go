package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"time"

	"touchstone/internal/sandbox"
)

// doctorCommand tries the sandboxes and tools for real.
type doctorCommand struct {
	Image string `help:"Base image of the docker sandbox." default:"touchstone-base:bookworm" env:"TOUCHSTONE_IMAGE"`
}

// Help is shown by doctor --help.
func (doctorCommand) Help() string {
	return `Programs that try to break out are run in each sandbox. The exit status is 1
when no sandbox keeps all its promises.`
}

// Run prints what works, what is missing and how to mend it.
func (c doctorCommand) Run(ctx context.Context, p *place) error {
	working := false
	for _, name := range []string{"local", "docker"} {
		box, err := sandbox.Open(ctx, name, sandbox.DockerConfig{Image: c.Image})
		if err != nil {
			printUnavailable(p.stdout, name, err)
			continue
		}
		findings := sandbox.Check(ctx, box)
		printFindings(p.stdout, name+" sandbox", findings)
		working = working || sandbox.OK(findings)
	}
	printFindings(p.stdout, "tools", checkTools(ctx))
	if !working {
		return errors.New("no sandbox works; see above how to mend one")
	}
	return nil
}

func printUnavailable(w io.Writer, name string, err error) {
	f := sandbox.Finding{What: "can be used", Detail: err.Error()}
	var unavailable *sandbox.UnavailableError
	if errors.As(err, &unavailable) {
		f.Detail, f.Mend = unavailable.Reason, unavailable.Mend
	}
	printFindings(w, name+" sandbox", []sandbox.Finding{f})
}

// printFindings writes one line for each finding, and its mend below it.
func printFindings(w io.Writer, title string, findings []sandbox.Finding) {
	fmt.Fprintln(w, title)
	for _, f := range findings {
		mark := "ok  "
		switch {
		case !f.OK:
			mark = "FAIL"
		case f.Mend != "":
			mark = "note"
		}
		line := fmt.Sprintf("  %s  %s", mark, f.What)
		if f.Detail != "" {
			line += ": " + f.Detail
		}
		fmt.Fprintln(w, line)
		if f.Mend != "" {
			fmt.Fprintln(w, "        mend:", f.Mend)
		}
	}
	fmt.Fprintln(w)
}

// toolTime bounds the version question to one tool.
const toolTime = 10 * time.Second

func checkTools(ctx context.Context) []sandbox.Finding {
	return []sandbox.Finding{
		checkPython(ctx),
		checkTool(ctx, "git", "--version"),
		checkTool(ctx, "docker", "--version"),
	}
}

// pythonQuestions asks an interpreter about itself.
const pythonQuestions = `
import importlib.util, json, sys
print(json.dumps({
    "version": "%d.%d.%d" % sys.version_info[:3],
    "enough": sys.version_info >= (3, 9),
    "missing": [m for m in ("pip", "venv", "ensurepip") if importlib.util.find_spec(m) is None],
}))`

func checkPython(ctx context.Context) sandbox.Finding {
	f := sandbox.Finding{What: "python3", Mend: "install Python 3.9 or later with pip and venv (python3, python3-pip, python3-venv)"}
	out, err := output(ctx, "python3", "-c", pythonQuestions)
	if err != nil {
		f.Detail = err.Error()
		return f
	}
	var answer struct {
		Version string
		Enough  bool
		Missing []string
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil {
		f.Detail = err.Error()
		return f
	}
	f.Detail = answer.Version
	if len(answer.Missing) > 0 {
		f.Detail += " without " + strings.Join(answer.Missing, ", ")
	}
	if answer.Enough && len(answer.Missing) == 0 {
		f.OK, f.Mend = true, ""
	}
	return f
}

func checkTool(ctx context.Context, name string, args ...string) sandbox.Finding {
	out, err := output(ctx, name, args...)
	if err != nil {
		return sandbox.Finding{What: name, Detail: err.Error(), Mend: "install " + name}
	}
	return sandbox.Finding{What: name, OK: true, Detail: out}
}

// output runs a tool and returns what it prints.
func output(ctx context.Context, name string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, args...).Output()
	return strings.TrimSpace(string(out)), err
}
