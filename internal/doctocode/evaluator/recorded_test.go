package evaluator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestRecorded(t *testing.T) {
	lines := strings.Join([]string{
		`{"task_id":"acme/tool:a.py::first","sample":0,"completion":"any","model":"m"}`,
		`{"task_id":"acme/tool:a.py::first","sample":1,"completion":"second"}`,
		fmt.Sprintf(`{"task_id":"acme/tool:a.py::first","sample":0,"completion":"for new","docstring_sha256":%q}`, DocstringSHA256("New.")),
		fmt.Sprintf(`{"task_id":"acme/tool:a.py::second","completion":"undocumented","docstring_sha256":%q}`, DocstringSHA256("")),
		`{"task_id":"acme/tool:a.py::first","sample":1,"completion":"second"}`,
	}, "\n")
	rec, err := ReadRecorded(strings.NewReader(lines), "c.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if rec.Samples() != 2 || rec.Len() != 4 {
		t.Errorf("%d samples, %d completions", rec.Samples(), rec.Len())
	}
	for _, c := range []struct {
		rule, qualname string
		docs           Docs
		sample         int
		want           string // "": ErrNoCompletion
	}{
		{"one that holds for any docstring", "first", docs("first", "Old."), 0, "any"},
		{"one made for the docstring goes before", "first", docs("first", "New."), 0, "for new"},
		{"the sample's number counts", "first", docs("first", "New."), 1, "second"},
		{"no such sample", "first", docs(), 2, ""},
		{"made for no docstring", "second", NoDocs(), 0, "undocumented"},
		{"not for this docstring", "second", docs("second", "x"), 0, ""},
		{"no such task", "end", docs(), 0, ""},
	} {
		got, err := rec.Complete(context.Background(), Request{Target: target(t, module, c.qualname, c.docs), Sample: c.sample})
		if c.want == "" {
			if !errors.Is(err, ErrNoCompletion) || !strings.Contains(err.Error(), fmt.Sprintf("sample %d of acme/tool:a.py::%s", c.sample, c.qualname)) {
				t.Errorf("%s: %v", c.rule, err)
			}
		} else if err != nil || got.Text != c.want {
			t.Errorf("%s: %+v, %v", c.rule, got, err)
		}
	}
	other, err := ReadRecorded(strings.NewReader(lines+"\n"), "c.jsonl")
	if err != nil || other.Fingerprint() == rec.Fingerprint() {
		t.Errorf("another file has the same fingerprint, %v", err)
	}
}

// TestRepliesForNoTaskAreFound: each line once, in order, whatever its sample
// or docstring.
func TestRepliesForNoTaskAreFound(t *testing.T) {
	row := func(name string, sample int) string {
		return fmt.Sprintf(`{"task_id":"o/n:p.py::%s","sample":%d,"completion":"x"}`, name, sample)
	}
	lines := []string{row("known", 0), row("other", 0), "", row("other", 1), row("known", 1), row("third", 0), row("other", 0)}
	r, err := ReadRecorded(strings.NewReader(strings.Join(lines, "\n")), "c.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	got := r.Unmatched(func(task string) bool { return task == "o/n:p.py::known" })
	if want := []RecordedRow{{2, "o/n:p.py::other"}, {4, "o/n:p.py::other"}, {6, "o/n:p.py::third"}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if all := r.Unmatched(func(string) bool { return true }); len(all) != 0 {
		t.Errorf("all are known, got %v", all)
	}
}

func TestRecordedSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct{ rule, text, want string }{
		{"no task", `{"completion":"x"}`, "c.jsonl:1: task_id: is missing; write it as owner/name:path::qualname"},
		{"no completion", `{"task_id":"o/n:p.py::f"}`, "c.jsonl:1: completion: is missing; give the reply as the model wrote it"},
		{"a bad task", `{"task_id":"p.py::f","completion":"x"}`, "c.jsonl:1: task_id:"},
		{"a negative sample", `{"task_id":"o/n:p.py::f","sample":-1,"completion":"x"}`, "c.jsonl:1: sample: -1 is not a sample number; count from 0 to at most 999"},
		{"a sample that is no number", `{"task_id":"o/n:p.py::f","sample":"0","completion":"x"}`, "c.jsonl:1: sample: is a JSON string; write a whole number"},
		{"a hash that is none", `{"task_id":"o/n:p.py::f","completion":"x","docstring_sha256":"ab"}`, "c.jsonl:1: docstring_sha256: is not a SHA-256; write 64 hexadecimal digits"},
		{"two replies for one sample", `{"task_id":"o/n:p.py::f","completion":"x"}` + "\n" + `{"task_id":"o/n:p.py::f","completion":"y"}`,
			"c.jsonl:2: sample: sample 0 of o/n:p.py::f differs from line 1; number the samples of a task from 0 on"},
		{"nothing", "", "c.jsonl: holds no completions; write one JSON object a line, with task_id, sample and completion"},
		{"blank lines", "\n \n", "c.jsonl: holds no completions"},
		{"no JSON", `x`, "c.jsonl:1: the line is not a JSON object"},
	} {
		if _, err := ReadRecorded(strings.NewReader(c.text), "c.jsonl"); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.rule, err, c.want)
		}
	}
}
