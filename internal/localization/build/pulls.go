package build

import (
	"regexp"
	"strconv"
	"strings"

	"touchstone/internal/localization/history"
)

// A Pull is a pull request as a commit of the main line tells it.
type Pull struct {
	Number int
	Title  string // "" when neither the commit nor the export gives one
	Body   string // without trailers
	Head   string // the branch it came from, "" when the commit does not say
}

var (
	mergeSubject  = regexp.MustCompile(`^Merge pull request #(\d+) from (\S+)`)
	squashSubject = regexp.MustCompile(`^(.*?)\s*\(#(\d+)\)$`)
	mergeRequest  = regexp.MustCompile(`(?m)^See merge request (?:\S*[^\s!])?!(\d+)$`)
	mergedBranch  = regexp.MustCompile(`^Merge branch '([^']+)' into `)
)

// Recognise reads the pull request out of the message of a commit: of a merge
// commit ("Merge pull request #12 from …", or GitLab's "See merge request
// group/name!12"), or of a squash commit, whose subject ends in "(#12)". Of
// several numbers at its end the last is the pull request's: the others are
// those of issues, or of the change that it lands again.
func Recognise(c history.Commit) (Pull, bool) {
	message := strings.ReplaceAll(strings.TrimSpace(c.Message), "\r\n", "\n")
	first, rest, _ := strings.Cut(message, "\n\n")
	subject := strings.Join(strings.Fields(first), " ")
	if m := mergeSubject.FindStringSubmatch(subject); m != nil {
		p := Pull{Head: m[2]}
		return p.from(m[1], rest)
	}
	if m := mergeRequest.FindStringSubmatch(rest); m != nil && c.Merge {
		var p Pull
		if b := mergedBranch.FindStringSubmatch(subject); b != nil {
			p.Head = b[1]
		}
		return p.from(m[1], mergeRequest.ReplaceAllString(rest, ""))
	}
	if m := squashSubject.FindStringSubmatch(subject); m != nil {
		title, body := rejoin(m[1], strings.TrimSpace(rest))
		return Pull{Title: title, Body: body}.from(m[2], "")
	}
	return Pull{}, false
}

// from fills in the number and, where there is none yet, title and body from
// the message below the subject.
func (p Pull) from(number, text string) (Pull, bool) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return Pull{}, false
	}
	p.Number = n
	if p.Title == "" {
		title, body, _ := strings.Cut(strings.TrimSpace(text), "\n")
		p.Title, p.Body = strings.TrimSpace(title), body
	}
	p.Body = stripTrailers(p.Body)
	return p, true
}

// rejoin mends a title that the forge has cut in two with an ellipsis.
func rejoin(title, body string) (string, string) {
	begin, cut := strings.CutSuffix(title, "…")
	end, rest, _ := strings.Cut(body, "\n")
	end, goesOn := strings.CutPrefix(end, "…")
	if !cut || !goesOn {
		return title, body
	}
	return begin + strings.TrimSpace(end), rest
}

var (
	trailer = regexp.MustCompile(`(?i)^(?:(?:co-authored|signed-off|reviewed|acked|tested|reported|suggested|helped|approved|co-developed)-by|change-id|reviewed-on|cc|on-behalf-of):\s`)
	rule    = regexp.MustCompile(`^-{3,}$`)
	picked  = regexp.MustCompile(`^\(cherry picked from commit [0-9a-f]+\)$`)
)

// stripTrailers takes out the lines that name people and tools; in a squash
// commit they stand behind each of the commits it was made of.
func stripTrailers(body string) string {
	var kept []string
	for line := range strings.SplitSeq(body, "\n") {
		line = strings.TrimRight(line, " \t")
		if trailer.MatchString(line) || rule.MatchString(line) || picked.MatchString(line) {
			continue
		}
		if line == "" && len(kept) > 0 && kept[len(kept)-1] == "" {
			continue
		}
		kept = append(kept, line)
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}

var (
	botName   = regexp.MustCompile(`(?i)\[bot\]|^(?:dependabot|renovate|pre-commit-ci|greenkeeper|pyup|snyk|github-actions|imgbot|allcontributors|codecov|mergify|semantic-release|weblate|crowdin|deepsource)(?:$|[-_ .])|-bot$`)
	botBranch = regexp.MustCompile(`(?i)(?:^|[/:])(?:dependabot|renovate|pre-commit-ci|greenkeeper|pyup|snyk|imgbot|all-contributors)(?:[/-]|$)`)
	reverts   = regexp.MustCompile(`(?i)^(?:\w+(?:\([^)]*\))?!?:\s*|\[[^\]]*\]\s*)?(?:revert|reapply|reland|re-land)\b`)
	reverting = regexp.MustCompile(`(?m)^This reverts commit [0-9a-f]{7,64}\b`)
)

// bot tells whose pull request it is when it is a program's: by the author's
// name or address, or by the branch that the author merged.
func bot(c history.Commit, p Pull) (string, bool) {
	mailbox, _, _ := strings.Cut(c.Email, "@")
	switch {
	case botName.MatchString(c.Author), botName.MatchString(mailbox):
		return c.Author, true
	case botBranch.MatchString(p.Head):
		return "the branch " + p.Head, true
	}
	return "", false
}

// revert tells by what a pull request is known that takes another change back,
// or puts it back in: its words are those of the other.
func revert(p Pull) (string, bool) {
	switch {
	case reverts.MatchString(p.Title):
		return "its title says so", true
	case reverting.MatchString(p.Body):
		return "its body names the commit", true
	}
	return "", false
}
