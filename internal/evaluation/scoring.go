package evaluation

import (
	"context"
	"fmt"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// scoreGlance is how often submissions without scores are looked for when
// nothing wakes the engine: another process may have confirmed one, or ended
// before it was scored.
const scoreGlance = 10 * time.Second

// scoring scores what was confirmed on the localization track: files are
// compared with files, no model is asked and nothing is run. What a killed
// process was scoring is queued in the database, and scored by the next.
func (e *Engine) scoring(ctx context.Context) error {
	ticker := time.NewTicker(scoreGlance)
	defer ticker.Stop()
	for {
		if err := e.scoreRound(ctx); err != nil && ctx.Err() == nil {
			e.Log.Error("scoring predictions", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-e.unscored:
		}
	}
}

// wakeScoring makes the engine score at once.
func (e *Engine) wakeScoring() {
	select {
	case e.unscored <- struct{}{}:
	default:
	}
}

func (e *Engine) scoreRound(ctx context.Context) error {
	waiting, err := e.Store.Unscored(ctx)
	if err != nil {
		return err
	}
	for _, sub := range waiting {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := e.scorePredictions(ctx, sub); err != nil {
			return fmt.Errorf("submission %s: %w", sub.PublicID, err)
		}
		e.announce(sub.PublicID)
	}
	return nil
}

// scorePredictions ends a submission. An error is one that may pass, after
// which it is tried again; predictions that have no score fail it.
func (e *Engine) scorePredictions(ctx context.Context, sub store.Submission) error {
	history, err := e.histories.get(ctx, sub.ReleaseID)
	if err != nil {
		return err
	}
	rows, err := e.Store.Predictions(ctx, sub.ID)
	if err != nil {
		return err
	}
	predictions := make([]localization.Prediction, len(rows))
	for i, p := range rows {
		predictions[i] = localization.Prediction{Task: history.keys[p.TaskID], Level: localization.Level(p.Level), Condition: localization.Condition(p.Condition), Files: p.Files}
	}
	scores, tasks, err := history.scores(sub.ID, predictions)
	if err != nil {
		return e.Store.FailScoring(ctx, sub.ID, err.Error())
	}
	return e.Store.FinishScoring(ctx, sub.ID, scores, tasks)
}

// rescore queues a submission of the localization track again.
func (e *Engine) rescore(ctx context.Context, sub store.Submission) error {
	if err := e.Store.Rescore(ctx, sub.ID); err != nil {
		return err
	}
	e.announce(sub.PublicID)
	e.wakeScoring()
	return nil
}

// scores are everything that pages show of a submission.
func (h *History) scores(submission uint64, predictions []localization.Prediction) ([]store.LocalizationScore, []store.LocalizationTaskScore, error) {
	repositories := map[string]uint64{}
	for _, r := range h.Row.Repositories {
		repositories[r.Name] = r.ID
	}
	var scores []store.LocalizationScore
	var tasks []store.LocalizationTaskScore
	for _, gold := range localization.Golds {
		if !scorable(h.Dataset.Tasks, gold) {
			continue
		}
		score, err := localization.ScoreOf(h.Dataset.Tasks, predictions, gold)
		if err != nil {
			return nil, nil, err
		}
		for _, a := range score.Arms {
			arm := store.Arm{Level: string(a.Level), Condition: string(a.Condition)}
			scores = append(scores, summed(a.Summary, submission, 0, arm, gold))
			for _, r := range a.Repositories {
				scores = append(scores, summed(r.Summary, submission, repositories[r.Repository], arm, gold))
			}
			for _, t := range a.Tasks {
				tasks = append(tasks, store.LocalizationTaskScore{SubmissionID: submission, TaskID: h.ids[t.Task], Arm: arm, Gold: string(gold),
					RepositoryID: repositories[t.Repository], Answered: t.Answered, TruePositives: t.TruePositives, FalsePositives: t.FalsePositives,
					FalseNegatives: t.FalseNegatives, Precision: t.Precision, Recall: t.Recall, F1: t.F})
			}
		}
	}
	if len(scores) == 0 {
		return nil, nil, &benchmark.InputError{Field: "file", Problem: "has nothing to score"}
	}
	return scores, tasks, nil
}

// scorable reports whether a release has a gold file of the kind that counts:
// one may have none but tests and documentation.
func scorable(tasks []localization.Task, gold localization.Gold) bool {
	if gold == localization.AllGold {
		return true
	}
	for _, t := range tasks {
		for _, g := range t.Gold {
			if g.Label == localization.Source {
				return true
			}
		}
	}
	return false
}

func summed(s localization.Summary, submission, repository uint64, arm store.Arm, gold localization.Gold) store.LocalizationScore {
	row := store.LocalizationScore{SubmissionID: submission, RepositoryID: repository, Arm: arm, Gold: string(gold), Tasks: s.Tasks, Answered: s.Answered,
		Precision: s.Mean.Precision, Recall: s.Mean.Recall, F1: s.Mean.F,
		MicroPrecision: s.Micro.Precision, MicroRecall: s.Micro.Recall, MicroF1: s.Micro.F,
		ZeroPrecision: s.ZeroPrecision.Count, ZeroRecall: s.ZeroRecall.Count, FullRecall: s.FullRecall.Count, Exact: s.Exact.Count}
	if i := s.Interval.Interval; i != nil {
		row.Low, row.High = &i.Low, &i.High
	}
	return row
}
