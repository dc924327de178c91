// Package build makes releases of the localization track: it reads pull
// requests out of the histories of repositories and turns them into tasks
// with gold files.
package build

import (
	"context"
	"errors"
	"fmt"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/localization/history"
	"touchstone/internal/localization/prompts"
)

// Options say what is built, from where and to where.
type Options struct {
	Recipe Recipe
	Mirror string // folder of clones, for repositories whose recipe names none
	Out    string
	Tool   string         // version that the release records
	Writer Writer         // of prompts
	Jobs   int            // tasks whose prompts are written at once; at least 1
	Model  map[string]any // sampling parameters of a writer that is a model
	// Facts leaves the prompts' texts out of what is written. Everything else
	// is as it is with them, so that the tasks are the same.
	Facts bool
	Say   func(repository, note string)                  // something a person should know
	Show  func(repository, step string, done, total int) // how far the work has come
}

// Build writes a release into Out. The same histories and recipe give the same
// release, byte for byte. When one repository cannot be built there is no
// release; errors that a person can mend are *benchmark.InputError.
func Build(ctx context.Context, o Options) (localization.Release, error) {
	if err := localization.Vacant(o.Out); err != nil {
		return localization.Release{}, err
	}
	policy := localization.Policy{MaxGold: o.Recipe.Release.MaxGold, Bots: o.Recipe.Release.Bots, Reverts: o.Recipe.Release.Reverts}
	c := localization.Contents{
		Release: localization.Release{Name: o.Recipe.Release.Name, Version: o.Recipe.Release.Version, ToolVersion: o.Tool, Policy: policy},
		Files:   map[string][]string{},
	}
	told := told{rejected: prompts.Rejected{}}
	for _, q := range o.Recipe.Repositories {
		m := miner{recipe: q, policy: policy, options: o, told: &told}
		if err := m.run(ctx); err != nil {
			return localization.Release{}, named(q.Name, len(o.Recipe.Repositories), err)
		}
		c.Repositories = append(c.Repositories, m.repository)
		c.Tasks = append(c.Tasks, m.tasks...)
		c.Dropped = append(c.Dropped, m.dropped...)
		c.Files[q.Name] = m.files
	}
	c.Release.Prompts = localization.Prompts{Writer: o.Writer.Name(), Templates: o.Writer.Templates(), Rejected: told.rejected, Residual: told.residual.F1(), Model: o.Model}
	if o.Facts {
		for i := range c.Tasks {
			c.Tasks[i].Prompts = nil
		}
	}
	return c.Write(o.Out)
}

// named says which of several repositories an error is about.
func named(repository string, repositories int, err error) error {
	var input *benchmark.InputError
	if repositories == 1 || !errors.As(err, &input) || input.File != "" {
		return err
	}
	about := *input
	about.Field = repository + ": " + about.Field
	return &about
}

// A miner turns the history of one repository into tasks.
type miner struct {
	recipe  RepositoryRecipe
	policy  localization.Policy
	options Options

	exported   map[int]Exported
	tracker    *tracker
	seen       map[int]string // number of a pull request → the commit that counts for it
	pulls      map[int]Pull   // of the tasks
	place      map[string]int // of a pull request's commit in the window
	told       *told
	repository localization.Repository
	tasks      []localization.Task
	dropped    []localization.Drop
	files      []string
}

func (m *miner) run(ctx context.Context) error {
	if m.recipe.Pulls != "" {
		var err error
		if m.exported, err = LoadExport(m.recipe.Pulls); err != nil {
			return err
		}
	}
	dir, err := m.recipe.Clone(m.options.Mirror)
	if err != nil {
		return err
	}
	m.show("history", 0, 1)
	repository, err := history.Open(ctx, dir)
	if err != nil {
		return err
	}
	window, err := repository.Window(ctx, m.recipe.Branch, m.recipe.from, m.recipe.to)
	if err != nil {
		return err
	}
	m.remark(window)
	files, unnamed, err := repository.Files(ctx, window.Snapshot)
	if err != nil {
		return err
	}
	if unnamed > 0 {
		m.say("%d files of the snapshot have a path that is not UTF-8 or holds a control character; they were left out", unnamed)
	}
	for _, f := range files {
		m.files = append(m.files, f.Path)
	}
	m.tracker, m.seen, m.pulls, m.place = newTracker(files), map[int]string{}, map[int]Pull{}, map[string]int{}
	done := 0
	m.show("commits", done, window.Commits)
	err = repository.Log(ctx, window.Snapshot, window.Head, func(c history.Commit) error {
		m.take(c)
		done++
		m.show("commits", done, window.Commits)
		return nil
	})
	if err != nil {
		return err
	}
	if err := m.writePrompts(ctx, repository, files); err != nil {
		return err
	}
	m.repository = localization.Repository{
		Name: m.recipe.Name, Source: m.recipe.Source, T0: window.T0, T1: window.T1, Snapshot: window.Snapshot, Head: window.Head,
		Files: localization.FilesPath(m.recipe.Name), Counts: m.counts(window.Commits),
	}
	if len(m.tasks) == 0 {
		return &benchmark.InputError{Field: "t1", Problem: fmt.Sprintf("no pull request of the %d commits is a task (%d were dropped)", window.Commits, len(m.dropped)),
			Mend: "choose a longer window; pull requests are recognised from merge commits, and from subjects that end in (#n)"}
	}
	return nil
}

// take reads one commit of the window.
func (m *miner) take(c history.Commit) {
	gold, added := m.tracker.step(c.Changes) // of every commit: files are renamed by any
	p, ok := Recognise(c)
	if !ok {
		return
	}
	if e, ok := m.exported[p.Number]; ok {
		p.Title, p.Body = e.Title, stripTrailers(e.Body)
		if e.Head != "" {
			p.Head = e.Head
		}
	}
	m.place[c.SHA] = len(m.place)
	reason, detail := m.reason(c, p, gold, added)
	task := localization.Task{
		ID: localization.TaskID(m.recipe.Name, p.Number), Repository: m.recipe.Name, Number: p.Number,
		Commit: c.SHA, Base: c.Parent, MergedAt: c.Time, Added: added,
	}
	if reason != "" {
		m.drop(task, reason, detail)
		return
	}
	m.pulls[p.Number] = p
	for _, path := range gold {
		task.Gold = append(task.Gold, localization.GoldFile{Path: path, Label: Label(path)})
	}
	m.tasks = append(m.tasks, task)
}

// reason tells why a pull request is no task, and what of it.
func (m *miner) reason(c history.Commit, p Pull, gold, added []string) (reason, detail string) {
	// A revert often ends in the number of what it takes back.
	if how, ok := revert(p); ok && !m.policy.Reverts {
		return localization.ReasonRevert, how
	}
	if first := m.seen[p.Number]; first != "" {
		return localization.ReasonRepeated, "the commit " + first + " counts"
	}
	m.seen[p.Number] = c.SHA
	if who, ok := bot(c, p); ok && !m.policy.Bots {
		return localization.ReasonBot, who
	}
	switch {
	case p.Title == "":
		return localization.ReasonUntitled, "the message has a subject only"
	case len(gold) == 0:
		return localization.ReasonNoGold, fmt.Sprintf("of %d changed paths %d are new, and none of the others is a file of the snapshot", len(c.Changes), len(added))
	case len(gold) > m.policy.MaxGold:
		return localization.ReasonTooMany, fmt.Sprintf("%d gold files", len(gold))
	}
	return "", ""
}

func (m *miner) counts(commits int) localization.Counts {
	c := localization.Counts{Commits: commits, PullRequests: len(m.tasks) + len(m.dropped), Tasks: len(m.tasks), Dropped: map[string]int{}, Files: len(m.files)}
	for _, t := range m.tasks {
		c.Gold += len(t.Gold)
	}
	for _, d := range m.dropped {
		c.Dropped[d.Reason]++
	}
	return c
}

// remark tells what is unusual about a window.
func (m *miner) remark(w history.Window) {
	if w.T1.After(w.Tip) {
		m.say("T1 is after the last commit, of %s: once the clone is fetched again, the same recipe gives another release", w.Tip.Format(time.RFC3339))
	}
	if w.Early > 0 {
		m.say("%d commits that the snapshot holds are dated after T0: they stand before it on the main line", w.Early)
	}
	if w.Late > 0 {
		m.say("%d commits of the window are dated after T1: they stand before its end on the main line", w.Late)
	}
}

func (m *miner) say(format string, values ...any) {
	if m.options.Say != nil {
		m.options.Say(m.recipe.Name, fmt.Sprintf(format, values...))
	}
}

func (m *miner) show(step string, done, total int) {
	if m.options.Show != nil {
		m.options.Show(m.recipe.Name, step, done, total)
	}
}
