package evaluate

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/sandbox"
)

const taskF, taskG = "acme/tool:tool.py::f", "acme/tool:tool.py::g"

// nowhere is a sandbox that only has a name.
type nowhere struct{ sandbox.Sandbox }

func (nowhere) Name() string { return "nowhere" }

// described are the options of an evaluation of two tasks, with two samples each.
func described(out string) Options {
	return Options{
		Dataset: &doctocode.Dataset{
			Release: doctocode.Release{Name: "tool", Version: "1", Context: "prefix-v1", Prompt: "a2-v1",
				Files: map[string]string{doctocode.TasksFile: "1234"}},
			Tasks: []doctocode.Task{{ID: taskF}, {ID: taskG}},
		},
		DocsKey: "original", Evaluator: evaluator.Stub, Samples: 2, Out: out, Sandbox: nowhere{},
	}
}

func verdict(task string, sample int, v benchmark.Verdict) Sample {
	return Sample{Task: task, Sample: sample, Verdict: v}
}

func reply(task string, sample int) Reply {
	return Reply{Task: task, Sample: sample, Completion: "```python\npass\n```", Model: "stub", PromptTokens: 10, CompletionTokens: 2, ReasoningTokens: 1}
}

// keep puts verdicts into a new book, with their replies, and closes it as a
// process that is killed would: without finishing.
func keep(t *testing.T, o Options, samples ...Sample) {
	t.Helper()
	b := mustOpen(t, o)
	defer b.close()
	for _, s := range samples {
		if err := b.put(s, reply(s.Task, s.Sample), true); err != nil {
			t.Fatal(err)
		}
	}
}

func mustOpen(t *testing.T, o Options) *book {
	t.Helper()
	b, err := openBook(o)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestABookIsResumed: what was decided is not asked again, unless the machine
// failed it, its reply was lost, or its line was cut off.
func TestABookIsResumed(t *testing.T) {
	f0, f1, g0, g1 := verdict(taskF, 0, benchmark.Passed), verdict(taskF, 1, benchmark.Failed), verdict(taskG, 0, benchmark.Timeout), verdict(taskG, 1, benchmark.InfraError)
	for _, c := range []struct {
		what   string
		damage func(t *testing.T, verdicts, completions string)
		known  []string
	}{
		{"as it is", func(*testing.T, string, string) {}, []string{"f 0", "f 1", "g 0"}},
		{"half a verdict", cut(20, 0), []string{"f 0", "f 1", "g 0"}}, // it was the infra_error's
		{"the last verdicts", cut(100, 0), []string{"f 0", "f 1"}},
		{"half a reply", cut(0, 250), []string{"f 0", "f 1"}},
		{"no reply at all", cut(0, 1<<20), nil},
		{"no verdict at all", cut(1<<20, 0), nil},
		{"a line of noughts", func(t *testing.T, verdicts, _ string) { appendTo(t, verdicts, "\x00\x00\n") }, []string{"f 0", "f 1", "g 0"}},
		{"a line of nothing", func(t *testing.T, verdicts, _ string) { appendTo(t, verdicts, "{}\n") }, []string{"f 0", "f 1", "g 0"}},
	} {
		o := described(filepath.Join(t.TempDir(), "an evaluation"))
		keep(t, o, f0, f1, g0, g1)
		verdicts := filepath.Join(o.Out, VerdictsFile)
		c.damage(t, verdicts, filepath.Join(o.Out, CompletionsFile))
		b := mustOpen(t, o)
		var known []string
		for _, task := range []string{taskF, taskG} {
			for j := range 2 {
				if b.has(task, j) {
					known = append(known, fmt.Sprintf("%s %d", task[len(task)-1:], j))
				}
			}
		}
		if !slices.Equal(known, c.known) || len(b.samples) != len(c.known) {
			t.Errorf("%s: known are %q, want %q", c.what, known, c.known)
		}
		b.close()
		// What comes next stands on a line of its own.
		keep(t, o, f0)
		data, err := os.ReadFile(verdicts)
		if err != nil || len(data) == 0 || data[len(data)-1] != '\n' || bytes.Contains(data, []byte("}{")) {
			t.Errorf("%s: the file is\n%s", c.what, data)
		}
	}
}

// cut takes bytes off the ends of the two files.
func cut(verdicts, completions int64) func(*testing.T, string, string) {
	return func(t *testing.T, v, c string) {
		for path, n := range map[string]int64{v: verdicts, c: completions} {
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, max(0, info.Size()-n)); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

// TestAFolderBelongsToOneEvaluation: another one, or somebody's files, are
// left alone, and the error names what differs.
func TestAFolderBelongsToOneEvaluation(t *testing.T) {
	for _, c := range []struct {
		what  string
		other func(*Options, string)
		want  string
	}{
		{what: "the same", other: func(*Options, string) {}},
		{what: "other docstrings", other: func(o *Options, _ string) { o.DocsKey = "5678" }, want: "holds another evaluation: its docs are original, not 5678; choose another folder, or give what that one was given"},
		{what: "another evaluator", other: func(o *Options, _ string) { o.Evaluator = evaluator.Reference }, want: "its evaluator is stub, not reference"},
		{what: "more samples", other: func(o *Options, _ string) { o.Samples = 3 }, want: "its samples for each task are 2, not 3"},
		{what: "a forced strategy", other: func(o *Options, _ string) { o.Strategy = doctocode.Fresh }, want: "its strategy is not given, not fresh"},
		{what: "other tasks", other: func(o *Options, _ string) { o.Dataset.Release.Files = map[string]string{doctocode.TasksFile: "99"} }, want: "its release tool@1 has other tasks"},
		{what: "half a manifest", other: func(_ *Options, out string) { os.WriteFile(filepath.Join(out, ManifestFile), []byte(`{"rel`), 0o644) }, want: "is not the description of an evaluation"},
		{what: "a release", other: func(_ *Options, out string) {
			os.Rename(filepath.Join(out, ManifestFile), filepath.Join(out, doctocode.ReleaseFile))
		}, want: "holds a release; choose another folder"},
		{what: "somebody's verdicts", other: func(_ *Options, out string) { os.Remove(filepath.Join(out, ManifestFile)) }, want: "holds a verdicts.jsonl, but no evaluation.json"},
	} {
		out := t.TempDir()
		keep(t, described(out), verdict(taskF, 0, benchmark.Passed))
		o := described(out)
		c.other(&o, out)
		before := files(t, out)
		b, err := openBook(o)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
			} else {
				b.close()
			}
			continue
		}
		var input *benchmark.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.what, err, c.want)
		}
		if after := files(t, out); !maps.Equal(before, after) {
			t.Errorf("%s: the folder was changed: %v", c.what, after)
		}
	}
}

func TestOneProcessAtATime(t *testing.T) {
	o := described(t.TempDir())
	b := mustOpen(t, o)
	if _, err := openBook(o); err == nil || !strings.Contains(err.Error(), "another process is writing into "+o.Out) {
		t.Errorf("the second: %v", err)
	}
	b.close()
	mustOpen(t, o).close()
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := openBook(described(filepath.Join(file, "out")))
	var input *benchmark.InputError
	if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), "out: ") {
		t.Errorf("got %v", err)
	}
}

// TestTheDocsOfAFolderAreNamed: a hash tells nobody which file was meant.
func TestTheDocsOfAFolderAreNamed(t *testing.T) {
	sum := func(digit string) string { return strings.Repeat(digit, 64) }
	for _, c := range []struct {
		what      string
		old, new  manifest
		different string
	}{
		{"two files", manifest{Docs: sum("a"), DocsName: "a.jsonl"}, manifest{Docs: sum("b"), DocsName: "b.jsonl"}, "its docs are a.jsonl, not b.jsonl"},
		{"a file that was changed", manifest{Docs: sum("a"), DocsName: "a.jsonl"}, manifest{Docs: sum("b"), DocsName: "a.jsonl"}, "a.jsonl had another content"},
		{"a copy of the file", manifest{Docs: sum("a"), DocsName: "a.jsonl"}, manifest{Docs: sum("a"), DocsName: "copy.jsonl"}, ""},
		{"a folder that gives no name", manifest{Docs: sum("a")}, manifest{Docs: sum("b"), DocsName: "b.jsonl"}, "its docs are a file with the SHA-256 aaaaaaaaaaaa…, not b.jsonl"},
		{"another evaluator of the same name", manifest{Evaluator: "m", Key: "openai/1"}, manifest{Evaluator: "m", Key: "openai/2"},
			"its evaluator m was another (model, address or parameters)"},
		{"two differences", manifest{Release: "a@1", Sandbox: "local"}, manifest{Release: "b@1", Sandbox: "docker"}, "its release is a@1, not b@1; its sandbox is local, not docker"},
	} {
		if got := c.old.difference(c.new); got != c.different {
			t.Errorf("%s: %q, want %q", c.what, got, c.different)
		}
	}
}

// TestFinish: the files are in the release's order whatever the order of the
// verdicts, and a sample that the machine failed counts neither way.
func TestFinish(t *testing.T) {
	o := described(t.TempDir())
	b := mustOpen(t, o)
	defer b.close()
	suspicious := verdict(taskF, 1, benchmark.Passed)
	suspicious.Recheck = "suspicious"
	for _, s := range []Sample{verdict(taskG, 1, benchmark.InfraError), verdict(taskG, 0, benchmark.Failed), suspicious, verdict(taskF, 0, benchmark.Passed)} {
		if err := b.put(s, reply(s.Task, s.Sample), s.Verdict != benchmark.InfraError); err != nil {
			t.Fatal(err)
		}
	}
	r, err := b.finish(map[string]bool{taskF: true})
	if err != nil {
		t.Fatal(err)
	}
	if want := (Missing{Samples: 1, Replies: 1}); !reflect.DeepEqual(r.Missing, want) || r.Flagged != 1 || r.Tokens != (Tokens{Prompt: 30, Completion: 6, Reasoning: 3}) {
		t.Errorf("missing %+v, flagged %d, tokens %+v", r.Missing, r.Flagged, r.Tokens)
	}
	golden := files(t, o.Out)
	for name, want := range map[string]string{
		VerdictsFile: `{"task":"acme/tool:tool.py::f","sample":0,"verdict":"passed","seconds":0,"call_seconds":0}
{"task":"acme/tool:tool.py::f","sample":1,"verdict":"passed","seconds":0,"call_seconds":0,"recheck":"suspicious"}
{"task":"acme/tool:tool.py::g","sample":0,"verdict":"failed","seconds":0,"call_seconds":0}
{"task":"acme/tool:tool.py::g","sample":1,"verdict":"infra_error","seconds":0,"call_seconds":0}
`,
		ScoresFile: `repository,tasks,judged,documented,samples,pass@1,pass@2
acme/tool,2,2,1,3,0.500000,1.000000
mean,2,2,1,3,0.500000,1.000000
`,
	} {
		if golden[name] != want {
			t.Errorf("%s is\n%s\nwant\n%s", name, golden[name], want)
		}
	}
	if lines := strings.Count(golden[CompletionsFile], "\n"); lines != 3 {
		t.Errorf("there are %d replies, want 3", lines)
	}
}

func TestWriteScores(t *testing.T) {
	at := func(value float64, tasks int) doctocode.PassAt {
		return doctocode.PassAt{K: 1, Value: value, Tasks: tasks}
	}
	three := func(value float64, tasks int) doctocode.PassAt {
		return doctocode.PassAt{K: 3, Value: value, Tasks: tasks}
	}
	score := doctocode.Score{
		Tasks: 7, Documented: 4, Samples: 17, PassAt: []doctocode.PassAt{at(0.75, 6), three(1, 5)},
		Repositories: []doctocode.RepositoryScore{
			{Repository: "acme/tool", Tasks: 5, Documented: 4, Samples: 15, PassAt: []doctocode.PassAt{at(0.5, 5), three(1, 5)}},
			{Repository: `odd,"name"/x`, Tasks: 1, Samples: 2, PassAt: []doctocode.PassAt{at(1.0/3, 1), three(0, 0)}},
			{Repository: "of/nothing", Tasks: 1, PassAt: []doctocode.PassAt{at(0, 0), three(0, 0)}},
		},
	}
	var got bytes.Buffer
	if err := WriteScores(&got, score); err != nil {
		t.Fatal(err)
	}
	want := "repository,tasks,judged,documented,samples,pass@1,pass@3\n" +
		"acme/tool,5,5,4,15,0.500000,1.000000\n" +
		"\"odd,\"\"name\"\"/x\",1,1,0,2,0.333333,\n" +
		"of/nothing,1,0,0,0,,\n" +
		"mean,7,6,4,17,0.750000,1.000000\n"
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// files are the contents of a folder's files.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}
