package leaderboard

import (
	"errors"
	"math"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

// flag keeps leak flags of a submission: 1 for a task that is flagged, 2 for a
// severe one.
func (m *matrixSite) flag(t *testing.T, sub store.Submission, flags ...float64) {
	t.Helper()
	flagged, severe := make([]float64, len(flags)), make([]float64, len(flags))
	for i, f := range flags {
		flagged[i], severe[i] = min(f, 1), max(0, f-1)
		if math.IsNaN(f) {
			flagged[i], severe[i] = measures.Undefined, measures.Undefined
		}
	}
	m.measure(t, sub, 0, measures.LeakFlagged, "", flagged...)
	m.measure(t, sub, 0, measures.LeakSevere, "", severe...)
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestFlaggedDocstringsAreCountedAmongThoseThereAre(t *testing.T) {
	m := newMatrixSite(t)
	unknown, _ := m.judge(t, "Unmeasured", store.DocsFile, []int{1, 1, 1, 1, 1})
	broken, _ := m.judge(t, "Broken", store.DocsFile, []int{1, 1, 1, 1, 1})
	bare, _ := m.judge(t, "Bare", store.DocsNone, []int{0, 0, 0, 0, 0})
	m.flag(t, m.submission, 2, 0, 1, math.NaN(), 0)
	u := math.NaN()
	m.flag(t, bare, u, u, u, u, u)
	m.measure(t, broken, 0, measures.LeakFlagged, "it broke off")
	want := map[string]Leak{
		m.submission.PublicID: {Documented: 4, Flagged: 2, Severe: 1},
		unknown.PublicID:      {Unknown: Waiting},
		broken.PublicID:       {Unknown: "it broke off"},
		bare.PublicID:         {},
	}
	for _, row := range m.set(t).Rows {
		if row.Leak != want[row.Submission] {
			t.Errorf("%s: %+v, want %+v", row.Submission, row.Leak, want[row.Submission])
		}
		_, _, ok := row.Leak.Shares()
		if ok != (row.Leak.Documented > 0) || !ok && row.Leak.Why() == "" {
			t.Errorf("%s has shares: %v", row.Submission, ok)
		}
	}
}

func TestWithoutLeaksEachRowIsOverItsOwnTasks(t *testing.T) {
	m := newMatrixSite(t) // 4, 3, 2 | 1, 0 of 4
	m.judge(t, "Unmeasured", store.DocsFile, []int{1, 1, 1, 1, 1})
	other, _ := m.judge(t, "Clean", store.DocsFile, []int{4, 4, 4, 0, 0})
	m.flag(t, m.submission, 1, 0, 0, 2, 0)
	m.flag(t, other, 0, 0, 0, 0, 0)
	board := &Board{Sets: []*Set{m.set(t)}}
	listings, err := board.List(Query{Leak: WithoutLeaks})
	if err != nil || len(listings) != 1 || len(listings[0].Rows) != 3 {
		t.Fatal(listings, err)
	}
	for _, row := range listings[0].Rows {
		e, ok := row.Results["judge"].At(store.ByRepository, 1)
		switch row.System {
		case "Agent":
			// Means of (0.75 + 0.5)/2 and 0.
			if !near(e.Value, 0.3125) || e.Tasks != 3 || e.Low == nil || row.Rank == 0 {
				t.Errorf("%+v, rank %d", e, row.Rank)
			}
			if c := row.Results["judge"].On(0, 1); !near(c.Value, 0.625) || c.Tasks != 2 {
				t.Errorf("%+v", c)
			}
			if k4, _ := row.Results["judge"].At(store.ByTask, 4); !near(k4.Value, 2.0/3) {
				t.Errorf("pass@4 %+v", k4)
			}
		case "Clean":
			if !near(e.Value, 0.5) || e.Tasks != 5 || row.Rank == 0 {
				t.Errorf("%+v, rank %d", e, row.Rank)
			}
		default:
			if ok || row.Rank != 0 {
				t.Errorf("%s has %+v, though nobody knows its leaks", row.System, e)
			}
		}
	}
	for line := range Scores(listings, "").Rows {
		if line[atLeak] != WithoutLeaks {
			t.Errorf("%v", line)
		}
	}
	all, err := board.List(Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all[0].Rows {
		if e, _ := row.Results["judge"].At(store.ByRepository, 1); e.Tasks != 5 {
			t.Errorf("with all tasks %s is over %d", row.System, e.Tasks)
		}
	}
}

func TestOnlyWhatIsKnownCanBeLeftOut(t *testing.T) {
	board := &Board{Sets: []*Set{{Key: "paper", Provenance: Published, Rows: []*Row{{System: "A"}}}, {Key: "small@1", Provenance: Evaluated, unleaked: &Set{}}}}
	for _, q := range []Query{{Leak: "no"}, {Leak: WithoutLeaks, Release: "paper"}, {Leak: WithoutLeaks, Provenance: Published}} {
		var wrong *benchmark.InputError
		if err := board.Check(q); !errors.As(err, &wrong) || wrong.Field != "leak" || wrong.Mend == "" {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if err := board.Check(Query{Leak: WithoutLeaks, Release: "small@1"}); err != nil {
		t.Error(err)
	}
	if listings, err := board.List(Query{Leak: WithoutLeaks}); err != nil || len(listings) != 0 {
		t.Errorf("%v %v", listings, err)
	}
}

func TestALiftIsPairedWithTheNewestControlThatLacksNothing(t *testing.T) {
	m := newMatrixSite(t) // 4, 3, 2 | 1, 0 of 4
	set := m.set(t)
	if _, ok := set.Rows[0].Results["judge"].Lift(store.ByRepository, 1); ok || set.NoDocs("judge") != nil {
		t.Error("there is a lift without a control")
	}
	m.judge(t, "Older", store.DocsNone, []int{4, 4, 4, 4, 4})
	control, _ := m.judge(t, "Newer", store.DocsNone, []int{0, 0, 1, 1, 0})
	m.judge(t, "Unfinished", store.DocsNone, []int{0, -1, 0, 0, 0})
	m.flag(t, m.submission, 1, 0, 0, 0, 0)
	set = m.set(t)
	if row := set.NoDocs("judge"); row == nil || row.Submission != control.PublicID {
		t.Fatalf("%+v", row)
	}
	// Differences 1, 0.75, 0.25 | 0, 0.
	lift, ok := set.Rows[0].Results["judge"].Lift(store.ByRepository, 1)
	if !ok || !near(lift.Value, 1.0/3) || lift.Low == nil || lift.Tasks != 5 {
		t.Errorf("%+v", lift)
	}
	if lift, _ := set.Rows[0].Results["judge"].Lift(store.ByTask, 1); !near(lift.Value, 0.4) {
		t.Errorf("%+v", lift)
	}
	// Weights 1 to 5.
	if lift, _ := set.Rows[0].Results["judge"].Lift(store.ByTests, 1); !near(lift.Value, (1+1.5+0.75)/15) {
		t.Errorf("%+v", lift)
	}
	if lift, _ := set.unleaked.Rows[0].Results["judge"].Lift(store.ByRepository, 1); !near(lift.Value, 0.25) || lift.Tasks != 4 {
		t.Errorf("without leaks %+v", lift)
	}
	for _, row := range set.Rows {
		if _, ok := row.Results["judge"].Lift(store.ByRepository, 1); row.Submission == control.PublicID && ok {
			t.Error("the control has a lift over itself")
		}
	}
	again := m.set(t)
	if got, _ := again.Rows[0].Results["judge"].Lift(store.ByRepository, 1); got.Value != lift.Value {
		t.Errorf("the next board says %+v", got)
	}
}
