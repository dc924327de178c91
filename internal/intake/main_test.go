package intake

import (
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"touchstone/data"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
)

// starter is the release that ships with the program: 83 tasks of three
// repositories.
var starter *doctocode.Dataset

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "intake")
		if err != nil {
			panic(err)
		}
		defer os.RemoveAll(dir)
		files, err := cache.Open(dir)
		if err != nil {
			panic(err)
		}
		defer files.Close()
		release, err := data.Install(files, "starter/release")
		if err != nil {
			panic(err)
		}
		if starter, err = doctocode.OpenDataset(release); err != nil {
			panic(err)
		}
		return m.Run()
	}())
}

// preflight is of a text under the default limits, and must not fail.
func preflight(t *testing.T, text string) (*Report, evaluator.Docs) {
	t.Helper()
	report, docs, err := Preflight(t.Context(), strings.NewReader(text), "docs.jsonl", starter, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	placed(t, report)
	return report, docs
}

// placed checks that every line is in one place of the report.
func placed(t *testing.T, r *Report) {
	t.Helper()
	counted := r.Documented + r.Context + r.Unused
	if r.Lines != r.Rows+r.Rejected.Count || r.Rows != r.Unmatched.Count+r.Superseded.Count+r.Blank.Count+counted {
		t.Errorf("lines are lost: %d lines, %d rows, %d rejected, %d unmatched, %d superseded, %d blank, %d documented, %d context, %d unused",
			r.Lines, r.Rows, r.Rejected.Count, r.Unmatched.Count, r.Superseded.Count, r.Blank.Count, r.Documented, r.Context, r.Unused)
	}
	if r.Tasks != r.Documented+len(r.Missing) {
		t.Errorf("%d tasks, %d documented, %d missing", r.Tasks, r.Documented, len(r.Missing))
	}
	var sum Coverage
	for _, c := range r.Repositories {
		sum.Tasks += c.Tasks
		sum.Documented += c.Documented
		sum.Missing += c.Missing
		sum.Context += c.Context
	}
	if sum.Tasks != r.Tasks || sum.Documented != r.Documented || sum.Missing != len(r.Missing) || sum.Context != r.Context {
		t.Errorf("repositories sum up to %+v", sum)
	}
}

// submission is a sample submission of the starter release.
func submission(t testing.TB, name string) string {
	t.Helper()
	in, err := data.Submission(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	text, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// line is a row of a docs.jsonl; path, qualname and docstring are written as
// they stand, between quotes.
func line(path, qualname, docstring string) string {
	return fmt.Sprintf(`{"repo":"touchstone/spans","path":"%s","qualname":"%s","docstring":"%s"}`+"\n", path, qualname, docstring)
}

// hull is a row for a task.
var hull = line("src/spans/interval.py", "Interval.hull", "The smallest interval around others.")

const hullID = "touchstone/spans:src/spans/interval.py::Interval.hull"
