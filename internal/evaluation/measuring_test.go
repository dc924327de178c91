package evaluation

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"touchstone/internal/dispatch"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/sandbox/sandboxtest"
	"touchstone/internal/store"
)

// measured waits until a subject has all of some measures.
func (s *site) measured(t *testing.T, subject store.Subject, keys ...measures.Key) map[measures.Key]store.Measurement {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		heads, err := s.db.MeasurementHeads(t.Context(), subject.SubmissionID)
		if err != nil {
			t.Fatal(err)
		}
		found := map[measures.Key]store.Measurement{}
		for _, h := range heads {
			if h.EvaluationID == subject.EvaluationID {
				found[measures.Key(h.Measure)] = h
			}
		}
		missing := ""
		for _, key := range keys {
			if _, ok := found[key]; !ok {
				missing = string(key)
			}
		}
		if missing == "" {
			return found
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s was not computed", missing)
		}
	}
}

func (s *site) values(t *testing.T, m store.Measurement) []float64 {
	t.Helper()
	data, err := s.db.MeasurementValues(t.Context(), []uint64{m.ID})
	if err != nil {
		t.Fatal(err)
	}
	values, err := measures.Unpack(data[m.ID])
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// filled are the measures that computers fill.
func filled(computers []measures.Computer, ofReplies bool) []measures.Key {
	var all []measures.Key
	for _, c := range computers {
		for _, key := range c.Measures() {
			if m, ok := measures.Lookup(key); ok && m.OfReplies() == ofReplies {
				all = append(all, key)
			}
		}
	}
	return all
}

// withoutOriginal is how many tasks have no docstring in their repository.
func (s *site) withoutOriginal(t *testing.T) int {
	t.Helper()
	release, err := s.Release(t.Context(), s.release.ID)
	if err != nil {
		t.Fatal(err)
	}
	has, err := s.docstrings(t.Context(), store.Submission{Docs: store.DocsOriginal}, release)
	if err != nil {
		t.Fatal(err)
	}
	return len(release.Tasks) - len(has)
}

func TestEverySubmissionAndEvaluationIsMeasured(t *testing.T) {
	s := newSite(t, true, control(evaluator.Reference))
	s.Measures = measures.Computers(sandboxtest.Local(t), sandboxtest.Cache(t))
	s.run(t)
	sub := s.over(t, s.submit(t, "ada", "detailed"))
	docs := s.measured(t, store.Subject{SubmissionID: sub.ID}, filled(s.Measures, false)...)
	for key, m := range docs {
		values := s.values(t, m)
		if m.Reason != "" || len(values) != 83 {
			t.Errorf("%s: %d values; %s", key, len(values), m.Reason)
		}
		known, _ := measures.Lookup(key)
		undefined := 0
		for i, v := range values {
			state := measures.StateOf(v)
			if state == measures.IsUndefined {
				undefined++
			} else if state != measures.IsDefined || v < known.Low || v > known.High {
				t.Errorf("%s of task %d is %v", key, i, v)
			}
		}
		if without := s.withoutOriginal(t); known.Pair == measures.DocDoc && undefined != without || known.Pair != measures.DocDoc && undefined != 0 {
			t.Errorf("%s is undefined for %d tasks; %d have no docstring of their own", key, undefined, without)
		}
	}
	replies := s.measured(t, store.Subject{SubmissionID: sub.ID, EvaluationID: s.evaluation(t, sub).ID}, filled(s.Measures, true)...)
	for i, v := range s.values(t, replies["rouge1_f_code_code"]) {
		if v != 1 {
			t.Errorf("the original body of task %d is %v like itself", i, v)
		}
	}
}

// A brokenComputer fills nothing: it panics, or is not ready.
type brokenComputer struct {
	measures.Computer
	ready error
}

func (b brokenComputer) Ready(context.Context) error { return b.ready }
func (b brokenComputer) Compute(context.Context, measures.Repository) ([][]float64, string, error) {
	panic("no such text")
}

func TestAMeasureThatCannotBeComputedHasItsReasonAndHindersNothing(t *testing.T) {
	s := newSite(t, true, control(evaluator.Stub))
	length := measures.Texts[len(measures.Texts)-1]
	s.Measures = []measures.Computer{brokenComputer{measures.Texts[0], nil}, brokenComputer{measures.Texts[3], errors.New("no model is registered")}, length}
	s.run(t)
	sub := s.over(t, s.submit(t, "ada", "vague"))
	if sub.State != store.Finished {
		t.Errorf("it is %s", sub.State)
	}
	found := s.measured(t, store.Subject{SubmissionID: sub.ID}, "bleu_doc_doc", measures.LeakRun, measures.Words)
	if m := found["bleu_doc_doc"]; !strings.Contains(m.Reason, "no such text") || !strings.Contains(m.Reason, "touchstone/spans") {
		t.Errorf("%q", m.Reason)
	}
	if m := found[measures.LeakRun]; m.Reason != "no model is registered" {
		t.Errorf("%q", m.Reason)
	}
	if m := found[measures.Words]; m.Reason != "" || len(s.values(t, m)) != 83 {
		t.Errorf("%+v", m)
	}
}

func TestWhatAKilledProcessDidNotMeasureTheNextOneDoes(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	sub := s.submit(t, "ada", "vague") // while nothing runs, as before an upgrade
	queue, err := dispatch.Open(t.Context(), dispatch.Config{Log: s.Log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { queue.Close() })
	restart := func(computers ...measures.Computer) (*site, func()) {
		c := s.Config
		c.Queue, c.Measures = queue, computers
		engine, err := New(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		next := &site{engine, s.db, s.release}
		return next, next.run(t)
	}
	subject := store.Subject{SubmissionID: sub.ID}
	length := measures.Texts[len(measures.Texts)-1]

	next, stop := restart(brokenComputer{length, errors.New("not today")})
	first := next.measured(t, subject, measures.Words)[measures.Words]
	stop()
	if first.Reason != "not today" {
		t.Fatalf("%+v", first)
	}
	measure := func(c measures.Computer, until func(store.Measurement) bool) store.Measurement {
		t.Helper()
		next, stop := restart(c)
		defer stop()
		for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			if m := next.measured(t, subject, measures.Words)[measures.Words]; until(m) {
				return m
			}
			if time.Now().After(deadline) {
				t.Fatal("it was not computed anew")
			}
		}
	}
	second := measure(length, func(m store.Measurement) bool { return m.Reason == "" })
	if second.Version != length.Version() || len(s.values(t, second)) != 83 {
		t.Errorf("%+v", second)
	}
	third := measure(newer{length}, func(m store.Measurement) bool { return m.Version == "newer" })
	if third.ID == second.ID {
		t.Error("what another version computed was kept")
	}
}

type newer struct{ measures.Computer }

func (newer) Version() string { return "newer" }

// A registered computer gets another version while the site runs.
type registered struct {
	measures.Computer
	version *atomic.Value
}

func (r registered) Version() string { return r.version.Load().(string) }

func TestAModelThatIsRegisteredMeanwhileMeasuresWhatIsThere(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	sub := s.submit(t, "ada", "vague")
	version := &atomic.Value{}
	version.Store("first")
	s.Measures = []measures.Computer{registered{measures.Texts[len(measures.Texts)-1], version}}
	s.run(t)
	subject := store.Subject{SubmissionID: sub.ID}
	first := s.measured(t, subject, measures.Words)[measures.Words]
	version.Store("second")
	s.wakeMeasuring()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		m := s.measured(t, subject, measures.Words)[measures.Words]
		if m.Version == "second" && m.ID != first.ID {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%+v", m)
		}
	}
}

func TestImportedValuesStandBesideTheSitesOwn(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	sub := s.submit(t, "ada", "vague")
	length := measures.Texts[len(measures.Texts)-1]
	row := store.Measurement{SubmissionID: sub.ID, Measure: string(measures.Words.Imported()), Provenance: "counted by hand", Values: measures.Pack(make([]float64, 83))}
	if err := s.db.PutMeasurements(t.Context(), []store.Measurement{row}); err != nil {
		t.Fatal(err)
	}
	s.Measures = []measures.Computer{length}
	s.run(t)
	found := s.measured(t, store.Subject{SubmissionID: sub.ID}, measures.Words, measures.Words.Imported())
	if m := found[measures.Words.Imported()]; m.Provenance != "counted by hand" || s.values(t, m)[0] != 0 {
		t.Errorf("%+v", m)
	}
	if m := found[measures.Words]; m.Provenance != "" || s.values(t, m)[0] == 0 {
		t.Errorf("%+v", m)
	}
}
