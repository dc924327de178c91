package localization

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
)

// threeTasks are those that the files of these tests answer.
var threeTasks = []Task{
	{ID: "acme__tool-12", Repository: "acme/tool", Number: 12, Gold: []GoldFile{{"src/a.go", Source}, {"src/b.go", Source}}},
	{ID: "acme__tool-13", Repository: "acme/tool", Number: 13, Gold: []GoldFile{{"src/a.go", Source}, {"src/a_test.go", Test}}},
	{ID: "acme__other-7", Repository: "acme/other", Number: 7, Gold: []GoldFile{{"docs/x.md", Documentation}}},
}

var contextualBaseline = Arm{Contextual, Baseline}

func readAll(t *testing.T, text string) (*Predictions, *PredictionReport) {
	t.Helper()
	p := NewPredictions(threeTasks)
	report, err := p.Read(strings.NewReader(text), "p.jsonl", contextualBaseline)
	if err != nil {
		t.Fatal(err)
	}
	return p, report
}

func TestWhatIsWrongWithALineIsNamed(t *testing.T) {
	const files = `{"instance_id":"acme__tool-12","found_files":`
	for _, c := range []struct{ rule, line, want string }{
		{"no object", `["a"]`, `the line is not a JSON object; write one JSON object a line`},
		{"no JSON", `{"instance_id":`, `the line is not valid JSON: unexpected end of JSON input`},
		{"two objects", `{"instance_id":"a","found_files":[]}{}`, `the line is not valid JSON`},
		{"no UTF-8", "{\"instance_id\":\"\xff\"}", `the line is not valid UTF-8; save the file as UTF-8`},
		{"no task", `{"found_files":[]}`, `instance_id: is missing`},
		{"an empty task", `{"instance_id":"","found_files":[]}`, `instance_id: is empty; write the task's instance_id`},
		{"a number as task", `{"instance_id":12,"found_files":[]}`, `instance_id: holds a JSON number; write a string`},
		{"no files", `{"instance_id":"acme__tool-12"}`, `found_files: is missing; write a list of paths, [] for none`},
		{"null as files", files + `null}`, `found_files: is missing`},
		{"a string as files", files + `"a.go"}`, `found_files: holds a JSON string; write a list of paths: ["a/b.py"]`},
		{"a list of lists", files + `[["a.go"]]}`, `found_files: holds a JSON array; write a string`},
		{"null as a file", files + `["a.go",null]}`, `found_files[1]: is null; write a path, or leave it out`},
		{"a number as patch", `{"instance_id":"a","model_patch":1}`, `model_patch: holds a JSON number; write a string`},
		{"files and a patch", files + `[],"model_patch":""}`, `model_patch: is given beside found_files; give one of them`},
		{"a key twice", files + `[],"found_files":["a.go"]}`, `found_files: is given twice; give it once`},
		{"no such level", files + `[],"prompt":"maximal"}`, `prompt: "maximal" is not a level; write minimal, concise, contextual or guided`},
		{"no such condition", files + `[],"condition":"with"}`, `condition: "with" is not a condition; write baseline or augmented`},
		{"an empty path", files + `["a.go"," "]}`, `found_files[1]: is an empty path; leave it out`},
		{"an absolute path", files + `["/src/a.go"]}`, `found_files[0]: "/src/a.go" is an absolute path; write it from the repository's root`},
		{"an absolute path of Windows", files + `["C:\\src\\a.go"]}`, `"C:\\src\\a.go" is an absolute path`},
		{"a path of a share", files + `["\\\\host\\a.go"]}`, `is an absolute path`},
		{"a path that leads out", files + `["src/../../a.go"]}`, `found_files[0]: "src/../../a.go" leads out of the repository`},
		{"a path of two dots", files + `[".."]}`, `".." leads out of the repository`},
		{"the root", files + `["./"]}`, `"./" is the repository's root; name files`},
		{"a control character", files + `["a\nb"]}`, `"a\nb" holds a control character`},
		{"a long path", files + `["` + strings.Repeat("x", 5000) + `"]}`, `is a path of 5000 bytes, more than 4096`},
		{"many files", files + `["a"` + strings.Repeat(`,"a"`, 10_000) + `]}`, `found_files: names 10001 files, more than 10000`},
		{"a patch in words", `{"instance_id":"a","model_patch":"change a.go"}`, `model_patch: does not parse as a unified diff: there is no file header in it; write the patch whole`},
		{"a patch cut off", `{"instance_id":"a","model_patch":"--- a/x\n+++ b/x\n@@ -1,2 +1 @@\n-a\n"}`, `model_patch: does not parse as a unified diff: line 3`},
		{"a patch that leads out", `{"instance_id":"a","model_patch":"--- ../x\n+++ ../x\n@@ -1 +1 @@\n-a\n+b\n"}`, `model_patch: "../x" leads out of the repository`},
	} {
		text := "\n" + c.line + "\n" + files + `["src/a.go"]}` + "\n"
		p, report := readAll(t, text)
		if report.Rejected.Count != 1 || report.Rows != 1 || len(p.All()) != 1 {
			t.Errorf("%s: %d rejected, %d rows", c.rule, report.Rejected.Count, report.Rows)
			continue
		}
		r := report.Rejected.First[0]
		got := (&benchmark.InputError{Line: r.Line, Field: r.Field, Problem: r.Problem, Mend: r.Mend}).Error()
		if !strings.HasPrefix(got, "line 2: ") || !strings.Contains(got, c.want) || r.Mend == "" {
			t.Errorf("%s: got %s", c.rule, got)
		}
	}
}

func TestPathsAreWrittenAsGitDoes(t *testing.T) {
	p, report := readAll(t, "\ufeff"+`{"instance_id":"acme__tool-12","found_files":["src\\a.go","./src//b.go"," src/a.go ","src/x/../c.go","ü.go"],"Prompt":"guided"}`+"\r\n")
	if got, want := p.All()[0].Files, []string{"src/a.go", "src/b.go", "src/c.go", "ü.go"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	want := []NormalisedPath{{1, `src\a.go`, "src/a.go"}, {1, "./src//b.go", "src/b.go"}, {1, " src/a.go ", "src/a.go"}, {1, "src/x/../c.go", "src/c.go"}}
	if !slices.Equal(report.Normalised.First, want) {
		t.Errorf("normalised %+v", report.Normalised.First)
	}
	if p.All()[0].Level != Guided || report.Level != 0 || report.Condition != 1 {
		t.Errorf("%+v, %+v", p.All()[0], report)
	}
}

func TestAnUnknownTaskIsNamedWithTheNearest(t *testing.T) {
	p, report := readAll(t, `{"instance_id":"acme__tool-14","found_files":[]}`+"\n"+`{"instance_id":"nothing like it at all","found_files":[]}`)
	if len(p.All()) != 0 || report.Rows != 2 || report.Unmatched.Count != 2 {
		t.Fatalf("%+v", report)
	}
	first, second := report.Unmatched.First[0], report.Unmatched.First[1]
	if first.Line != 1 || !slices.Equal(first.Nearest, []string{"acme__tool-12", "acme__tool-13", "acme__other-7"}) || second.Line != 2 || len(second.Nearest) != 0 {
		t.Errorf("%+v and %+v", first, second)
	}
}

func TestTheLastAnswerForATaskAndArmCounts(t *testing.T) {
	p := NewPredictions(threeTasks)
	first, err := p.Read(strings.NewReader(`{"instance_id":"acme__tool-12","found_files":["one"]}
{"instance_id":"acme__tool-12","found_files":["two"],"condition":"augmented"}
{"instance_id":"acme__tool-12","found_files":["three"],"prompt":"contextual"}
`), "first.jsonl", contextualBaseline)
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.Read(strings.NewReader(`{"instance_id":"acme__tool-12","found_files":["four"]}`), "second.jsonl", Arm{Contextual, Augmented})
	if err != nil {
		t.Fatal(err)
	}
	if want := []SupersededPrediction{{"first.jsonl", 1, "acme__tool-12", contextualBaseline, 3}}; !slices.Equal(first.Superseded.First, want) {
		t.Errorf("%+v", first.Superseded)
	}
	if want := []SupersededPrediction{{"first.jsonl", 2, "acme__tool-12", Arm{Contextual, Augmented}, 1}}; !slices.Equal(second.Superseded.First, want) {
		t.Errorf("%+v", second.Superseded)
	}
	var got []string
	for _, x := range p.All() {
		got = append(got, string(x.Condition)+" "+strings.Join(x.Files, ","))
	}
	if !slices.Equal(got, []string{"baseline three", "augmented four"}) {
		t.Errorf("%q", got)
	}
}

func TestPredictionsStandByLevelConditionAndTask(t *testing.T) {
	var text strings.Builder
	for _, level := range []Level{Guided, Minimal} {
		for _, condition := range []Condition{Augmented, Baseline} {
			for _, task := range []string{"acme__other-7", "acme__tool-12"} {
				fmt.Fprintf(&text, `{"instance_id":%q,"found_files":[],"prompt":%q,"condition":%q}`+"\n", task, level, condition)
			}
		}
	}
	p, report := readAll(t, text.String())
	var got []string
	for _, x := range p.All() {
		got = append(got, fmt.Sprint(x.Level, " ", x.Condition, " ", x.Task))
	}
	want := []string{
		"minimal baseline acme__tool-12", "minimal baseline acme__other-7", "minimal augmented acme__tool-12", "minimal augmented acme__other-7",
		"guided baseline acme__tool-12", "guided baseline acme__other-7", "guided augmented acme__tool-12", "guided augmented acme__other-7",
	}
	if !slices.Equal(got, want) || report.Empty != 8 {
		t.Errorf("%q, %d empty", got, report.Empty)
	}
}

func TestAFileOfNothingIsRefused(t *testing.T) {
	for _, text := range []string{"", "\n \r\n"} {
		_, err := NewPredictions(threeTasks).Read(strings.NewReader(text), "p.jsonl", contextualBaseline)
		if bad, ok := errors.AsType[*benchmark.InputError](err); !ok || bad.Error() != "p.jsonl: is empty; "+predictionForm {
			t.Errorf("%q: %v", text, err)
		}
	}
	_, err := NewPredictions(threeTasks).Read(io.MultiReader(strings.NewReader("{}\n"), iotest.ErrReader(io.ErrUnexpectedEOF)), "p.jsonl", contextualBaseline)
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
}

// A report stays small however many lines are bad.
func TestAReportKeepsTheFirstOfMany(t *testing.T) {
	_, report := readAll(t, strings.Repeat("{}\n", 3000)+strings.Repeat(`{"instance_id":"x","found_files":[]}`+"\n", 3000))
	if report.Rejected.Count != 3000 || len(report.Rejected.First) != jsonlines.Kept || report.Unmatched.Count != 3000 || len(report.Unmatched.First) != jsonlines.Kept {
		t.Errorf("%d and %d kept", len(report.Rejected.First), len(report.Unmatched.First))
	}
}

func TestAPatchNamesTheFilesThatItTouches(t *testing.T) {
	const hunk = "@@ -1 +1 @@\n-a\n+b\n"
	for _, c := range []struct {
		rule, patch    string
		changed, added []string
	}{
		{"nothing", "", nil, nil},
		{"white space", "\n\n", nil, nil},
		{"git's own form", "diff --git a/x.py b/x.py\nindex 1..2 100644\n--- a/x.py\n+++ b/x.py\n" + hunk, []string{"x.py"}, nil},
		{"a folder called a", "diff --git a/a/x.py b/a/x.py\n--- a/a/x.py\n+++ b/a/x.py\n" + hunk, []string{"a/x.py"}, nil},
		{"without git's header", "--- a/x.py\n+++ b/x.py\n" + hunk, []string{"x.py"}, nil},
		{"diff -u", "--- x.py\t2024-01-01 00:00:00\n+++ x.py\t2024-01-02 00:00:00\n" + hunk, []string{"x.py"}, nil},
		{"a deleted file", "--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n", []string{"x.py"}, nil},
		{"an added file", "diff --git a/n.py b/n.py\nnew file mode 100644\n--- /dev/null\n+++ b/n.py\n@@ -0,0 +1 @@\n+a\n", nil, []string{"n.py"}},
		{"a renamed file has its old name", "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n", []string{"o"}, nil},
		{"a copied file is an added one", "diff --git a/o b/n\nsimilarity index 100%\ncopy from o\ncopy to n\n", nil, []string{"n"}},
		{"a binary file", "diff --git a/x.bin b/x.bin\nindex 1..2 100644\nBinary files a/x.bin and b/x.bin differ\n", []string{"x.bin"}, nil},
		{"a mode", "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", []string{"x"}, nil},
		{"a quoted name", "diff --git \"a/\\303\\244 b.txt\" \"b/\\303\\244 b.txt\"\n--- \"a/\\303\\244 b.txt\"\n+++ \"b/\\303\\244 b.txt\"\n" + hunk, []string{"ä b.txt"}, nil},
		{"lines that look like headers", "--- a/x.py\n+++ b/x.py\n@@ -1,2 +1,2 @@\n--- a/y.py\n-+++ b/y.py\n+++ c\n+d\n", []string{"x.py"}, nil},
		{"two files and words before them", "Here it is:\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n" + hunk + "diff --git a/y b/y\n--- a/y\n+++ b/y\n" + hunk, []string{"x", "y"}, nil},
		{"line ends of Windows", strings.ReplaceAll("diff --git a/x b/x\n--- a/x\n+++ b/x\n"+hunk, "\n", "\r\n"), []string{"x"}, nil},
		{"no last line end", strings.TrimSuffix("--- a/x\n+++ b/x\n"+hunk, "\n"), []string{"x"}, nil},
	} {
		changed, added, err := FilesOfPatch(c.patch)
		if err != nil || !slices.Equal(changed, c.changed) || !slices.Equal(added, c.added) {
			t.Errorf("%s: %q and %q, %v; want %q and %q", c.rule, changed, added, err, c.changed, c.added)
		}
	}
}

func TestAPatchIsAPrediction(t *testing.T) {
	p, report := readAll(t, `{"instance_id":"acme__tool-12","model_name_or_path":"m","model_patch":"--- a/src/a.go\n+++ b/src/a.go\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/new.go\n@@ -0,0 +1 @@\n+a\n"}`)
	if got := p.All(); len(got) != 1 || !slices.Equal(got[0].Files, []string{"src/a.go"}) || report.Added != 1 {
		t.Errorf("%+v, %+v", got, report)
	}
}

// FuzzPrediction: whatever the line, it is refused with field or problem and a
// mend, or its paths are inside the repository and stay as they are.
func FuzzPrediction(f *testing.F) {
	f.Add([]byte(`{"instance_id":"acme__tool-12","found_files":["src\\a.go","./b"],"prompt":"minimal","condition":"augmented"}`))
	f.Add([]byte(`{"instance_id":"a","model_name_or_path":"m","model_patch":"diff --git a/x b/y\nrename from x\nrename to y\n"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		row, err := ParsePrediction("f", 3, data)
		if err != nil {
			bad, ok := errors.AsType[*benchmark.InputError](err)
			if !ok || bad.Line != 3 || bad.File != "f" || bad.Problem == "" || bad.Mend == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, name := range row.Files {
			again, err := cleanPath("", name)
			if err != nil || again != name || seen[name] {
				t.Fatalf("%q becomes %q, %v", name, again, err)
			}
			seen[name] = true
		}
	})
}

// FuzzFilesOfPatch: whatever the text, reading it ends, and every file that it
// touches has a name.
func FuzzFilesOfPatch(f *testing.F) {
	f.Add("diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")
	f.Add("--- x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n")
	f.Add("diff --git \"a/\\303\" \"b/\\303\"\nGIT binary patch\nliteral 1\nIcmZ\n\n")
	f.Fuzz(func(t *testing.T, patch string) {
		changed, added, err := FilesOfPatch(patch)
		if err == nil && strings.TrimSpace(patch) != "" && len(changed)+len(added) == 0 {
			t.Fatalf("%q has no file and is no error", patch)
		}
	})
}
