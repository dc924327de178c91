package web

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// forges are where pull requests and commits lie, by host.
var forges = map[string]struct{ pull, commit string }{
	"github.com":    {"/pull/", "/commit/"},
	"gitlab.com":    {"/-/merge_requests/", "/-/commit/"},
	"codeberg.org":  {"/pulls/", "/commit/"},
	"bitbucket.org": {"/pull-requests/", "/commits/"},
}

// forgePath is what an owner and a repository may be called on a forge.
var forgePath = regexp.MustCompile(`^/[A-Za-z0-9][\w.-]*(/[\w][\w.-]*)+$`)

// onForge is the address of a source on a forge that is known, and what it
// calls pull requests and commits; "" for any other, such as a folder.
func onForge(source string) (base, pull, commit string) {
	if rest, ok := strings.CutPrefix(source, "git@"); ok { // git@host:owner/name.git
		source = "https://" + strings.Replace(rest, ":", "/", 1)
	}
	u, err := url.Parse(source)
	if err != nil {
		return "", "", ""
	}
	host := strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
	path := strings.TrimSuffix(strings.TrimSuffix(u.Path, "/"), ".git")
	forge, known := forges[host]
	if !known || !forgePath.MatchString(path) || strings.Contains(path, "..") {
		return "", "", ""
	}
	return "https://" + host + path, forge.pull, forge.commit
}

// forgePull is the page of a pull request, "" when its forge is not known.
func forgePull(source string, number int) string {
	base, pull, _ := onForge(source)
	if base == "" || number <= 0 {
		return ""
	}
	return base + pull + strconv.Itoa(number)
}

// forgeCommit is the page of a commit, "" when its forge is not known.
func forgeCommit(source, hash string) string {
	base, _, commit := onForge(source)
	if base == "" || hash == "" {
		return ""
	}
	return base + commit + url.PathEscape(hash)
}
