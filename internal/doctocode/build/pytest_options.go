package build

import (
	"slices"
	"strings"
)

// A pytestOption is an option of addopts that does not fit a benchmark run.
type pytestOption struct {
	names  []string // a name that ends with * stands for every option that begins so
	values bool     // the next word is its value unless it follows an =
	why    string
}

// unfitOptions are dropped from addopts. What is not listed is kept: it may
// decide which tests there are.
var unfitOptions = []pytestOption{
	{[]string{"--cov"}, false, "coverage is not measured"},
	{[]string{"--cov-report", "--cov-config", "--cov-context", "--cov-fail-under"}, true, "coverage is not measured"},
	{[]string{"--cov-*", "--no-cov*"}, false, "coverage is not measured"},
	{[]string{"-n", "--numprocesses", "--dist", "--maxprocesses", "--tx"}, true, "tests run in one process"},
	{[]string{"-x", "--exitfirst", "--stepwise", "--sw", "--lf", "--last-failed", "--ff", "--failed-first", "--nf", "--new-first", "--cache-clear", "--stepwise-skip", "--sw-skip"}, false, "which tests run must not depend on earlier results"},
	{[]string{"--maxfail"}, true, "which tests run must not depend on earlier results"},
	{[]string{"--reruns", "--reruns-delay", "--force-flaky", "--max-runs", "--min-passes"}, true, "a test that needs a second try is flaky"},
	{[]string{"--random-order*", "--randomly*"}, false, "tests run in the order in which they stand"},
	{[]string{"--timeout", "--timeout-method", "--timeout_method"}, true, "the sandbox has its own time limits"},
	{[]string{"--pdb", "--trace", "--setup-show"}, false, "nobody watches the run"},
	{[]string{"--basetemp", "--rootdir", "-c", "--config-file", "--confcutdir"}, true, "the run has its own folders"},
	{[]string{"--junit*", "--html*", "--self-contained-html", "--report-log*", "--json-report*", "--alluredir*", "--md*", "--csv*"}, false, "the run has its own report"},
	{[]string{"--junitxml", "--junit-xml", "--html", "--report-log", "--alluredir"}, true, "the run has its own report"},
	{[]string{"--verbose", "--quiet", "--no-header", "--no-summary", "--showlocals", "--full-trace", "--instafail", "--show-capture*", "--force-sugar", "--code-highlight*", "--disable-warnings", "--disable-pytest-warnings", "--no-showlocals", "--force-short-summary", "--xfail-tb", "--console-output-style*", "--print*"}, false, "the run has its own report"},
	{[]string{"--tb", "--color", "--durations", "--durations-min", "--capture", "--verbosity", "--show-capture"}, true, "the run has its own report"},
	{[]string{"--flake8*", "--flakes", "--mypy*", "--black*", "--pylint*", "--isort*", "--ruff*", "--pycodestyle", "--pep8", "--pydocstyle*", "--checkdocs", "--codestyle", "--docstyle", "--bandit", "--mccabe"}, false, "checks of style are no tests of behaviour"},
	{[]string{"--doctest-*", "--xdoctest*", "--xdoc*", "--nbval*", "--nbmake*", "--sphinx", "--phmdoctest*"}, false, "examples in docstrings are what submissions change"},
	{[]string{"--doctest-glob", "--doctest-report"}, true, "examples in docstrings are what submissions change"},
	{[]string{"--strict", "--strict-config", "--strict-markers"}, false, "checks of configuration are no tests of behaviour"},
	{[]string{"--benchmark-autosave", "--benchmark-save*", "--benchmark-histogram*", "--benchmark-json*", "--benchmark-compare*", "--benchmark-storage*", "--codspeed", "--memray", "--profile*", "--testmon*", "--picked*"}, false, "the run has its own report"},
}

// unfitLetters are the short options of the same kinds, which may be joined:
// -vvs. -r takes the rest of its word.
const unfitLetters = "vqsxl"

// unfitPlugins are plugins whose loading by -p is dropped.
var unfitPlugins = []string{"xdist", "pytest_cov", "pytest_xdist", "no:cacheprovider", "cacheprovider"}

// cleanAddopts splits a repository's addopts into what is kept and notes on
// what is dropped.
func cleanAddopts(addopts []string) (kept []string, notes []Note) {
	drop := func(words []string, why string) {
		notes = append(notes, Note{Step: "discovery", Subject: strings.Join(words, " "), Text: "this pytest option was dropped: " + why})
	}
	for i := 0; i < len(addopts); i++ {
		word := addopts[i]
		if o, ok := unfit(word); ok {
			end := i + 1
			if o.values && !strings.Contains(word, "=") && (len(word) == 2 || word[:2] == "--") && end < len(addopts) && !strings.HasPrefix(addopts[end], "-") {
				end++
			}
			drop(addopts[i:end], o.why)
			i = end - 1
			continue
		}
		if word == "-p" && i+1 < len(addopts) {
			if slices.Contains(unfitPlugins, addopts[i+1]) {
				drop(addopts[i:i+2], "the run has its own plugins")
			} else {
				kept = append(kept, word, addopts[i+1])
			}
			i++
			continue
		}
		kept = append(kept, word)
	}
	return kept, notes
}

// unfit finds the rule for one word of addopts.
func unfit(word string) (pytestOption, bool) {
	if name, ok := strings.CutPrefix(word, "-p"); ok && slices.Contains(unfitPlugins, name) {
		return pytestOption{why: "the run has its own plugins"}, true
	}
	if isReportLetters(word) {
		return pytestOption{why: "the run has its own report", values: word == "-r"}, true
	}
	if len(word) > 2 && word[0] == '-' && word[1] == 'n' { // -n4, -nauto
		return pytestOption{why: "tests run in one process"}, true
	}
	name, _, _ := strings.Cut(word, "=")
	for exact := range 2 {
		for _, o := range unfitOptions {
			for _, n := range o.names {
				prefix, open := strings.CutSuffix(n, "*")
				if exact == 0 && n == name || exact == 1 && open && strings.HasPrefix(name, prefix) {
					return o, true
				}
			}
		}
	}
	return pytestOption{}, false
}

// isReportLetters reports whether a word is only short options that shape the
// report or stop the run: -v, -vvs, -ra, -q.
func isReportLetters(word string) bool {
	if len(word) < 2 || word[0] != '-' || word[1] == '-' {
		return false
	}
	letters, _, report := strings.Cut(word[1:], "r")
	for _, c := range letters {
		if !strings.ContainsRune(unfitLetters, c) {
			return false
		}
	}
	return report || letters != ""
}

// dropOption takes an option that no plugin knows out of addopts, with its
// value when one follows.
func dropOption(addopts []string, option string) []string {
	name, _, _ := strings.Cut(option, "=")
	var kept []string
	for i := 0; i < len(addopts); i++ {
		word, _, valued := strings.Cut(addopts[i], "=")
		if word != name {
			kept = append(kept, addopts[i])
			continue
		}
		if !valued && i+1 < len(addopts) && !strings.HasPrefix(addopts[i+1], "-") {
			i++
		}
	}
	return kept
}

// pytestArgs are the arguments of every pytest run of the repository: its own
// addopts as far as they fit, in place of what its configuration says.
func pytestArgs(addopts []string) []string {
	quoted := make([]string, len(addopts))
	for i, w := range addopts {
		quoted[i] = shellQuote(w)
	}
	return []string{"-o", "addopts=" + strings.Join(quoted, " ")}
}

// shellQuote writes a word so that Python's shlex reads it back.
func shellQuote(word string) string {
	if word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_=./:,@%+", r))
	}) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}
