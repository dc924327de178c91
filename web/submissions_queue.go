package web

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
)

// A waiting submission is one that is queued or running, and where it stands.
type waiting struct {
	store.Submission
	evaluation.Place
	evaluations []store.Evaluation
}

// samples is how many have a verdict, and how many there are in all.
func (w waiting) samples() (done, total int) {
	for _, e := range w.evaluations {
		done, total = done+e.Done, total+e.Total
	}
	return done, total
}

// queue is what is open, done next first.
func (s *Site) queue(ctx context.Context, q submissionsQuery, states []store.State) ([]waiting, error) {
	open, _, err := s.Store.Submissions(ctx, store.SubmissionFilter{States: states, Text: q.text})
	if err != nil || len(open) == 0 {
		return nil, err
	}
	places, err := s.Engine.Places(ctx)
	if err != nil {
		return nil, err
	}
	byID, err := s.evaluationsOf(ctx, open)
	if err != nil {
		return nil, err
	}
	var all []waiting
	for _, sub := range open {
		if place, still := places[sub.ID]; still { // else it has ended meanwhile
			all = append(all, waiting{sub, place, byID[sub.ID]})
		}
	}
	slices.SortFunc(all, func(a, b waiting) int { return cmp.Compare(a.Position, b.Position) })
	return all, nil
}

func (s *Site) evaluationsOf(ctx context.Context, subs []store.Submission) (map[uint64][]store.Evaluation, error) {
	ids := make([]uint64, len(subs))
	for i, sub := range subs {
		ids[i] = sub.ID
	}
	found := map[uint64][]store.Evaluation{}
	for part := range slices.Chunk(ids, 500) {
		rows, err := s.Store.Evaluations(ctx, part...)
		if err != nil {
			return nil, err
		}
		for _, e := range rows {
			found[e.SubmissionID] = append(found[e.SubmissionID], e)
		}
	}
	return found, nil
}

// submissionsSheet is the same as a file, the queue first.
func (s *Site) submissionsSheet(c echo.Context) (leaderboard.Sheet, error) {
	q, err := readSubmissionsQuery(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	ctx := c.Request().Context()
	var open []waiting
	if states := q.of(openStates); states != nil {
		if open, err = s.queue(ctx, q, states); err != nil {
			return leaderboard.Sheet{}, err
		}
	}
	var ended []store.Submission
	if states := q.of(endedStates); states != nil {
		if ended, _, err = s.Store.Submissions(ctx, store.SubmissionFilter{States: states, Text: q.text}); err != nil {
			return leaderboard.Sheet{}, err
		}
	}
	evaluations, err := s.evaluationsOf(ctx, ended)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	return leaderboard.Sheet{
		Header: []string{"submission", "state", "place", "seconds_left", "system", "model", "version", "link", "control", "release", "submitter",
			"tasks", "documented", "evaluations", "samples", "samples_done", "submitted", "ended", "track"},
		Rows: func(yield func([]string) bool) {
			for _, w := range open {
				left := ""
				if w.Left > 0 {
					left = strconv.Itoa(int(w.Left.Round(time.Second).Seconds()))
				}
				if !yield(submissionLine(w, strconv.Itoa(w.Position), left)) {
					return
				}
			}
			for _, sub := range ended {
				if !yield(submissionLine(waiting{Submission: sub, evaluations: evaluations[sub.ID]}, "", "")) {
					return
				}
			}
		},
	}, nil
}

func submissionLine(w waiting, place, left string) []string {
	done, total := w.samples()
	control := ""
	if w.Docs != store.DocsFile {
		control = w.Docs
	}
	return []string{w.PublicID, string(w.State), place, left, w.System.Name, w.System.Model, w.Version, w.System.Link, control, w.Submission.Release.Label(), w.Account.Name,
		strconv.Itoa(w.Tasks), strconv.Itoa(w.Documented), strconv.Itoa(len(w.evaluations)), strconv.Itoa(total), strconv.Itoa(done),
		timestamp(w.ConfirmedAt), timestamp(w.FinishedAt), string(w.Track)}
}

// timestamp is a time as files have it, "" when it has not come.
func timestamp(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}
