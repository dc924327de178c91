package build

import (
	"strings"
	"testing"

	"touchstone/internal/localization/history"
)

func TestPullRequestsAreRecognisedFromMessages(t *testing.T) {
	for _, c := range []struct {
		name, message string
		want          Pull
		none          bool
	}{
		{name: "a squash commit", message: "Fix the parser (#12)\n\n* one\n\n* two\n", want: Pull{Number: 12, Title: "Fix the parser", Body: "* one\n\n* two"}},
		{name: "trailers go, wherever they stand", message: "Fix (#1)\n\nWhy.\n\nSigned-off-by: A <a@b>\n\n* more\n\nCo-authored-by: B <b@c>\n\n---------\n\nReviewed-By: C\n",
			want: Pull{Number: 1, Title: "Fix", Body: "Why.\n\n* more"}},
		{name: "prose that looks like a trailer stays", message: "Fix (#1)\n\nFixes: the crash\nsigned-off-by hooks run first", want: Pull{Number: 1, Title: "Fix", Body: "Fixes: the crash\nsigned-off-by hooks run first"}},
		{name: "an issue and a pull request", message: "fix(x): handle y (fix #7) (#8)", want: Pull{Number: 8, Title: "fix(x): handle y (fix #7)"}},
		{name: "of two numbers the last", message: "Land it again (#10) (#12)", want: Pull{Number: 12, Title: "Land it again (#10)"}},
		{name: "a subject of two lines", message: "Fix the\nparser (#12)\n\nbody", want: Pull{Number: 12, Title: "Fix the parser", Body: "body"}},
		{name: "a title that was cut in two", message: "Use the faster way to stop the … (#9)\n\n…race of two\n\nBecause.", want: Pull{Number: 9, Title: "Use the faster way to stop the race of two", Body: "Because."}},
		{name: "an ellipsis of its own", message: "And so on… (#9)\n\nBody", want: Pull{Number: 9, Title: "And so on…", Body: "Body"}},
		{name: "line ends of another system", message: "Fix (#2)\r\n\r\nBody\r\nmore", want: Pull{Number: 2, Title: "Fix", Body: "Body\nmore"}},
		{name: "a merge commit", message: "Merge pull request #4 from ada/topic\n\nAdd a topic\n\nIt was missing.\n", want: Pull{Number: 4, Title: "Add a topic", Body: "It was missing.", Head: "ada/topic"}},
		{name: "a merge commit without a title", message: "Merge pull request #4 from ada/topic", want: Pull{Number: 4, Head: "ada/topic"}},
		{name: "a merge request", message: "Merge branch 'topic' into 'main'\n\nAdd a topic\n\nIt was missing.\n\nSee merge request group/sub/name!31", want: Pull{Number: 31, Title: "Add a topic", Body: "It was missing.", Head: "topic"}},
		{name: "nothing but a number", message: "(#3)", want: Pull{Number: 3}},
		{name: "an issue in the middle", message: "Fix (#3) for good", none: true},
		{name: "an issue without brackets", message: "Fix #3", none: true},
		{name: "a merge of a branch", message: "Merge branch 'main' into minor", none: true},
		{name: "a revert without a number of its own", message: `Revert "Fix (#3)"`, none: true},
		{name: "a number that is none", message: "Fix (#0)", none: true},
		{name: "a number beyond all bounds", message: "Fix (#99999999999999999999)", none: true},
		{name: "nothing", message: "", none: true},
		{name: "white space", message: " \n\n ", none: true},
	} {
		got, ok := Recognise(history.Commit{Message: c.message, Merge: true})
		if ok == c.none || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, ok, c.want)
		}
	}
}

func FuzzRecognise(f *testing.F) {
	f.Add("Fix (#12)\n\nbody\n\nSigned-off-by: a")
	f.Add("Merge pull request #4 from a/b\n\nTitle")
	f.Add("Merge branch 'x' into 'y'\n\nT\n\nSee merge request !3")
	f.Fuzz(func(t *testing.T, message string) {
		p, ok := Recognise(history.Commit{Message: message, Merge: true})
		if ok != (p.Number > 0) || !ok && p != (Pull{}) {
			t.Fatalf("%q: %+v, %v", message, p, ok)
		}
		if strings.TrimSpace(p.Title) != p.Title || strings.Contains(p.Title, "\n") || stripTrailers(p.Body) != p.Body {
			t.Fatalf("%q: %+v", message, p)
		}
	})
}

func TestBotsAreKnownByNameAddressOrBranch(t *testing.T) {
	for _, c := range []struct {
		author, email, head string
		want                bool
	}{
		{"dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", "", true},
		{"renovate[bot]", "x@y", "", true},
		{"Renovate Bot", "x@y", "", true},
		{"pre-commit-ci", "x@y", "", true},
		{"some-tool[bot]", "x@y", "", true},
		{"Someone", "snyk-bot@snyk.io", "", true},
		{"Maintainer", "m@x.org", "dependabot/npm_and_yarn/x-1.2", true},
		{"Maintainer", "m@x.org", "acme/renovate/lodash-4.x", true},
		{"Maintainer", "m@x.org", "pre-commit-ci-update-config", true},
		{"Maintainer", "m@x.org", "ada/fix-renovate-config", false},
		{"Andrew Talbot", "andrew.talbot@x.org", "", false},
		{"Abbot", "abbot@x.org", "ada/robot", false},
		{"Dependable Dan", "dan@renovate.example", "", false},
		{"", "", "", false},
	} {
		if who, got := bot(history.Commit{Author: c.author, Email: c.email}, Pull{Head: c.head}); got != c.want || got && who == "" {
			t.Errorf("%+v: %q, %v", c, who, got)
		}
	}
}

func TestRevertsAreKnownByTitleOrBody(t *testing.T) {
	for _, c := range []struct {
		title, body string
		want        bool
	}{
		{`Revert "Add x"`, "", true},
		{"revert: fix(core): y", "", true},
		{"fix(core): revert the new order", "", true},
		{"[ty] Revert the cache", "", true},
		{`Reapply "Add x"`, "", true},
		{"Reland #5", "", true},
		{"Undo x", "Why.\n\nThis reverts commit 0123456789abcdef0123456789abcdef01234567.", true},
		{"Add a revert button", "", false},
		{"Reverting iterators", "", false},
		{"Fix", "It says: This reverts commit messages", false},
		{"", "", false},
	} {
		if how, got := revert(Pull{Title: c.title, Body: c.body}); got != c.want || got != (how != "") {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
