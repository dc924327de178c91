package localization

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// needsPython skips a test where there is no python3, or fails it where
// everything is required.
func needsPython(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return path
}

// A randomSet is a set of tasks and what was predicted for them.
type randomSet struct {
	Gold  Gold         `json:"gold"`
	Tasks []randomTask `json:"tasks"`
}

type randomTask struct {
	ID        string      `json:"id"`
	Repo      string      `json:"repo"`
	Gold      [][2]string `json:"gold"`
	Predicted []string    `json:"predicted"` // null where there is no prediction
}

// draw makes a set that has everything that may occur: no prediction, an empty
// one, repetitions, other spellings, gold files of every kind, all right and
// nothing right.
func draw(r *rand.Rand) randomSet {
	s := randomSet{Gold: Golds[r.IntN(2)]}
	spell := func(name string) string {
		switch r.IntN(8) {
		case 0:
			return strings.ReplaceAll(name, "/", `\`)
		case 1:
			return "./" + name
		case 2:
			return strings.Replace(name, "/", "//", 1)
		}
		return name
	}
	for i := range 1 + r.IntN(12) {
		repo := fmt.Sprintf("acme/r%d", r.IntN(3))
		t := randomTask{ID: TaskID(repo, i+1), Repo: repo}
		pool := r.Perm(12)
		for _, n := range pool[:1+r.IntN(6)] {
			t.Gold = append(t.Gold, [2]string{fmt.Sprintf("src/f%d.go", n), string(Labels[r.IntN(len(Labels))])})
		}
		switch r.IntN(6) {
		case 0:
		case 1:
			t.Predicted = []string{}
		case 2:
			for _, g := range t.Gold {
				t.Predicted = append(t.Predicted, g[0])
			}
		default:
			for range 1 + r.IntN(8) {
				t.Predicted = append(t.Predicted, spell(fmt.Sprintf("src/f%d.go", r.IntN(14))))
			}
		}
		s.Tasks = append(s.Tasks, t)
	}
	return s
}

// score scores a set as a release's predictions are.
func (s randomSet) score() (Score, error) {
	var tasks []Task
	var predictions []Prediction
	for _, t := range s.Tasks {
		task := Task{ID: t.ID, Repository: t.Repo}
		for _, g := range t.Gold {
			task.Gold = append(task.Gold, GoldFile{g[0], Label(g[1])})
		}
		tasks = append(tasks, task)
		if t.Predicted != nil {
			predictions = append(predictions, Prediction{Task: t.ID, Level: Contextual, Condition: Baseline, Files: t.Predicted})
		}
	}
	return ScoreOf(tasks, predictions, s.Gold)
}

// A reference is what testdata/score.py computes.
type reference struct {
	All          referenceSummary            `json:"all"`
	Repositories map[string]referenceSummary `json:"repositories"`
}

type referenceSummary struct {
	Tasks    int                   `json:"tasks"`
	Mean     map[string]float64    `json:"mean"`
	Micro    map[string]float64    `json:"micro"`
	Extremes map[string][3]float64 `json:"extremes"`
	Ranked   map[string][4]float64 `json:"ranked"`
}

// Scores of a thousand random sets of predictions equal an independent
// computation with exact fractions.
func TestScoresEqualPythons(t *testing.T) {
	python := needsPython(t)
	r := rand.New(rand.NewPCG(3, 26137))
	sets := make([]randomSet, 1000)
	var input, output, stderr bytes.Buffer
	lines := json.NewEncoder(&input)
	for i := range sets {
		sets[i] = draw(r)
		lines.Encode(sets[i])
	}
	cmd := exec.Command(python, "testdata/score.py")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = &input, &output, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	answers := json.NewDecoder(&output)
	scored := 0
	for i, set := range sets {
		var want *reference
		if err := answers.Decode(&want); err != nil {
			t.Fatal(err)
		}
		score, err := set.score()
		if want == nil {
			if err == nil {
				t.Errorf("set %d has nothing to score, and a score", i)
			}
			continue
		}
		if err != nil {
			t.Fatalf("set %d: %v", i, err)
		}
		if len(score.Arms) == 0 {
			continue // no task of the set has a prediction
		}
		scored++
		arm := score.Arms[0]
		compare(t, fmt.Sprint("set ", i), arm.Summary, want.All)
		if len(arm.Repositories) != len(want.Repositories) {
			t.Errorf("set %d has %d repositories, not %d", i, len(arm.Repositories), len(want.Repositories))
		}
		for _, repository := range arm.Repositories {
			compare(t, fmt.Sprint("set ", i, ", ", repository.Repository), repository.Summary, want.Repositories[repository.Repository])
		}
	}
	if scored < 800 {
		t.Errorf("only %d sets were scored", scored)
	}
}

func compare(t *testing.T, where string, got Summary, want referenceSummary) {
	t.Helper()
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%s: %s is %v, want %v", where, what, got, want)
		}
	}
	near("tasks", float64(got.Tasks), float64(want.Tasks))
	near("precision", got.Mean.Precision, want.Mean["precision"])
	near("recall", got.Mean.Recall, want.Mean["recall"])
	near("F1", got.Mean.F, want.Mean["f1"])
	near("micro precision", got.Micro.Precision, want.Micro["precision"])
	near("micro recall", got.Micro.Recall, want.Micro["recall"])
	near("micro F1", got.Micro.F, want.Micro["f1"])
	for _, e := range Extremes {
		share, want := e.Of(got.FileScores), want.Extremes[string(e)]
		near(string(e), float64(share.Count), want[0])
		near(string(e)+" from", share.Interval.Low, want[1])
		near(string(e)+" to", share.Interval.High, want[2])
	}
	for _, ranked := range got.Ranked {
		want := want.Ranked[fmt.Sprint(ranked.K)]
		near(fmt.Sprint("Acc@", ranked.K), ranked.Accuracy, want[0])
		near(fmt.Sprint("Recall@", ranked.K), ranked.Recall, want[1])
		near(fmt.Sprint("MAP@", ranked.K), ranked.AveragePrecision, want[2])
		near(fmt.Sprint("NDCG@", ranked.K), ranked.NDCG, want[3])
	}
}

func TestATaskWithoutAPredictionIsAnEmptyOne(t *testing.T) {
	score, err := ScoreOf(threeTasks, []Prediction{{Task: "acme__tool-12", Level: Contextual, Condition: Baseline, Files: []string{"src/a.go", "src/b.go"}}}, AllGold)
	if err != nil {
		t.Fatal(err)
	}
	arm := score.Arms[0]
	if score.Tasks != 3 || arm.Answered != 1 || arm.Mean.F != 1.0/3 || arm.ZeroRecall.Count != 2 || arm.Exact.Count != 1 {
		t.Errorf("%+v", arm.Summary)
	}
	if arm.Tasks[1].Answered || !arm.Tasks[0].Answered {
		t.Error("which tasks are answered is wrong")
	}
}

func TestGoldFilesThatDoNotCountAreNeitherForNorAgainst(t *testing.T) {
	predictions := []Prediction{{Task: "acme__tool-13", Level: Contextual, Condition: Baseline, Files: []string{"src/a_test.go", "src/a.go"}}}
	for _, c := range []struct {
		gold    Gold
		tasks   int
		leftOut int
		f1      float64 // of acme__tool-13
	}{{AllGold, 3, 0, 1}, {SourceGold, 2, 1, 1}} {
		score, err := ScoreOf(threeTasks, predictions, c.gold)
		if err != nil {
			t.Fatal(err)
		}
		if task := score.Arms[0].Tasks[1]; score.Tasks != c.tasks || score.LeftOut != c.leftOut || task.Task != "acme__tool-13" || task.F != c.f1 {
			t.Errorf("%s: %d tasks, %d left out, %+v", c.gold, score.Tasks, score.LeftOut, task)
		}
	}
}

func TestWhatCannotBeScored(t *testing.T) {
	one := Prediction{Task: "acme__tool-12", Level: Contextual, Condition: Baseline}
	for _, c := range []struct {
		rule        string
		tasks       []Task
		predictions []Prediction
		gold        Gold
		want        string
	}{
		{"no task", nil, nil, AllGold, "no task"},
		{"no source", threeTasks[2:], nil, SourceGold, "gold: no task has a gold file that is source"},
		{"another kind", threeTasks, nil, "tests", `gold: "tests" is not a kind`},
		{"another task", threeTasks[1:], []Prediction{one}, AllGold, "for no task of the release"},
		{"two predictions", threeTasks, []Prediction{one, one}, AllGold, "given twice"},
		{"no level", threeTasks, []Prediction{{Task: one.Task, Condition: Baseline}}, AllGold, `prompt ""`},
	} {
		if _, err := ScoreOf(c.tasks, c.predictions, c.gold); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}
