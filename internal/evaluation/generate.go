package evaluation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"touchstone/internal/dispatch"
	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/llm"
	"touchstone/internal/store"
)

// generate asks an evaluator for the replies of a unit and keeps them.
func (e *Engine) generate(ctx context.Context, message dispatch.Unit) ([]byte, error) {
	var id uint64
	if err := json.Unmarshal(message.Data, &id); err != nil {
		return nil, err
	}
	u, err := e.Store.Unit(ctx, id)
	if err != nil {
		return nil, dispatch.Retry(err)
	}
	if u.Stage != store.StageGenerate {
		return nil, nil // another attempt was first
	}
	row, err := e.Store.Evaluation(ctx, u.EvaluationID)
	if err != nil {
		return nil, dispatch.Retry(err)
	}
	judge, ok := e.judges[row.EvaluatorID]
	if !ok {
		return nil, fmt.Errorf("the evaluator %s is not configured here any more", row.Evaluator.Name)
	}
	if judge.Ready != nil {
		if err := judge.Ready(); err != nil {
			return nil, err
		}
	}
	questions, release, err := e.questions(ctx, row, u)
	if err != nil {
		return nil, err
	}
	completions, cost, err := ask(ctx, judge, questions, row.Samples, func(q evaluate.Question) uint64 {
		t, _ := release.Task(q.Task.ID)
		return t.ID
	})
	if err != nil {
		if errors.Is(err, llm.ErrUnavailable) {
			err = dispatch.Retry(err)
		}
		return nil, err
	}
	for i := range completions {
		completions[i].EvaluationID = row.ID
	}
	if err := e.Store.Replied(ctx, u.ID, completions, cost); err != nil {
		return nil, dispatch.Retry(err)
	}
	return nil, nil
}

// questions are those of a unit's tasks.
func (e *Engine) questions(ctx context.Context, row store.Evaluation, u store.Unit) ([]evaluate.Question, *Opened, error) {
	release, err := e.releases.get(ctx, row.Submission.ReleaseID)
	if err != nil {
		return nil, nil, err
	}
	all, err := e.questionsOf(ctx, row.Submission, release, u.RepositoryID)
	if err != nil {
		return nil, nil, err
	}
	var mine []evaluate.Question
	for _, q := range all {
		if t, ok := release.Task(q.Task.ID); ok && t.Position >= u.FirstTask && t.Position <= u.LastTask {
			mine = append(mine, q)
		}
	}
	return mine, release, nil
}

// questionsOf are those about all tasks of a repository.
func (e *Engine) questionsOf(ctx context.Context, sub store.Submission, release *Opened, repositoryID uint64) ([]evaluate.Question, error) {
	docs, err := e.Docs(ctx, sub)
	if err != nil {
		return nil, err
	}
	for _, r := range release.Row.Repositories {
		if r.ID == repositoryID {
			repository, err := release.Dataset.Repository(r.Name)
			if err != nil {
				return nil, err
			}
			return evaluate.Questions(release.Dataset, repository, docs)
		}
	}
	return nil, fmt.Errorf("the release %s has no repository %d", release.Row.Label(), repositoryID)
}

// Question is what evaluators are asked about a task of a submission's release:
// computed anew, from the same files. It is store.ErrNotFound for other tasks.
func (e *Engine) Question(ctx context.Context, sub store.Submission, task string) (evaluate.Question, store.Task, error) {
	release, err := e.releases.get(ctx, sub.ReleaseID)
	if err != nil {
		return evaluate.Question{}, store.Task{}, err
	}
	row, ok := release.Task(task)
	if !ok {
		return evaluate.Question{}, row, store.ErrNotFound
	}
	all, err := e.questionsOf(ctx, sub, release, row.RepositoryID)
	if err != nil {
		return evaluate.Question{}, row, err
	}
	for _, q := range all {
		if q.Task.ID == task {
			return q, row, nil
		}
	}
	return evaluate.Question{}, row, store.ErrNotFound
}

// ask gets all samples of some questions, several at once.
func ask(ctx context.Context, judge Judge, questions []evaluate.Question, samples int, id func(evaluate.Question) uint64) ([]store.Completion, float64, error) {
	completions := make([]store.Completion, len(questions)*samples)
	costs := make([]float64, len(completions))
	asking, ctx := errgroup.WithContext(ctx)
	asking.SetLimit(max(1, judge.Requests))
	for i, q := range questions {
		for j := range samples {
			asking.Go(func() error {
				a, err := evaluate.Ask(ctx, judge.Evaluator, q, j)
				if err != nil {
					return fmt.Errorf("%s, sample %d: %w", q.Task.ID, j, err)
				}
				changes, err := json.Marshal(a.Extraction.Changes)
				if err != nil {
					return err
				}
				c := a.Completion
				at := i*samples + j
				costs[at] = judge.cost(c)
				completions[at] = store.Completion{
					TaskID: id(q), Sample: j, Reply: c.Text, Body: a.Extraction.Body, Changes: changes, Model: c.Model,
					PromptTokens: c.PromptTokens, CompletionTokens: c.CompletionTokens, ReasoningTokens: c.ReasoningTokens,
					Cached: c.Cached, Missing: a.Missing, MissingVerdict: string(a.Verdict),
				}
				return nil
			})
		}
	}
	err := asking.Wait()
	var cost float64
	for _, c := range costs {
		cost += c
	}
	return completions, cost, err
}
