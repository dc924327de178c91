package measures

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"touchstone/internal/doctocode/helpfulness"
	"touchstone/internal/llm"
)

// The grades of helpfulness.
const (
	Helpful            Key = "helpfulness"
	HelpfulSummary     Key = "helpfulness_summary"
	HelpfulDescription Key = "helpfulness_description"
	HelpfulParameters  Key = "helpfulness_parameters"
)

// Helpfulness asks a language model how much docstrings help.
type Helpfulness struct {
	Judge *llm.Client // nil: none is configured
}

// Judging is a model's configuration as a judge's: one sample, at the
// temperature that the measure is defined with.
func Judging(c llm.Config) llm.Config {
	temperature := helpfulness.Temperature
	c.Samples, c.Temperature = 1, &temperature
	return c
}

func (Helpfulness) Measures() []Key {
	return []Key{Helpful, HelpfulSummary, HelpfulDescription, HelpfulParameters}
}

// Version holds the prompt and everything about the judge that replies depend on.
func (h Helpfulness) Version() string {
	if h.Judge == nil {
		return helpfulness.V1 + " without a judge"
	}
	return fmt.Sprintf("%s %s %s (%s)", helpfulness.V1, helpfulness.PromptSHA256()[:12], h.Judge.Fingerprint()[:23], h.Judge.Name())
}

func (h Helpfulness) Ready(context.Context) error {
	if h.Judge == nil {
		return errors.New("no judge is configured; name a model of the configuration: touchstone serve --judge NAME")
	}
	return h.Judge.Ready()
}

// mostRefusals is after how many failures in a row the rest is taken to fail, too.
const mostRefusals = 5

func (h Helpfulness) Compute(ctx context.Context, r Repository) ([][]float64, string, error) {
	if err := h.Ready(ctx); err != nil {
		return nil, "", err
	}
	all := columns(len(h.Measures()), len(r.Items))
	failures := &failures{}
	var work errgroup.Group
	work.SetLimit(max(1, h.Judge.Config().Concurrency))
	for i, item := range r.Items {
		for j := range all {
			all[j][i] = Undefined
		}
		parts := helpfulness.Split(item.Docstring.Text)
		if !item.Docstring.There || parts == (helpfulness.Parts{}) {
			continue
		}
		work.Go(func() error {
			grades, err := helpfulness.Grades(nil), failures.end()
			if err == nil {
				grades, err = helpfulness.Grade(ctx, h.Judge, item.Task, code(item), parts)
				failures.note(item.Task, err)
			} else {
				failures.skip()
			}
			for j, name := range append([]string{""}, helpfulness.Names...) {
				switch grade, ok := grades[name]; {
				case err != nil:
					all[j][i] = NotComputed
				case name == "":
					all[j][i] = grades.Mean()
				case ok:
					all[j][i] = float64(grade)
				}
			}
			return nil
		})
	}
	_ = work.Wait() // failures holds what went wrong
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	return all, failures.reason(), nil
}

// code is the function as the judge sees it: header and body, without a docstring.
func code(item Item) string {
	d := item.Definition
	return strings.TrimSpace(item.File.Text[d.Start:d.HeaderEnd]) + "\n" + item.Body
}

// failures are the tasks for which no grade came.
type failures struct {
	mu         sync.Mutex
	first      string // what was wrong, with the task
	unparsable int
	others     int // failed, or not asked for any more
	inARow     int
	fatal      error
}

// note keeps how a task went. A failure that will not go away by asking for
// another task ends the asking.
func (f *failures) note(task string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil {
		f.inARow = 0
		return
	}
	if f.first == "" {
		f.first = task + ": " + err.Error()
	}
	if _, ok := errors.AsType[*helpfulness.UnparsableError](err); ok {
		f.unparsable++
		return
	}
	f.others++
	f.inARow++
	if !errors.Is(err, llm.ErrContextTooLong) && !errors.Is(err, llm.ErrRefused) || f.inARow >= mostRefusals {
		f.fatal = err
	}
}

func (f *failures) skip() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.others++
}

// end is why no further task is asked for; nil while they are.
func (f *failures) end() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.fatal
}

func (f *failures) reason() string {
	var counts []string
	if f.unparsable > 0 {
		counts = append(counts, counted(f.unparsable, "unparsable reply", "unparsable replies"))
	}
	if f.others > 0 {
		counts = append(counts, counted(f.others, "task without a reply", "tasks without a reply"))
	}
	if len(counts) == 0 {
		return ""
	}
	return strings.Join(counts, ", ") + "; the first is " + f.first
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
