package environment

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"touchstone/internal/spawn"
)

const (
	maxOutput = 64 << 20 // bytes of standard output that a tool of the host may write
	maxStderr = 64 << 10 // last bytes of standard error that are kept
)

// A command is a tool of the host: an interpreter or its pip.
type command struct {
	argv  []string
	env   []string
	dir   string
	stdin []byte
}

// run runs a command in a process group of its own, which ends with ctx.
func run(ctx context.Context, c command) (stdout []byte, stderr string, err error) {
	cmd := exec.CommandContext(ctx, c.argv[0], c.argv[1:]...)
	cmd.Env, cmd.Dir = c.env, c.dir
	if c.stdin != nil {
		cmd.Stdin = bytes.NewReader(c.stdin)
	}
	var out bytes.Buffer
	tail := &lastBytes{limit: maxStderr}
	cmd.Stdout, cmd.Stderr = &firstBytes{w: &out, left: maxOutput}, tail
	err = spawn.Run(cmd)
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
		if errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("it did not end within its time limit: %w", err)
		}
	}
	return out.Bytes(), tail.String(), err
}

type firstBytes struct {
	w    io.Writer
	left int
}

func (f *firstBytes) Write(p []byte) (int, error) {
	if len(p) > f.left {
		return 0, errors.New("too much output")
	}
	f.left -= len(p)
	return f.w.Write(p)
}

type lastBytes struct {
	kept  []byte
	limit int
}

func (l *lastBytes) Write(p []byte) (int, error) {
	l.kept = append(l.kept, p...)
	if over := len(l.kept) - l.limit; over > 0 {
		l.kept = append(l.kept[:0], l.kept[over:]...)
	}
	return len(p), nil
}

func (l *lastBytes) String() string { return string(l.kept) }

// detail is the last words of a tool, to be put behind an error.
func detail(stderr string) string {
	lines := strings.Split(strings.TrimSpace(stderr), "\n")
	if n := len(lines); n > 3 {
		lines = lines[n-3:]
	}
	text := strings.Join(lines, " ")
	if text == "" {
		return ""
	}
	return ": " + text
}
