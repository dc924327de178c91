package prompts

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"touchstone/internal/benchmark"
)

// A Kind says what a pull request does to a file.
type Kind string

const (
	Added    Kind = "added"
	Modified Kind = "modified"
	Deleted  Kind = "deleted"
	Renamed  Kind = "renamed" // with or without changed lines
	Copied   Kind = "copied"
)

// A Change is one file of a diff.
type Change struct {
	Kind     Kind
	Old, New string // paths with forward slashes; Old is "" where added, New where deleted
	Binary   bool
	Added    []string // lines without their line ends
	Removed  []string
	Kept     []string // lines around them
	Hunks    []string // what stands behind the second @@: the line that opens the surrounding function
}

// MaxDiff bounds the lines of a diff that are kept, in bytes. A pull request
// beyond it is no task that a sentence could describe.
const MaxDiff = 64 << 20

// ErrDiffTooLarge: the diff's lines are more than MaxDiff bytes.
var ErrDiffTooLarge = errors.New("the diff is larger than 64 MiB")

// ParseDiff reads what git diff prints, and git show, whose heading it passes
// over. Errors are *benchmark.InputError with the line, ErrDiffTooLarge or the
// reader's. Diffs against several parents at once are refused, as they say of
// no line where it comes from.
func ParseDiff(r io.Reader) ([]Change, error) {
	var all []Change
	err := ReadLog(r, func(_ string, changes []Change) error {
		all = append(all, changes...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, nil
}

// ReadLog reads what git log -p prints, commit by commit, so that one process
// of git serves a whole history; the commit's name is "" in front of the first
// heading. MaxDiff holds for each commit. For merge commits ask git for
// --diff-merges=first-parent.
func ReadLog(r io.Reader, each func(commit string, changes []Change) error) error {
	p := &diffParser{lines: bufio.NewReaderSize(r, 1<<16)}
	commit := ""
	for {
		line, err := p.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		if m := commitHeading.FindStringSubmatch(line); m != nil && !p.inHunk() {
			if err := p.flush(commit, each); err != nil {
				return err
			}
			commit = m[1]
			continue
		}
		if err := p.take(line); err != nil {
			return err
		}
	}
	if p.inHunk() {
		return p.bad("the diff ends inside a hunk", "give the whole output of git diff")
	}
	return p.flush(commit, each)
}

var (
	commitHeading = regexp.MustCompile(`^commit ([0-9a-f]{40}(?:[0-9a-f]{24})?)\b`)
	hunkHeading   = regexp.MustCompile(`^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@ ?(.*)$`)
)

// A diffParser is in one of three places: before a file's heading, in it, or
// in a hunk with lines left.
type diffParser struct {
	lines   *bufio.Reader
	line    int // of the text, from 1 on
	size    int // bytes kept of this commit
	changes []Change
	current *Change
	old     int // lines left in the hunk, of the old file and of the new
	new     int
}

func (p *diffParser) inHunk() bool { return p.old > 0 || p.new > 0 }

func (p *diffParser) bad(problem, mend string) error {
	return &benchmark.InputError{Line: p.line, Field: "diff", Problem: problem, Mend: mend}
}

// next reads a line without its line feed. A carriage return stays: it belongs
// to the file's line.
func (p *diffParser) next() (string, error) {
	var b []byte
	for {
		part, err := p.lines.ReadSlice('\n')
		b = append(b, part...)
		if len(b) > MaxDiff {
			return "", ErrDiffTooLarge
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(b) > 0 {
			err = nil
		}
		if err != nil {
			return "", err
		}
		p.line++
		return strings.TrimSuffix(string(b), "\n"), nil
	}
}

func (p *diffParser) flush(commit string, each func(string, []Change) error) error {
	changes := p.changes
	p.changes, p.current, p.size = nil, nil, 0
	if commit == "" && len(changes) == 0 {
		return nil
	}
	for i := range changes {
		c := &changes[i]
		switch c.Kind {
		case Added:
			c.Old = ""
		case Deleted:
			c.New = ""
		}
		if c.Old == "" && c.New == "" {
			return p.bad("a file has no path", "give the output of git diff as it is")
		}
	}
	return each(commit, changes)
}

func (p *diffParser) take(line string) error {
	if p.inHunk() {
		return p.hunkLine(line)
	}
	switch {
	case strings.HasPrefix(line, "diff --git "):
		old, new, err := headingPaths(strings.TrimPrefix(line, "diff --git "))
		if err != nil {
			return p.bad(err.Error(), "give the output of git diff as it is")
		}
		p.changes = append(p.changes, Change{Kind: Modified, Old: old, New: new})
		p.current = &p.changes[len(p.changes)-1]
		return nil
	case strings.HasPrefix(line, "diff --cc "), strings.HasPrefix(line, "diff --combined "), strings.HasPrefix(line, "@@@ "):
		return p.bad("it is a combined diff of a merge", "ask git for --diff-merges=first-parent")
	case p.current == nil:
		return nil // the heading of a commit
	}
	return p.heading(line)
}

// heading reads a line between a file's first line and its hunks.
func (p *diffParser) heading(line string) error {
	c := p.current
	path := func(prefix string, to *string) error {
		name, err := unquote(strings.TrimPrefix(line, prefix))
		if err != nil {
			return p.bad(err.Error(), "give the output of git diff as it is")
		}
		*to = name
		return nil
	}
	switch {
	case strings.HasPrefix(line, "@@ "):
		m := hunkHeading.FindStringSubmatch(line)
		if m == nil {
			return p.bad("the heading of a hunk cannot be read", "give the output of git diff as it is")
		}
		var err1, err2 error
		p.old, err1 = hunkLength(m[1])
		p.new, err2 = hunkLength(m[2])
		if err1 != nil || err2 != nil {
			return p.bad("the length of a hunk is no number of lines", "give the output of git diff as it is")
		}
		if m[3] != "" {
			c.Hunks = append(c.Hunks, m[3])
		}
	case strings.HasPrefix(line, "new file mode "):
		c.Kind = Added
	case strings.HasPrefix(line, "deleted file mode "):
		c.Kind = Deleted
	case strings.HasPrefix(line, "rename from "):
		c.Kind = Renamed
		return path("rename from ", &c.Old)
	case strings.HasPrefix(line, "rename to "):
		c.Kind = Renamed
		return path("rename to ", &c.New)
	case strings.HasPrefix(line, "copy from "):
		c.Kind = Copied
		return path("copy from ", &c.Old)
	case strings.HasPrefix(line, "copy to "):
		c.Kind = Copied
		return path("copy to ", &c.New)
	case strings.HasPrefix(line, "Binary files "), strings.HasPrefix(line, "GIT binary patch"):
		c.Binary = true
	}
	return nil // index, modes, similarity, ---, +++, the data of a binary patch
}

func hunkLength(text string) (int, error) {
	if text == "" {
		return 1, nil
	}
	return strconv.Atoi(text)
}

func (p *diffParser) hunkLine(line string) error {
	mark, rest := byte(' '), ""
	if line != "" { // some mailers take the blank of an empty context line away
		mark, rest = line[0], line[1:]
	}
	switch mark {
	case '+':
		p.new--
		p.current.Added = append(p.current.Added, rest)
		p.size += len(rest)
	case '-':
		p.old--
		p.current.Removed = append(p.current.Removed, rest)
		p.size += len(rest)
	case ' ':
		p.old--
		p.new--
		p.current.Kept = append(p.current.Kept, rest)
		p.size += len(rest)
	case '\\': // No newline at end of file
	default:
		return p.bad(fmt.Sprintf("a line of a hunk begins with %q", mark), "lines of a hunk begin with a blank, + or -")
	}
	if p.old < 0 || p.new < 0 {
		return p.bad("a hunk is longer than its heading says", "give the output of git diff as it is")
	}
	if p.size > MaxDiff {
		return ErrDiffTooLarge
	}
	return nil
}

// headingPaths reads "a/old b/new". Without quotes the two cannot always be
// told apart; but then they are the same path, as a rename is told again.
func headingPaths(text string) (old, new string, err error) {
	if strings.HasPrefix(text, `"`) {
		end := closingQuote(text)
		if end < 0 || len(text) < end+2 || text[end+1] != ' ' {
			return "", "", errors.New("the paths of a file cannot be read")
		}
		if old, err = unquote(text[:end+1]); err == nil {
			new, err = unquote(text[end+2:])
		}
		return side(old), side(new), err
	}
	if at := strings.Index(text, ` "`); at >= 0 && strings.HasSuffix(text, `"`) {
		new, err = unquote(text[at+1:])
		return side(text[:at]), side(new), err
	}
	if half := len(text) / 2; len(text)%2 == 1 && text[half] == ' ' && side(text[:half]) == side(text[half+1:]) {
		return side(text[:half]), side(text[half+1:]), nil
	}
	at := strings.Index(text, " b/")
	if at < 0 {
		at = strings.IndexByte(text, ' ')
	}
	if at < 0 {
		return "", "", errors.New("the paths of a file cannot be read")
	}
	return side(text[:at]), side(text[at+1:]), nil
}

// side takes a/ or b/ away.
func side(path string) string {
	if strings.HasPrefix(path, "a/") || strings.HasPrefix(path, "b/") {
		return path[2:]
	}
	return path
}

func closingQuote(text string) int {
	for i := 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// unquote undoes git's quoting of paths: C escapes, bytes in octal.
func unquote(text string) (string, error) {
	if !strings.HasPrefix(text, `"`) {
		return text, nil
	}
	if closingQuote(text) != len(text)-1 {
		return "", errors.New("a quoted path does not end")
	}
	path, err := strconv.Unquote(text)
	if err != nil {
		return "", fmt.Errorf("the quoted path %s cannot be read", text)
	}
	return path, nil
}
