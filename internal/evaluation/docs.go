package evaluation

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/store"
)

// uploaded is the blob of a submission's file as it came, accepted the one of
// the docstrings that were taken from it.
func uploaded(publicID string) string { return "submissions/" + publicID + "/uploaded" }
func accepted(publicID string) string { return "submissions/" + publicID + "/docs.jsonl" }

// keepDocs writes the docstrings that were accepted, in the order of their
// definitions: what is judged does not change when the reader of uploads does.
func (e *Engine) keepDocs(ctx context.Context, publicID string, docs evaluator.Docs) error {
	rows := slices.SortedFunc(docs.Rows, func(a, b benchmark.Docstring) int { return cmp.Compare(a.Task.String(), b.Task.String()) })
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for _, row := range rows {
		if err := encoder.Encode(map[string]string{"task_id": row.Task.String(), "docstring": row.Text}); err != nil {
			return err
		}
	}
	_, err := e.Blobs.Put(ctx, accepted(publicID), &lines)
	return err
}

// Docs are the docstrings that a submission is judged by.
func (e *Engine) Docs(ctx context.Context, sub store.Submission) (evaluator.Docs, error) {
	switch sub.Docs {
	case store.DocsOriginal:
		return evaluator.Original(), nil
	case store.DocsNone:
		return evaluator.NoDocs(), nil
	}
	return e.docs.get(sub.ID, func() (evaluator.Docs, error) {
		file, err := e.Blobs.Get(ctx, accepted(sub.PublicID))
		if err != nil {
			return evaluator.Docs{}, err
		}
		defer file.Close()
		docs, _, err := evaluator.ReadDocs(file, accepted(sub.PublicID))
		if err != nil {
			return docs, fmt.Errorf("reading the docstrings of %s: %w", sub.PublicID, err)
		}
		return docs, nil
	})
}

// documented are the tasks that a submission is judged on with a docstring.
func (e *Engine) documented(ctx context.Context, sub store.Submission, release *Opened) (map[uint64]bool, error) {
	has := map[uint64]bool{}
	ids, err := e.Store.DocumentedTasks(ctx, sub.ID)
	for _, id := range ids {
		has[id] = true
	}
	return has, err
}

// recentDocs keeps the docstrings of the submissions that were asked for last.
type recentDocs struct {
	mu   sync.Mutex
	list []recent // the latest last
}

type recent struct {
	submission uint64
	docs       evaluator.Docs
}

const keptDocs = 8

func (r *recentDocs) get(submission uint64, read func() (evaluator.Docs, error)) (evaluator.Docs, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.list, func(x recent) bool { return x.submission == submission }); i >= 0 {
		found := r.list[i]
		r.list = append(slices.Delete(r.list, i, i+1), found)
		return found.docs, nil
	}
	docs, err := read()
	if err != nil {
		return docs, err
	}
	if len(r.list) == keptDocs {
		r.list = slices.Delete(r.list, 0, 1)
	}
	r.list = append(r.list, recent{submission, docs})
	return docs, nil
}
