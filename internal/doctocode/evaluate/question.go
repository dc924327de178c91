package evaluate

import (
	"context"
	"errors"
	"fmt"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/llm"
)

// A Question is what an evaluator is asked about one task.
type Question struct {
	Task       doctocode.Task
	Target     evaluator.Target
	Prompt     string
	Documented bool // whether the target is judged with a docstring
}

// Targets are the functions that the tasks of a repository ask for, in the
// release's order.
func Targets(d *doctocode.Dataset, repository doctocode.Repository, docs evaluator.Docs) ([]evaluator.Target, error) {
	index, err := d.Index(repository)
	if err != nil {
		return nil, err
	}
	files := make(map[string]*doctocode.SourceFile, len(index))
	for _, f := range index {
		files[f.Path] = f
	}
	var targets []evaluator.Target
	for _, t := range d.TasksOf(repository.Name) {
		id, err := benchmark.ParseTaskID(t.ID)
		if err != nil {
			return nil, err
		}
		file := files[id.Path]
		if file == nil {
			return nil, fmt.Errorf("the release has no definitions of %s", id.Path)
		}
		definition, ok := file.Lookup(id.Qualname, id.Ordinal)
		if !ok {
			return nil, fmt.Errorf("the release has no definition %s", t.ID)
		}
		targets = append(targets, evaluator.Target{ID: t.ID, Repository: repository.Name, File: file, Definition: definition, Docs: docs})
	}
	return targets, nil
}

// Questions are those about the tasks of a repository, in the release's order.
func Questions(d *doctocode.Dataset, repository doctocode.Repository, docs evaluator.Docs) ([]Question, error) {
	prompt, err := evaluator.LookupPrompt(d.Release.Prompt)
	if err != nil {
		return nil, err
	}
	targets, err := Targets(d, repository, docs)
	if err != nil {
		return nil, err
	}
	tasks := d.TasksOf(repository.Name)
	questions := make([]Question, len(targets))
	for i, target := range targets {
		text, err := evaluator.Context(d.Release.Context, target)
		if err != nil {
			return nil, err
		}
		_, documented := target.Docstring()
		questions[i] = Question{Task: tasks[i], Target: target, Prompt: prompt.Fill(text), Documented: documented}
	}
	return questions, nil
}

// An Answer is an evaluator's reply to a question, and the body in it.
type Answer struct {
	Completion llm.Completion
	Extraction evaluator.Extraction
	Missing    string            // why there is no reply
	Verdict    benchmark.Verdict // what that means for the sample
}

// Ask gets the reply of one sample. Its errors are the evaluator's, but for
// those that concern this sample only.
func Ask(ctx context.Context, e evaluator.Evaluator, q Question, sample int) (Answer, error) {
	c, err := e.Complete(ctx, evaluator.Request{Target: q.Target, Prompt: q.Prompt, Sample: sample})
	switch {
	case errors.Is(err, evaluator.ErrNoCompletion):
		return Answer{Missing: err.Error(), Verdict: benchmark.InfraError}, nil
	case errors.Is(err, llm.ErrContextTooLong):
		// It counts: or else a docstring could be made too long wherever it would fail.
		return Answer{Missing: err.Error(), Verdict: benchmark.NoCode}, nil
	case err != nil:
		return Answer{}, err
	}
	return Answer{Completion: c, Extraction: evaluator.Extract(c.Text, q.Target.File, q.Target.Definition)}, nil
}
