package build

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/pyharness"
	"touchstone/internal/sandbox"
)

// builder turns one repository, its environment made, into tasks.
type builder struct {
	name       string
	box        sandbox.Sandbox
	workspace  *execute.Workspace
	journal    *journal
	progress   Progress
	workers    int
	maxSeconds float64
	limits     Limits
	deselect   []string
	left       []Uncollected

	seconds map[string]float64 // of each passing test
}

// found is all that a build says about a repository.
type found struct {
	Counts     doctocode.Counts
	Index      []*doctocode.SourceFile
	Tasks      []doctocode.Task
	Dropped    []doctocode.Dropped
	Seconds    map[string]float64
	Notes      []string
	Deselected []string
}

// indexed is what the harness makes of every Python file.
type indexed struct {
	Files      []*doctocode.SourceFile `json:"files"`
	Unreadable []struct {
		Path string `json:"path"`
		Why  string `json:"why"`
	} `json:"unreadable"`
	Ended  bool   `json:"ended"`
	Output string `json:"output"`
}

// suiteKept is a suite with its timings, which the release keeps apart.
type suiteKept struct {
	Suite   *suite             `json:"suite"`
	Seconds map[string]float64 `json:"seconds"`
}

func (b *builder) build(ctx context.Context) (*found, error) {
	if err := b.workspace.Warm(ctx, b.box); err != nil {
		return nil, fmt.Errorf("collecting the tests: %w", err)
	}
	result := &found{}
	index, err := b.index(ctx)
	if err != nil {
		return nil, err
	}
	result.Index = index.Files
	for _, u := range index.Unreadable {
		result.Notes = append(result.Notes, notRead(u.Path, u.Why))
	}
	b.workspace.SetIndex(index.Files)

	tests, err := once(b.journal, "suite", func() (suiteKept, error) {
		server, err := b.private(ctx)
		if err != nil {
			return suiteKept{}, err
		}
		defer server.Close()
		s, err := runSuite(ctx, server, b.name, b.deselect, b.limits, b.progress)
		if err != nil {
			return suiteKept{}, err
		}
		return suiteKept{s, s.Seconds}, nil
	})
	if err != nil {
		return nil, err
	}
	b.seconds = tests.Seconds
	for _, u := range b.left {
		result.Dropped = append(result.Dropped, doctocode.Dropped{Repository: b.name, Kind: "test", ID: u.Path,
			Reason: doctocode.ReasonFailing, Detail: "not collected: " + u.Why})
	}
	result.Seconds, result.Deselected = tests.Seconds, tests.Suite.Deselected
	result.Dropped = append(result.Dropped, tests.Suite.Dropped...)
	result.Notes = append(result.Notes, tests.Suite.Notes...)

	reached, err := once(b.journal, "trace", func() ([]reachedPlace, error) { return b.trace(ctx, tests.Suite.Deselected) })
	if err != nil {
		return nil, err
	}
	all, counts := targets(b.name, index.Files, reached, tests.Suite.Passing)
	result.Counts = counts
	survivors, dropped, err := b.filterAll(ctx, all)
	if err != nil {
		return nil, err
	}
	result.Dropped = append(result.Dropped, dropped...)
	result.Tasks, dropped, err = b.proveAll(ctx, survivors)
	if err != nil {
		return nil, err
	}
	result.Dropped = append(result.Dropped, dropped...)
	result.Counts.Tasks = len(result.Tasks)
	for _, d := range result.Dropped {
		result.Counts.Dropped[d.Reason]++
	}
	return result, nil
}

// parsedAt is how Python names the place when it was not told the file's name.
var parsedAt = regexp.MustCompile(` \(<unknown>, line (\d+)\)$`)

// notRead says that a file is not among the sources, and at which line reading
// it ended.
func notRead(path, why string) string {
	at := path
	if m := parsedAt.FindStringSubmatch(why); m != nil {
		at, why = path+", line "+m[1]+",", parsedAt.ReplaceAllString(why, "")
	}
	return fmt.Sprintf("%s cannot be read by this Python: %s", at, why)
}

func (b *builder) private(ctx context.Context) (*pyharness.Server, error) {
	return b.workspace.Start(ctx, b.box, pyharness.Private, nil)
}

func (b *builder) index(ctx context.Context) (indexed, error) {
	return once(b.journal, "index", func() (indexed, error) {
		b.progress("index", 0, 1)
		server, err := b.private(ctx)
		if err != nil {
			return indexed{}, err
		}
		defer server.Close()
		var answer indexed
		if err := server.Call(ctx, "index", map[string]any{"wall": 300}, &answer); err != nil {
			return indexed{}, err
		}
		if !answer.Ended {
			return indexed{}, fmt.Errorf("reading the sources did not end: %s", lastLines(answer.Output, 6))
		}
		if len(answer.Files) == 0 {
			return indexed{}, &SuiteError{"there is no Python file that this Python can read"}
		}
		return answer, nil
	})
}

func (b *builder) trace(ctx context.Context, deselect []string) ([]reachedPlace, error) {
	b.progress("trace", 0, 1)
	server, err := b.private(ctx)
	if err != nil {
		return nil, err
	}
	defer server.Close()
	var answer suiteAnswer
	request := map[string]any{"wall": 3 * b.limits.Suite.Seconds(), "test_wall": 10 * b.limits.Test.Seconds(), "deselect": deselect}
	if err := server.Call(ctx, "trace", request, &answer); err != nil {
		return nil, err
	}
	if !answer.Ended {
		return nil, &SuiteError{fmt.Sprintf("the traced run of the suite did not end; it was at %s: %s", answer.Current, lastLines(answer.Output, 6))}
	}
	b.progress("trace", 1, 1)
	return answer.Reached, nil
}

// survivor is a target that passed the stub filter.
type survivor struct {
	*target
	tests     []string // the failing ones first
	failing   int
	byDefault benchmark.Verdict // of the default of the annotated type, where there is one
}

func (b *builder) filterAll(ctx context.Context, all []*target) ([]survivor, []doctocode.Dropped, error) {
	runner, err := b.workspace.NewRunner(b.box, b.workers, nil)
	if err != nil {
		return nil, nil, err
	}
	defer runner.Close()
	results, err := each(ctx, b, "stubs", all, func(ctx context.Context, t *target) (filtered, error) { return b.filter(ctx, runner, t) })
	if err != nil {
		return nil, nil, err
	}
	var survivors []survivor
	var dropped []doctocode.Dropped
	for i, t := range all {
		if f := results[i]; f.Reason != "" {
			dropped = append(dropped, doctocode.Dropped{Repository: b.name, Kind: "task", ID: t.ID, Reason: f.Reason, Detail: f.Detail})
			continue
		}
		s := survivor{target: t, byDefault: results[i].Default}
		s.tests, s.failing = ordered(t.Tests, results[i].Failed)
		survivors = append(survivors, s)
	}
	return survivors, dropped, nil
}

func (b *builder) proveAll(ctx context.Context, survivors []survivor) ([]doctocode.Task, []doctocode.Dropped, error) {
	if len(survivors) == 0 {
		return nil, nil, nil
	}
	masked := make([]doctocode.Task, len(survivors))
	targets := make([]*target, len(survivors))
	order := make(map[string]survivor, len(survivors))
	for i, s := range survivors {
		masked[i].ID, targets[i], order[s.ID] = s.ID, s.target, s
	}
	runner, err := b.workspace.NewRunner(b.box, b.workers, masked)
	if err != nil {
		return nil, nil, err
	}
	defer runner.Close()
	results, err := each(ctx, b, "strategies", targets, func(ctx context.Context, t *target) (proven, error) {
		return b.prove(ctx, runner, order[t.ID])
	})
	if err != nil {
		return nil, nil, err
	}
	var tasks []doctocode.Task
	var dropped []doctocode.Dropped
	for i, s := range survivors {
		p := results[i]
		if p.Reason != "" {
			dropped = append(dropped, doctocode.Dropped{Repository: b.name, Kind: "task", ID: s.ID, Reason: p.Reason, Detail: p.Detail})
			continue
		}
		tasks = append(tasks, doctocode.Task{ID: s.ID, Tests: s.tests, Failing: s.failing, Strategy: p.Strategy, Proof: p.Proof})
	}
	return tasks, dropped, nil
}

// each works through the targets on all workers, keeping every result in the
// journal as it comes, so that nothing is done twice. What it first says of its
// progress is how many are known.
func each[T any](ctx context.Context, b *builder, step string, all []*target, work func(context.Context, *target) (T, error)) ([]T, error) {
	kept, err := openLedger[T](b.journal, step)
	if err != nil {
		return nil, err
	}
	defer kept.close()
	results := make([]T, len(all))
	var open []int // of all, those that are not known
	for i, t := range all {
		value, known := kept.get(t.ID)
		if results[i] = value; !known {
			open = append(open, i)
		}
	}
	done := len(all) - len(open)
	b.progress(step, done, len(all))
	err = spread(ctx, b.workers, len(open), func(ctx context.Context, n int) error {
		i := open[n]
		value, err := work(ctx, all[i])
		if err != nil {
			return fmt.Errorf("%s: %w", all[i].ID, err)
		}
		results[i] = value
		return kept.put(all[i].ID, value)
	}, func() {
		done++
		b.progress(step, done, len(all))
	})
	return results, err
}

// unusable turns an error that is the repository's own fault into the line
// that the release keeps about it; any other error ends the build.
func unusable(repository string, err error) (doctocode.Dropped, bool) {
	var suite *SuiteError
	var input *benchmark.InputError
	var tree *doctocode.TreeError
	var inside *InsideError
	if !errors.As(err, &suite) && !errors.As(err, &input) && !errors.As(err, &tree) && !errors.As(err, &inside) {
		return doctocode.Dropped{}, false
	}
	return doctocode.Dropped{Repository: repository, Kind: "repository", ID: repository, Reason: doctocode.ReasonRepository, Detail: err.Error()}, true
}
