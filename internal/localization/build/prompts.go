package build

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

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

// writePrompts gives every task its prompts, reading one patch at a time. A
// task without is dropped.
func (m *miner) writePrompts(ctx context.Context, repository history.Repository, files []history.File) error {
	w, err := m.readWords(ctx, repository, files)
	if err != nil {
		return err
	}
	commits := make([]string, len(m.tasks))
	for i, t := range m.tasks {
		commits[i] = t.Commit
	}
	next := 0
	m.show("prompts", next, len(commits))
	for next < len(commits) {
		err := repository.Patches(ctx, commits[next:], func(out io.Reader) error {
			return prompts.ReadLog(out, func(commit string, changes []prompts.Change) error {
				if next == len(commits) || commit != commits[next] {
					return fmt.Errorf("git log wrote the patch of %s out of turn", commit)
				}
				if err := m.write(ctx, &m.tasks[next], changes, w); err != nil {
					return err
				}
				next++
				m.show("prompts", next, len(commits))
				return nil
			})
		})
		switch {
		case errors.Is(err, prompts.ErrDiffTooLarge):
			m.drop(m.tasks[next], localization.ReasonTooLarge, err.Error())
			next++
		case err != nil:
			return err
		case next < len(commits):
			return fmt.Errorf("git log wrote no patch of %s", commits[next])
		}
	}
	m.tasks = slices.DeleteFunc(m.tasks, func(t localization.Task) bool { return t.Prompts == nil })
	slices.SortStableFunc(m.dropped, func(a, b localization.Drop) int { return m.place[a.Commit] - m.place[b.Commit] })
	return nil
}

// write gives one task its prompts, or drops it.
func (m *miner) write(ctx context.Context, t *localization.Task, changes []prompts.Change, w words) error {
	p := m.pulls[t.Number]
	texts, rejections, err := prompts.Compose(ctx, m.options.Writer, &prompts.Pull{Title: p.Title, Body: p.Body, Changes: changes}, w.snapshot)
	m.told.rejected.Add(rejections)
	var unwritable *prompts.Unwritable
	if errors.As(err, &unwritable) {
		m.drop(*t, localization.ReasonLeak, broken(unwritable))
		return nil
	}
	if err != nil {
		return err
	}
	t.Prompts = texts
	return m.told.residual.Add(w, *t)
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
