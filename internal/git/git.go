// Package git runs the git program so that nothing of the machine or of the
// repository itself changes what it does: it asks nothing, runs no hook,
// fetches nothing on its own, and sees objects as they are, not as replaced.
package git

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"touchstone/internal/spawn"
)

// Timeout bounds one call of git: a clone of a large history is the longest.
const Timeout = 20 * time.Minute

// ErrMissing says that there is no git program.
var ErrMissing = errors.New("git is not installed")

// inherited are the settings of git that a command takes over from our own
// environment: others would lead it to another repository or change its output.
var inherited = []string{"GIT_CONFIG", "GIT_EXEC_PATH", "GIT_SSH", "GIT_SSL", "GIT_ASKPASS", "GIT_PROXY"}

// settings undo what a repository's or a person's own configuration could
// change about what is read.
var settings = []string{
	"core.hooksPath=/dev/null", "core.fsmonitor=false", "gc.auto=0", "core.quotePath=true",
	"log.showSignature=false", "log.follow=false", "log.mailmap=false", "i18n.logOutputEncoding=UTF-8",
	"core.attributesFile=/dev/null", "diff.orderFile=/dev/null", "diff.renameLimit=1000", "diff.noprefix=false", "diff.mnemonicPrefix=false", "diff.algorithm=myers",
	"diff.context=3", "diff.interHunkContext=0", "diff.suppressBlankEmpty=false", "diff.indentHeuristic=true",
	"diff.ignoreSubmodules=none", "diff.submodule=short",
}

// Command is a git over a repository's folder; "" is none. Run it with spawn.
func Command(ctx context.Context, repository string, args ...string) *exec.Cmd {
	var argv []string
	for _, s := range settings {
		argv = append(argv, "-c", s)
	}
	if repository != "" {
		argv = append(argv, "-C", repository)
	}
	cmd := exec.CommandContext(ctx, "git", append(argv, args...)...)
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "GIT_") || isInherited(v) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_LFS_SKIP_SMUDGE=1", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
		"GIT_ALLOW_PROTOCOL=https:http:ssh:git:file")
	if os.Getenv("GIT_SSH_COMMAND") == "" {
		cmd.Env = append(cmd.Env, "GIT_SSH_COMMAND=ssh -oBatchMode=yes")
	}
	return cmd
}

func isInherited(variable string) bool {
	for _, prefix := range inherited {
		if strings.HasPrefix(variable, prefix) {
			return true
		}
	}
	return false
}

// Output runs one git command and returns what it wrote. When git fails, the
// error is an *Error; without a git, ErrMissing.
func Output(ctx context.Context, repository string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, Timeout)
	defer cancel()
	cmd := Command(ctx, repository, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := spawn.Run(cmd)
	return stdout.Bytes(), Ended(ctx, err, stderr.String(), args...)
}

// Ended tells why a command that was started or run ended with an error; nil
// when it did not.
func Ended(ctx context.Context, err error, stderr string, args ...string) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return fmt.Errorf("git %s: %w", subcommand(args), ctx.Err())
	case errors.Is(err, exec.ErrNotFound):
		return ErrMissing
	}
	return &Error{Args: args, Stderr: strings.TrimSpace(stderr), Err: err}
}

// An Error is what git said when it failed.
type Error struct {
	Args   []string
	Stderr string
	Err    error
}

func (e *Error) Error() string { return "git " + subcommand(e.Args) + ": " + e.Words() }
func (e *Error) Unwrap() error { return e.Err }

// Words is git's own explanation, on one line.
func (e *Error) Words() string {
	if e.Stderr == "" {
		return e.Err.Error()
	}
	return strings.Join(strings.Fields(strings.ReplaceAll(e.Stderr, "fatal: ", "")), " ")
}

// subcommand is what is asked of git: the first argument behind its own options.
func subcommand(args []string) string {
	for i, a := range args {
		if !strings.HasPrefix(a, "-") && (i == 0 || args[i-1] != "-c") {
			return a
		}
	}
	return ""
}
