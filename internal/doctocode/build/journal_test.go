package build

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func openedJournal(t *testing.T, dir, key string) *journal {
	t.Helper()
	j, err := openJournal(dir, key)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// TestAStepIsDoneOnce: what was computed under a key is loaded under the same
// key and computed again under another; an error is not kept.
func TestAStepIsDoneOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "journal")
	bad := errors.New("bad")
	for _, c := range []struct {
		what, key string
		damage    string // content that the step's file gets before
		fails     error
		computed  bool
	}{
		{what: "it fails", key: "a", fails: bad, computed: true},
		{what: "the first time", key: "a", computed: true},
		{what: "the second time", key: "a"},
		{what: "another key", key: "b", computed: true},
		{what: "the first key again", key: "a", computed: true},
		{what: "a file that was cut off", key: "a", damage: `{"Value": `, computed: true},
	} {
		j := openedJournal(t, dir, c.key)
		if c.damage != "" {
			if err := os.WriteFile(filepath.Join(dir, "step.json"), []byte(c.damage), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		computed := false
		type result struct{ Value string }
		got, err := once(j, "step", func() (result, error) {
			computed = true
			return result{"of " + c.key}, c.fails
		})
		if !errors.Is(err, c.fails) || computed != c.computed || err == nil && got.Value != "of "+c.key {
			t.Errorf("%s: %+v, computed %t, %v", c.what, got, computed, err)
		}
	}
}

// TestALedgerKeepsWholeLines: a line that was being written when the process
// ended is cut off, and what comes then stands on a line of its own.
func TestALedgerKeepsWholeLines(t *testing.T) {
	const a, b = `{"id":"a","value":1}` + "\n", `{"id":"b","value":2}` + "\n"
	for _, c := range []struct {
		what, before string
		known        []string
		after        string // once "c" is put
	}{
		{"nothing yet", "", nil, ""},
		{"whole lines", a + b, []string{"a", "b"}, a + b},
		{"half a line", a + b[:9], []string{"a"}, a},
		{"a line without its end", a + b[:len(b)-1], []string{"a"}, a},
		{"an empty line", a + "\n" + b, []string{"a"}, a},
		{"a line of noughts", a + "\x00\x00\x00\n" + b, []string{"a"}, a},
		{"the later of two", a + `{"id":"a","value":1}` + "\n", []string{"a"}, a + a},
	} {
		j := openedJournal(t, t.TempDir(), "key")
		path := filepath.Join(j.dir, "step.jsonl")
		if err := os.WriteFile(path, []byte(c.before), 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := openLedger[int](j, "step")
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range c.known {
			if value, ok := l.get(id); !ok || value != i+1 {
				t.Errorf("%s: %s is %d, %t", c.what, id, value, ok)
			}
		}
		if len(l.known) != len(c.known) {
			t.Errorf("%s: known are %v", c.what, l.known)
		}
		if err := errors.Join(l.put("c", 3), l.close()); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(path)
		if want := c.after + `{"id":"c","value":3}` + "\n"; err != nil || string(data) != want {
			t.Errorf("%s: the file is %q, want %q", c.what, data, want)
		}
	}
}
