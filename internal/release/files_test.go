package release

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
)

// folder writes the files that every release has, and one more.
func folder(t *testing.T) (dir string, sums map[string]string) {
	t.Helper()
	dir = t.TempDir()
	files := map[string][]byte{RepositoriesFile: []byte("{}\n"), TasksFile: []byte("{\"n\":1}\n{\"n\":2}\n"), DroppedFile: nil, "sources/a.txt": []byte("text")}
	for name, data := range files {
		if err := WriteFile(filepath.Join(dir, name), data); err != nil {
			t.Fatal(err)
		}
	}
	return dir, Sums(files)
}

func TestEveryFileIsHeldAgainstItsSum(t *testing.T) {
	dir, sums := folder(t)
	if err := Check(dir, sums); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(dir string, sums map[string]string) error
		want   string
	}{
		{"changed", func(dir string, _ map[string]string) error {
			return os.WriteFile(filepath.Join(dir, "sources/a.txt"), []byte("other"), 0o644)
		}, "sources/a.txt: was changed since the release was made"},
		{"missing", func(dir string, _ map[string]string) error { return os.Remove(filepath.Join(dir, TasksFile)) }, "tasks.jsonl: is missing"},
		{"not named", func(_ string, sums map[string]string) error { delete(sums, DroppedFile); return nil }, `files: "dropped.jsonl" is not among the files`},
		{"outside", func(_ string, sums map[string]string) error { sums["../secret"] = "00"; return nil }, `files: "../secret" leads out of the release`},
		{"absolute", func(_ string, sums map[string]string) error { sums["/etc/passwd"] = "00"; return nil }, `files: "/etc/passwd" leads out of the release`},
	} {
		dir, sums := folder(t)
		if err := c.change(dir, sums); err != nil {
			t.Fatal(err)
		}
		err := Check(dir, sums)
		if _, input := errors.AsType[*benchmark.InputError](err); !input || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestLinesAreReadAsTheyWereWritten(t *testing.T) {
	type value struct {
		N    int    `json:"n"`
		Text string `json:"text,omitempty"`
	}
	dir := t.TempDir()
	values := []value{{1, "<b> & \u2028"}, {2, strings.Repeat("long", 1<<18)}}
	text, err := Lines(values)
	if err != nil || strings.Contains(string(text), `\u003c`) {
		t.Fatalf("%v: %.60s", err, text)
	}
	if err := WriteFile(filepath.Join(dir, "a", TasksFile), text); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLines[value](dir, "a/"+TasksFile)
	if err != nil || len(got) != 2 || got[0] != values[0] || got[1] != values[1] {
		t.Errorf("%v: %.100v", err, got)
	}
	for text, want := range map[string]string{
		"{\"n\":1}\n{\"n\":}\n":     "tasks.jsonl:2: invalid character",
		"{\"n\":1,\"m\":2}\n":       `tasks.jsonl:1: json: unknown field "m"`,
		"{\"n\":1} {\"n\":2}\n":     "tasks.jsonl:1: there is something behind the JSON object",
		"{\"n\":1}\n\n":             "tasks.jsonl:2: EOF",
		"{\"n\":\"" + "1" + "\"}\n": "tasks.jsonl:1: json: cannot unmarshal string",
	} {
		if err := WriteFile(filepath.Join(dir, TasksFile), []byte(text)); err != nil {
			t.Fatal(err)
		}
		_, err := ReadLines[value](dir, TasksFile)
		if _, input := errors.AsType[*benchmark.InputError](err); !input || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v instead of %s", text, err, want)
		}
	}
}

func TestAFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "folder", "file")
	if err := WriteNew(path, []byte("half")); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("what is being written has its name already")
	}
	if err := WriteFile(path, []byte("whole")); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestSumsAreThoseOfTheContent(t *testing.T) {
	want := map[string]string{"a": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", "b": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}
	if got := Sums(map[string][]byte{"a": nil, "b": []byte("abc")}); !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
