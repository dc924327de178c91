// Package evaluator is the fixed judge of the doc-to-code track: it shows a
// model the file up to a function's docstring and turns the reply into a
// candidate body. What belongs to a judge stands here: the context policies,
// the prompts, the extraction of code from a reply, the models and the
// controls that need none.
package evaluator

import (
	"context"

	"touchstone/internal/doctocode"
	"touchstone/internal/llm"
)

// A Target is a task as an evaluator sees it: a function of a file and the
// docstrings under which it is judged.
type Target struct {
	ID         string // the task's id, owner/name:path::qualname
	Repository string // owner/name
	File       *doctocode.SourceFile
	Definition *doctocode.Definition
	Docs       Docs
}

// Docstring is the docstring that the target is judged by, and whether it has
// one: the submission's or, under Original, the file's own.
func (t Target) Docstring() (string, bool) {
	return t.Docs.judged(t.Repository, t.File, t.Definition)
}

// A Request asks for one sample of one target. The prompt is part of it, as
// the release, not the evaluator, states the context policy.
type Request struct {
	Target
	Prompt string
	Sample int // from 0 on
}

// An Evaluator gives replies. It is safe for concurrent use.
type Evaluator interface {
	// Name is what pages and the command line call it.
	Name() string
	// Fingerprint changes when anything changes that determines completions.
	Fingerprint() string
	// Samples is m, the number of samples for each task.
	Samples() int
	// Complete gives the reply for one sample. Its errors tell what to do:
	// ErrNoCompletion and llm.ErrBudgetExhausted, ErrKeyMissing, ErrKeyRejected,
	// ErrModelUnknown and ErrRefused will not go away by trying again,
	// llm.ErrContextTooLong concerns this target only, llm.ErrUnavailable may pass.
	Complete(ctx context.Context, r Request) (llm.Completion, error)
}
