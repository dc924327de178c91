package evaluation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/dispatch"
	"touchstone/internal/store"
)

// mostTries is how often a unit may fail before its evaluation does.
const mostTries = 5

// order is what an executor is told of a unit: the bodies that its replies hold.
func (e *Engine) order(ctx context.Context, u store.Unit) ([]byte, error) {
	row, err := e.Store.Evaluation(ctx, u.EvaluationID)
	if err != nil {
		return nil, err
	}
	release, err := e.releases.get(ctx, row.Submission.ReleaseID)
	if err != nil {
		return nil, err
	}
	completions, err := e.completions(ctx, release, u)
	if err != nil {
		return nil, err
	}
	o := order{Release: release.Row.Dir}
	for _, c := range completions {
		t, ok := release.TaskByID(c.TaskID)
		if !ok {
			return nil, fmt.Errorf("a reply for task %d, which the release does not have", c.TaskID)
		}
		if o.Repository == "" {
			id, err := benchmark.ParseTaskID(t.Key)
			if err != nil {
				return nil, err
			}
			o.Repository = id.Repository
		}
		if c.Missing == "" {
			o.Bodies = append(o.Bodies, asked{t.Key, c.Sample, c.Body})
		}
	}
	return json.Marshal(o)
}

// completions are the replies of a unit's samples.
func (e *Engine) completions(ctx context.Context, release *Opened, u store.Unit) ([]store.Completion, error) {
	var ids []uint64
	for i := u.FirstTask; i <= u.LastTask; i++ {
		ids = append(ids, release.Tasks[i].ID)
	}
	return e.Store.Completions(ctx, u.EvaluationID, ids...)
}

// record takes the outcome of a unit. What it returns an error for comes again.
func (e *Engine) record(ctx context.Context, r dispatch.Result) error {
	id, err := strconv.ParseUint(r.ID, 10, 64)
	if err != nil {
		e.Log.Error("a result of an unknown unit", "unit", r.ID)
		return nil
	}
	u, err := e.Store.Unit(ctx, id)
	if errors.Is(err, store.ErrNotFound) {
		e.forget(id)
		return nil
	}
	if err != nil {
		return err
	}
	defer e.wake()
	if r.Err != "" {
		return e.failed(ctx, u, r)
	}
	if r.Kind == dispatch.Execute {
		if err := e.executed(ctx, u, r.Data); err != nil {
			return err
		}
	}
	e.forget(u.ID)
	e.announceEvaluation(ctx, u.EvaluationID)
	if r.Kind == dispatch.Generate {
		return nil
	}
	left, err := e.Store.UnfinishedUnits(ctx, u.EvaluationID)
	if err != nil || left > 0 {
		return err
	}
	return e.finish(ctx, u.EvaluationID)
}

// executed writes the verdicts of a unit: those that came, and what it means
// that the evaluator had no reply.
func (e *Engine) executed(ctx context.Context, u store.Unit, data []byte) error {
	row, err := e.Store.Evaluation(ctx, u.EvaluationID)
	if err != nil {
		return err
	}
	release, err := e.releases.get(ctx, row.Submission.ReleaseID)
	if err != nil {
		return err
	}
	var results []executed
	if err := json.Unmarshal(data, &results); err != nil {
		return fmt.Errorf("reading the verdicts of unit %d: %w", u.ID, err)
	}
	completions, err := e.completions(ctx, release, u)
	if err != nil {
		return err
	}
	verdicts := make([]store.Verdict, 0, len(completions))
	for _, c := range completions {
		if c.Missing != "" {
			verdicts = append(verdicts, store.Verdict{EvaluationID: u.EvaluationID, TaskID: c.TaskID, Sample: c.Sample,
				Verdict: benchmark.Verdict(c.MissingVerdict), Detail: c.Missing})
		}
	}
	for _, x := range results {
		t, ok := release.Task(x.Task)
		if !ok {
			return fmt.Errorf("a verdict on %s, which the release does not have", x.Task)
		}
		o := x.Outcome
		verdicts = append(verdicts, store.Verdict{
			EvaluationID: u.EvaluationID, TaskID: t.ID, Sample: x.Sample, Verdict: o.Verdict, Test: o.Test, Detail: o.Detail,
			Seconds: o.Seconds, CallSeconds: o.CallSeconds, Ran: o.Ran, Strategy: string(o.Strategy), Flags: strings.Join(o.Flags, " "),
			Recheck: string(o.Recheck), RecheckNote: o.RecheckNote,
		})
	}
	if len(verdicts) != u.Samples {
		return e.retryLater(ctx, u, fmt.Sprintf("%d verdicts came for %d samples", len(verdicts), u.Samples))
	}
	if err := e.Store.Executed(ctx, u.ID, verdicts); err != nil {
		return err
	}
	e.pace.add(len(verdicts))
	return nil
}

// failed notes a failed attempt. What another attempt cannot mend, and what has
// failed often enough, fails the evaluation.
func (e *Engine) failed(ctx context.Context, u store.Unit, r dispatch.Result) error {
	e.Log.Warn("a unit failed", "unit", u.ID, "evaluation", u.EvaluationID, "kind", r.Kind, "try", r.Try, "error", r.Err)
	if r.Retry {
		return e.retryLater(ctx, u, r.Err)
	}
	e.forget(u.ID)
	return e.fail(ctx, u.EvaluationID, r.Err)
}

func (e *Engine) retryLater(ctx context.Context, u store.Unit, reason string) error {
	backoff := e.Backoff << min(u.Tries, 6)
	tries, err := e.Store.UnitFailed(ctx, u.ID, reason, time.Now().Add(backoff))
	if err != nil {
		return err
	}
	e.forget(u.ID)
	if tries < mostTries {
		return nil
	}
	return e.fail(ctx, u.EvaluationID, fmt.Sprintf("a unit of work failed %d times, the last time because: %s", tries, reason))
}

func (e *Engine) fail(ctx context.Context, evaluation uint64, reason string) error {
	if err := e.Store.FailEvaluation(ctx, evaluation, reason); err != nil {
		return err
	}
	e.forgetAll(evaluation)
	e.announceEvaluation(ctx, evaluation)
	return e.Queue.Cancel(ctx, group(evaluation))
}
