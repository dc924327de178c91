package build

import (
	"context"
	"fmt"
	"io"
	"strings"

	"touchstone/internal/sandbox"
)

// An InsideError says how a program of ours ended early inside the sandbox.
type InsideError struct {
	Step string // discovery, collection, wheel
	At   string // the file that it had come to, when that is known
	Exit sandbox.Exit
}

func (e *InsideError) Error() string {
	at := ""
	if e.At != "" {
		at = " at " + e.At
	}
	switch {
	case e.Exit.TimedOut:
		return e.Step + " did not end within its time limit" + at
	case e.Exit.Signal != "":
		return e.Step + " was ended by the signal " + e.Exit.Signal + at + closingWords(e.Exit.Stderr, 3)
	}
	return fmt.Sprintf("%s ended with status %d%s%s", e.Step, e.Exit.Code, at, closingWords(e.Exit.Stderr, 3))
}

// runInside runs a program in the sandbox to its end and returns what it
// wrote, at most limit bytes of it.
func runInside(ctx context.Context, s sandbox.Sandbox, spec sandbox.Spec, stdin []byte, limit int64) ([]byte, sandbox.Exit, error) {
	p, err := s.Start(ctx, spec)
	if err != nil {
		return nil, sandbox.Exit{}, err
	}
	defer p.Kill()
	go func() {
		p.Stdin().Write(stdin) // a program that does not read it ends without
		p.Stdin().Close()
	}()
	out, err := io.ReadAll(io.LimitReader(p.Stdout(), limit+1))
	if err == nil && int64(len(out)) > limit {
		err = fmt.Errorf("it wrote more than %d MiB", limit>>20)
	}
	if err != nil {
		p.Kill()
	}
	exit := p.Wait()
	if ctx.Err() != nil {
		return nil, exit, ctx.Err()
	}
	return out, exit, err
}

// closingWords is the end of a text, on one line behind a colon.
func closingWords(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	text = strings.Join(strings.Fields(strings.Join(lines, " ")), " ")
	if text == "" {
		return ""
	}
	return ": " + text
}
