// Package localizationtest fills a store with a release of the localization
// track and with scored submissions, for tests of what is made of them.
package localizationtest

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// Histories is a release in a store. Each task has one file of source as gold,
// and those of an even number a test, too; the last task of each repository has
// nothing but documentation.
type Histories struct {
	testing.TB
	Store   *store.Store
	Release store.Release
	Tasks   []localization.Task
	ids     map[string]uint64
	n       int
	scored  map[uint64]scored // by submission
}

// scored is what is kept of a submission.
type scored struct {
	predictions []store.Prediction
	scores      []store.LocalizationScore
	tasks       []store.LocalizationTaskScore
}

// New keeps the release histories@1: acme/one, which lies on a forge, of so many
// tasks, and acme/two of half as many.
func New(t testing.TB, db *store.Store, tasks int) *Histories {
	t.Helper()
	h := &Histories{TB: t, Store: db, ids: map[string]uint64{}, scored: map[uint64]scored{}}
	manifest := localization.Release{Format: 1, Name: "histories", Version: "1", Track: benchmark.Localization, Policy: localization.Policy{MaxGold: 30},
		Prompts: localization.Prompts{Writer: "extractive-v1", Templates: map[localization.Level]string{localization.Minimal: "aa"}}}
	data, err := json.Marshal(manifest)
	h.check(err)
	h.Release = store.Release{Track: benchmark.Localization, Name: "histories", Version: "1", Dir: "histories", SHA256: "x", Prompt: "extractive-v1"}
	facts := store.LocalizationFacts{Release: store.LocalizationRelease{PullRequests: tasks + tasks/2 + 3, Dropped: map[string]int{localization.ReasonBot: 2, localization.ReasonLeak: 1}, Manifest: data}}
	var rows []store.Task
	var drops []store.Drop
	for i, r := range []struct {
		name, source string
		tasks        int
	}{{"acme/one", "https://github.com/acme/one.git", tasks}, {"acme/two", "/srv/git/two.git", tasks / 2}} {
		h.Release.Tasks += r.tasks
		h.Release.Repositories = append(h.Release.Repositories, store.Repository{Name: r.name, Source: r.source, Commit: fmt.Sprintf("%040d", i+1), Tasks: r.tasks})
		facts.Repositories = append(facts.Repositories, store.LocalizationRepository{T0: day(1), T1: day(90), Snapshot: fmt.Sprintf("%040d", i+1), Head: fmt.Sprintf("%040d", i+5),
			Commits: 3 * r.tasks, PullRequests: r.tasks + 2 - i, Gold: r.tasks, Files: 120, Dropped: map[string]int{localization.ReasonBot: 1}})
		drops = append(drops, store.Drop{Repository: r.name, Kind: "task", Key: localization.TaskID(r.name, 900), Reason: localization.ReasonBot, Detail: "its author is a program"})
		for n := range r.tasks {
			task := localization.Task{ID: localization.TaskID(r.name, n+1), Repository: r.name, Number: n + 1, MergedAt: day(n + 2),
				Prompts: map[localization.Level]string{localization.Minimal: "Fix <b>parsing</b>", localization.Guided: "Fix parsing of empty lines by a check"}}
			switch {
			case n == r.tasks-1:
				task.Gold = []localization.GoldFile{{Path: "docs/guide.md", Label: localization.Documentation}}
			case n%2 == 0:
				task.Gold = []localization.GoldFile{{Path: gold(n), Label: localization.Source}}
			default:
				task.Gold = []localization.GoldFile{{Path: gold(n), Label: localization.Source}, {Path: fmt.Sprintf("test/t%d.go", n), Label: localization.Test}}
			}
			h.Tasks = append(h.Tasks, task)
			rows = append(rows, store.Task{RepositoryID: uint64(i), Key: task.ID, Position: len(rows)})
			own := store.LocalizationTask{Number: task.Number, Commit: fmt.Sprintf("%040x", 100+n), Base: fmt.Sprintf("%040x", 99+n), MergedAt: task.MergedAt, Added: []string{"src/new.go"}, Prompts: map[string]string{}}
			for _, g := range task.Gold {
				own.Gold = append(own.Gold, store.GoldFile{Path: g.Path, Label: string(g.Label)})
			}
			for level, text := range task.Prompts {
				own.Prompts[string(level)] = text
			}
			facts.Tasks = append(facts.Tasks, own)
		}
	}
	h.check(db.AddLocalizationRelease(t.Context(), &h.Release, rows, drops, facts))
	for _, row := range rows {
		h.ids[row.Key] = row.ID
	}
	return h
}

func day(n int) time.Time { return time.Date(2026, 1, n, 12, 0, 0, 0, time.UTC) }
func gold(n int) string   { return fmt.Sprintf("src/f%d.go", n) }
func (h *Histories) check(err error) {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
}

// Right is the answer that finds every gold file of a task and no other.
func Right(t localization.Task) []string {
	var files []string
	for _, g := range t.Gold {
		files = append(files, g.Path)
	}
	return files
}

// Every answers every k-th task of a repository rightly, from the first on, and
// the others with a wrong file.
func Every(k int) func(localization.Task) []string {
	return func(t localization.Task) []string {
		if (t.Number-1)%k == 0 {
			return Right(t)
		}
		return []string{"src/wrong.go"}
	}
}

// Answers are what a system predicts in an arm; nil for no prediction.
type Answers map[localization.Arm]func(localization.Task) []string

// Submit keeps a scored submission of a system.
func (h *Histories) Submit(system, model, version string, answers Answers) store.Submission {
	h.Helper()
	sub := h.Draft(system, model, version)
	var predictions []localization.Prediction
	var rows []store.Prediction
	for arm, answer := range answers {
		for _, t := range h.Tasks {
			if files := answer(t); files != nil {
				predictions = append(predictions, localization.Prediction{Task: t.ID, Level: arm.Level, Condition: arm.Condition, Files: files})
				rows = append(rows, store.Prediction{SubmissionID: sub.ID, TaskID: h.ids[t.ID], Arm: armRow(arm), Files: files})
			}
		}
	}
	var scores []store.LocalizationScore
	var tasks []store.LocalizationTaskScore
	for _, gold := range localization.Golds {
		score, err := localization.ScoreOf(h.Tasks, predictions, gold)
		h.check(err)
		for _, a := range score.Arms {
			scores = append(scores, h.sum(a.Summary, sub, 0, a.Arm, gold))
			for _, r := range a.Repositories {
				scores = append(scores, h.sum(r.Summary, sub, h.repository(r.Repository), a.Arm, gold))
			}
			for _, t := range a.Tasks {
				tasks = append(tasks, store.LocalizationTaskScore{SubmissionID: sub.ID, TaskID: h.ids[t.Task], Arm: armRow(a.Arm), Gold: string(gold), RepositoryID: h.repository(t.Repository),
					Answered: t.Answered, TruePositives: t.TruePositives, FalsePositives: t.FalsePositives, FalseNegatives: t.FalseNegatives,
					Precision: t.Precision, Recall: t.Recall, F1: t.F})
			}
		}
	}
	h.keep(sub, scored{rows, scores, tasks})
	return sub
}

// Repeat keeps a submission of another system that answers as one before.
func (h *Histories) Repeat(of store.Submission, system, model, version string) store.Submission {
	h.Helper()
	sub, same := h.Draft(system, model, version), h.scored[of.ID]
	again := scored{slices.Clone(same.predictions), slices.Clone(same.scores), slices.Clone(same.tasks)}
	for i := range again.predictions {
		again.predictions[i].SubmissionID = sub.ID
	}
	for i := range again.scores {
		again.scores[i].SubmissionID = sub.ID
	}
	for i := range again.tasks {
		again.tasks[i].SubmissionID = sub.ID
	}
	h.keep(sub, again)
	return sub
}

func (h *Histories) keep(sub store.Submission, s scored) {
	h.Helper()
	h.check(h.Store.ConfirmPredictions(h.Context(), sub.ID, s.predictions))
	h.check(h.Store.FinishScoring(h.Context(), sub.ID, s.scores, s.tasks))
	h.scored[sub.ID] = s
}

// Draft keeps a submission that nobody has confirmed.
func (h *Histories) Draft(system, model, version string) store.Submission {
	h.Helper()
	ctx := h.Context()
	account, err := h.Store.AccountByName(ctx, "ada")
	if err != nil {
		account = store.Account{Name: "ada", Role: "submitter"}
		h.check(h.Store.AddAccount(ctx, &account))
	}
	row, err := h.Store.SystemNamed(ctx, store.System{Slug: benchmark.Slug(system, model), Name: system, Model: model})
	h.check(err)
	h.n++
	sub := store.Submission{PublicID: fmt.Sprintf("loc%d", h.n), Track: benchmark.Localization, ReleaseID: h.Release.ID, SystemID: row.ID, AccountID: account.ID,
		Version: version, Docs: store.DocsFile, State: store.Draft, Tasks: len(h.Tasks), Documented: len(h.Tasks)}
	h.check(h.Store.AddSubmission(ctx, &sub))
	return sub
}

func (h *Histories) repository(name string) uint64 {
	for _, r := range h.Release.Repositories {
		if r.Name == name {
			return r.ID
		}
	}
	return 0
}

func armRow(a localization.Arm) store.Arm {
	return store.Arm{Level: string(a.Level), Condition: string(a.Condition)}
}

func (h *Histories) sum(s localization.Summary, sub store.Submission, repository uint64, arm localization.Arm, gold localization.Gold) store.LocalizationScore {
	row := store.LocalizationScore{SubmissionID: sub.ID, RepositoryID: repository, Arm: armRow(arm), Gold: string(gold), Tasks: s.Tasks, Answered: s.Answered,
		Precision: s.Mean.Precision, Recall: s.Mean.Recall, F1: s.Mean.F, MicroPrecision: s.Micro.Precision, MicroRecall: s.Micro.Recall, MicroF1: s.Micro.F,
		ZeroPrecision: s.ZeroPrecision.Count, ZeroRecall: s.ZeroRecall.Count, FullRecall: s.FullRecall.Count, Exact: s.Exact.Count}
	if i := s.Interval.Interval; i != nil {
		row.Low, row.High = &i.Low, &i.High
	}
	return row
}

// Both are a baseline and an augmented arm at each level: the baseline finds
// every k-th task's files, fewer at lower levels, and the augmented arm all.
func Both() Answers {
	answers := Answers{}
	for i, level := range localization.Levels {
		answers[localization.Arm{Level: level, Condition: localization.Baseline}] = Every(5 - i)
		answers[localization.Arm{Level: level, Condition: localization.Augmented}] = Every(max(1, 3-i))
	}
	return answers
}
