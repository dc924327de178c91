package evaluate

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/llm"
)

// scripted gives replies by a script and remembers what it was asked.
type scripted struct {
	script func(evaluator.Request) (string, error)
	mu     sync.Mutex
	asked  map[string]int
}

func (*scripted) Name() string        { return "scripted" }
func (*scripted) Fingerprint() string { return "scripted/1" }
func (*scripted) Samples() int        { return 1 }

func (s *scripted) Complete(ctx context.Context, r evaluator.Request) (llm.Completion, error) {
	s.mu.Lock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[fmt.Sprintf("%s %d", r.ID, r.Sample)]++
	s.mu.Unlock()
	text, err := s.script(r)
	return llm.Completion{Text: text, Model: "scripted"}, err
}

// recorded is an evaluator of lines of completions.jsonl.
func recorded(t *testing.T, lines string) evaluator.Evaluator {
	t.Helper()
	r, err := evaluator.ReadRecorded(strings.NewReader(lines), "replies.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func replyLine(task, body string) string {
	return fmt.Sprintf("{\"task_id\":%q,\"completion\":\"```python\\n%s\\n```\"}\n", task, body)
}

// TestRun evaluates a small release in the real sandbox.
func TestRun(t *testing.T) {
	o := toolRelease(t)
	with := func(e evaluator.Evaluator, docs evaluator.Docs, samples int, out string) Options {
		q := o
		q.Evaluator, q.Docs, q.Samples = e, docs, samples
		if out != "" {
			q.Out = filepath.Join(t.TempDir(), out)
		}
		return q
	}
	run := func(t *testing.T, o Options) Result {
		t.Helper()
		r, err := Run(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}

	t.Run("the controls", func(t *testing.T) {
		for _, c := range []struct {
			evaluator  evaluator.Evaluator
			docs       evaluator.Docs
			want       float64
			documented int
		}{
			{evaluator.Reference, evaluator.Original(), 1, 1},
			{evaluator.Stub, evaluator.NoDocs(), 0, 0},
		} {
			r := run(t, with(c.evaluator, c.docs, 1, ""))
			if v, ok := doctocode.At(r.Score.PassAt, 1); !ok || v != c.want || r.Score.Documented != c.documented || r.Ran != 2 {
				t.Errorf("%s: pass@1 %g, documented %d, ran %d", c.evaluator.Name(), v, r.Score.Documented, r.Ran)
			}
		}
	})

	t.Run("every kind of reply", func(t *testing.T) {
		replies := map[string]string{
			"double 0": "```python\nreturn 2 * x\n```", "double 1": "```python\nreturn x\n```", "double 2": "```python\nreturn (\n```", "double 3": "",
			"bare 0": "```python\nwhile True: pass\n```", "bare 1": "```python\nimport os; os._exit(0)\n```",
		}
		e := &scripted{script: func(r evaluator.Request) (string, error) {
			name := r.ID[strings.LastIndexByte(r.ID, ':')+1:]
			if text, ok := replies[fmt.Sprintf("%s %d", name, r.Sample)]; ok {
				return text, nil
			}
			if r.Sample == 2 {
				return "", llm.ErrContextTooLong
			}
			return "", evaluator.ErrNoCompletion
		}}
		q := with(e, evaluator.Original(), 4, "results")
		r := run(t, q)
		got := map[string]benchmark.Verdict{}
		for _, s := range r.Samples {
			got[fmt.Sprintf("%s %d", s.Task, s.Sample)] = s.Verdict
		}
		want := map[string]benchmark.Verdict{
			taskDouble + " 0": benchmark.Passed, taskDouble + " 1": benchmark.Failed, taskDouble + " 2": benchmark.SyntaxError, taskDouble + " 3": benchmark.NoCode,
			taskBare + " 0": benchmark.Timeout, taskBare + " 1": benchmark.Error, taskBare + " 2": benchmark.NoCode, taskBare + " 3": benchmark.InfraError,
		}
		if !maps.Equal(got, want) {
			t.Errorf("the verdicts are %v, want %v", got, want)
		}
		if v, _ := doctocode.At(r.Score.PassAt, 1); v != 0.125 || r.Missing.Samples != 1 || r.Missing.Replies != 1 || r.Missing.Tasks != nil || r.Ran != 6 {
			t.Errorf("pass@1 is %g, want (1/4 + 0/3) / 2; missing %+v; ran %d", v, r.Missing, r.Ran)
		}
		// Again: only what the machine failed is asked for.
		clear(e.asked)
		again := run(t, q)
		if want := map[string]int{taskBare + " 3": 1}; !maps.Equal(e.asked, want) || !reflect.DeepEqual(again.Score, r.Score) {
			t.Errorf("asked again: %v; the score is %+v, was %+v", e.asked, again.Score, r.Score)
		}
	})

	t.Run("an interrupted evaluation goes on", func(t *testing.T) {
		const samples = 6
		e := &scripted{script: func(r evaluator.Request) (string, error) {
			return map[bool]string{true: "return x + x", false: "return x - 1"}[r.Sample%2 == 0], nil
		}}
		whole := run(t, with(e, evaluator.Original(), samples, ""))
		clear(e.asked)
		q := with(e, evaluator.Original(), samples, "a folder with spaces")
		q.Workers, q.Requests = 1, 1
		for stop := 2; stop < 2*samples; stop += 4 {
			ctx, cancel := context.WithCancel(t.Context())
			q.Progress = func(_ string, done, _ int) {
				if done == stop {
					cancel()
				}
			}
			if _, err := Run(ctx, q); !errors.Is(err, context.Canceled) {
				t.Fatalf("interrupted, it ended with %v", err)
			}
		}
		first := -1
		q.Progress = func(_ string, done, _ int) {
			if first < 0 {
				first = done
			}
		}
		r := run(t, q)
		if first != 2*samples-r.Ran || first < 6 {
			t.Errorf("progress begins with %d samples found finished, %d were executed", first, r.Ran)
		}
		q.Progress = o.Progress
		if !reflect.DeepEqual(r.Score, whole.Score) || len(r.Samples) != 2*samples {
			t.Errorf("the score is %+v, undisturbed %+v", r.Score, whole.Score)
		}
		if r.Ran >= 2*samples-6 {
			t.Errorf("the last call executed %d samples, though most were known", r.Ran)
		}
		finished := files(t, q.Out)
		if last := run(t, q); last.Ran != 0 || !maps.Equal(files(t, q.Out), finished) {
			t.Errorf("finished, it executed %d samples again", last.Ran)
		}
	})

	t.Run("what cannot be mended ends it, and keeps what is done", func(t *testing.T) {
		broke := true
		e := &scripted{script: func(r evaluator.Request) (string, error) {
			if broke && r.ID == taskBare {
				return "", llm.ErrBudgetExhausted
			}
			return "return x + x", nil
		}}
		q := with(e, evaluator.Original(), 1, "results")
		q.Workers, q.Requests = 0, 0 // at least one of each all the same
		if _, err := Run(t.Context(), q); !errors.Is(err, llm.ErrBudgetExhausted) || !strings.Contains(err.Error(), taskBare+", sample 0") {
			t.Fatalf("it ended with %v", err)
		}
		broke = false
		if r := run(t, q); len(r.Samples) != 2 {
			t.Errorf("there are %d samples", len(r.Samples))
		}
	})

	t.Run("recorded replies are added", func(t *testing.T) {
		double := replyLine(taskDouble, "return x + x")
		q := with(recorded(t, double), evaluator.Original(), 1, "results")
		r := run(t, q)
		if v, _ := doctocode.At(r.Score.PassAt, 1); v != 1 || r.Ran != 1 || !reflect.DeepEqual(r.Missing, Missing{Samples: 1, Replies: 1, Tasks: []string{taskBare}}) {
			t.Errorf("pass@1 is %g, missing %+v, ran %d", v, r.Missing, r.Ran)
		}
		for _, c := range []struct{ what, lines, want string }{
			{"another reply", replyLine(taskDouble, "return 2 * x"), "these have another reply to sample 0 of " + taskDouble},
			{"the reply is gone", replyLine(taskBare, "return x - 1"), "these have no reply to sample 0 of " + taskDouble},
		} {
			before := files(t, q.Out)
			q.Evaluator = recorded(t, c.lines)
			var input *benchmark.InputError
			if _, err := Run(t.Context(), q); !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", c.what, err, c.want)
			}
			if after := files(t, q.Out); !maps.Equal(before, after) {
				t.Errorf("%s: the folder was changed: %v", c.what, after)
			}
		}
		q.Evaluator = recorded(t, replyLine(taskBare, "return x")+double)
		r = run(t, q)
		if v, _ := doctocode.At(r.Score.PassAt, 1); v != 0.5 || r.Ran != 1 || r.Missing.Samples != 0 {
			t.Errorf("with the reply added, pass@1 is %g, missing %+v, ran %d", v, r.Missing, r.Ran)
		}
		q.Evaluator = evaluator.Stub
		if _, err := Run(t.Context(), q); err == nil || !strings.Contains(err.Error(), "its evaluator is recorded, not stub") {
			t.Errorf("another evaluator: %v", err)
		}
	})

	t.Run("no sample", func(t *testing.T) {
		var input *benchmark.InputError
		if _, err := Run(t.Context(), with(evaluator.Stub, evaluator.Original(), -1, "")); !errors.As(err, &input) {
			t.Errorf("got %v", err)
		}
	})
}
