package build

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/sandbox"
)

// controlRuns is how often each control has to give its verdict.
const controlRuns = 3

// VerifyOptions say how a release is verified.
type VerifyOptions struct {
	Dataset  *doctocode.Dataset
	Cache    *cache.Folder
	Sandbox  sandbox.Sandbox
	Workers  int
	Progress Progress
	ReadOnly bool // report only; the release stays as it is
}

// A Verification is what the controls have shown.
type Verification struct {
	Tasks     int      `json:"tasks"`
	Reference float64  `json:"reference"` // share of runs of the original body that passed: 1 after repair
	Stub      float64  `json:"stub"`      // share of runs of the stubs that passed: 0 after repair
	Repaired  []string `json:"repaired"`  // tasks given a slower strategy
	Dropped   []string `json:"dropped"`   // tasks taken out of the release
}

// control is a body with the verdict that it has to end in.
type control struct {
	name   string
	body   string
	passes bool
}

// Verify runs reference and stubs three times on every task with the task's
// strategy. A task on which one of them errs is given the next slower
// strategy, and dropped when none is right; the release is rewritten then.
func Verify(ctx context.Context, o VerifyOptions) (Verification, error) {
	result := Verification{Repaired: []string{}, Dropped: []string{}}
	changed := map[string]doctocode.Task{}
	dropped := map[string]doctocode.Dropped{}
	var passedReference, passedStub, stubs int
	done := 0
	for _, r := range o.Dataset.Repositories {
		tasks := o.Dataset.TasksOf(r.Name)
		if len(tasks) == 0 {
			continue
		}
		w, err := execute.PrepareFrom(ctx, o.Dataset, r.Name, o.Cache)
		if err != nil {
			return result, err
		}
		if err := w.Warm(ctx, o.Sandbox); err != nil {
			return result, err
		}
		runner, err := w.NewRunner(o.Sandbox, o.Workers, tasks)
		if err != nil {
			return result, err
		}
		verdicts, err := verifyTasks(ctx, o, w, runner, r.Name, tasks, func() {
			done++
			o.Progress("controls", done, len(o.Dataset.Tasks))
		})
		runner.Close()
		if err != nil {
			return result, err
		}
		for i, t := range tasks {
			v := verdicts[i]
			result.Tasks++
			if v.why != "" {
				result.Dropped = append(result.Dropped, t.ID)
				dropped[t.ID] = doctocode.Dropped{Repository: r.Name, Kind: "task", ID: t.ID, Reason: doctocode.ReasonControl, Detail: steady(v.why)}
				continue
			}
			passedReference += v.reference
			passedStub += v.stub
			stubs += v.stubs
			if v.task.Strategy != t.Strategy {
				result.Repaired = append(result.Repaired, t.ID)
				changed[t.ID] = v.task
			}
		}
	}
	kept := result.Tasks - len(result.Dropped)
	if kept > 0 {
		result.Reference = float64(passedReference) / float64(kept*controlRuns)
		result.Stub = float64(passedStub) / float64(stubs)
	}
	if o.ReadOnly || len(changed)+len(dropped) == 0 {
		return result, nil
	}
	return result, rewrite(o.Dataset, changed, dropped)
}

// verified is what the controls of one task have shown.
type verified struct {
	task                   doctocode.Task // perhaps with another strategy
	reference, stub, stubs int            // runs that passed, and runs of stubs
	why                    string         // the task is dropped
}

func verifyTasks(ctx context.Context, o VerifyOptions, w *execute.Workspace, runner *execute.Runner, repository string, tasks []doctocode.Task, advance func()) ([]verified, error) {
	results := make([]verified, len(tasks))
	err := spread(ctx, o.Workers, len(tasks), func(ctx context.Context, i int) error {
		var err error
		results[i], err = verifyTask(ctx, o, w, runner, repository, tasks[i])
		return err
	}, advance)
	return results, err
}

func verifyTask(ctx context.Context, o VerifyOptions, w *execute.Workspace, runner *execute.Runner, repository string, t doctocode.Task) (verified, error) {
	id, err := benchmark.ParseTaskID(t.ID)
	if err != nil {
		return verified{}, err
	}
	file, d, err := w.Find(id.Path, id.Qualname, id.Ordinal)
	if err != nil {
		return verified{}, err
	}
	controls := []control{{"reference", file.OriginalBody(d), true}, {"stub", passStub, false}}
	if text := defaultStub(d); text != "" {
		controls = append(controls, control{"stub", text, false})
	}
	wall := execute.Wall(o.Dataset.Seconds(repository, t.Tests))
	var why string
	for at := slices.Index(doctocode.Strategies, t.Strategy); at >= 0 && at < len(doctocode.Strategies); at++ {
		v := verified{task: t}
		v.task.Strategy = doctocode.Strategies[at]
		if at > 0 && v.task.Strategy != t.Strategy {
			v.task.Proof.Rejected = withReason(t.Proof.Rejected, doctocode.Strategies[at-1], "a control erred: "+why)
		}
		why = ""
		for _, c := range controls {
			for range controlRuns {
				outcome, err := runner.Run(ctx, execute.Candidate{Task: t.ID, Body: c.body, Tests: t.Tests, Strategy: v.task.Strategy, Wall: wall, NoJudge: true})
				if err != nil {
					return verified{}, err
				}
				passed := outcome.Verdict == benchmark.Passed
				if c.passes && passed {
					v.reference++
				}
				if !c.passes {
					v.stubs++
					if passed {
						v.stub++
					}
				}
				if passed != c.passes && why == "" {
					why = fmt.Sprintf("%s ended as %s %s", c.name, outcome.Verdict, lastLines(outcome.Detail, 3))
				}
			}
		}
		if why == "" {
			return v, nil
		}
	}
	return verified{why: why}, nil
}

func withReason(m map[doctocode.Strategy]string, s doctocode.Strategy, why string) map[doctocode.Strategy]string {
	n := map[doctocode.Strategy]string{s: why}
	for k, v := range m {
		if _, ok := n[k]; !ok {
			n[k] = v
		}
	}
	return n
}

// rewrite puts the release back with tasks changed and dropped.
func rewrite(d *doctocode.Dataset, changed map[string]doctocode.Task, dropped map[string]doctocode.Dropped) error {
	contents := doctocode.Contents{}
	for name := range d.Release.Files {
		data, err := os.ReadFile(filepath.Join(d.Dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		contents[name] = data
	}
	if data, err := os.ReadFile(filepath.Join(d.Dir, doctocode.TimingsFile)); err == nil {
		contents[doctocode.TimingsFile] = data
	}
	var tasks []doctocode.Task
	for _, t := range d.Tasks {
		if _, gone := dropped[t.ID]; gone {
			continue
		}
		if n, ok := changed[t.ID]; ok {
			t = n
		}
		tasks = append(tasks, t)
	}
	lines := slices.Clone(d.Dropped)
	release := d.Release
	release.Counts = doctocode.Counts{Dropped: map[string]int{}}
	repositories := slices.Clone(d.Repositories)
	for i := range repositories {
		r := &repositories[i]
		counted := map[string]int{}
		maps.Copy(counted, r.Counts.Dropped)
		r.Counts.Dropped = counted
		for _, t := range d.TasksOf(r.Name) {
			if gone, ok := dropped[t.ID]; ok {
				lines = append(lines, gone)
				r.Counts.Tasks--
				r.Counts.Dropped[gone.Reason]++
			}
		}
		release.Counts.Add(r.Counts)
	}
	for _, l := range lines {
		if l.Kind == "repository" {
			release.Counts.Dropped[l.Reason]++
		}
	}
	if err := doctocode.PutLines(contents, doctocode.TasksFile, tasks); err != nil {
		return err
	}
	if err := doctocode.PutLines(contents, doctocode.RepositoriesFile, repositories); err != nil {
		return err
	}
	if err := doctocode.PutLines(contents, doctocode.DroppedFile, lines); err != nil {
		return err
	}
	if err := contents.Write(d.Dir, release); err != nil {
		return err
	}
	d.Release, d.Repositories, d.Tasks, d.Dropped = release, repositories, tasks, lines
	return nil
}

// String is the verification in a line.
func (v Verification) String() string {
	s := fmt.Sprintf("%d tasks: reference %.3f, stub %.3f", v.Tasks, v.Reference, v.Stub)
	if v.Tasks == len(v.Dropped) {
		s = fmt.Sprintf("%d tasks, none of which can be kept", v.Tasks)
	}
	if len(v.Repaired) > 0 {
		s += fmt.Sprintf("; given a slower strategy: %s", strings.Join(v.Repaired, ", "))
	}
	if len(v.Dropped) > 0 {
		s += fmt.Sprintf("; dropped: %s", strings.Join(v.Dropped, ", "))
	}
	return s
}
