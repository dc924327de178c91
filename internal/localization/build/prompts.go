package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"touchstone/internal/localization"
	"touchstone/internal/localization/bm25"
	"touchstone/internal/localization/history"
	"touchstone/internal/localization/prompts"
)

// A Writer writes prompts from templates that a release can name.
type Writer interface {
	prompts.Writer
	// Templates is the SHA-256 of each level's template.
	Templates() map[localization.Level]string
}

// largestFile is the most bytes of a file whose words are read for the prompts.
const largestFile = 1 << 20

// pathWeight is how often a word of a path counts in the index of the
// residual-leak meter, where one of the content counts once.
const pathWeight = 3

// told sums up what was written for all repositories of a release.
type told struct {
	rejected prompts.Rejected
	residual prompts.Residual
}

// words are what the snapshot says, for the rules and for the meter.
type words struct {
	snapshot *prompts.Snapshot
	index    *bm25.Index
}

// Rank implements prompts.Ranker: BM25 over the snapshot's files, given the
// prompt alone.
func (w words) Rank(query string, n int) []string {
	var names []string
	for _, hit := range w.index.Rank(query, n) {
		names = append(names, hit.Name)
	}
	return names
}

// readWords reads the snapshot's files one after the other.
func (m *miner) readWords(ctx context.Context, repository history.Repository, files []history.File) (words, error) {
	w := words{snapshot: prompts.NewSnapshot()}
	index := bm25.NewBuilder()
	var text bytes.Buffer
	done := 0
	m.show("words", done, len(files))
	lacking, err := repository.Contents(ctx, files, func(f history.File, size int64, content io.Reader) error {
		text.Reset()
		if size <= largestFile && !f.Link {
			if _, err := text.ReadFrom(content); err != nil {
				return err
			}
		}
		w.snapshot.Add(text.Bytes())
		if bytes.IndexByte(text.Bytes()[:min(text.Len(), 8000)], 0) >= 0 {
			text.Reset() // binary, as git decides
		}
		index.Add(f.Path, bm25.Field{Text: text.Bytes(), Weight: 1}, bm25.Field{Text: []byte(f.Path), Weight: pathWeight})
		done++
		m.show("words", done, len(files))
		return nil
	})
	if err != nil {
		return w, err
	}
	if lacking > 0 {
		m.say("the clone lacks the content of %d files of the snapshot: their words were not read", lacking)
	}
	m.show("words", len(files), len(files))
	w.index = index.Index()
	return w, nil
}

// writePrompts gives every task its prompts. A task that can have none is
// dropped. Sums are made in the order of the tasks, so that they are the same
// to the last digit.
func (m *miner) writePrompts(ctx context.Context, repository history.Repository, files []history.File) error {
	w, err := m.readWords(ctx, repository, files)
	if err != nil {
		return err
	}
	commits := make([]string, len(m.tasks))
	for i, t := range m.tasks {
		commits[i] = t.Commit
	}
	outcomes := make([]outcome, len(m.tasks))
	if err := m.compose(ctx, repository, commits, w.snapshot, outcomes); err != nil {
		return err
	}
	for i := range m.tasks {
		t, got := &m.tasks[i], outcomes[i]
		m.told.rejected.Add(got.rejections)
		switch {
		case got.reason != "":
			m.drop(*t, got.reason, got.detail)
			continue
		case got.texts == nil:
			return fmt.Errorf("git log wrote no patch of %s", t.Commit)
		}
		t.Prompts = got.texts
		if err := m.told.residual.Add(w, *t); err != nil {
			return err
		}
	}
	m.tasks = slices.DeleteFunc(m.tasks, func(t localization.Task) bool { return t.Prompts == nil })
	slices.SortStableFunc(m.dropped, func(a, b localization.Drop) int { return m.place[a.Commit] - m.place[b.Commit] })
	return nil
}

// An outcome is what became of one task: its prompts, or why it has none.
type outcome struct {
	texts          map[localization.Level]string
	rejections     []prompts.Rejection
	reason, detail string
}

// compose writes the prompts of the tasks that commits merged, several at
// once: as many patches are held.
func (m *miner) compose(ctx context.Context, repository history.Repository, commits []string, s *prompts.Snapshot, to []outcome) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, m.options.Jobs))
	next := 0
	var mu sync.Mutex
	done := 0
	m.show("prompts", done, len(commits))
	read := func(commit string, changes []prompts.Change) error {
		if next == len(commits) || commit != commits[next] {
			return fmt.Errorf("git log wrote the patch of %s out of turn", commit)
		}
		task, result := m.tasks[next], &to[next]
		next++
		group.Go(func() (err error) {
			*result, err = m.write(ctx, task, changes, s)
			mu.Lock()
			defer mu.Unlock()
			done++
			m.show("prompts", done, len(commits))
			return err
		})
		return ctx.Err()
	}
	var err error
	for next < len(commits) && err == nil {
		begun := next
		err = repository.Patches(ctx, commits[next:], func(out io.Reader) error { return prompts.ReadLog(out, read) })
		switch {
		case errors.Is(err, prompts.ErrDiffTooLarge):
			to[next] = outcome{reason: localization.ReasonTooLarge, detail: err.Error()}
			next, err = next+1, nil
		case next == begun && err == nil:
			err = fmt.Errorf("git log wrote no patch of %s", commits[next])
		}
	}
	// What stopped the writers stopped the reading, too, and says why.
	if failed := group.Wait(); failed != nil {
		return failed
	}
	return err
}

// write gives one task its prompts, or says why it has none.
func (m *miner) write(ctx context.Context, t localization.Task, changes []prompts.Change, s *prompts.Snapshot) (outcome, error) {
	p := m.pulls[t.Number]
	texts, rejections, err := prompts.Compose(ctx, m.options.Writer, &prompts.Pull{Title: p.Title, Body: p.Body, Changes: changes}, s)
	result := outcome{texts: texts, rejections: rejections}
	var unwritable *prompts.Unwritable
	if errors.As(err, &unwritable) {
		result.reason, result.detail, err = localization.ReasonLeak, broken(unwritable), nil
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", t.ID, err)
	}
	return result, err
}

// broken names the level and its rules, not what the draft said: that is the
// pull request's text, or would give it away.
func broken(u *prompts.Unwritable) string {
	var rules []string
	for _, r := range u.Rejections {
		if !slices.Contains(rules, r.Rule) {
			rules = append(rules, r.Rule)
		}
	}
	return fmt.Sprintf("%s: %s", u.Level, strings.Join(rules, ", "))
}

func (m *miner) drop(t localization.Task, reason, detail string) {
	m.dropped = append(m.dropped, localization.Drop{Repository: t.Repository, Number: t.Number, Commit: t.Commit, Reason: reason, Detail: detail})
}
