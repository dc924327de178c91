package localization

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"touchstone/internal/statistics"
)

// arms scores n tasks of each repository, for which hit says whether the one
// gold file was found in each condition.
func arms(t *testing.T, repositories, n int, level Level, hit func(condition Condition, task int) bool) Score {
	t.Helper()
	var tasks []Task
	var predictions []Prediction
	for r := range repositories {
		for i := range n {
			repository := fmt.Sprintf("acme/r%d", r)
			task := Task{ID: TaskID(repository, i+1), Repository: repository, Gold: []GoldFile{{"a.go", Source}}}
			tasks = append(tasks, task)
			for _, condition := range Conditions {
				files := []string{"wrong.go"}
				if hit(condition, i) {
					files = []string{"a.go"}
				}
				predictions = append(predictions, Prediction{Task: task.ID, Level: level, Condition: condition, Files: files})
			}
		}
	}
	score, err := ScoreOf(tasks, predictions, AllGold)
	if err != nil {
		t.Fatal(err)
	}
	return score
}

func contrast(t *testing.T, s Score) Contrast {
	t.Helper()
	contrasts, err := s.Contrasts()
	if err != nil || len(contrasts) != 1 {
		t.Fatalf("%d contrasts, %v", len(contrasts), err)
	}
	return contrasts[0]
}

// Of 20 tasks the baseline solves five and the augmented arm those and ten more.
func TestTheArmsArePairedTaskByTask(t *testing.T) {
	c := contrast(t, arms(t, 1, 20, Contextual, func(condition Condition, task int) bool {
		return task < 5 || task < 15 && condition == Augmented
	}))
	if c.Level != Contextual || c.Tasks != 20 || c.Repositories != 1 || c.Better != 10 || c.Same != 10 || c.Worse != 0 {
		t.Errorf("%+v", c)
	}
	for what, pair := range map[string][2]float64{"baseline": {c.Baseline, 0.25}, "augmented": {c.Augmented, 0.75}, "difference": {c.Difference, 0.5}} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%s: %v, want %v", what, pair[0], pair[1])
		}
	}
	if i := c.Interval.Interval; i == nil || i.Low <= 0.2 || i.Low >= 0.4 || i.High <= 0.6 || i.High >= 0.8 {
		t.Errorf("the interval is %+v", i)
	}
	if c.Wilcoxon.N != 10 || c.Wilcoxon.P > 0.01 || c.SignFlip.P > 0.01 || c.SignFlip.N != 20 {
		t.Errorf("%+v, %+v", c.Wilcoxon, c.SignFlip)
	}
	if want := 0.5 / math.Sqrt(5.0/19); c.Effect.Value == nil || math.Abs(*c.Effect.Value-want) > 1e-12 {
		t.Errorf("d_z is %v, want %v", c.Effect.Value, want)
	}
	for _, e := range c.Extremes {
		want := ExtremeContrast{Outcome: e.Outcome, Baseline: 5, Augmented: 15, Gained: 10, McNemar: 2.0 / 1024, Holm: 2.0 / 1024}
		if e.Outcome == ZeroPrecision || e.Outcome == ZeroRecall {
			want.Baseline, want.Augmented, want.Gained, want.Lost = 15, 5, 0, 10
		}
		if math.Abs(e.McNemar-want.McNemar) > 1e-12 || math.Abs(e.Holm-want.Holm) > 1e-12 {
			t.Errorf("%s: p %v, %v", e.Outcome, e.McNemar, e.Holm)
		}
		if e.McNemar, e.Holm = want.McNemar, want.Holm; e != want {
			t.Errorf("%+v, want %+v", e, want)
		}
	}
}

func TestArmsThatAreAlikeDoNotDiffer(t *testing.T) {
	c := contrast(t, arms(t, 1, 6, Minimal, func(_ Condition, task int) bool { return task%2 == 0 }))
	if c.Difference != 0 || c.Same != 6 || c.Wilcoxon.P != 1 || c.SignFlip.P != 1 || c.Effect.Value != nil || *c.Interval.Interval != (statistics.Interval{}) {
		t.Errorf("%+v", c)
	}
}

// With several repositories these are what varies, and three of them cannot be
// significant.
func TestSeveralRepositoriesAreTheUnits(t *testing.T) {
	c := contrast(t, arms(t, 3, 30, Contextual, func(condition Condition, _ int) bool { return condition == Augmented }))
	if c.Tasks != 90 || c.Repositories != 3 || c.Wilcoxon.N != 3 || c.SignFlip.N != 3 || c.SignFlip.P < 0.2 || c.Difference != 1 {
		t.Errorf("%+v", c)
	}
}

func TestALevelNeedsBothArms(t *testing.T) {
	task := Task{ID: "acme__tool-1", Repository: "acme/tool", Gold: []GoldFile{{"a.go", Source}}}
	s, err := ScoreOf([]Task{task}, []Prediction{{Task: task.ID, Level: Minimal, Condition: Augmented}, {Task: task.ID, Level: Guided, Condition: Baseline}}, AllGold)
	if err != nil {
		t.Fatal(err)
	}
	if contrasts, err := s.Contrasts(); err != nil || len(contrasts) != 0 {
		t.Errorf("%+v, %v", contrasts, err)
	}
	_, err = Compare(Minimal, s.Arms[0].Tasks, []TaskScore{{Task: "another"}})
	if err == nil || !strings.Contains(err.Error(), "do not have the same tasks") {
		t.Errorf("%v", err)
	}
}

func TestAFamilyIsAdjustedTogether(t *testing.T) {
	var family []Contrast
	for _, level := range Levels {
		family = append(family, contrast(t, arms(t, 1, 20, level, func(condition Condition, task int) bool {
			return condition == Augmented && task < 8
		})))
	}
	alone := family[0]
	if alone.SignFlipHolm != alone.SignFlip.P || alone.Extremes[3].Holm != alone.Extremes[3].McNemar {
		t.Error("one contrast by itself is adjusted")
	}
	if err := AdjustFamily(family); err != nil {
		t.Fatal(err)
	}
	for i, c := range family {
		for what, pair := range map[string][2]float64{"Wilcoxon": {c.WilcoxonHolm, 4 * alone.Wilcoxon.P}, "sign flip": {c.SignFlipHolm, 4 * alone.SignFlip.P}, "McNemar": {c.Extremes[3].Holm, 4 * alone.Extremes[3].McNemar}} {
			if math.Abs(pair[0]-min(1, pair[1])) > 1e-12 {
				t.Errorf("level %d: %s is %v, want %v", i, what, pair[0], pair[1])
			}
		}
	}
}
