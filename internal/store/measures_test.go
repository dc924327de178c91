package store

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"touchstone/internal/benchmark"
)

func TestAMeasurementTakesThePlaceOfTheOneBefore(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		id := w.submission.ID
		put := func(all ...Measurement) (changed bool) {
			t.Helper()
			before, err := s.ResultsVersion(t.Context())
			must(t, err)
			must(t, s.PutMeasurements(t.Context(), all))
			after, err := s.ResultsVersion(t.Context())
			must(t, err)
			return after != before
		}
		heads := func() []Measurement {
			t.Helper()
			all, err := s.MeasurementHeads(t.Context(), id)
			must(t, err)
			shown, err := s.ShownMeasurements(t.Context(), benchmark.DocToCode)
			must(t, err)
			if len(shown) != len(all) {
				t.Fatalf("%d heads, %d of them shown", len(all), len(shown))
			}
			return all
		}
		bleu := Measurement{SubmissionID: id, Measure: "bleu", Version: "1", Values: []byte{1, 2, 3}}
		replies := Measurement{SubmissionID: id, EvaluationID: w.evaluation.ID, Measure: "bleu", Version: "1", Reason: "no model"}
		if !put(bleu, replies) || put(bleu, replies) {
			t.Error("pages must be drawn anew for new values, and only for these")
		}
		first := heads()
		if len(first) != 2 || first[0].EvaluationID != 0 || first[0].Values != nil || first[1].Reason != "no model" {
			t.Fatalf("%+v", first)
		}
		bleu.Version, bleu.Values = "2", []byte{4}
		if !put(bleu) {
			t.Error("a new version changes nothing")
		}
		second := heads()
		if len(second) != 2 || second[0].ID == first[0].ID || second[0].Version != "2" || second[1].ID != first[1].ID {
			t.Fatalf("%+v", second)
		}
		values, err := s.MeasurementValues(t.Context(), []uint64{second[0].ID, second[1].ID, first[0].ID})
		must(t, err)
		if !bytes.Equal(values[second[0].ID], []byte{4}) || values[second[1].ID] != nil || len(values) != 2 {
			t.Errorf("%v", values)
		}
		subject := Subject{SubmissionID: id}
		must(t, s.RemoveMeasurement(t.Context(), subject, "bleu"))
		if h := heads(); len(h) != 1 || h[0].EvaluationID != w.evaluation.ID {
			t.Errorf("%+v", h)
		}
		if err := s.RemoveMeasurement(t.Context(), subject, "bleu"); !errors.Is(err, ErrNotFound) {
			t.Error(err)
		}
	})
}

func TestWhatHasNoMeasurementsHasNone(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		if all, err := s.MeasurementHeads(t.Context()); err != nil || len(all) != 0 {
			t.Error(all, err)
		}
		if all, err := s.MeasurementValues(t.Context(), nil); err != nil || len(all) != 0 {
			t.Error(all, err)
		}
		if all, err := s.Subjects(t.Context(), benchmark.DocToCode); err != nil || len(all) != 0 {
			t.Error(all, err)
		}
	})
}

func TestConfirmedSubmissionsAndFinishedEvaluationsAreMeasured(t *testing.T) {
	on(t, func(t *testing.T, s *Store) {
		w := newWorld(t, s)
		subjects := func(want ...Subject) {
			t.Helper()
			all, err := s.Subjects(t.Context(), benchmark.DocToCode)
			must(t, err)
			if !reflect.DeepEqual(all, want) {
				t.Errorf("%+v, want %+v", all, want)
			}
		}
		subjects(Subject{SubmissionID: w.submission.ID})
		for _, u := range w.units {
			must(t, s.Replied(t.Context(), u.ID, w.completions(u), 0))
		}
		bodies, err := s.Bodies(t.Context(), w.evaluation.ID)
		must(t, err)
		if len(bodies) != 5 || !reflect.DeepEqual(bodies[w.tasks[0].ID], []string{"pass"}) {
			t.Errorf("%v", bodies)
		}
		must(t, s.FinishEvaluation(t.Context(), w.evaluation.ID, Finish{Tasks: []TaskScore{
			{EvaluationID: w.evaluation.ID, TaskID: w.tasks[1].ID, Samples: 3, Passed: 2}, {EvaluationID: w.evaluation.ID, TaskID: w.tasks[0].ID, Samples: 1}}}))
		subjects(Subject{SubmissionID: w.submission.ID}, Subject{w.submission.ID, w.evaluation.ID})
		var got [][4]uint64
		must(t, s.EachTaskScore(t.Context(), []uint64{w.evaluation.ID}, func(e, task uint64, samples, passed int) {
			got = append(got, [4]uint64{e, task, uint64(samples), uint64(passed)})
		}))
		want := [][4]uint64{{w.evaluation.ID, w.tasks[0].ID, 1, 0}, {w.evaluation.ID, w.tasks[1].ID, 3, 2}}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
	})
}
