package published

import (
	"cmp"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"touchstone/internal/benchmark"
)

const (
	gpt  = "gpt-5-mini"
	qwen = "qwen3-235b-a22b"
)

var (
	levels = []string{"minimal", "concise", "contextual", "guided"}
	models = []string{"Sonnet-4", "Sonnet-4.5", "Ops-4.6"}
)

// folder holds the files that the binary embeds.
var folder = os.DirFS("../../data/published")

func load(t *testing.T) *Tables {
	t.Helper()
	tables, err := Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

// only is the one score of a set for which all of the conditions hold.
func only(t *testing.T, scores []Score, where func(Score) bool) float64 {
	t.Helper()
	var found []Score
	for _, s := range scores {
		if where(s) {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d scores, want 1: %+v", len(found), found)
	}
	return found[0].Value
}

// byRepository is a column of Table 3, which Table 1 aggregates.
func byRepository(t *testing.T, tables *Tables, aggregate Score) []float64 {
	t.Helper()
	table3 := tables.Of(DocumentationPaper, 3)
	values := make([]float64, 0, len(tables.Repositories))
	for _, r := range tables.Repositories {
		values = append(values, only(t, table3, func(s Score) bool {
			return s.Repository == r.Repository && s.System == aggregate.System && s.Model == aggregate.Model &&
				s.Evaluator == aggregate.Evaluator && s.Metric == aggregate.Metric
		}))
	}
	return values
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

func f1(t *testing.T, tables *Tables, table int, model, level string) float64 {
	t.Helper()
	return only(t, tables.Of(LocalizationPaper, table), func(s Score) bool {
		return s.Model == model && s.Level == level && s.Metric == "f1"
	})
}

// TestEveryTableIsWhole: each table is a full cross of the values in its
// columns, so a lost or doubled row shows.
func TestEveryTableIsWhole(t *testing.T) {
	tables := load(t)
	if len(tables.Sources) != 2 || len(tables.Repositories) != 28 || len(tables.Scores) != 668 {
		t.Errorf("%d sources, %d repositories, %d scores; want 2, 28, 668", len(tables.Sources), len(tables.Repositories), len(tables.Scores))
	}
	for _, want := range []struct {
		source                                  string
		table                                   int
		track                                   benchmark.Track
		repositories, configurations, judgments int
	}{
		{DocumentationPaper, 1, benchmark.DocToCode, 1, 5, 2 * 2},
		{DocumentationPaper, 3, benchmark.DocToCode, 28, 5, 2 * 2},
		{LocalizationPaper, 2, benchmark.Localization, 1, 3, 4 * 3},
		{LocalizationPaper, 3, benchmark.Localization, 1, 3, 4 * 3},
		{LocalizationPaper, 4, benchmark.Localization, 1, 1, 4 * 4},
	} {
		type configuration struct{ system, model string }
		type judgment struct{ evaluator, condition, level, metric string }
		repositories, configurations, judgments := map[string]bool{}, map[configuration]bool{}, map[judgment]bool{}
		scores := tables.Of(want.source, want.table)
		for _, s := range scores {
			if s.Track != want.track {
				t.Errorf("%s table %d: track %q", want.source, want.table, s.Track)
			}
			repositories[s.Repository] = true
			configurations[configuration{s.System, s.Model}] = true
			judgments[judgment{s.Evaluator, s.Condition, s.Level, s.Metric}] = true
		}
		if len(repositories) != want.repositories || len(configurations) != want.configurations || len(judgments) != want.judgments ||
			len(scores) != want.repositories*want.configurations*want.judgments {
			t.Errorf("%s table %d: %d scores of %d repositories, %d configurations, %d judgments", want.source, want.table,
				len(scores), len(repositories), len(configurations), len(judgments))
		}
	}
}

func TestEveryScoreIsAShareWithTheDecimalsOfItsTable(t *testing.T) {
	for _, s := range load(t).Scores {
		if !(s.Value >= 0 && s.Value <= 1) {
			t.Errorf("%+v is not from 0 to 1", s)
		}
		want := map[benchmark.Track]int{benchmark.DocToCode: 2, benchmark.Localization: 4}[s.Track]
		if s.Source == LocalizationPaper && s.Table == 4 {
			want = 3
		}
		// Table 1 prints a single number without its last zero.
		if s.Source == DocumentationPaper && s.Table == 1 && s.Value == 0.8 {
			want = 1
		}
		if s.Decimals != want {
			t.Errorf("%+v: %d decimals, want %d", s, s.Decimals, want)
		}
	}
}

// TestTable1IsTheMeanOfTable3: the cells of Table 3 may be off by half a
// hundredth each, so their mean may, and so may Table 1.
func TestTable1IsTheMeanOfTable3(t *testing.T) {
	tables := load(t)
	for _, s := range tables.Of(DocumentationPaper, 1) {
		if got := mean(byRepository(t, tables, s)); math.Abs(got-s.Value) > 0.005+0.005 {
			t.Errorf("%s %s, %s, %s: mean of Table 3 is %.4f, Table 1 prints %.2f", s.System, s.Model, s.Evaluator, s.Metric, got, s.Value)
		}
	}
}

// TestTable3AgreesWithItsOtherCopy holds the rows against a transcription that
// was made apart from this one.
func TestTable3AgreesWithItsOtherCopy(t *testing.T) {
	data, err := os.ReadFile("../measure/testdata/paper_table3.json")
	if err != nil {
		t.Fatal(err)
	}
	var other struct {
		Repos, Configs, Metrics []string
		Tasks                   []int `json:"n_tasks"`
		Stars                   []int
		X                       [][][]float64 // repository, configuration, metric
	}
	if err := json.Unmarshal(data, &other); err != nil {
		t.Fatal(err)
	}
	tables := load(t)
	configs := map[string][2]string{"OSA/gpt": {"OSA", gpt}, "OSA/qwen": {"OSA", qwen},
		"RA/gpt": {"RepoAgent", gpt}, "RA/qwen": {"RepoAgent", qwen}, "default": {"default", ""}}
	metrics := map[string][2]string{"p1gpt": {"pass@1", gpt}, "p1qwen": {"pass@1", qwen}, "p3gpt": {"pass@3", gpt}, "p3qwen": {"pass@3", qwen}}
	table3, compared := tables.Of(DocumentationPaper, 3), 0
	for r, repository := range other.Repos {
		i := slices.IndexFunc(tables.Repositories, func(f RepositoryFacts) bool { return f.Repository == repository })
		if i < 0 {
			t.Fatalf("%s is not in Table 2", repository)
		}
		if f := tables.Repositories[i]; f.Tasks != other.Tasks[r] || f.Stars != other.Stars[r] {
			t.Errorf("%s: %d tasks and %d stars, the other copy has %d and %d", repository, f.Tasks, f.Stars, other.Tasks[r], other.Stars[r])
		}
		for c, config := range other.Configs {
			for m, metric := range other.Metrics {
				got := only(t, table3, func(s Score) bool {
					return s.Repository == repository && [2]string{s.System, s.Model} == configs[config] && [2]string{s.Metric, s.Evaluator} == metrics[metric]
				})
				if got != other.X[r][c][m] {
					t.Errorf("%s %s %s: %v, the other copy has %v", repository, config, metric, got, other.X[r][c][m])
				}
				compared++
			}
		}
	}
	if compared != len(table3) {
		t.Errorf("%d of %d scores compared", compared, len(table3))
	}
}

func TestPassAt3IsNeverBelowPassAt1(t *testing.T) {
	tables := load(t)
	for _, one := range tables.Scores {
		if one.Metric != "pass@1" {
			continue
		}
		three := only(t, tables.Of(one.Source, one.Table), func(s Score) bool {
			return s.Metric == "pass@3" && s.Repository == one.Repository && s.System == one.System && s.Model == one.Model && s.Evaluator == one.Evaluator
		})
		if three < one.Value {
			t.Errorf("%+v, but pass@3 is %v", one, three)
		}
	}
}

// TestMeanF1IsBelowTheF1OfTheMeans: F1 is concave in precision and recall, so a
// mean of F1 over tasks can only lie below; a digit read wrong may break that.
func TestMeanF1IsBelowTheF1OfTheMeans(t *testing.T) {
	tables := load(t)
	for _, table := range []int{2, 3} {
		for _, model := range models {
			last := 0.0
			for _, level := range levels {
				of := func(metric string) float64 {
					return only(t, tables.Of(LocalizationPaper, table), func(s Score) bool {
						return s.Model == model && s.Level == level && s.Metric == metric
					})
				}
				p, r, f := of("precision"), of("recall"), of("f1")
				if f >= 2*p*r/(p+r) {
					t.Errorf("table %d, %s, %s: F1 %v of precision %v and recall %v", table, model, level, f, p, r)
				}
				if f <= last {
					t.Errorf("table %d, %s: F1 does not grow to %s, as the text says", table, model, level)
				}
				last = f
			}
		}
	}
}

// TestTheTextRepeatsTheTables: numbers that the papers give a second time.
func TestTheTextRepeatsTheTables(t *testing.T) {
	tables := load(t)
	popular := 0
	for _, r := range tables.Repositories {
		if r.Stars > 100 {
			popular++
		}
	}
	if popular != 10 {
		t.Errorf("%d repositories have more than 100 stars, the text says 10", popular)
	}
	if got := only(t, tables.Of(DocumentationPaper, 1), func(s Score) bool {
		return s.System == "RepoAgent" && s.Model == gpt && s.Evaluator == qwen && s.Metric == "pass@1"
	}); got != 0.83 {
		t.Errorf("RepoAgent with gpt-5-mini under qwen: %v, the text says 0.83", got)
	}
	for _, c := range []struct {
		table           int
		model           string
		minimal, guided float64
	}{
		{2, "Sonnet-4", 0.2026, 0.6828}, {2, "Sonnet-4.5", 0.2487, 0.7163}, {2, "Ops-4.6", 0.2952, 0.8081},
		{3, "Sonnet-4", 0.1898, 0.6283}, {3, "Sonnet-4.5", 0.1946, 0.7229}, {3, "Ops-4.6", 0.2335, 0.8078},
	} {
		if minimal, guided := f1(t, tables, c.table, c.model, "minimal"), f1(t, tables, c.table, c.model, "guided"); minimal != c.minimal || guided != c.guided {
			t.Errorf("table %d, %s: F1 from %v to %v, want %v to %v", c.table, c.model, minimal, guided, c.minimal, c.guided)
		}
	}
	for metric, want := range map[string][]float64{ // at minimal, contextual and guided prompts
		"precision=0": {0.602, 0.185, 0.035}, "recall=1": {0.144, 0.415, 0.598},
	} {
		for i, level := range []string{"minimal", "contextual", "guided"} {
			if got := only(t, tables.Of(LocalizationPaper, 4), func(s Score) bool { return s.Metric == metric && s.Level == level }); got != want[i] {
				t.Errorf("%s at %s: %v, the text says %v", metric, level, got, want[i])
			}
		}
	}
}

// TestNoPredictedFileIsRightWhereNoneIsFound: a prediction without a right file
// has precision 0 and recall 0, so both rates of Table 4 are the same.
func TestNoPredictedFileIsRightWhereNoneIsFound(t *testing.T) {
	table := load(t).Of(LocalizationPaper, 4)
	for _, level := range levels {
		of := func(metric string) float64 {
			return only(t, table, func(s Score) bool { return s.Level == level && s.Metric == metric })
		}
		if p, r := of("precision=0"), of("recall=0"); p != r || p+of("recall=1") > 1 {
			t.Errorf("%s: precision=0 %v, recall=0 %v, recall=1 %v", level, p, r, of("recall=1"))
		}
	}
}

func TestTheSourcesSayWhatThePapersState(t *testing.T) {
	sources := load(t).Sources
	slices.SortFunc(sources, func(a, b Source) int { return cmp.Compare(a.ID, b.ID) })
	doc, loc := sources[0], sources[1]
	if doc.ID != DocumentationPaper || doc.Track != benchmark.DocToCode || doc.Year != 0 || doc.Identifier != "" ||
		doc.Artifact != "doi:10.5281/zenodo.19253895" || !slices.Equal(doc.Authors, []string{"Anonymous Authors"}) {
		t.Errorf("%+v", doc)
	}
	if loc.ID != LocalizationPaper || loc.Track != benchmark.Localization || loc.Year != 2026 || loc.Identifier != "arXiv:2603.26137v1" ||
		loc.Artifact != "" || len(loc.Authors) != 7 || loc.Authors[0] != "Xianpeng (Simon) Sun" || loc.Authors[6] != "Chen Tian" {
		t.Errorf("%+v", loc)
	}
}

// TestEveryNameOfTheListIsUsed: the list explains the tables and nothing else.
func TestEveryNameOfTheListIsUsed(t *testing.T) {
	tables := load(t)
	used := map[nameKey]bool{}
	for _, s := range tables.Scores {
		for kind, name := range map[string]string{"repository": s.Repository, "system": s.System, "model": s.Model,
			"evaluator": s.Evaluator, "condition": s.Condition, "level": s.Level, "metric": s.Metric} {
			used[nameKey{s.Source, kind, name}] = true
		}
	}
	for _, n := range tables.Names {
		if !used[nameKey{n.Source, n.Kind, n.Name}] {
			t.Errorf("%+v is in no table", n)
		}
	}
}
