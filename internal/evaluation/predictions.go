package evaluation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"touchstone/internal/benchmark"
	"touchstone/internal/intake"
	"touchstone/internal/jsonlines"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// acceptedPredictions is the blob of the predictions that were taken from a
// submission's file.
func acceptedPredictions(publicID string) string {
	return "submissions/" + publicID + "/predictions.jsonl"
}

// DraftPredictions is Draft for the localization track.
func (e *Engine) DraftPredictions(ctx context.Context, u Upload) (store.Submission, *intake.PredictionReport, error) {
	if problems := u.Problems(); len(problems) > 0 {
		return store.Submission{}, nil, problems[0]
	}
	u.trim()
	u.Docs = store.DocsFile
	history, err := e.histories.get(ctx, u.Release.ID)
	if err != nil {
		return store.Submission{}, nil, err
	}
	sub := u.draft(history.Row, len(history.Dataset.Tasks))
	report, err := e.takePredictionsIn(ctx, &sub, u, history)
	if err != nil {
		return sub, nil, errors.Join(err, e.discard(context.WithoutCancel(ctx), sub.PublicID))
	}
	return sub, report, e.add(ctx, u, &sub, history.Row)
}

// takePredictionsIn keeps the uploaded file and reads it.
func (e *Engine) takePredictionsIn(ctx context.Context, sub *store.Submission, u Upload, history *History) (*intake.PredictionReport, error) {
	stored, err := e.keepUpload(ctx, sub, u.File)
	if err != nil {
		return nil, err
	}
	defer stored.Close()
	report, predictions, err := intake.PreflightPredictions(ctx, stored, sub.FileName, history.Dataset, u.Otherwise, intake.DefaultLimits)
	if err != nil {
		return nil, err
	}
	var lines bytes.Buffer
	encoder := json.NewEncoder(&lines)
	encoder.SetEscapeHTML(false)
	for _, p := range predictions {
		if err := encoder.Encode(p); err != nil {
			return nil, err
		}
	}
	if _, err := e.Blobs.Put(ctx, acceptedPredictions(sub.PublicID), &lines); err != nil {
		return nil, err
	}
	sub.Documented = report.Answered
	sub.Report, err = json.Marshal(report)
	return report, err
}

// ErrNothingPredicted is returned when a file has no prediction for any task.
var ErrNothingPredicted = &benchmark.InputError{Field: "file", Problem: "has no prediction for any task of the release",
	Mend: "check instance_id against the release's tasks"}

// confirmPredictions queues a draft of the localization track to be scored.
func (e *Engine) confirmPredictions(ctx context.Context, sub store.Submission) error {
	if sub.Documented == 0 {
		return ErrNothingPredicted
	}
	if sub.State != store.Draft {
		return nil // confirmed already: a second click
	}
	predictions, err := e.predictionsOf(ctx, sub)
	if err != nil {
		return err
	}
	err = e.Store.ConfirmPredictions(ctx, sub.ID, predictions)
	if errors.Is(err, store.ErrNotFound) {
		return nil // confirmed already, at the same time
	}
	if err != nil {
		return err
	}
	e.announce(sub.PublicID)
	e.wakeScoring()
	return nil
}

// longestAccepted bounds a line of accepted predictions, in bytes: one has at
// most 10,000 paths of 4,096 bytes.
const longestAccepted = 64 << 20

// predictionsOf reads the predictions that were taken from a submission's file.
func (e *Engine) predictionsOf(ctx context.Context, sub store.Submission) ([]store.Prediction, error) {
	history, err := e.histories.get(ctx, sub.ReleaseID)
	if err != nil {
		return nil, err
	}
	name := acceptedPredictions(sub.PublicID)
	file, err := e.Blobs.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	lines := jsonlines.NewReader(file, name, longestAccepted)
	var all []store.Prediction
	for {
		number, data, err := lines.Next()
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
		p, err := localization.ParsePrediction(name, number, data)
		if err != nil {
			return nil, fmt.Errorf("reading the predictions of %s: %w", sub.PublicID, err)
		}
		id, known := history.ids[p.Task]
		if !known {
			return nil, fmt.Errorf("reading the predictions of %s: the release has no task %s", sub.PublicID, p.Task)
		}
		all = append(all, store.Prediction{SubmissionID: sub.ID, TaskID: id, Arm: store.Arm{Level: string(p.Level), Condition: string(p.Condition)}, Files: p.Files})
	}
}

// Uploaded opens a submission's file as it came.
func (e *Engine) Uploaded(ctx context.Context, sub store.Submission) (io.ReadCloser, error) {
	return e.Blobs.Get(ctx, uploaded(sub.PublicID))
}
