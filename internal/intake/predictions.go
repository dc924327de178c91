package intake

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
	"touchstone/internal/localization"
)

// A PredictionReport says what an upload of predictions is worth before
// anything is queued. It shows nothing of what the gold files are.
type PredictionReport struct {
	localization.PredictionReport
	Release   string           `json:"release"` // name@version
	Packing   Packing          `json:"packing"`
	Bytes     int64            `json:"bytes"`     // as uploaded
	Unpacked  int64            `json:"unpacked"`  // bytes
	Otherwise localization.Arm `json:"otherwise"` // of lines that do not name theirs

	Tasks    int           `json:"tasks"`    // of the release
	Answered int           `json:"answered"` // tasks with a prediction in some arm
	Arms     []ArmCoverage `json:"arms"`     // that the upload has, by level, the baseline first
	Missing  []string      `json:"missing"`  // ids of tasks without any prediction, in the release's order

	Outside jsonlines.Listed[localization.OutsidePath] `json:"outside"` // predicted files that the snapshot does not have
}

// An ArmCoverage is how much of a release is answered at a level and in a
// condition. A task without a prediction counts as an empty one.
type ArmCoverage struct {
	localization.Arm
	Answered     int               `json:"answered"`
	Empty        int               `json:"empty"` // of them without a file
	Missing      int               `json:"missing"`
	Repositories []RepositoryTasks `json:"repositories"` // in the release's order
}

// RepositoryTasks are how many tasks of a repository are answered.
type RepositoryTasks struct {
	Repository string `json:"repository"`
	Tasks      int    `json:"tasks"`
	Answered   int    `json:"answered"`
}

// PreflightPredictions reads an upload of predictions for a release, plain or
// packed, and returns those that count: at most one for each task, level and
// condition. otherwise says what lines are of that do not name their level or
// condition; either may be empty when all lines name it.
//
// A bad line does not end the reading; it is named in the report. An upload
// that cannot be used at all (empty, no text, broken off, over the limits,
// lines without a level when otherwise has none) is a *benchmark.InputError.
// Any other error is one of reading r, or of ctx.
func PreflightPredictions(ctx context.Context, r io.Reader, name string, d *localization.Dataset, otherwise localization.Arm, limits Limits) (*PredictionReport, []localization.Prediction, error) {
	u, err := open(ctx, r, name, PredictionsJSONL, limits.orDefault())
	if err != nil {
		return nil, nil, err
	}
	defer u.close()
	ends := &lineEnds{in: u}
	collected := localization.NewPredictions(d.Tasks)
	lines, err := collected.Read(ends, name, otherwise)
	if err != nil {
		return nil, nil, u.explain(err, ends.count)
	}
	if err := undecided(lines, otherwise); err != nil {
		return nil, nil, err
	}
	report := &PredictionReport{PredictionReport: *lines, Release: d.Release.ID(), Packing: u.packing, Bytes: u.packed.read, Unpacked: u.unpacked.read, Otherwise: otherwise, Tasks: len(d.Tasks)}
	all := collected.All()
	report.cover(d, all)
	report.Outside, err = d.Outside(all)
	return report, all, err
}

// undecided says that lines do not name what the form does not say either.
func undecided(r *localization.PredictionReport, otherwise localization.Arm) error {
	bad := func(lines int, field, what, choices string) error {
		return &benchmark.InputError{Field: field, Problem: fmt.Sprintf("is not said by %s of the file, and not chosen for them", counted(lines)),
			Mend: fmt.Sprintf("choose the %s of these lines, or write %q: %s into each", what, field, choices)}
	}
	switch {
	case r.Level > 0 && otherwise.Level == "":
		return bad(r.Level, "prompt", "level", "minimal, concise, contextual or guided")
	case r.Condition > 0 && otherwise.Condition == "":
		return bad(r.Condition, "condition", "condition", "baseline or augmented")
	}
	return nil
}

func counted(lines int) string {
	if lines == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", lines)
}

// cover counts tasks, arm by arm and repository by repository.
func (r *PredictionReport) cover(d *localization.Dataset, all []localization.Prediction) {
	place := map[string]int{} // repository → place in the release
	tasks := make([]int, len(d.Repositories))
	of := make(map[string]int, len(d.Tasks))
	for i, repository := range d.Repositories {
		place[repository.Name] = i
	}
	for _, t := range d.Tasks {
		of[t.ID] = place[t.Repository]
		tasks[of[t.ID]]++
	}
	answered := make(map[string]bool, len(d.Tasks))
	r.Arms, r.Missing = []ArmCoverage{}, []string{}
	for _, p := range all { // arm by arm
		arm := localization.Arm{Level: p.Level, Condition: p.Condition}
		if n := len(r.Arms); n == 0 || r.Arms[n-1].Arm != arm {
			c := ArmCoverage{Arm: arm}
			for i, repository := range d.Repositories {
				c.Repositories = append(c.Repositories, RepositoryTasks{Repository: repository.Name, Tasks: tasks[i]})
			}
			r.Arms = append(r.Arms, c)
		}
		c := &r.Arms[len(r.Arms)-1]
		c.Answered++
		if len(p.Files) == 0 {
			c.Empty++
		}
		c.Repositories[of[p.Task]].Answered++
		answered[p.Task] = true
	}
	for i := range r.Arms {
		r.Arms[i].Missing = len(d.Tasks) - r.Arms[i].Answered
	}
	for _, t := range d.Tasks {
		if !answered[t.ID] {
			r.Missing = append(r.Missing, t.ID)
		}
	}
	r.Answered = len(answered)
}

// lineEnds counts the lines that are read through it.
type lineEnds struct {
	in    io.Reader
	count int
}

func (l *lineEnds) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	l.count += bytes.Count(p[:n], []byte("\n"))
	return n, err
}
