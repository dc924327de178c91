package measures_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
)

var importedTasks = []string{"acme/tool:a.py::first", "acme/tool:a.py::second", "acme/tool:b.py::Third.run"}

func bleu(t testing.TB) measures.Measure {
	t.Helper()
	m, ok := measures.Lookup("bleu_doc_doc")
	if !ok {
		t.Fatal("no BLEU")
	}
	return m
}

func TestImportedValuesAreThoseOfTheirTasks(t *testing.T) {
	text := `{"task_id":"acme/tool:b.py::Third.run","value":1}` + "\n\n" + `{"value":null,"task_id":"acme/tool:a.py::first"}` + "\n"
	values, missing, err := measures.ReadImported(strings.NewReader(text), "v.jsonl", bleu(t), importedTasks)
	if err != nil || missing != "the imported file had no value for 1 task of 3" {
		t.Fatal(missing, err)
	}
	for i, want := range []measures.State{measures.IsUndefined, measures.IsNotComputed, measures.IsDefined} {
		if got := measures.StateOf(values[i]); got != want {
			t.Errorf("value %d is %s", i, got)
		}
	}
	if values[2] != 1 {
		t.Error(values)
	}
}

func TestAWrongImportIsNamedLineByLine(t *testing.T) {
	const first = `{"task_id":"acme/tool:a.py::first","value":0.5}`
	for _, c := range []struct {
		text  string
		line  int
		field string
		words string
	}{
		{"", 0, "", "holds no value"},
		{"[]", 1, "", "the line cannot be read"},
		{first + "\n" + `{"value":1}`, 2, "task_id", "is missing"},
		{`{"task_id":"acme/tool:a.py::first"}`, 1, "value", "is missing"},
		{`{"task_id":1,"value":1}`, 1, "task_id", "is a JSON number"},
		{`{"task_id":"acme/tool:a.py::first","value":"0.5"}`, 1, "value", "is no number"},
		{`{"task_id":"acme/tool:a.py::first","value":1e999}`, 1, "value", "is no number"},
		{`{"task_id":"acme/tool:a.py::first","value":1.5}`, 1, "value", "BLEU is from 0 to 1"},
		{`{"task_id":"acme/tool:a.py::first","value":1,"VALUE":0}`, 1, "value", "is there twice"},
		{`{"task_id":"acme/tool:a.py::first","value":1,"score":0}`, 1, "", `unknown field "score"`},
		{first + first, 1, "", "something follows"},
		{`{"task_id":"acme/tool:a.py::frist","value":1}`, 1, "task_id", "did you mean acme/tool:a.py::first"},
		{"\n" + first + "\n" + first, 3, "task_id", "has a value in line 2, too"},
	} {
		_, _, err := measures.ReadImported(strings.NewReader(c.text), "v.jsonl", bleu(t), importedTasks)
		bad, ok := errors.AsType[*benchmark.InputError](err)
		if !ok || bad.File != "v.jsonl" || bad.Line != c.line || bad.Field != c.field || bad.Mend == "" || !strings.Contains(err.Error(), c.words) {
			t.Errorf("%s: %v", c.text, err)
		}
	}
	_, _, err := measures.ReadImported(strings.NewReader(strings.Repeat("{}\n", 25)), "v.jsonl", bleu(t), importedTasks)
	if err == nil || !strings.Contains(err.Error(), "v.jsonl:20: ") || strings.Contains(err.Error(), "v.jsonl:21: ") || !strings.HasSuffix(err.Error(), "… and 5 more lines") {
		t.Error(err)
	}
}

func TestImportedValuesHaveAColumnOfTheirOwn(t *testing.T) {
	for _, m := range measures.Catalogue {
		if _, imported := m.Key.Base(); imported {
			t.Errorf("%s reads like an imported one", m.Key)
		}
		also, ok := measures.Lookup(m.Key.Imported())
		if base, imported := also.Key.Base(); !ok || !imported || base != m.Key || also.Key == m.Key || also.Pool != "" || also.Title != m.Title+" (imported)" || also.Pair != m.Pair {
			t.Errorf("%+v", also)
		}
	}
	if _, ok := measures.Lookup("imported_bleurt"); ok {
		t.Error("an unknown measure can be imported")
	}
	for text, good := range map[string]bool{"bert_score 0.3.13, by Ada": true, "": false, " ": false, "a\nb": false, strings.Repeat("a", 501): false, "\xff": false} {
		if err := measures.CheckProvenance(text); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// FuzzReadImported: there is a value for each task and none out of range, or
// an error that names the file.
func FuzzReadImported(f *testing.F) {
	f.Add(`{"task_id":"acme/tool:a.py::first","value":0.5}` + "\n" + `{"task_id":"acme/tool:a.py::second","value":null}`)
	f.Add(`{"task_id":"x","value":"1"}`)
	f.Fuzz(func(t *testing.T, text string) {
		values, _, err := measures.ReadImported(strings.NewReader(text), "v.jsonl", bleu(t), importedTasks)
		if err != nil {
			if !strings.Contains(err.Error(), "v.jsonl") {
				t.Fatal(err)
			}
			return
		}
		if len(values) != len(importedTasks) {
			t.Fatal(values)
		}
		for _, v := range values {
			if measures.StateOf(v) == measures.IsDefined && (v < 0 || v > 1) {
				t.Fatal(fmt.Sprint(values))
			}
		}
	})
}
