package intake

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
)

// pulls is a release of three tasks of two repositories.
var pulls = &localization.Dataset{
	Dir:          "testdata",
	Release:      localization.Release{Name: "pulls", Version: "1"},
	Repositories: []localization.Repository{{Name: "acme/one", Files: "files.txt"}, {Name: "acme/two", Files: "files.txt"}},
	Tasks: []localization.Task{{ID: "acme__one-1", Repository: "acme/one"}, {ID: "acme__one-2", Repository: "acme/one"},
		{ID: "acme__two-3", Repository: "acme/two"}},
}

var guided = localization.Arm{Level: localization.Guided, Condition: localization.Baseline}

func TestPredictionsAreCountedByLevelAndCondition(t *testing.T) {
	text := `{"instance_id":"acme__two-3","found_files":[]}
{"instance_id":"acme__one-1","found_files":["a.go"],"prompt":"minimal"}
{"instance_id":"acme__one-1","found_files":["b.go"],"condition":"augmented"}
{"instance_id":"acme__one-1","found_files":["c.go"],"condition":"augmented"}
`
	for _, packed := range []string{text, gzipped(text), zstandard(text), "\ufeff" + strings.ReplaceAll(text, "\n", "\r\n")} {
		r, all, err := PreflightPredictions(t.Context(), strings.NewReader(packed), "p.jsonl", pulls, guided, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Release != "pulls@1" || r.Tasks != 3 || r.Answered != 2 || fmt.Sprint(r.Missing) != "[acme__one-2]" || r.Level != 3 || r.Condition != 2 || r.Superseded.Count != 1 || len(all) != 3 {
			t.Errorf("%+v, %v", r, all)
		}
		want := []ArmCoverage{
			{localization.Arm{Level: "minimal", Condition: "baseline"}, 1, 0, 2, []RepositoryTasks{{"acme/one", 2, 1}, {"acme/two", 1, 0}}},
			{guided, 1, 1, 2, []RepositoryTasks{{"acme/one", 2, 0}, {"acme/two", 1, 1}}},
			{localization.Arm{Level: "guided", Condition: "augmented"}, 1, 0, 2, []RepositoryTasks{{"acme/one", 2, 1}, {"acme/two", 1, 0}}},
		}
		if !reflect.DeepEqual(r.Arms, want) {
			t.Errorf("%+v", r.Arms)
		}
		if r.Outside.Count != 1 || r.Outside.First[0] != (localization.OutsidePath{Task: "acme__one-1", Path: "c.go"}) {
			t.Errorf("outside of the snapshot: %+v", r.Outside)
		}
		if all[2].Files[0] != "c.go" {
			t.Errorf("the later of two does not count: %v", all[2])
		}
	}
}

func TestPredictionsThatCannotBeUsed(t *testing.T) {
	line := `{"instance_id":"acme__one-1","found_files":["a.go"]}` + "\n"
	many := strings.Repeat(line, 5000)
	for _, c := range []struct {
		name, text string
		otherwise  localization.Arm
		limits     Limits
		want       string
	}{
		{"empty", "", guided, Limits{}, "p.jsonl: is empty"},
		{"an archive", "PK\x03\x04rest", guided, Limits{}, "p.jsonl: is a zip archive; " + saveAsPredictions},
		{"broken off", gzipped(many)[:100], guided, Limits{}, "the gzip data breaks off after"},
		{"too large", many, guided, Limits{Bytes: 1000}, "p.jsonl: is larger than 1000 bytes"},
		{"unpacks to too much", gzipped(many), guided, Limits{Unpacked: 1000}, "p.jsonl: unpacks to more than 1000 bytes"},
		{"no level", line + line, localization.Arm{Condition: "baseline"}, Limits{}, `prompt: is not said by 2 lines of the file, and not chosen for them; choose the level of these lines, or write "prompt": minimal`},
		{"no condition", line, localization.Arm{Level: "guided"}, Limits{}, "condition: is not said by 1 line of the file"},
	} {
		_, _, err := PreflightPredictions(t.Context(), strings.NewReader(c.text), "p.jsonl", pulls, c.otherwise, c.limits)
		if _, input := errors.AsType[*benchmark.InputError](err); !input || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	failure := errors.New("the disk is gone")
	if _, _, err := PreflightPredictions(t.Context(), failing{failure}, "p.jsonl", pulls, guided, Limits{}); !errors.Is(err, failure) {
		t.Errorf("a disk that is gone: %v", err)
	}
}

// FuzzPreflightPredictions: whatever is uploaded, every line is in one place of
// the report, and what counts can be scored.
func FuzzPreflightPredictions(f *testing.F) {
	for _, text := range []string{`{"instance_id":"acme__one-1","found_files":["a.go"]}`, "", "\xef\xbb\xbf{}", `{"instance_id":"acme__two-3","model_patch":"--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n"}`,
		`{"instance_id":"acme__one-1","found_files":["../x"]}`, gzipped("{}")} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r, all, err := PreflightPredictions(t.Context(), strings.NewReader(string(text)), "p.jsonl", pulls, guided, Limits{Unpacked: 1 << 20})
		if err != nil {
			if _, input := errors.AsType[*benchmark.InputError](err); !input {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if r.Lines != r.Rows+r.Rejected.Count || r.Rows != r.Unmatched.Count+r.Superseded.Count+len(all) || r.Answered+len(r.Missing) != r.Tasks {
			t.Fatalf("lines are lost: %+v", r)
		}
		seen := map[string]bool{}
		for _, p := range all {
			key := p.Task + string(p.Level) + string(p.Condition)
			if seen[key] || p.Level == "" || p.Condition == "" || p.Files == nil {
				t.Fatalf("%+v", p)
			}
			seen[key] = true
		}
	})
}
