package published

import (
	"errors"
	"io/fs"
	"maps"
	"math"
	"strings"
	"testing"
	"testing/fstest"

	"touchstone/internal/benchmark"
)

// files is a copy of the tables that a test may change.
func files(t testing.TB) fstest.MapFS {
	t.Helper()
	all := fstest.MapFS{}
	entries, err := fs.ReadDir(folder, ".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, err := fs.ReadFile(folder, e.Name())
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = &fstest.MapFile{Data: data}
	}
	return all
}

func TestACorruptedTableIsRefusedByLineAndField(t *testing.T) {
	const table1, table2, table3, table4 = "doc_to_code_table1.csv", repositoriesFile, "doc_to_code_table3.csv", "localization_table4.csv"
	for _, c := range []struct {
		rule, file, old, new string // the first occurrence of old becomes new
		line                 int
		field                string
	}{
		{"a score is not above 1", table1, "1,0.73", "1,1.73", 2, "value"},
		{"a score is not in percent", table1, "1,0.73", "1,73%", 2, "value"},
		{"a score is not negative", table1, "1,0.73", "1,-0.73", 2, "value"},
		{"a score is not NaN", table1, "1,0.73", "1,NaN", 2, "value"},
		{"a score is not empty", table1, "1,0.73", "1,", 2, "value"},
		{"a score is in decimals", table1, "1,0.73", "1,7.3e-1", 2, "value"},
		{"a score is not a little above 1", table3, "1.00", "1.01", 372, "value"},
		{"k is one that the paper has", table1, "gpt-5-mini,3,", "gpt-5-mini,2,", 4, "k"},
		{"k is written one way", table1, "gpt-5-mini,3,", "gpt-5-mini,03,", 4, "k"},
		{"a system is known", table1, "RepoAgent", "RepoAgents", 10, "system"},
		{"a system is not empty", table1, "RepoAgent", "", 10, "system"},
		{"a model is known", table1, "OSA,qwen3", "OSA,qwen4", 6, "model"},
		{"an evaluator is known", table1, "gpt-5-mini,qwen3-235b-a22b,1", "gpt-5-mini,qwen,1", 3, "evaluator"},
		{"a name of 300 characters is refused alike", table1, "RepoAgent", strings.Repeat("R", 300), 10, "system"},
		{"HTML is a name like others", table1, "RepoAgent", "<b>RepoAgent</b>", 10, "system"},
		{"a repository is in Table 2", table3, "MaxAtkinson/tilted", "MaxAtkinson/tilt", 22, "repository"},
		{"a score is not given twice", table1, "OSA,gpt-5-mini,qwen3-235b-a22b,1", "OSA,gpt-5-mini,gpt-5-mini,1", 3, "value"},
		{"a row has all its cells", table1, ",0.73", "", 2, "value"},
		{"a row has no further cell", table1, ",0.73", ",0.73,0.74", 2, "value"},
		{"a cell has no space around it", table1, "RepoAgent,", "RepoAgent ,", 10, "system"},
		{"a cell is UTF-8", table1, "RepoAgent", "Repo\xffAgent", 10, "system"},
		{"a header has its columns", table1, "system,model,evaluator,k,value", "system,model,evaluator,k,percent", 1, "value"},
		{"a header has all its columns", table1, "system,model,evaluator,k,value", "system,model,evaluator,k", 1, "value"},
		{"a header has no further column", table1, "k,value", "k,value,note", 1, "note"},
		{"a header has no byte order mark", table1, "system", "\ufeffsystem", 1, "system"},
		{"a quotation mark is doubled", table1, "RepoAgent", `Repo"Agent`, 10, "system"},
		{"a quoted cell ends", table1, "RepoAgent", `"RepoAgent`, 10, "system"},
		{"lines are counted through quoted line breaks", namesFile, "an agent that documents\ndocumentation-paper,system,RepoAgent", "\"an agent\nthat documents\"\ndocumentation-paper,sistem,RepoAgent", 4, "kind"},
		{"a number of tasks is whole", table2, "106,106", "106,106.5", 2, "n_tasks"},
		{"a number of tasks is not negative", table2, "106,106", "106,-106", 2, "n_tasks"},
		{"a number has no thousands separator", table2, "53682", `"53,682"`, 7, "stars"},
		{"n_tasks is not above n_all_tasks", table2, "152,142", "142,152", 3, "n_tasks"},
		{"n_all_tasks is not above n_candidates", table2, "486,152", "152,486", 3, "n_all_tasks"},
		{"a repository has an owner", table2, "pytube/pytube", "pytube", 3, "repository"},
		{"a repository is not given twice", table2, "explosion/radicli", "pytube/pytube", 4, "repository"},
		{"a level is known", table4, "guided", "guide", 14, "level"},
		{"a condition is known", table4, "baseline", "augmented", 2, "condition"},
		{"a metric is known", table4, "recall=1", "recall=2", 4, "metric"},
		{"a track is known", sourcesFile, "doc-to-code", "doc-to-doc", 2, "track"},
		{"a year is a number", sourcesFile, "2026", "MMXXVI", 3, "year"},
		{"an author has a name", sourcesFile, "Haonan Sun; ", "; ", 3, "authors"},
		{"a title is not empty", sourcesFile, "A Time-Consistent Benchmark for Repository-Level Software Engineering Evaluation", "", 3, "title"},
		{"a source is not given twice", sourcesFile, "localization-paper", DocumentationPaper, 3, "id"},
		{"a source that the tables need is there", sourcesFile, "localization-paper", "another-paper", 0, "id"},
		{"a name's source is known", namesFile, "documentation-paper", "another-paper", 2, "source"},
		{"a printed name is not given twice", namesFile, "system,RepoAgent", "system,OSA", 3, "printed"},
	} {
		t.Run(c.rule, func(t *testing.T) {
			all := files(t)
			before := string(all[c.file].Data)
			after := strings.Replace(before, c.old, c.new, 1)
			if after == before {
				t.Fatalf("%s has no %q", c.file, c.old)
			}
			all[c.file] = &fstest.MapFile{Data: []byte(after)}
			expectInputError(t, all, c.file, c.line, c.field)
		})
	}
}

func TestATableIsNeitherMissingNorEmpty(t *testing.T) {
	for name := range files(t) {
		all := files(t)
		header, _, _ := strings.Cut(string(all[name].Data), "\n")
		first, _, _ := strings.Cut(header, ",")
		delete(all, name)
		expectInputError(t, all, name, 0, "")
		all[name] = &fstest.MapFile{Mode: fs.ModeDir}
		expectInputError(t, all, name, 0, "")
		all[name] = &fstest.MapFile{}
		expectInputError(t, all, name, 1, first)
		all[name] = &fstest.MapFile{Data: []byte(header + "\n")}
		expectInputError(t, all, name, 2, first)
	}
}

func TestLinesMayEndAsOnWindows(t *testing.T) {
	all := files(t)
	for name, file := range all {
		all[name] = &fstest.MapFile{Data: []byte(strings.ReplaceAll(string(file.Data), "\n", "\r\n"))}
	}
	if _, err := Load(all); err != nil {
		t.Error(err)
	}
}

func expectInputError(t *testing.T, all fs.FS, file string, line int, field string) {
	t.Helper()
	_, err := Load(all)
	var input *benchmark.InputError
	if !errors.As(err, &input) {
		t.Fatalf("%s: %v is not an input error", file, err)
	}
	if input.File != file || input.Line != line || input.Field != field || input.Problem == "" || input.Mend == "" {
		t.Errorf("%+v, want %s:%d: %s", *input, file, line, field)
	}
}

// FuzzLoad: whatever one of the files holds, it is refused with a place, or
// what was read keeps the promises of the types.
func FuzzLoad(f *testing.F) {
	genuine := files(f)
	for name, file := range genuine {
		f.Add(name, file.Data)
		f.Add(name, file.Data[:len(file.Data)/2])
	}
	f.Add("doc_to_code_table1.csv", []byte("system,model,evaluator,k,value\ndefault,,gpt-5-mini,1,1.000\n"))
	f.Add("doc_to_code_table1.csv", []byte("system,model,evaluator,k,value\n\"\n\",\"\",,,\n"))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		all := maps.Clone(genuine)
		all[name] = &fstest.MapFile{Data: data}
		tables, err := Load(all)
		if err != nil {
			var input *benchmark.InputError
			if !errors.As(err, &input) || genuine[input.File] == nil || input.Problem == "" || input.Mend == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		if len(tables.Sources) < 2 || len(tables.Names) == 0 || len(tables.Repositories) == 0 {
			t.Fatalf("%d sources, %d names, %d repositories", len(tables.Sources), len(tables.Names), len(tables.Repositories))
		}
		seen := map[Score]bool{}
		for _, s := range tables.Scores {
			if !(s.Value >= 0 && s.Value <= 1) || math.Signbit(s.Value) || s.Metric == "" || s.Track == "" || s.Decimals < 0 {
				t.Errorf("%+v", s)
			}
			s.Value, s.Decimals = 0, 0
			if seen[s] {
				t.Errorf("twice: %+v", s)
			}
			seen[s] = true
		}
		for _, r := range tables.Repositories {
			if r.Tasks < 0 || r.Tasks > r.AllTasks || r.AllTasks > r.Candidates || r.Forks < 0 || r.Stars < 0 {
				t.Errorf("%+v", r)
			}
		}
	})
}
