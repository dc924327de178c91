package leaderboard

import (
	"testing"

	"touchstone/internal/store"
)

// judged is a row's result on two repositories.
func judged(tasks int, values ...float64) map[string]*Result {
	r := &Result{Evaluator: "judge", Samples: 1, scores: map[scoreKey]Estimate{}, byRepo: map[int][]Cell{}}
	var sum float64
	for _, v := range values {
		r.byRepo[1] = append(r.byRepo[1], Cell{Known: true, Value: v, Tasks: tasks / len(values)})
		sum += v
	}
	r.scores[scoreKey{store.ByRepository, 1}] = Estimate{Value: sum / float64(len(values)), Repositories: len(values), Tasks: tasks}
	return map[string]*Result{"judge": r}
}

// A row that was not judged on every task is shown behind those that were,
// whatever it scored on the others.
func TestARowThatLacksTasksIsNotRanked(t *testing.T) {
	set := &Set{Key: "set", Tasks: 20, Repositories: []Repository{{Name: "a/a"}, {Name: "b/b"}}, Evaluators: []Evaluator{{Name: "judge", Samples: 1}},
		Rows: []*Row{
			{System: "partial", Tasks: 20, Results: judged(4, 1, 1)},
			{System: "worse", Tasks: 20, Results: judged(20, 0.2, 0.21)},
			{System: "better", Tasks: 20, Results: judged(20, 0.8, 0.81)},
			{System: "nothing", Tasks: 20, Results: map[string]*Result{}},
		}}
	listings, err := (&Board{Sets: []*Set{set}}).List(Query{})
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		system string
		rank   int
	}{{"better", 1}, {"worse", 2}, {"partial", 0}, {"nothing", 0}}
	for i, w := range want {
		if got := listings[0].Rows[i]; got.System != w.system || got.Rank != w.rank {
			t.Errorf("place %d: %s with rank %d instead of %s with %d", i, got.System, got.Rank, w.system, w.rank)
		}
	}
	spreads, err := set.Spreads("judge", 1)
	if err != nil || len(spreads) != 2 {
		t.Errorf("%d spreads, %v: a row that lacks tasks was compared", len(spreads), err)
	}
	if beside := set.Standouts(set.Rows[1], "judge", 1); len(beside) != 2 || beside[0].Rows != 1 {
		t.Errorf("%+v: a row that lacks tasks was compared", beside)
	}
	// Nobody has a mean weighted by tests, so there is nothing to rank by.
	unknown, err := (&Board{Sets: []*Set{set}}).List(Query{Aggregation: store.ByTests})
	if err != nil || unknown[0].Rows[0].Rank != 0 {
		t.Errorf("%+v, %v", unknown[0].Rows[0], err)
	}
}
