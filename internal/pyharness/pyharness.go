// Package pyharness is the Python that runs inside the sandbox, and the
// connection to it: a server process that answers requests as JSON lines and
// forks a child for everything untrusted.
package pyharness

import (
	"bufio"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"touchstone/internal/sandbox"
)

//go:embed serve.py fresh.py touchstone_harness/*.py
var sources embed.FS

// Where things stand inside the sandbox. They are the same on every machine,
// so that a test that prints a path says the same everywhere.
const (
	Root    = "/repo"
	Harness = "/harness"
)

// Kind says what a server holds ready.
type Kind string

const (
	// Swapped: the whole suite collected, over masked files.
	Swapped Kind = "swapped"
	// Hooked: pytest loaded, nothing of the repository imported, over masked files.
	Hooked Kind = "hooked"
	// Private: a tree of its own, written afresh for every request.
	Private Kind = "private"
)

// A File is a file of the tree; a symbolic link has no Mode and its target as Data.
type File struct {
	Path string `json:"path"`
	Mode *int   `json:"mode"`
	Data []byte `json:"data"` // base64 on the wire
}

// Config says what a server is started with.
type Config struct {
	Kind        Kind
	Interpreter string          // inside the sandbox
	Environ     []string        // the whole environment
	Mounts      []sandbox.Mount // environment, interpreter, metadata
	Harness     string          // folder on the host made by Install
	Tree        string          // folder on the host shown at Root, for Swapped and Hooked
	Files       []File          // the tree, for Private
	Sources     []File          // files whose true text the server serves (or splices into)
	PytestArgs  []string
	Preload     []string // modules from outside the repository, imported before the first fork
	Limits      sandbox.Limits
	Label       string
	Patience    time.Duration // for starting; default 2 minutes
}

// DiedError says that the server's process ended while it was needed.
type DiedError struct {
	Op   string
	Exit sandbox.Exit
}

func (e *DiedError) Error() string {
	how := fmt.Sprintf("status %d", e.Exit.Code)
	if e.Exit.Signal != "" {
		how = e.Exit.Signal
	}
	return fmt.Sprintf("the harness ended (%s) during %q: %s", how, e.Op, tail(e.Exit.Stderr))
}

// RequestError is what the server itself says went wrong with a request. It
// does not take another: whatever went wrong may have been left behind by what
// ran before.
type RequestError struct {
	Op     string
	Detail string
}

func (e *RequestError) Error() string {
	return fmt.Sprintf("the harness could not do %q: %s", e.Op, tail(e.Detail))
}

func tail(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 4000 {
		s = "…" + s[len(s)-4000:]
	}
	return s
}

// Server is a running harness. Its requests are answered one at a time.
type Server struct {
	process sandbox.Process
	in      io.WriteCloser
	out     *bufio.Reader
	mu      sync.Mutex
	next    int
	items   int
	leaving bool
}

// Start runs a server in the sandbox and returns when it is ready.
func Start(ctx context.Context, box sandbox.Sandbox, config Config) (*Server, error) {
	mounts := append([]sandbox.Mount{{Source: config.Harness, Target: Harness}}, config.Mounts...)
	spec := sandbox.Spec{
		Argv:   []string{config.Interpreter, "-B", Harness + "/serve.py"},
		Env:    config.Environ,
		Dir:    "/",
		Limits: config.Limits,
		Label:  config.Label,
	}
	if config.Kind == Private {
		spec.Tmpfs = append(spec.Tmpfs, Root)
	} else {
		mounts = append(mounts, sandbox.Mount{Source: config.Tree, Target: Root})
		spec.Env = append(spec.Env[:len(spec.Env):len(spec.Env)], "PYTHONDONTWRITEBYTECODE=1")
	}
	spec.Mounts = mounts
	process, err := box.Start(ctx, spec)
	if err != nil {
		return nil, err
	}
	s := &Server{process: process, in: process.Stdin(), out: bufio.NewReaderSize(process.Stdout(), 1<<16)}
	patience := config.Patience
	if patience == 0 {
		patience = 2 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	open := struct {
		Kind       Kind     `json:"kind"`
		Root       string   `json:"root"`
		Files      []File   `json:"files"`
		Sources    []File   `json:"sources"`
		PytestArgs []string `json:"pytest_args"`
		Preload    []string `json:"preload"`
	}{config.Kind, Root, nonNil(config.Files), nonNil(config.Sources), nonNil(config.PytestArgs), nonNil(config.Preload)}
	var ready struct {
		Items int `json:"items"`
	}
	if err := s.exchange(ctx, "open", 0, open, &ready); err != nil {
		s.Close()
		return nil, err
	}
	s.items = ready.Items
	return s, nil
}

func nonNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

// Items is how many tests a Swapped server has collected.
func (s *Server) Items() int { return s.items }

// Alive reports whether the server can take a further request.
func (s *Server) Alive() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.leaving
}

// Close ends the server and everything it started.
func (s *Server) Close() {
	s.process.Kill()
	s.process.Wait()
	s.mu.Lock()
	s.leaving = true
	s.mu.Unlock()
}

// Call sends a request and waits for its answer. When the context ends first
// the server is killed, since what it runs may never end. Errors are
// *DiedError, *RequestError or the context's.
func (s *Server) Call(ctx context.Context, op string, request, answer any) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.leaving {
		return &DiedError{Op: op, Exit: s.process.Wait()}
	}
	s.next++
	fields, err := fieldsOf(request)
	if err != nil {
		return err
	}
	fields["op"], fields["id"] = op, s.next
	return s.exchange(ctx, op, s.next, fields, answer)
}

func fieldsOf(request any) (map[string]any, error) {
	fields := map[string]any{}
	if request == nil {
		return fields, nil
	}
	data, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	return fields, json.Unmarshal(data, &fields)
}

func (s *Server) exchange(ctx context.Context, op string, id int, request, answer any) error {
	data, err := json.Marshal(request)
	if err != nil {
		return err
	}
	type result struct {
		line []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		if _, err := s.in.Write(append(data, '\n')); err != nil {
			done <- result{nil, err}
			return
		}
		line, err := s.out.ReadBytes('\n')
		done <- result{line, err}
	}()
	var got result
	select {
	case got = <-done:
	case <-ctx.Done():
		s.leaving = true
		s.process.Kill()
		<-done
		return context.Cause(ctx)
	}
	if got.err != nil {
		s.leaving = true
		s.process.Kill()
		return &DiedError{Op: op, Exit: s.process.Wait()}
	}
	var status struct {
		ID    int    `json:"id"`
		Error string `json:"error"`
		Leave bool   `json:"leave"`
	}
	if err := json.Unmarshal(got.line, &status); err != nil || status.ID != id {
		s.leaving = true
		s.process.Kill()
		return errors.Join(&RequestError{Op: op, Detail: "an answer that does not fit the request"}, err)
	}
	if status.Leave {
		s.leaving = true
		s.process.Kill()
	}
	if status.Error != "" {
		return &RequestError{Op: op, Detail: status.Error}
	}
	if answer == nil {
		return nil
	}
	return json.Unmarshal(got.line, answer)
}
