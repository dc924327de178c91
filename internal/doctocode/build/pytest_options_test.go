package build

import (
	"slices"
	"strings"
	"testing"
)

func TestCleanAddopts(t *testing.T) {
	for _, c := range []struct{ what, addopts, kept, dropped string }{
		{"which tests there are is kept", "-m slow --ignore=docs --import-mode=importlib -W error tests", "-m slow --ignore=docs --import-mode=importlib -W error tests", ""},
		{"coverage", "--cov=tool --cov-report xml --cov-fail-under=99 --no-cov-on-fail --cov", "", "--cov=tool|--cov-report xml|--cov-fail-under=99|--no-cov-on-fail|--cov"},
		{"several processes", "-n 4 --dist loadfile -nauto", "", "-n 4|--dist loadfile|-nauto"},
		{"ending early", "-x --maxfail 3 --lf -k fast", "-k fast", "-x|--maxfail 3|--lf"},
		{"reports", "-ra -q -vvs -rxXs -r a --tb=short --durations 5 --junitxml out.xml --html=report.html", "", "-ra|-q|-vvs|-rxXs|-r a|--tb=short|--durations 5|--junitxml out.xml|--html=report.html"},
		{"style", "--flake8 --mypy --black --pylint --isort --strict-markers", "", "--flake8|--mypy|--black|--pylint|--isort|--strict-markers"},
		{"examples in docstrings", "--doctest-modules --doctest-glob=*.rst --doctest-report ndiff", "", "--doctest-modules|--doctest-glob=*.rst|--doctest-report ndiff"},
		{"retries and shuffling", "--reruns 3 --random-order --timeout=60", "", "--reruns 3|--random-order|--timeout=60"},
		{"plugins", "-p xdist -p no:warnings -pno:cacheprovider -p tool.plugin", "-p no:warnings -p tool.plugin", "-p xdist|-pno:cacheprovider"},
		{"options of plugins that shape tests", "--asyncio-mode=auto --benchmark-disable --snapshot-update", "--asyncio-mode=auto --benchmark-disable --snapshot-update", ""},
		{"an option after one that lacks its value", "--maxfail -k fast", "-k fast", "--maxfail"},
	} {
		kept, notes := cleanAddopts(strings.Fields(c.addopts))
		var dropped []string
		for _, n := range notes {
			dropped = append(dropped, n.Subject)
			if n.Text == "" {
				t.Errorf("%s: %s was dropped without a reason", c.what, n.Subject)
			}
		}
		if got := strings.Join(kept, " "); got != c.kept {
			t.Errorf("%s: %q is kept, want %q", c.what, got, c.kept)
		}
		if got := strings.Join(dropped, "|"); got != c.dropped {
			t.Errorf("%s: %q is dropped, want %q", c.what, got, c.dropped)
		}
	}
}

func TestPytestArgsAreQuotedForPytest(t *testing.T) {
	got := pytestArgs([]string{"-m", "not slow", "--x=it's", ""})
	want := []string{"-o", `addopts=-m 'not slow' '--x=it'"'"'s' ''`}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDropOption(t *testing.T) {
	for _, c := range []struct{ addopts, option, want string }{
		{"-a --unknown=3 -b", "--unknown=3", "-a -b"},
		{"-a --unknown 3 -b", "--unknown", "-a -b"},
		{"-a --unknown -b", "--unknown", "-a -b"},
		{"-a -b", "--unknown", "-a -b"},
	} {
		if got := strings.Join(dropOption(strings.Fields(c.addopts), c.option), " "); got != c.want {
			t.Errorf("%q without %s is %q, want %q", c.addopts, c.option, got, c.want)
		}
	}
}
