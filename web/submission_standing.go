package web

import (
	"context"
	"encoding/json"
	"fmt"

	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
)

// A submissionStanding is all that is known of how far a submission has come.
type submissionStanding struct {
	store.Submission
	place        evaluation.Place // zero when it is over
	release      store.Release
	evaluations  []store.Evaluation
	verdicts     map[uint64]map[benchmark.Verdict]int // by evaluation
	done         map[uint64]map[uint64]int            // evaluation → repository → samples with a verdict
	scores       map[uint64][]store.Score
	repositories map[uint64]map[uint64][]store.RepositoryScore // evaluation → repository
	measured     []leaderboard.Measured
	troubled     []store.Unit
	events       []store.Event
}

// standing looks everything up.
func (s *Site) standing(ctx context.Context, sub store.Submission) (*submissionStanding, error) {
	at := &submissionStanding{Submission: sub, verdicts: map[uint64]map[benchmark.Verdict]int{}, done: map[uint64]map[uint64]int{},
		scores: map[uint64][]store.Score{}, repositories: map[uint64]map[uint64][]store.RepositoryScore{}}
	var err error
	if at.release, err = s.Store.Release(ctx, sub.ReleaseID); err != nil {
		return nil, err
	}
	if at.evaluations, err = s.Store.Evaluations(ctx, sub.ID); err != nil {
		return nil, err
	}
	if at.measured, err = leaderboard.MeasuredOf(ctx, s.Store, sub.ID, at.evaluations); err != nil {
		return nil, err
	}
	if at.events, err = s.Store.Events(ctx, sub.ID); err != nil {
		return nil, err
	}
	if !sub.State.Over() {
		places, err := s.Engine.Places(ctx)
		if err != nil {
			return nil, err
		}
		at.place = places[sub.ID]
	}
	var finished, unfinished []uint64
	for _, e := range at.evaluations {
		if e.State != store.Finished {
			unfinished = append(unfinished, e.ID)
			continue
		}
		finished = append(finished, e.ID)
		counts := map[benchmark.Verdict]int{}
		if err := json.Unmarshal(e.Verdicts, &counts); err != nil {
			return nil, fmt.Errorf("reading the verdicts of evaluation %d: %w", e.ID, err)
		}
		at.verdicts[e.ID] = counts
	}
	if err := at.count(ctx, s.Store, unfinished); err != nil {
		return nil, err
	}
	return at, at.score(ctx, s.Store, finished)
}

// count counts the verdicts of what has not finished, one by one.
func (at *submissionStanding) count(ctx context.Context, db *store.Store, unfinished []uint64) error {
	tallies, err := db.Tallies(ctx, unfinished...)
	if err != nil {
		return err
	}
	for _, t := range tallies {
		if at.verdicts[t.EvaluationID] == nil {
			at.verdicts[t.EvaluationID], at.done[t.EvaluationID] = map[benchmark.Verdict]int{}, map[uint64]int{}
		}
		at.verdicts[t.EvaluationID][t.Verdict] += t.Samples
		at.done[t.EvaluationID][t.RepositoryID] += t.Samples
	}
	at.troubled, err = db.TroubledUnits(ctx, unfinished...)
	return err
}

func (at *submissionStanding) score(ctx context.Context, db *store.Store, finished []uint64) error {
	scores, err := db.ScoresOf(ctx, finished...)
	if err != nil {
		return err
	}
	for _, x := range scores {
		at.scores[x.EvaluationID] = append(at.scores[x.EvaluationID], x)
	}
	repositories, err := db.RepositoryScoresOf(ctx, finished...)
	for _, x := range repositories {
		if at.repositories[x.EvaluationID] == nil {
			at.repositories[x.EvaluationID] = map[uint64][]store.RepositoryScore{}
		}
		at.repositories[x.EvaluationID][x.RepositoryID] = append(at.repositories[x.EvaluationID][x.RepositoryID], x)
	}
	return err
}

// samples is how many have a verdict, and how many there are in all.
func (at *submissionStanding) samples() (done, total int) {
	return waiting{evaluations: at.evaluations}.samples()
}
