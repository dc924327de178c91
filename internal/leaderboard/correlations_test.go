package leaderboard

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/statistics"
	"touchstone/internal/store"
)

// A fixture is a release with submissions, and what scipy says of them:
// testdata/correlations.py writes it.
type fixture struct {
	Tasks       [][2]string // repository and key
	Samples     int
	Submissions []struct {
		System   string
		Passed   []int
		Measures map[measures.Key][]*float64
	}
	Expected []struct {
		Unit   Grain
		Method statistics.Correlation
		X, Y   string
		N      int
		Value  *float64
	}
}

func readFixture(t *testing.T) fixture {
	t.Helper()
	data, err := os.ReadFile("testdata/correlations.json")
	must(t, err)
	var f fixture
	must(t, json.Unmarshal(data, &f))
	return f
}

// set stores the fixture with its tasks in an order and reads its board.
func (f fixture) set(t *testing.T, order []int) *Set {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "site.db"))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	release := store.Release{Track: benchmark.DocToCode, Name: "small", Version: "1", Dir: "d", SHA256: "x", Tasks: len(f.Tasks)}
	place := map[string]int{}
	var tasks []store.Task
	for i, at := range order {
		name := f.Tasks[at][0]
		if _, ok := place[name]; !ok {
			place[name] = len(release.Repositories)
			release.Repositories = append(release.Repositories, store.Repository{Name: name})
		}
		release.Repositories[place[name]].Tasks++
		tasks = append(tasks, store.Task{RepositoryID: uint64(place[name]), Key: f.Tasks[at][1], Position: i, Tests: 1, Strategy: "fresh"})
	}
	must(t, db.AddRelease(t.Context(), &release, tasks, nil))
	tasks, err = db.Tasks(t.Context(), release.ID)
	must(t, err)
	account := store.Account{Name: "owner", Role: "submitter"}
	must(t, db.AddAccount(t.Context(), &account))
	judge := store.Evaluator{Track: benchmark.DocToCode, Name: "judge", Kind: store.KindRecorded, Samples: f.Samples, Enabled: true}
	must(t, db.SyncEvaluator(t.Context(), &judge))
	for i, s := range f.Submissions {
		system, err := db.SystemNamed(t.Context(), store.System{Slug: benchmark.Slug(s.System, ""), Name: s.System})
		must(t, err)
		sub := store.Submission{PublicID: fmt.Sprint("s", i), Track: benchmark.DocToCode, ReleaseID: release.ID, SystemID: system.ID, AccountID: account.ID,
			Docs: store.DocsFile, State: store.Draft, Tasks: len(tasks), Documented: len(tasks)}
		must(t, db.AddSubmission(t.Context(), &sub))
		e := []store.Evaluation{{SubmissionID: sub.ID, EvaluatorID: judge.ID, State: store.Queued, Samples: f.Samples, Total: f.Samples * len(tasks)}}
		must(t, db.Confirm(t.Context(), sub.ID, nil, e, [][]store.Unit{nil}))
		finish := store.Finish{Verdicts: map[benchmark.Verdict]int{}}
		for i, at := range order {
			finish.Tasks = append(finish.Tasks, store.TaskScore{EvaluationID: e[0].ID, TaskID: tasks[i].ID, RepositoryID: tasks[i].RepositoryID, Samples: f.Samples, Passed: s.Passed[at], Documented: true})
		}
		for _, k := range []int{1, f.Samples} {
			finish.Scores = append(finish.Scores, store.Score{EvaluationID: e[0].ID, Aggregation: store.ByRepository, K: k, Tasks: len(tasks)})
		}
		must(t, db.FinishEvaluation(t.Context(), e[0].ID, finish))
		for key, values := range s.Measures {
			row := store.Measurement{SubmissionID: sub.ID, Measure: string(key), Version: "1"}
			if m, _ := measures.Lookup(key); m.OfReplies() {
				row.EvaluationID = e[0].ID
			}
			column := make([]float64, len(order))
			for i, at := range order {
				if column[i] = measures.Undefined; values[at] != nil {
					column[i] = *values[at]
				}
			}
			row.Values = measures.Pack(column)
			must(t, db.PutMeasurements(t.Context(), []store.Measurement{row}))
		}
	}
	board, err := NewBoards(db).Current(t.Context())
	must(t, err)
	set := board.CorrelationSet(CorrelationQuery{})
	if set == nil || set.Key != "small@1" {
		t.Fatalf("the set is %v", set)
	}
	return set
}

func (f fixture) inOrder() []int {
	order := make([]int, len(f.Tasks))
	for i := range order {
		order[i] = i
	}
	return order
}

func cellOf(t *testing.T, table *Correlations, x, y string) Correlated {
	t.Helper()
	for c := range table.Each {
		if c.X.Key() == x && c.Y.Key() == y {
			return c
		}
	}
	t.Fatalf("there is no cell of %s and %s", x, y)
	return Correlated{}
}

func TestCorrelationsMatchScipy(t *testing.T) {
	f := readFixture(t)
	set := f.set(t, f.inOrder())
	undefined := 0
	for _, want := range f.Expected {
		table, err := set.Correlations(CorrelationQuery{Method: want.Method, Grain: want.Unit})
		must(t, err)
		got := cellOf(t, table, want.X, want.Y)
		if got.Points != want.N || (got.Value == nil) != (want.Value == nil) || got.Value != nil && math.Abs(*got.Value-*want.Value) > 1e-9 {
			t.Errorf("%+v: %v of %d points, %s", want, got.Value, got.Points, got.Undefined)
		}
		if got.Value == nil {
			undefined++
			if got.Undefined != statistics.ConstantMeasure {
				t.Errorf("%+v: %q", want, got.Undefined)
			}
		}
		// The page of the pair says the same.
		x, err := set.ParseMetric("x", want.X)
		must(t, err)
		y, err := set.ParseMetric("y", want.Y)
		must(t, err)
		pair, err := set.Pair(CorrelationQuery{Grain: want.Unit}, x, y)
		must(t, err)
		if same := pair.Of(want.Method); len(pair.Points) != want.N || (same.Value == nil) != (got.Value == nil) || got.Value != nil && (*same.Value != *got.Value || !sameInterval(same.Interval, got.Interval)) {
			t.Errorf("%+v: %+v, in the table %+v", want, same, got)
		}
	}
	if len(f.Expected) != 90 || undefined != 18 {
		t.Errorf("%d values, %d undefined", len(f.Expected), undefined)
	}
}

func sameInterval(a, b *statistics.Interval) bool {
	if a == nil || b == nil {
		return a == b
	}
	return math.Abs(a.Low-b.Low) < 1e-9 && math.Abs(a.High-b.High) < 1e-9
}

func TestTheOrderOfTasksChangesNoCorrelation(t *testing.T) {
	f := readFixture(t)
	order := f.inOrder()
	random := rand.New(rand.NewPCG(1, 1))
	random.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	a, b := f.set(t, f.inOrder()), f.set(t, order)
	for _, method := range statistics.Correlations {
		for _, grain := range Grains {
			for _, square := range []bool{false, true} {
				q := CorrelationQuery{Method: method, Grain: grain, Square: square}
				first, err := a.Correlations(q)
				must(t, err)
				second, err := b.Correlations(q)
				must(t, err)
				for x := range first.Each {
					y := cellOf(t, second, x.X.Key(), x.Y.Key())
					if (x.Value == nil) != (y.Value == nil) || x.Value != nil && math.Abs(*x.Value-*y.Value) > 1e-9 || !sameInterval(x.Interval, y.Interval) || x.Points != y.Points || x.Undefined != y.Undefined {
						t.Errorf("%+v: %+v and %+v", q, x, y)
					}
				}
			}
		}
	}
}

func TestASquareIsTheSameFromBothSides(t *testing.T) {
	f := readFixture(t)
	table, err := f.set(t, f.inOrder()).Correlations(CorrelationQuery{Square: true, Kind: measures.Doc})
	must(t, err)
	side := 2 // pass@1 and the largest k
	for _, m := range measures.Catalogue {
		if m.Pair == measures.Doc {
			side++
		}
	}
	if len(table.Down) != side || len(table.Across) != side {
		t.Fatalf("%d by %d", len(table.Down), len(table.Across))
	}
	for i := range table.Down {
		for j := range table.Across {
			a, b := table.Cells[i][j], table.Cells[j][i]
			if a.X.Key() != table.Down[i].Key() || a.Y.Key() != table.Across[j].Key() || a.Value != b.Value || a.Points != b.Points {
				t.Errorf("%s and %s: %+v, %+v", table.Down[i].Key(), table.Across[j].Key(), a, b)
			}
		}
	}
	n := 0
	for range table.Each {
		n++
	}
	if n != side*(side-1)/2 {
		t.Errorf("%d pairs", n)
	}
}

func TestTheIntervalIsTheBestThatFits(t *testing.T) {
	f := readFixture(t)
	set := f.set(t, f.inOrder())
	rows := set.Matrix.Rows
	data := newCorrelated(set, rows)
	for _, x := range []struct {
		q     CorrelationQuery
		pairs int
		want  Certainty
	}{
		{CorrelationQuery{Method: statistics.Pearson, Grain: GrainTask}, 60, Certainty{Bootstrapped, 10_000, 1}},
		{CorrelationQuery{Method: statistics.Spearman, Grain: GrainTask}, 60, Certainty{Bootstrapped, 10_000, 1}},
		{CorrelationQuery{Method: statistics.Spearman, Grain: GrainTask}, 3_000, Certainty{Bootstrapped, 1_000, 1}},
		{CorrelationQuery{Method: statistics.Kendall, Grain: GrainTask}, 1_000_000, Certainty{Kind: Jackknifed}},
		{CorrelationQuery{Method: statistics.Kendall, Grain: GrainTask}, 1_000_000_000, Certainty{Kind: Analytic}},
		{CorrelationQuery{Method: statistics.Pearson, Grain: GrainSystem}, 1, Certainty{Kind: Analytic}},
	} {
		if got := certainty(x.q, x.pairs, len(rows), data); got != x.want {
			t.Errorf("%+v of %d pairs: %+v, want %+v", x.q, x.pairs, got, x.want)
		}
	}
	columnX, err := data.column(Metric{Measure: lookup(t, "rouge1_f_doc_doc")})
	must(t, err)
	columnY, err := data.column(Metric{K: 1, Evaluator: "judge"})
	must(t, err)
	for _, kind := range []Certainty{{Bootstrapped, 10_000, 1}, {Kind: Jackknifed}, {Kind: Analytic}} {
		cell, err := kind.cell(data, columnX, columnY, GrainTask, statistics.Pearson)
		must(t, err)
		if cell.Interval == nil || !(cell.Interval.Low < *cell.Value && *cell.Value < cell.Interval.High) {
			t.Errorf("%s: %v in %+v, %s", kind.Kind, *cell.Value, cell.Interval, cell.Undefined)
		}
	}
}

func lookup(t *testing.T, key measures.Key) measures.Measure {
	t.Helper()
	m, ok := measures.Lookup(key)
	if !ok {
		t.Fatalf("there is no %s", key)
	}
	return m
}

func TestWhatIsMissingIsSaid(t *testing.T) {
	m := newMatrixSite(t)
	m.judge(t, "Other", store.DocsFile, []int{0, 1, 0, 4, 2})
	m.judge(t, "Control", store.DocsNone, []int{0, 0, 0, 0, 0})
	m.judge(t, "Partial", store.DocsFile, []int{0, 0, -1, 0, 0})
	m.measure(t, m.submission, 0, "words", "", 1, 2, 3, 4, 5)
	m.measure(t, m.submission, 0, measures.Completeness, "there is no Python")
	table, err := m.set(t).Correlations(CorrelationQuery{})
	must(t, err)
	var names []string
	for _, row := range table.Rows {
		names = append(names, row.Row.System)
	}
	if !slices.Equal(names, []string{"Agent", "Other"}) {
		t.Errorf("correlated are %v: controls and rows that lack tasks are no part", names)
	}
	if c := cellOf(t, table, "words", "pass@1:judge"); c.Value == nil || c.Points != 5 || math.Abs(*c.Value+1) > 1e-12 {
		t.Errorf("%+v", c)
	}
	for key, reason := range map[string]string{"completeness": "there is no Python", "bleu_doc_doc": Waiting} {
		if c := cellOf(t, table, key, "pass@1:judge"); c.Value != nil || c.Points != 0 || !strings.HasSuffix(c.Missing, ": "+reason) {
			t.Errorf("%+v", c)
		}
	}
	found := map[string]int{}
	for _, g := range table.Gaps {
		for _, metric := range g.Metrics {
			found[metric.Key()+" "+g.Reason] = g.Submissions
		}
	}
	if found["completeness there is no Python"] != 1 || found["completeness "+Waiting] != 1 || found["words "+Waiting] != 1 || found["bleu_doc_doc "+Waiting] != 2 {
		t.Errorf("%v", found)
	}
	chosen, err := m.set(t).Correlations(CorrelationQuery{Submissions: []string{"Control", "Partial", "Control"}})
	must(t, err)
	if len(chosen.Rows) != 2 {
		t.Errorf("%d rows are chosen", len(chosen.Rows))
	}
	if c := cellOf(t, chosen, "words", "pass@1:judge"); c.Missing == "" {
		t.Errorf("%+v", c)
	}
}

func TestARequestForWhatIsNotThereNamesTheMend(t *testing.T) {
	f := readFixture(t)
	set := f.set(t, f.inOrder())
	board := &Board{Sets: []*Set{set}}
	for _, q := range []CorrelationQuery{{Release: "no@1"}, {Evaluator: "nobody"}, {Kind: "code"}, {Method: "phi"}, {Grain: "file"}} {
		if err := board.CheckCorrelations(q); !errors.As(err, new(*benchmark.InputError)) {
			t.Errorf("%+v: %v", q, err)
		}
	}
	if _, err := set.Correlations(CorrelationQuery{Submissions: []string{"nobody"}}); !errors.As(err, new(*benchmark.InputError)) {
		t.Error(err)
	}
	for _, key := range []string{"", "pass@1", "pass@0:judge", "pass@x:judge", "pass@1:nobody", "words:judge", "bleu_code_code", "bleurt", strings.Repeat("x", 3000)} {
		if _, err := set.ParseMetric("x", key); !errors.As(err, new(*benchmark.InputError)) || len(err.Error()) > 2500 {
			t.Errorf("%.20q: %v", key, err)
		}
	}
	for _, key := range []string{"pass@4:judge", "words", "bleu_code_code:judge"} {
		if m, err := set.ParseMetric("x", key); err != nil || m.Key() != key {
			t.Errorf("%s: %+v, %v", key, m, err)
		}
	}
}

func TestATableIsComputedOnce(t *testing.T) {
	f := readFixture(t)
	set := f.set(t, f.inOrder())
	first, err := set.Correlations(CorrelationQuery{Submissions: []string{"s0", "s2"}})
	must(t, err)
	second, err := set.Correlations(CorrelationQuery{Submissions: []string{"s2", "s0", "s2"}, Method: statistics.Pearson, Grain: GrainTask})
	must(t, err)
	if first != second {
		t.Error("the same table was computed twice")
	}
	for i := range 2 * keptMost {
		_, err := set.Correlations(CorrelationQuery{Submissions: []string{"s0"}, Evaluator: strings.Repeat("x", i+1)})
		must(t, err)
	}
	if n := len(set.kept.tables); n > keptMost {
		t.Errorf("%d tables are kept", n)
	}
}
