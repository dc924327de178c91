package build

import (
	"reflect"
	"strings"
	"testing"
)

// reports are the phases of a test in one run.
func reports(outcomes ...string) []suitePhase {
	var phases []suitePhase
	for i, when := range []string{"setup", "call", "teardown"} {
		if i < len(outcomes) {
			outcome, detail, _ := strings.Cut(outcomes[i], ": ")
			phases = append(phases, suitePhase{When: when, Outcome: outcome, Seconds: 1, Detail: detail})
		}
	}
	return phases
}

var (
	passes     = reports("passed", "passed", "passed")
	fails      = reports("passed", "failed: E  boom", "passed")
	setupFails = reports("failed: E  no fixture", "passed")
	downFails  = reports("passed", "passed", "failed: E  left open")
	skips      = reports("skipped: not now", "passed")
	xfails     = reports("passed", "skipped: expected", "passed")
	failsThere = reports("passed", "failed: E  boom\nat 0x7f0011223344\nafter 0.12s\non day 1", "passed")
	failsLater = reports("passed", "failed: E  boom\nat 0x7f5566778899\nafter 9.87s\non day 2", "passed")
	netFails   = reports("passed", "failed: socket.gaierror: [Errno -3] Temporary failure in name resolution", "passed")
)

// TestJudge: a test is kept when it passes all three runs in every phase.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		what    string
		runs    [3][]suiteTest
		passing []string
		dropped []string // "reason id: detail"
		notes   []string
	}{
		{
			what:    "it passes each time; the order is the suite's",
			runs:    each3(suiteTest{"b", passes}, suiteTest{"a", passes}),
			passing: []string{"b", "a"},
		},
		{
			what:    "it fails once",
			runs:    [3][]suiteTest{{{"a", passes}}, {{"a", fails}}, {{"a", passes}}},
			dropped: []string{"flaky a: passed 2 of 3 runs; failed in call: E  boom"},
		},
		{
			what:    "it is skipped once",
			runs:    [3][]suiteTest{{{"a", passes}}, {{"a", passes}}, {{"a", skips}}},
			dropped: []string{"flaky a: passed 2 of 3 runs; skipped in setup: not now"},
		},
		{
			what: "it fails each time, in any phase",
			runs: each3(suiteTest{"a", fails}, suiteTest{"b", setupFails}, suiteTest{"c", downFails}),
			dropped: []string{"failing a: failed in call: E  boom", "failing b: failed in setup: E  no fixture",
				"failing c: failed in teardown: E  left open"},
		},
		{
			what:    "it is skipped, or expected to fail",
			runs:    each3(suiteTest{"a", skips}, suiteTest{"b", xfails}),
			dropped: []string{"skipped a: skipped in setup: not now", "skipped b: skipped in call: expected"},
		},
		{
			what:    "it is skipped once and fails twice",
			runs:    [3][]suiteTest{{{"a", skips}}, {{"a", fails}}, {{"a", fails}}},
			dropped: []string{"failing a: …"},
		},
		{
			what:    "it is collected twice of three times",
			runs:    [3][]suiteTest{{{"a", passes}}, {}, {{"a", passes}}},
			dropped: []string{"flaky a: collected in 2 of 3 runs"},
		},
		{
			what:    "it turns up late",
			runs:    [3][]suiteTest{{{"b", passes}}, {{"b", passes}}, {{"a", passes}, {"b", passes}}},
			passing: []string{"b"},
			dropped: []string{"flaky a: collected in 1 of 3 runs"},
		},
		{
			what:    "it is collected once and fails",
			runs:    [3][]suiteTest{{{"a", fails}}, {}, {}},
			dropped: []string{"failing a: failed in call: E  boom"},
		},
		{
			what:    "several share an id",
			runs:    each3(suiteTest{"a", append(passes[:3:3], passes...)}, suiteTest{"a", append(passes[:3:3], passes...)}),
			dropped: []string{"ambiguous a: several tests have this id"},
		},
		{
			what: "the id holds an address",
			runs: [3][]suiteTest{{{"a[0x7f00112233]", passes}, {"a[0x7f00112244]", passes}}, {{"a[0x7f99112233]", passes}, {"a[0x7f99112244]", passes}},
				{{"a[0x7f55112233]", passes}, {"a[0x7f55112244]", passes}}},
			dropped: []string{"flaky a[…]: its id is another in every run"},
		},
		{
			what:    "the id holds a number that looks like an address, the same each time",
			runs:    each3(suiteTest{"a[0xdeadbeef]", passes}),
			passing: []string{"a[0xdeadbeef]"},
		},
		{
			what:    "it was collected and did not run",
			runs:    each3(suiteTest{"a", nil}),
			dropped: []string{"failing a: not run"},
		},
		{
			what:    "it reports a result twice",
			runs:    each3(suiteTest{"a", append(passes[:2:2], passes[1:]...)}),
			dropped: []string{"failing a: 4 results of setup, call and teardown instead of one each (subtests are not supported)"},
		},
		{
			what:    "what it says is not the same each time",
			runs:    [3][]suiteTest{{{"a", failsThere}}, {{"a", failsLater}}, {{"a", failsThere}}},
			dropped: []string{"failing a: failed in call: E  boom\nat …\nafter …\n…"},
		},
		{
			what:    "it needs the network",
			runs:    each3(suiteTest{"a", netFails}),
			dropped: []string{"failing a: failed in call: socket.gaierror: [Errno -3] Temporary failure in name resolution"},
			notes:   []string{"1 tests need the network, which the sandbox does not have, and were left out"},
		},
	} {
		s := suite{Seconds: map[string]float64{}}
		var runs []suiteAnswer
		for _, tests := range c.runs {
			runs = append(runs, suiteAnswer{Tests: tests})
		}
		s.judge("acme/tool", runs)
		var dropped []string
		for _, d := range s.Dropped {
			if d.Repository != "acme/tool" || d.Kind != "test" {
				t.Errorf("%s: %+v", c.what, d)
			}
			dropped = append(dropped, d.Reason+" "+d.ID+": "+steady(d.Detail))
		}
		if !reflect.DeepEqual(s.Passing, c.passing) || !reflect.DeepEqual(dropped, c.dropped) || !reflect.DeepEqual(s.Notes, c.notes) {
			t.Errorf("%s:\npassing %q, dropped %q, notes %q\nwant    %q, dropped %q, notes %q", c.what,
				s.Passing, dropped, s.Notes, c.passing, c.dropped, c.notes)
		}
		for _, id := range s.Passing {
			if s.Seconds[id] != 3 {
				t.Errorf("%s: %s took %g s, want 3", c.what, id, s.Seconds[id])
			}
		}
	}
}

// each3 is the same in three runs.
func each3(tests ...suiteTest) [3][]suiteTest { return [3][]suiteTest{tests, tests, tests} }

func TestTheMedianRunCounts(t *testing.T) {
	s := suite{Seconds: map[string]float64{}}
	var runs []suiteAnswer
	for _, seconds := range []float64{5, 1, 2} {
		phases := reports("passed", "passed", "passed")
		phases[1].Seconds = seconds
		runs = append(runs, suiteAnswer{Tests: []suiteTest{{"a", phases}}})
	}
	s.judge("acme/tool", runs)
	if s.Seconds["a"] != 4 {
		t.Errorf("it took %g s, want 1 + 2 + 1", s.Seconds["a"])
	}
}
