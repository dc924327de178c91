package web

import (
	"strings"
	"testing"
)

func TestAPullRequestIsLinkedWhereItsForgeIsKnown(t *testing.T) {
	for source, want := range map[string]string{
		"https://github.com/acme/one.git":      "https://github.com/acme/one/pull/7",
		"https://www.GitHub.com/acme/one/":     "https://github.com/acme/one/pull/7",
		"git@github.com:acme/one.git":          "https://github.com/acme/one/pull/7",
		"ssh://git@github.com/acme/one":        "https://github.com/acme/one/pull/7",
		"https://user:pw@gitlab.com/a/b/c.git": "https://gitlab.com/a/b/c/-/merge_requests/7",
		"https://codeberg.org/a/b":             "https://codeberg.org/a/b/pulls/7",
		"https://bitbucket.org/a/b":            "https://bitbucket.org/a/b/pull-requests/7",
		"/srv/git/two.git":                     "",
		"":                                     "",
		"https://example.org/a/b":              "",
		"https://github.com/acme":              "",
		"https://github.com/../../etc":         "",
		"https://github.com/a/b?x=<script>":    "https://github.com/a/b/pull/7",
		"https://github.com/a/<b>":             "",
		"javascript:alert(1)//github.com/a/b":  "",
		"https://github.com.example.org/a/b":   "",
	} {
		if got := forgePull(source, 7); got != want {
			t.Errorf("%s: %q, want %q", source, got, want)
		}
	}
	if got := forgeCommit("https://gitlab.com/a/b", "abc"); got != "https://gitlab.com/a/b/-/commit/abc" {
		t.Error(got)
	}
}

func FuzzALinkToAForgeLeadsThere(f *testing.F) {
	f.Add("https://github.com/acme/one.git", 3)
	f.Add("git@gitlab.com:a/b", 1)
	f.Fuzz(func(t *testing.T, source string, number int) {
		link := forgePull(source, number)
		if link == "" {
			return
		}
		for host := range forges {
			if strings.HasPrefix(link, "https://"+host+"/") && !strings.ContainsAny(link, " <>\"'\\?#") {
				return
			}
		}
		t.Errorf("%q leads to %q", source, link)
	})
}
