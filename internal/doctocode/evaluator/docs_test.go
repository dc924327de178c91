package evaluator

import (
	"errors"
	"io"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
)

func TestReadDocs(t *testing.T) {
	const a = `{"repo":"o/n","path":"p.py","qualname":"A.f","docstring":"One."}`
	id := benchmark.TaskID{Repository: "o/n", Path: "p.py", Qualname: "A.f"}
	for _, c := range []struct {
		rule, text string
		id         benchmark.TaskID
		want       string
		report     DocsReport
	}{
		{"a row", a + "\n", id, "One.", DocsReport{Rows: 1}},
		{"without a final line end", a, id, "One.", DocsReport{Rows: 1}},
		{"behind a byte order mark", "\ufeff" + a, id, "One.", DocsReport{Rows: 1}},
		{"with carriage returns and blank lines", "\r\n" + a + "\r\n \r\n", id, "One.", DocsReport{Rows: 1}},
		{"task_id in place of three fields", `{"task_id":"o/n:p.py::A.f","docstring":"One."}`, id, "One.", DocsReport{Rows: 1}},
		{"the n-th of a name", `{"repo":"o/n","path":"p.py","qualname":"A.f","ordinal":2,"docstring":"x"}`,
			benchmark.TaskID{Repository: "o/n", Path: "p.py", Qualname: "A.f", Ordinal: 2}, "x", DocsReport{Rows: 1}},
		{"also by task_id", `{"task_id":"o/n:p.py::A.f#2","docstring":"x"}`,
			benchmark.TaskID{Repository: "o/n", Path: "p.py", Qualname: "A.f", Ordinal: 2}, "x", DocsReport{Rows: 1}},
		{"unknown fields are passed over", `{"agent":{"v":[1]},` + a[1:], id, "One.", DocsReport{Rows: 1}},
		{"./ before the path too", strings.Replace(a, "p.py", "./p.py", 1), id, "One.", DocsReport{Rows: 1}},
		{"of two rows the later counts", a + "\n" + strings.Replace(a, "One.", "Two.", 1), id, "Two.", DocsReport{Rows: 2, Duplicates: 1}},
		{"of a key given twice too", `{"docstring":"no",` + a[1:], id, "One.", DocsReport{Rows: 1}},
		{"a blank docstring documents nothing", strings.Replace(a, "One.", ` \n`, 1), id, "", DocsReport{Rows: 1, Blank: 1}},
		{"long lines are read", strings.Replace(a, "One.", strings.Repeat("x", 10<<20), 1), id, strings.Repeat("x", 10<<20), DocsReport{Rows: 1}},
	} {
		docs, report, err := ReadDocs(strings.NewReader(c.text), "docs.jsonl")
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		if got, ok := docs.Get(c.id); got != c.want || ok != (c.want != "") {
			t.Errorf("%s: got %.40q, %v", c.rule, got, ok)
		}
		if report != c.report {
			t.Errorf("%s: report %+v, want %+v", c.rule, report, c.report)
		}
	}
}

// TestReadDocsSaysWhatIsWrong: where, what, and how to mend it.
func TestReadDocsSaysWhatIsWrong(t *testing.T) {
	const good = `{"task_id":"o/n:p.py::f","docstring":"x"}` + "\n"
	for _, c := range []struct{ rule, line, want string }{
		{"no JSON", `{"repo":`, "docs.jsonl:2: the line is not valid JSON: unexpected end of JSON input; write one JSON object a line"},
		{"no object", `["a"]`, "docs.jsonl:2: the line is not a JSON object; write one JSON object a line"},
		{"a field of another type", `{"task_id":"o/n:p.py::f","docstring":["x"]}`, "docs.jsonl:2: docstring: is a JSON array; write a string"},
		{"no docstring", `{"task_id":"o/n:p.py::f"}`, "docs.jsonl:2: docstring: is missing; give the docstring's text"},
		{"a null docstring", `{"task_id":"o/n:p.py::f","docstring":null}`, "docs.jsonl:2: docstring: is missing; give the docstring's text"},
		{"no path", `{"repo":"o/n","qualname":"f","docstring":"x"}`, "docs.jsonl:2: path: is missing; give repo, path and qualname, or task_id"},
		{"a bad repository", `{"repo":"n","path":"p.py","qualname":"f","docstring":"x"}`, `docs.jsonl:2: repo: "n" is not a repository name; write it as owner/name`},
		{"a bad task", `{"task_id":"f","docstring":"x"}`, `docs.jsonl:2: task_id: "f" does not begin with owner/name and a colon; write it as owner/name:path::qualname, for example acme/tool:src/tool.py::Parser.read`},
		{"a path out of the repository", `{"repo":"o/n","path":"../p.py","qualname":"f","docstring":"x"}`, `docs.jsonl:2: path: "../p.py" is not a path in the repository; write it from the repository's root with forward slashes`},
		{"a path with backslashes", `{"repo":"o/n","path":"a\\p.py","qualname":"f","docstring":"x"}`, `docs.jsonl:2: path: "a\\p.py" is not a path in the repository; write it from the repository's root with forward slashes`},
		{"a negative ordinal", `{"task_id":"o/n:p.py::f","ordinal":-1,"docstring":"x"}`, "docs.jsonl:2: ordinal: is negative; count from 0, the first definition of the name in the file"},
		{"two ordinals", `{"task_id":"o/n:p.py::f#1","ordinal":2,"docstring":"x"}`, "docs.jsonl:2: ordinal: differs from the number in task_id; give one of the two"},
		{"a repository beside another's task_id", `{"task_id":"o/n:p.py::f","repo":"o/m","docstring":"x"}`, `docs.jsonl:2: repo: "o/m" is not what task_id says ("o/n"); give task_id alone, or make them agree`},
		{"a path beside another's task_id", `{"task_id":"o/n:p.py::f","path":"q.py","docstring":"x"}`, `docs.jsonl:2: path: "q.py" is not what task_id says ("p.py"); give task_id alone, or make them agree`},
		{"a name beside another's task_id", `{"task_id":"o/n:p.py::A.f","path":"./p.py","qualname":"f","docstring":"x"}`, `docs.jsonl:2: qualname: "f" is not what task_id says ("A.f"); give task_id alone, or make them agree`},
		{"a slip in docstring", `{"task_id":"o/n:p.py::f","docstrng":"x"}`, "docs.jsonl:2: docstrng: is no field of a docstring's line; write docstring, or leave it out"},
		{"a slip in ordinal", `{"task_id":"o/n:p.py::f","docstring":"x","oridnal":1}`, "docs.jsonl:2: oridnal: is no field of a docstring's line; write ordinal, or leave it out"},
		{"a slip in task_id", `{"task-id":"o/n:p.py::f","docstring":"x"}`, "docs.jsonl:2: task-id: is no field of a docstring's line; write task_id, or leave it out"},
		{"a slip in repo", `{"repos":"o/n","path":"p.py","qualname":"f","docstring":"x"}`, "docs.jsonl:2: repos: is no field of a docstring's line; write repo, or leave it out"},
		{"a slip that is escaped", `{"task_id":"o/n:p.py::f","docstrin\u0067s":"x"}`, "docs.jsonl:2: docstrings: is no field of a docstring's line; write docstring, or leave it out"},
		{"bytes that are no text", "{\"task_id\":\"o/n:p.py::f\",\"docstring\":\"\xff\"}", "docs.jsonl:2: the line is not valid UTF-8; save the file as UTF-8"},
		{"a line beyond all measure", `{"docstring":"` + strings.Repeat("x", maxLine) + `"}`, "docs.jsonl:2: the line is longer than 16 MiB; write one JSON object a line"},
	} {
		_, _, err := ReadDocs(strings.NewReader(good+c.line+"\n"+good), "docs.jsonl")
		if _, ok := errors.AsType[*benchmark.InputError](err); !ok || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.rule, err, c.want)
		}
	}
	if _, _, err := ReadDocs(strings.NewReader("\xff\xfe{\x00"), "docs.jsonl"); err == nil || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("UTF-16 gives %v", err)
	}
}

func TestOtherFieldsAndThoseThatAgreeArePassedOver(t *testing.T) {
	for _, line := range []string{
		`{"task_id":"o/n:p.py::f","repo":"o/n","path":"./p.py","qualname":"f","docstring":"x"}`,
		`{"task_id":"o/n:p.py::f","repo":"","docstring":"x","patch":"a diff","report":1,"doc":"y","model":"m","Docstrings":["z"]}`,
		`{"repo":"o/n","path":"p.py","qualname":"f","docstring":"x","task":{"task_ids":1},"docstrng":"of another tool"}`,
		`{"TASK_ID":"o/n:p.py::f","Docstring":"x"}`,
	} {
		row, err := ParseDoc("docs.jsonl", 1, []byte(line))
		if err != nil || row.Task.String() != "o/n:p.py::f" || row.Text != "x" {
			t.Errorf("%s: %+v, %v", line, row, err)
		}
	}
}

func TestASlipIsNotAnyOtherWord(t *testing.T) {
	for _, c := range []struct {
		key, name string
		slip      bool
	}{
		{"docstrng", "docstring", true}, {"docstirng", "docstring", true}, {"doc_string", "docstring", true}, {"docstrings", "docstring", true}, {"dcstrng", "docstring", true},
		{"doc", "docstring", false}, {"string", "docstring", false}, {"", "path", false}, {"pth", "path", true}, {"patch", "path", true}, {"batch", "path", false},
		{"ordinal_", "ordinal", true}, {"original", "ordinal", false}, {"repor", "repo", true}, {"report", "repo", false}, {strings.Repeat("x", 300), "qualname", false},
	} {
		if slipOf(c.key, c.name) != c.slip {
			t.Errorf("%q for %q: %v", c.key, c.name, !c.slip)
		}
	}
}

// endless gives one line that never ends and counts what was read of it.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	e.read += len(p)
	return len(p), nil
}

// TestReadDocsStopsReading: an endless line is refused, not collected.
func TestReadDocsStopsReading(t *testing.T) {
	in := &endless{}
	if _, _, err := ReadDocs(in, "docs.jsonl"); err == nil {
		t.Fatal("no error")
	}
	if in.read > 2*maxLine {
		t.Errorf("%d bytes read", in.read)
	}
}

func TestReadDocsPassesReadErrorsOn(t *testing.T) {
	_, _, err := ReadDocs(io.MultiReader(strings.NewReader("\n"), brokenReader{}), "docs.jsonl")
	if _, input := errors.AsType[*benchmark.InputError](err); input || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %v", err)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func FuzzReadDocs(f *testing.F) {
	f.Add([]byte(`{"repo":"o/n","path":"p.py","qualname":"A.f","docstring":"One.","ordinal":1}` + "\n"))
	f.Add([]byte(`{"task_id":"o/n:p.py::f","repo":"o/m","docstrng":"One.","oridnal":1}` + "\n"))
	f.Add([]byte("\ufeff{\"task_id\":\"o/n:p.py::f#1\",\"docstring\":\"\\ud800\"}\r\n\r\n[]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		docs, report, err := ReadDocs(strings.NewReader(string(data)), "docs.jsonl")
		if err != nil {
			if _, ok := errors.AsType[*benchmark.InputError](err); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if docs.Len() > report.Rows {
			t.Fatalf("%d docstrings of %+v", docs.Len(), report)
		}
		for row := range docs.Rows {
			if _, err := benchmark.ParseTaskID(row.Task.String()); err != nil && !strings.ContainsAny(row.Task.Path+row.Task.Qualname, "#:") {
				t.Fatalf("%q: %v", row.Task, err)
			}
		}
	})
}
