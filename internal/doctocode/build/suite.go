package build

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"time"

	"touchstone/internal/doctocode"
	"touchstone/internal/pyharness"
)

const (
	suiteRuns   = 3                // a test has to pass all of them
	suiteWall   = 20 * time.Minute // one run of the whole suite
	testWall    = 60 * time.Second // any one test of it
	mostRemoved = 8                // hanging or crashing tests taken out before the repository is given up
)

// suiteTest is a test as the harness reports it.
type suiteTest struct {
	ID     string       `json:"id"`
	Phases []suitePhase `json:"phases"`
}

type suitePhase struct {
	When    string  `json:"when"`
	Outcome string  `json:"outcome"`
	Seconds float64 `json:"seconds"`
	Detail  string  `json:"detail,omitempty"`
}

// passed: once each in setup, call and teardown, neither skipped nor expected to fail.
func (t suiteTest) passed() bool {
	if len(t.Phases) != 3 {
		return false
	}
	for i, when := range []string{"setup", "call", "teardown"} {
		if t.Phases[i].When != when || t.Phases[i].Outcome != "passed" {
			return false
		}
	}
	return true
}

// skipped: left out or expected to fail by the suite itself.
func (t suiteTest) skipped() bool {
	skipped := false
	for _, p := range t.Phases {
		if p.Outcome == "failed" {
			return false
		}
		skipped = skipped || p.Outcome == "skipped"
	}
	return skipped
}

func (t suiteTest) seconds() float64 {
	var sum float64
	for _, p := range t.Phases {
		sum += p.Seconds
	}
	return sum
}

func (t suiteTest) detail() string {
	for _, p := range t.Phases {
		if p.Outcome != "passed" {
			return p.Outcome + " in " + p.When + ": " + lastLines(p.Detail, 6)
		}
	}
	return "not run"
}

// suiteAnswer is the harness's answer to suite and trace.
type suiteAnswer struct {
	Tests      []suiteTest `json:"tests"`
	Collection []struct {
		Node   string `json:"node"`
		Detail string `json:"detail"`
	} `json:"collection"`
	Ended        bool           `json:"ended"`
	Status       int            `json:"status"`
	TimedOut     bool           `json:"timed_out"`
	TestTimedOut bool           `json:"test_timed_out"`
	Current      string         `json:"current"`
	Signal       int            `json:"signal"`
	Seconds      float64        `json:"seconds"`
	Output       string         `json:"output"`
	Reached      []reachedPlace `json:"reached"`
}

// reachedPlace is a function that was entered, and the tests during which; ""
// stands for the time when no test ran.
type reachedPlace struct {
	Path  string   `json:"path"`
	Name  string   `json:"name"`
	Line  int      `json:"line"`
	Tests []string `json:"tests"`
}

// suite is what three runs of a repository's tests have shown.
type suite struct {
	Passing    []string            `json:"passing"` // in the suite's order
	Seconds    map[string]float64  `json:"-"`       // of each passing test, the median run; kept in a file of its own
	Deselected []string            `json:"deselected"`
	Dropped    []doctocode.Dropped `json:"dropped"`
	Notes      []string            `json:"notes"`
}

// A SuiteError says why a repository's tests cannot be used.
type SuiteError struct{ Why string }

func (e *SuiteError) Error() string { return e.Why }

// runSuite runs the tests three times and keeps those that always pass.
func runSuite(ctx context.Context, server *pyharness.Server, repository string, deselect []string, progress Progress) (*suite, error) {
	result := &suite{Seconds: map[string]float64{}, Deselected: append([]string{}, deselect...)}
	var runs []suiteAnswer
	removed := 0
	for len(runs) < suiteRuns {
		progress("tests", len(runs), suiteRuns)
		var answer suiteAnswer
		request := map[string]any{"wall": suiteWall.Seconds(), "test_wall": testWall.Seconds(), "deselect": result.Deselected}
		if err := server.Call(ctx, "suite", request, &answer); err != nil {
			return nil, err
		}
		if answer.TimedOut && answer.Current == "" {
			return nil, &SuiteError{fmt.Sprintf("collecting the tests did not end within %s", suiteWall)}
		}
		if answer.TimedOut {
			return nil, &SuiteError{fmt.Sprintf("the suite did not end within %s; it was at %s (deselect slow tests in a recipe)", suiteWall, answer.Current)}
		}
		if !answer.Ended {
			why := "ends the process"
			if answer.TestTimedOut {
				why = fmt.Sprintf("runs longer than %s", testWall)
			}
			if answer.Current == "" || removed == mostRemoved {
				return nil, &SuiteError{fmt.Sprintf("the suite cannot be run to its end (%d tests taken out before); the last test, %q, %s: %s",
					removed, answer.Current, why, lastLines(answer.Output, 8))}
			}
			removed++
			result.Deselected = append(result.Deselected, answer.Current)
			result.Dropped = append(result.Dropped, doctocode.Dropped{Repository: repository, Kind: "test", ID: answer.Current,
				Reason: doctocode.ReasonFailing, Detail: why})
			result.Notes = append(result.Notes, fmt.Sprintf("test %s %s and was taken out", answer.Current, why))
			runs = nil
			continue
		}
		runs = append(runs, answer)
	}
	progress("tests", suiteRuns, suiteRuns)
	if len(runs[0].Tests) == 0 {
		return nil, &SuiteError{"no test was collected" + collectionWords(runs[0])}
	}
	for _, c := range runs[0].Collection {
		result.Notes = append(result.Notes, fmt.Sprintf("%s could not be collected: %s", c.Node, lastLines(c.Detail, 3)))
		result.Dropped = append(result.Dropped, doctocode.Dropped{Repository: repository, Kind: "test", ID: c.Node,
			Reason: doctocode.ReasonFailing, Detail: "not collected: " + lastLines(c.Detail, 3)})
	}
	result.judge(repository, runs)
	if len(result.Passing) == 0 {
		return nil, &SuiteError{fmt.Sprintf("none of %d tests passes three times; the first: %s", len(runs[0].Tests), firstDetail(runs[0]))}
	}
	return result, nil
}

func (s *suite) judge(repository string, runs []suiteAnswer) {
	type history struct {
		seen, passed, skipped int
		seconds               []float64
		detail                string
	}
	histories := map[string]*history{}
	var order []string
	for _, run := range runs {
		for _, t := range run.Tests {
			h := histories[t.ID]
			if h == nil {
				h = &history{}
				histories[t.ID] = h
				order = append(order, t.ID)
			}
			h.seen++
			if t.passed() {
				h.passed++
				h.seconds = append(h.seconds, t.seconds())
				continue
			}
			if t.skipped() {
				h.skipped++
			}
			if h.detail == "" {
				h.detail = t.detail()
			}
		}
	}
	drop := func(id, reason, detail string) {
		s.Dropped = append(s.Dropped, doctocode.Dropped{Repository: repository, Kind: "test", ID: id, Reason: reason, Detail: detail})
	}
	network := 0
	for _, id := range order {
		h := histories[id]
		switch {
		case h.passed == len(runs) && h.seen == len(runs):
			s.Passing = append(s.Passing, id)
			sort.Float64s(h.seconds)
			s.Seconds[id] = h.seconds[len(h.seconds)/2]
		case h.seen != len(runs) && h.passed > 0:
			drop(id, doctocode.ReasonFlaky, fmt.Sprintf("collected %d times in %d runs", h.seen, len(runs)))
		case h.passed > 0:
			drop(id, doctocode.ReasonFlaky, fmt.Sprintf("passed %d of %d runs; %s", h.passed, len(runs), h.detail))
		case h.skipped == h.seen:
			drop(id, doctocode.ReasonSkipped, h.detail)
		default:
			if needsNetwork(h.detail) {
				network++
			}
			drop(id, doctocode.ReasonFailing, h.detail)
		}
	}
	if network > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d tests need the network, which the sandbox does not have, and were left out", network))
	}
}

func needsNetwork(detail string) bool {
	for _, sign := range []string{"Name or service not known", "Temporary failure in name resolution", "Network is unreachable",
		"NameResolutionError", "getaddrinfo", "ConnectionRefusedError", "Failed to establish a new connection"} {
		if strings.Contains(detail, sign) {
			return true
		}
	}
	return false
}

func collectionWords(a suiteAnswer) string {
	if len(a.Collection) > 0 {
		return fmt.Sprintf("; %d files could not be, the first %s: %s", len(a.Collection), a.Collection[0].Node, lastLines(a.Collection[0].Detail, 6))
	}
	if out := lastLines(a.Output, 6); out != "" {
		return "; pytest says: " + out
	}
	return ""
}

func firstDetail(a suiteAnswer) string {
	for _, t := range a.Tests {
		if !t.passed() {
			return t.ID + " " + t.detail()
		}
	}
	return ""
}

// lastLines is the end of a text, without blank lines.
func lastLines(s string, n int) string {
	var lines []string
	for _, line := range strings.Split(s, "\n") {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, strings.TrimRight(line, " \r"))
		}
	}
	if len(lines) > n {
		lines = lines[len(lines)-n:]
	}
	return strings.Join(lines, "\n")
}
