package web

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"touchstone/data"
	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/sandbox/sandboxtest"
	"touchstone/internal/store"
)

// A reference is a site whose results a test writes itself: nothing is executed.
type reference struct {
	*testing.T
	site   *Site
	db     *store.Store
	engine *evaluation.Engine
}

// emptyReference is a site that nothing was imported into.
func emptyReference(t *testing.T) *reference {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "site.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	engine, err := evaluation.New(t.Context(), evaluation.Config{Store: db, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	r := &reference{T: t, db: db, engine: engine}
	r.restart()
	return r
}

// restart lets the site forget what it knew of the results.
func (r *reference) restart() {
	r.site = New(Config{Store: r.db, Engine: r.engine, Boards: leaderboard.NewBoards(r.db), Log: r.engine.Log, Version: "test"})
}

// newReference is a site with the papers' numbers and the starter release.
func newReference(t *testing.T) *reference {
	t.Helper()
	r := emptyReference(t)
	if err := evaluation.ImportPublished(t.Context(), r.db, data.Published()); err != nil {
		t.Fatal(err)
	}
	starter, err := data.Install(sandboxtest.Cache(t), "starter/release")
	if err != nil {
		t.Fatal(err)
	}
	_, err = evaluation.Import(t.Context(), r.db, t.TempDir(), starter)
	r.check(err)
	r.restart()
	return r
}

func (r *reference) check(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// release is the newest one.
func (r *reference) release() store.Release {
	r.Helper()
	all, err := r.db.Releases(r.Context(), benchmark.DocToCode)
	r.check(err)
	return all[0]
}

// A judgment is what a test says that a system scored: the same on each
// repository of the newest release, 0.01 more for each k above 1.
type judgment struct {
	system, model, version string
	evaluator              string
	kind                   string // of the evaluator, a model's when ""
	description            string // of the evaluator
	value                  float64
	samples                int // 3 when 0
}

// queue makes a submission that waits for its evaluation.
func (r *reference) queue(j judgment) (store.Submission, store.Evaluation) {
	r.Helper()
	ctx := r.Context()
	release := r.release()
	if j.samples == 0 {
		j.samples = 3
	}
	if j.kind == "" {
		j.kind = store.KindModel
	}
	account, err := r.db.AccountByName(ctx, "tester")
	if err != nil {
		account = store.Account{Name: "tester", Role: "submitter"}
		r.check(r.db.AddAccount(ctx, &account))
	}
	judge := store.Evaluator{Track: benchmark.DocToCode, Name: j.evaluator, Kind: j.kind, Description: j.description, Samples: j.samples, Enabled: true}
	r.check(r.db.SyncEvaluator(ctx, &judge))
	system, err := r.db.SystemNamed(ctx, store.System{Slug: benchmark.Slug(j.system, j.model), Name: j.system, Model: j.model})
	r.check(err)
	_, n, err := r.db.Submissions(ctx, store.SubmissionFilter{Drafts: true, Limit: 1})
	r.check(err)
	sub := store.Submission{PublicID: fmt.Sprintf("sub%d", n), Track: benchmark.DocToCode, ReleaseID: release.ID, SystemID: system.ID, AccountID: account.ID,
		Version: j.version, Docs: store.DocsFile, State: store.Draft, Tasks: release.Tasks, Documented: release.Tasks}
	r.check(r.db.AddSubmission(ctx, &sub))
	evaluations := []store.Evaluation{{SubmissionID: sub.ID, EvaluatorID: judge.ID, State: store.Queued, Samples: j.samples, Total: j.samples * release.Tasks}}
	unit := store.Unit{RepositoryID: release.Repositories[0].ID, Samples: j.samples * release.Tasks, Stage: store.StageGenerate}
	r.check(r.db.Confirm(ctx, sub.ID, nil, evaluations, [][]store.Unit{{unit}}))
	return sub, evaluations[0]
}

// judge makes a submission with finished scores.
func (r *reference) judge(j judgment) store.Submission {
	r.Helper()
	sub, e := r.queue(j)
	release := r.release()
	f := store.Finish{Verdicts: map[benchmark.Verdict]int{benchmark.Passed: 1}}
	for k := 1; k <= e.Samples; k++ {
		value := j.value + 0.01*float64(k-1)
		for _, x := range release.Repositories {
			f.Repositories = append(f.Repositories, store.RepositoryScore{EvaluationID: e.ID, RepositoryID: x.ID, K: k, Value: value, Tasks: x.Tasks})
		}
		for _, a := range store.Aggregations {
			f.Scores = append(f.Scores, store.Score{EvaluationID: e.ID, Aggregation: a, K: k, Value: value, Repositories: len(release.Repositories), Tasks: release.Tasks})
		}
	}
	r.check(r.db.FinishEvaluation(r.Context(), e.ID, f))
	r.restart()
	return sub
}

// ask gets an address and its body.
func (r *reference) ask(address string, status int) string {
	r.Helper()
	w := httptest.NewRecorder()
	r.site.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	if w.Code != status {
		r.Fatalf("%s: status %d, want %d\n%.2000s", address, w.Code, status, w.Body)
	}
	return w.Body.String()
}

// file is the lines of a CSV as objects by its header.
func (r *reference) file(address string) []map[string]string {
	r.Helper()
	lines, err := csv.NewReader(strings.NewReader(r.ask(address, http.StatusOK))).ReadAll()
	r.check(err)
	var rows []map[string]string
	for _, line := range lines[1:] {
		row := map[string]string{}
		for i, name := range lines[0] {
			row[name] = line[i]
		}
		rows = append(rows, row)
	}
	return rows
}

// rows are those of a JSON address.
func (r *reference) rows(address string) []map[string]string {
	r.Helper()
	var answer struct{ Rows []map[string]string }
	r.check(json.Unmarshal([]byte(r.ask(address, http.StatusOK)), &answer))
	return answer.Rows
}

// A document is a page as its reader finds it.
type document struct {
	t    *testing.T
	root *html.Node
}

func (r *reference) page(address string) document {
	r.Helper()
	root, err := html.Parse(strings.NewReader(r.ask(address, http.StatusOK)))
	r.check(err)
	return document{r.T, root}
}

// all are the elements that a test of an element chooses.
func (d document) all(choose func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for n := range d.root.Descendants() {
		if n.Type == html.ElementNode && choose(n) {
			found = append(found, n)
		}
	}
	return found
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// part is the element of an id.
func (d document) part(id string) document {
	d.t.Helper()
	found := d.all(func(n *html.Node) bool { return attribute(n, "id") == id })
	if len(found) != 1 {
		d.t.Fatalf("%d elements have the id %s", len(found), id)
	}
	return document{d.t, found[0]}
}

// words is the text of a part with single spaces.
func words(n *html.Node) string {
	var b strings.Builder
	for x := range n.Descendants() {
		if x.Type == html.TextNode {
			b.WriteString(x.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func (d document) text() string { return words(d.root) }

// table is the text of each cell of the table of an id, head first.
func (d document) table(id string) [][]string {
	d.t.Helper()
	var lines [][]string
	for _, row := range d.part(id).all(func(n *html.Node) bool { return n.Data == "tr" }) {
		var line []string
		for cell := range row.ChildNodes() {
			if cell.Type == html.ElementNode {
				line = append(line, words(cell))
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// links are the addresses of a part, by their text.
func (d document) links() map[string]string {
	found := map[string]string{}
	for _, a := range d.all(func(n *html.Node) bool { return n.Data == "a" }) {
		found[words(a)] = attribute(a, "href")
	}
	return found
}

// has fails the test for each text that the part does not hold.
func (d document) has(texts ...string) {
	d.t.Helper()
	whole := d.text()
	for _, text := range texts {
		if !strings.Contains(whole, text) {
			d.t.Errorf("%q is not in %.3000q", text, whole)
		}
	}
}

func (d document) hasNot(texts ...string) {
	d.t.Helper()
	whole := d.text()
	for _, text := range texts {
		if strings.Contains(whole, text) {
			d.t.Errorf("%q is in %.3000q", text, whole)
		}
	}
}

// record is the answer to a request.
func record(r *reference, request *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	r.site.Handler().ServeHTTP(w, request)
	return w
}
