// Package dispatch carries work between processes over NATS JetStream: units
// out to workers, results back to the site, live progress to whoever listens.
// It knows what neither contains. What has to be done is known elsewhere; this
// package only sees to it that what was published is run, by one worker at a
// time, again when that worker dies, and that its result is recorded.
package dispatch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Kind is what a unit asks for. Each kind has a queue of its own.
type Kind string

const (
	Generate Kind = "generate" // calls of a model: needs its key
	Execute  Kind = "execute"  // untrusted code: needs a sandbox and no secret
)

// Kinds are all kinds, in the order in which a unit goes through them.
var Kinds = []Kind{Generate, Execute}

// A Unit is a piece of work that one worker does in one go. Kind, ID and Try
// name it.
type Unit struct {
	Kind  Kind
	ID    string // within its kind; any text up to 2048 bytes
	Group string // what Cancel names: an evaluation; any text up to 2048 bytes
	Try   int    // 0 or more; a further try of the same work is another unit
	Data  []byte // what the handler gets
}

// A Result is the outcome of a unit.
type Result struct {
	Kind   Kind
	ID     string
	Group  string
	Try    int
	Data   []byte // what the handler returned, also beside an error
	Err    string // "" when the handler returned without one; at most 4 KB of it
	Retry  bool   // the error is of a kind that a further try may not meet; see Retry
	Worker string // the name of the queue that ran it
}

// A Handler does a unit's work. Its context ends when the unit is cancelled,
// with the cause ErrCancelled, and when the worker stops, with that cause.
// What it returns after that is dropped. A panic becomes an error.
type Handler func(context.Context, Unit) ([]byte, error)

// MaxDeaths is how many workers may die over a unit before it is given up.
const MaxDeaths = 5

const (
	maxName  = 2048 // bytes of an ID or a group
	maxError = 4096 // bytes of a result's error: it travels in a header, of which NATS takes 64 KB in all
)

var (
	// ErrCancelled is the cause with which a handler's context ends when its
	// unit is no longer wanted: its group was cancelled, or another worker has
	// answered it.
	ErrCancelled = errors.New("the unit was cancelled")
	// ErrClosed is what a closed queue returns.
	ErrClosed = errors.New("the queue is closed")
	// ErrFull is returned by Publish while more bytes wait than
	// Config.Backlog: publish again later.
	ErrFull = errors.New("the queue is full")
)

// A SizeError refuses a unit that is larger than the NATS server takes.
type SizeError struct {
	Size  int64 // bytes of the unit's data
	Limit int64 // bytes that the server takes in one message, headers included
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("%d bytes are more than the NATS server takes in one message, which is %d with its headers (max_payload); cut the work into smaller units or raise max_payload",
		e.Size, e.Limit)
}

// Retry marks an error as one that a further try of the same work may not
// meet, such as a machine's failure. Result.Retry says so.
func Retry(err error) error {
	if err == nil {
		return nil
	}
	return &retry{err}
}

type retry struct{ error }

func (e *retry) Unwrap() error { return e.error }

func (k Kind) check() error {
	for _, known := range Kinds {
		if k == known {
			return nil
		}
	}
	return fmt.Errorf("%q is not a kind of work; it is %q or %q", k, Generate, Execute)
}

func (u Unit) check() error {
	if err := u.Kind.check(); err != nil {
		return err
	}
	if u.Try < 0 {
		return fmt.Errorf("try %d is negative; count from 0", u.Try)
	}
	if err := checkName("ID", u.ID); err != nil {
		return err
	}
	return checkName("group", u.Group)
}

func checkName(field, name string) error {
	switch {
	case name == "":
		return fmt.Errorf("the %s is empty", field)
	case len(name) > maxName:
		return fmt.Errorf("the %s has %d bytes; at most %d", field, len(name), maxName)
	case !utf8.ValidString(name):
		return fmt.Errorf("the %s %q is not UTF-8", field, name)
	}
	return nil
}

// resultOf is the outcome of a unit without data or error.
func resultOf(u Unit, worker string) Result {
	return Result{Kind: u.Kind, ID: u.ID, Group: u.Group, Try: u.Try, Worker: worker}
}

// fail puts an error into the result.
func (r *Result) fail(err error) {
	var again *retry
	r.Retry = errors.As(err, &again)
	r.Err = strings.ToValidUTF8(err.Error(), "\uFFFD")
	if len(r.Err) > maxError {
		const cut = " …"
		end := maxError - len(cut)
		for !utf8.RuneStart(r.Err[end]) {
			end--
		}
		r.Err = r.Err[:end] + cut
	}
	if r.Err == "" {
		r.Err = "an error without a text"
	}
}
