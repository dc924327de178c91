package doctocode

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"touchstone/internal/benchmark"
)

func result(repository, name string, documented bool, verdicts ...benchmark.Verdict) TaskResult {
	return TaskResult{Task: benchmark.TaskID{Repository: repository, Path: "a.py", Qualname: name}, Verdicts: verdicts, Documented: documented}
}

const (
	pass  = benchmark.Passed
	fail  = benchmark.Failed
	infra = benchmark.InfraError
)

// TestScoreOf: a big repository weighs as much as a small one.
func TestScoreOf(t *testing.T) {
	results := []TaskResult{
		result("b/two", "f", false, fail, fail),
		result("a/one", "f", true, pass, pass),
		result("a/one", "g", true, pass, fail),
		result("a/one", "h", false, fail, benchmark.SyntaxError),
	}
	score := ScoreOf(results, 2)
	at := func(scores []PassAt, k int) float64 { v, _ := At(scores, k); return v }
	for _, c := range []struct {
		what      string
		got, want float64
	}{
		{"pass@1 of a/one: (1 + 1/2 + 0) / 3", at(score.Repositories[0].PassAt, 1), 0.5},
		{"pass@2 of a/one: (1 + 1 + 0) / 3", at(score.Repositories[0].PassAt, 2), 2.0 / 3},
		{"pass@1 of b/two", at(score.Repositories[1].PassAt, 1), 0},
		{"pass@1: mean of repositories", at(score.PassAt, 1), 0.25},
		{"pass@2: mean of repositories", at(score.PassAt, 2), 1.0 / 3},
		{"pass@1 over all tasks", at(score.Micro, 1), 1.5 / 4},
		{"coverage", score.Coverage(), 0.5},
		{"coverage of a/one", score.Repositories[0].Coverage(), 2.0 / 3},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
		}
	}
	if score.Tasks != 4 || score.Samples != 8 || score.Verdicts[pass] != 3 || score.Verdicts[benchmark.SyntaxError] != 1 {
		t.Errorf("counts: %+v", score)
	}
	slices.Reverse(results)
	if again := ScoreOf(results, 2); !reflect.DeepEqual(again, score) {
		t.Errorf("the order of results matters:\n%+v\n%+v", again, score)
	}
}

// TestInfraErrorsCountForNobody: the sample is left out; a task that keeps
// fewer than k samples leaves pass@k, and a repository without any does too.
func TestInfraErrorsCountForNobody(t *testing.T) {
	score := ScoreOf([]TaskResult{
		result("a/one", "f", true, pass, infra),
		result("a/one", "g", true, fail, fail),
		result("b/two", "f", true, infra, infra),
	}, 2)
	want := []PassAt{{K: 1, Value: 0.5, Tasks: 2, Missing: 1}, {K: 2, Value: 0, Tasks: 1, Missing: 2}}
	if !reflect.DeepEqual(score.PassAt, want) {
		t.Errorf("got %+v, want %+v", score.PassAt, want)
	}
	if score.Samples != 3 || score.Verdicts[infra] != 3 || score.Tasks != 3 {
		t.Errorf("counts: %+v", score)
	}
	if _, ok := At(score.Repositories[1].PassAt, 1); ok {
		t.Error("b/two has a pass@1 although no sample counts")
	}
}

func TestScoreOfNothing(t *testing.T) {
	score := ScoreOf(nil, 3)
	if _, ok := At(score.PassAt, 1); ok || score.Coverage() != 0 || score.Tasks != 0 {
		t.Errorf("%+v", score)
	}
}
