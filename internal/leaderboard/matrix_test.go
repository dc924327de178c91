package leaderboard

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

// matrixSite is a store with a release of two repositories and five tasks, and
// a submission that the evaluator "judge" has judged.
type matrixSite struct {
	db         *store.Store
	boards     *Boards
	release    store.Release
	tasks      []store.Task
	submission store.Submission
	evaluation uint64
}

func newMatrixSite(t *testing.T) *matrixSite {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "site.db"))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	m := &matrixSite{db: db, boards: NewBoards(db), release: store.Release{Track: benchmark.DocToCode, Name: "small", Version: "1", Dir: "d", SHA256: "x", Tasks: 5,
		Repositories: []store.Repository{{Name: "acme/one", Tasks: 3}, {Name: "acme/two", Tasks: 2}}}}
	var tasks []store.Task
	for i := range 5 {
		tasks = append(tasks, store.Task{RepositoryID: uint64(i / 3), Key: fmt.Sprintf("acme/%s:a.py::f%d", []string{"one", "two"}[i/3], i), Position: i, Tests: i + 1, Strategy: "fresh"})
	}
	must(t, db.AddRelease(t.Context(), &m.release, tasks, nil))
	m.tasks, err = db.Tasks(t.Context(), m.release.ID)
	must(t, err)
	m.submission, m.evaluation = m.judge(t, "Agent", store.DocsFile, []int{4, 3, 2, 1, 0})
	return m
}

// judge adds a submission with so many of four samples passed on each task; of
// a task with -1 none counts.
func (m *matrixSite) judge(t *testing.T, system, docs string, passed []int) (store.Submission, uint64) {
	t.Helper()
	account := store.Account{Name: "owner of " + system, Role: "submitter"}
	must(t, m.db.AddAccount(t.Context(), &account))
	row, err := m.db.SystemNamed(t.Context(), store.System{Slug: benchmark.Slug(system, ""), Name: system})
	must(t, err)
	judge := store.Evaluator{Track: benchmark.DocToCode, Name: "judge", Kind: store.KindRecorded, Samples: 4, Enabled: true}
	must(t, m.db.SyncEvaluator(t.Context(), &judge))
	sub := store.Submission{PublicID: system, Track: benchmark.DocToCode, ReleaseID: m.release.ID, SystemID: row.ID, AccountID: account.ID,
		Docs: docs, State: store.Draft, Tasks: 5, Documented: 5}
	must(t, m.db.AddSubmission(t.Context(), &sub))
	must(t, m.db.Confirm(t.Context(), sub.ID, nil, []store.Evaluation{{SubmissionID: sub.ID, EvaluatorID: judge.ID, State: store.Queued, Samples: 4, Total: 20}}, [][]store.Unit{nil}))
	all, err := m.db.Evaluations(t.Context(), sub.ID)
	must(t, err)
	finish := store.Finish{Verdicts: map[benchmark.Verdict]int{}}
	sums, counted := map[uint64]float64{}, map[uint64]int{}
	for i, n := range passed {
		s := store.TaskScore{EvaluationID: all[0].ID, TaskID: m.tasks[i].ID, RepositoryID: m.tasks[i].RepositoryID, Samples: 4, Passed: n, Documented: true}
		if n < 0 {
			s.Samples, s.Passed = 0, 0
		} else {
			sums[s.RepositoryID] += float64(n) / 4
			counted[s.RepositoryID]++
		}
		finish.Tasks = append(finish.Tasks, s)
	}
	score := store.Score{EvaluationID: all[0].ID, Aggregation: store.ByRepository, K: 1}
	for id, n := range counted {
		mean := sums[id] / float64(n)
		finish.Repositories = append(finish.Repositories, store.RepositoryScore{EvaluationID: all[0].ID, RepositoryID: id, K: 1, Value: mean, Tasks: n, Documented: n})
		score.Value += mean / float64(len(counted))
		score.Tasks += n
		score.Repositories++
	}
	finish.Scores = []store.Score{score}
	must(t, m.db.FinishEvaluation(t.Context(), all[0].ID, finish))
	return sub, all[0].ID
}

func (m *matrixSite) measure(t *testing.T, sub store.Submission, evaluation uint64, key measures.Key, reason string, values ...float64) {
	t.Helper()
	row := store.Measurement{SubmissionID: sub.ID, EvaluationID: evaluation, Measure: string(key), Version: "1", Reason: reason}
	if values != nil {
		row.Values = measures.Pack(values)
	}
	must(t, m.db.PutMeasurements(t.Context(), []store.Measurement{row}))
}

// set is the release's on a board that knows all results.
func (m *matrixSite) set(t *testing.T) *Set {
	t.Helper()
	board, err := build(t.Context(), m.db, m.boards.known, 1)
	must(t, err)
	set, ok := board.Set("small@1")
	if !ok {
		t.Fatal("the release has no set")
	}
	return set
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestTheMatrixHasEveryTaskOfEveryRow(t *testing.T) {
	m := newMatrixSite(t)
	m.judge(t, "Other", store.DocsFile, []int{0, 0, -1, 4, 2})
	m.measure(t, m.submission, 0, "bleu_doc_doc", "", 0.5, measures.Undefined, 0, 1, measures.NotComputed)
	m.measure(t, m.submission, m.evaluation, "bleu_code_code", "", 1, 1, 1, 0, 0)
	m.measure(t, m.submission, 0, measures.Completeness, "there is no Python")
	set := m.set(t)
	if len(set.Matrix.Tasks) != 5 || set.Matrix.Tasks[3] != (MatrixTask{"acme/two:a.py::f3", 1, 4}) {
		t.Errorf("%+v", set.Matrix.Tasks)
	}
	if len(set.Matrix.Rows) != len(set.Rows) {
		t.Fatalf("%d rows of %d", len(set.Matrix.Rows), len(set.Rows))
	}
	for i, row := range set.Matrix.Rows {
		if row.Row != set.Rows[i] {
			t.Errorf("row %d is another one in the matrix", i)
		}
	}
	first, second := set.Matrix.Rows[0], set.Matrix.Rows[1]
	c := first.Column("bleu_doc_doc", "")
	if len(c.Values) != 5 || c.Values[0] != 0.5 || measures.StateOf(c.Values[1]) != measures.IsUndefined || c.Values[2] != 0 || measures.StateOf(c.Values[4]) != measures.IsNotComputed {
		t.Errorf("%+v", c)
	}
	for _, x := range []struct {
		row       *MatrixRow
		key       measures.Key
		evaluator string
		values    int
		reason    string
	}{
		{first, "bleu_code_code", "judge", 5, ""},
		{first, "bleu_code_code", "other", 0, "no evaluation under other has finished"},
		{second, "bleu_code_code", "judge", 0, Waiting},
		{second, "bleu_doc_doc", "judge", 0, Waiting},
		{first, measures.Completeness, "", 0, "there is no Python"},
		{first, "bleurt", "", 0, "there is no such measure"},
	} {
		if c := x.row.Column(x.key, x.evaluator); len(c.Values) != x.values || c.Reason != x.reason {
			t.Errorf("%s under %q: %+v", x.key, x.evaluator, c)
		}
	}
	if p := first.PassAt("judge", 1); len(p) != 5 || p[0] != 1 || p[1] != 0.75 || p[4] != 0 {
		t.Errorf("pass@1 %v", p)
	}
	if p := second.PassAt("judge", 1); !math.IsNaN(p[2]) || p[3] != 1 {
		t.Errorf("pass@1 %v", p)
	}
	if p := first.PassAt("judge", 5); !math.IsNaN(p[0]) {
		t.Errorf("pass@5 of four samples is %v", p)
	}
	if p := first.PassAt("nobody", 1); p != nil {
		t.Errorf("%v", p)
	}
}

func TestABoardReadsOnlyWhatIsNew(t *testing.T) {
	m := newMatrixSite(t)
	m.measure(t, m.submission, 0, "bleu_doc_doc", "", 1, 2, 3, 4, 5)
	first := m.set(t).Matrix.Rows[0]
	m.measure(t, m.submission, 0, "sacrebleu_doc_doc", "", 5, 4, 3, 2, 1)
	second := m.set(t).Matrix.Rows[0]
	if &first.Column("bleu_doc_doc", "").Values[0] != &second.Column("bleu_doc_doc", "").Values[0] {
		t.Error("values that did not change were read again")
	}
	if v := second.Column("sacrebleu_doc_doc", "").Values; len(v) != 5 || v[0] != 5 {
		t.Errorf("%v", v)
	}
	m.measure(t, m.submission, 0, "bleu_doc_doc", "", 9, 9, 9, 9, 9)
	if v := m.set(t).Matrix.Rows[0].Column("bleu_doc_doc", "").Values; v[0] != 9 {
		t.Errorf("%v", v)
	}
	if n := len(m.boards.known.values); n != 2 {
		t.Errorf("%d columns are kept", n)
	}
}

func TestADamagedColumnKeepsNobodyFromPassAtK(t *testing.T) {
	m := newMatrixSite(t)
	m.measure(t, m.submission, 0, "bleu_doc_doc", "", 1, 2)
	must(t, m.db.PutMeasurements(t.Context(), []store.Measurement{{SubmissionID: m.submission.ID, Measure: "words", Values: []byte("odd")}}))
	row := m.set(t).Matrix.Rows[0]
	for _, key := range []measures.Key{"bleu_doc_doc", measures.Words} {
		if c := row.Column(key, ""); c.Values != nil || c.Reason == "" {
			t.Errorf("%s: %+v", key, c)
		}
	}
	if p := row.PassAt("judge", 1); p[0] != 1 {
		t.Errorf("%v", p)
	}
}
