package build

import (
	"context"
	"fmt"
	"strings"

	"touchstone/internal/doctocode"
	"touchstone/internal/pyharness"
)

// suiteRuns is how often the tests run; a test has to pass each time.
const suiteRuns = 3

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

// detail says, for a person, why the test did not pass.
func (t suiteTest) detail() string {
	for _, p := range t.Phases {
		if p.Outcome != "passed" {
			return p.Outcome + " in " + p.When + ": " + lastLines(p.Detail, 6)
		}
	}
	if len(t.Phases) > 0 {
		return fmt.Sprintf("%d results of setup, call and teardown instead of one each (subtests are not supported)", len(t.Phases))
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

// runSuite runs the tests three times and keeps those that always pass. Tests
// that hang or end the process are taken out, up to the limit. An error is a
// *SuiteError when the tests cannot be used.
func runSuite(ctx context.Context, server *pyharness.Server, repository string, deselect []string, limits Limits, progress Progress) (*suite, error) {
	result := &suite{Seconds: map[string]float64{}, Deselected: append([]string{}, deselect...)}
	var runs []suiteAnswer
	removed := 0
	for len(runs) < suiteRuns {
		progress("tests", len(runs), suiteRuns)
		var answer suiteAnswer
		request := map[string]any{"wall": limits.Suite.Seconds(), "test_wall": limits.Test.Seconds(), "deselect": result.Deselected}
		if err := server.Call(ctx, "suite", request, &answer); err != nil {
			return nil, err
		}
		switch {
		case answer.Ended:
			runs = append(runs, answer)
			continue
		case answer.TimedOut && answer.Current == "":
			return nil, &SuiteError{fmt.Sprintf("collecting the tests did not end within %s", limits.Suite)}
		case answer.TimedOut:
			return nil, &SuiteError{fmt.Sprintf("the suite did not end within %s; it was at %s (deselect slow tests in a recipe)", limits.Suite, answer.Current)}
		case answer.Current == "":
			return nil, &SuiteError{"the suite ended before its first test" + collectionWords(answer)}
		}
		why := "ends the process"
		if answer.TestTimedOut {
			why = fmt.Sprintf("runs longer than %s", limits.Test)
		}
		if removed == limits.Removed {
			return nil, &SuiteError{fmt.Sprintf("%d tests that hang or end the process were taken out, and %q still %s: %s",
				removed, answer.Current, why, lastLines(answer.Output, 8))}
		}
		removed++
		result.takeOut(repository, answer.Current, why)
		runs = nil
	}
	progress("tests", suiteRuns, suiteRuns)
	if len(runs[0].Tests) == 0 {
		return nil, &SuiteError{"no test was collected" + collectionWords(runs[0])}
	}
	for _, c := range runs[0].Collection {
		result.Notes = append(result.Notes, fmt.Sprintf("%s could not be collected: %s", c.Node, lastLines(c.Detail, 3)))
		result.drop(repository, c.Node, doctocode.ReasonFailing, "not collected: "+lastLines(c.Detail, 3))
	}
	result.judge(repository, runs)
	if len(result.Passing) == 0 {
		return nil, &SuiteError{result.nonePasses(len(runs[0].Tests))}
	}
	return result, nil
}

func (s *suite) takeOut(repository, test, why string) {
	s.Deselected = append(s.Deselected, test)
	s.drop(repository, test, doctocode.ReasonFailing, why)
	s.Notes = append(s.Notes, fmt.Sprintf("test %s %s and was taken out", test, why))
}

func (s *suite) drop(repository, id, reason, detail string) {
	s.Dropped = append(s.Dropped, doctocode.Dropped{Repository: repository, Kind: "test", ID: id, Reason: reason, Detail: detail})
}

// nonePasses says why, when not one of so many collected tests is left.
func (s *suite) nonePasses(collected int) string {
	reasons := map[string]int{}
	for _, d := range s.Dropped {
		reasons[d.Reason]++
	}
	if len(reasons) == 1 && reasons[doctocode.ReasonSkipped] > 0 {
		return fmt.Sprintf("all of the %d tests are skipped or expected to fail; the first: %s", collected, s.Dropped[0].ID+" "+s.Dropped[0].Detail)
	}
	for _, d := range s.Dropped {
		if d.Reason != doctocode.ReasonSkipped {
			return fmt.Sprintf("none of %d tests passes three times; the first: %s", collected, d.ID+" "+d.Detail)
		}
	}
	return fmt.Sprintf("none of %d tests passes three times", collected)
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
