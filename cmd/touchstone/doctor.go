package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox"
)

// doctorCommand tries the sandboxes and tools for real.
type doctorCommand struct {
	Image string `help:"Base image of the docker sandbox." default:"touchstone-base:bookworm" env:"TOUCHSTONE_IMAGE"`
}

// Help is shown by doctor --help.
func (doctorCommand) Help() string {
	return `Example:

    touchstone doctor

Programs that try to break out are run in each sandbox. The exit status is 1 when
no sandbox keeps all its promises, or when there is no Python to use.`
}

// Run prints what works, what is missing and how to mend it.
func (c doctorCommand) Run(ctx context.Context, p *place) error {
	working := false
	for _, name := range []string{"local", "docker"} {
		box, err := sandbox.Open(ctx, name, sandbox.DockerConfig{Image: c.Image})
		if err != nil {
			printUnavailable(p.stdout, name, advised(err))
			continue
		}
		findings := sandbox.Check(ctx, box)
		printFindings(p.stdout, name+" sandbox", findings)
		working = working || sandbox.OK(findings)
	}
	tools := checkTools(ctx)
	printFindings(p.stdout, "tools", tools)
	switch {
	case !working:
		return errors.New("no sandbox works; see above how to mend one")
	case !sandbox.OK(tools):
		return errors.New("nothing can be built or evaluated without Python; see above how to mend it")
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

// checkTools looks for what is needed outside of the sandboxes. Only Python is
// always needed.
func checkTools(ctx context.Context) []sandbox.Finding {
	return []sandbox.Finding{
		checkPython(ctx),
		checkTool(ctx, "git", "install git, if sources are git repositories"),
		checkTool(ctx, "docker", "install Docker's command, if the image of the docker sandbox is to be made here"),
	}
}

// checkPython finds Python as building does.
func checkPython(ctx context.Context) sandbox.Finding {
	python, err := environment.FindPython(ctx, "")
	if err != nil {
		return unusablePython(err)
	}
	f := sandbox.Finding{What: "python3", OK: true, Detail: fmt.Sprintf("%s, pip %s", python.Version, python.Pip.Version)}
	if _, err := environment.FindPython(ctx, starterPython); err != nil && olderThan(python.Minor(), starterPython) {
		f.Mend = "the starter release needs Python " + starterPython + " or later beside it; releases built here do not"
	}
	return f
}

// starterPython is what the release that comes with the program was built with;
// it allows later ones.
const starterPython = "3.11"

// olderThan compares versions such as 3.9 and 3.11.
func olderThan(version, other string) bool {
	minor := func(v string) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(v, "3."))
		return n
	}
	return minor(version) < minor(other)
}

func unusablePython(err error) sandbox.Finding {
	f := sandbox.Finding{What: "python3", Detail: err.Error()}
	var input *benchmark.InputError
	if errors.As(err, &input) {
		f.Detail, f.Mend = input.Problem, input.Mend
	}
	return f
}

// checkTool asks a tool for its version. One that is missing is only a note.
func checkTool(ctx context.Context, name, mend string) sandbox.Finding {
	ctx, cancel := context.WithTimeout(ctx, toolTime)
	defer cancel()
	out, err := exec.CommandContext(ctx, name, "--version").Output()
	if err != nil {
		return sandbox.Finding{What: name, OK: true, Detail: "not there: " + err.Error(), Mend: mend}
	}
	return sandbox.Finding{What: name, OK: true, Detail: strings.TrimSpace(string(out))}
}
