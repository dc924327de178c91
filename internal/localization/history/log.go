package history

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// A Commit is one of the main line, with what it changed against its first
// parent: a merge commit has everything that it brought in.
type Commit struct {
	SHA     string
	Parent  string // the first parent
	Merge   bool   // it has others
	Time    time.Time
	Author  string
	Email   string // of the author
	Message string // whole; valid UTF-8; of one that is longer than a MiB, its beginning
	Changes []Change
}

// A Kind is what a path stood for.
type Kind int

const (
	Nothing Kind = iota
	Regular
	Link
	Submodule
)

// A Change is a path that a commit changed. Old is "" for a file that it adds,
// New for one that it deletes; they differ for one that it renames.
type Change struct {
	Old, New         string
	OldKind, NewKind Kind
}

// longestMessage bounds what is kept of a commit's message.
const longestMessage = 1 << 20

// logFormat precedes each commit's changes. The first byte tells a commit from
// a change, which begins with a colon.
const logFormat = "tformat:%x01%H%x00%P%x00%ct%x00%an%x00%ae%x00%B"

// Log tells the commits of a main line behind one commit, or from the first
// one on where after is "", up to and with another, the oldest first, as one
// git writes them: one commit is held at a time. Renames are those that git
// finds with half of the content alike, among at most a thousand files.
func (r Repository) Log(ctx context.Context, after, upTo string, tell func(Commit) error) error {
	if after != "" {
		upTo = after + ".." + upTo
	}
	return r.log(ctx, upTo, tell)
}

// LogExactRenames is Log from the first commit on, with renames of unchanged
// files only: it compares no contents, which a clone may lack.
func (r Repository) LogExactRenames(ctx context.Context, upTo string, tell func(Commit) error) error {
	return r.log(ctx, upTo, tell, "-M100%")
}

// log takes further options: where two contradict each other, git takes the later.
func (r Repository) log(ctx context.Context, commits string, tell func(Commit) error, options ...string) error {
	args := append([]string{"log", "--first-parent", "--reverse", "--raw", "-z", "--no-abbrev", "--root", "--no-notes", "--format=" + logFormat}, diffOptions...)
	args = append(append(args, options...), "--end-of-options", commits, "--")
	return r.stream(ctx, nil, func(out *bufio.Reader) error { return readLog(out, tell) }, args...)
}

// Patches has the patches of commits against their first parents read as one
// git writes them, in the order in which the commits are given: each behind a
// line "commit" with its SHA and an empty line. A hunk is headed with the
// function around it where git knows the language.
func (r Repository) Patches(ctx context.Context, commits []string, read func(io.Reader) error) error {
	if len(commits) == 0 {
		return nil
	}
	args := append([]string{"-c", "", "log", "--no-walk=unsorted", "--stdin", "--patch", "--root", "--no-notes", "--format=commit %H", "--src-prefix=a/", "--dst-prefix=b/"}, diffOptions...)
	wanted := strings.NewReader(strings.Join(commits, "\n") + "\n")
	return withAttributes(func(setting string) error {
		args[1] = setting
		return r.stream(ctx, wanted, func(out *bufio.Reader) error { return read(out) }, args...)
	})
}

// diffOptions make git compare in one way, whatever its configuration says.
var diffOptions = []string{"--diff-merges=first-parent", "-M50%", "--no-color", "--no-ext-diff", "--no-textconv", "--ignore-submodules=none", "--no-show-signature"}

func readLog(out *bufio.Reader, tell func(Commit) error) error {
	var c *Commit
	for {
		token, err := readToken(out, longestMessage)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		token = strings.TrimPrefix(token, "\n") // what separates a message from the changes
		switch {
		case token == "":
		case token[0] == '\x01':
			if c != nil {
				if err := tell(*c); err != nil {
					return err
				}
			}
			if c, err = readCommit(out, token[1:]); err != nil {
				return err
			}
		case token[0] == ':' && c != nil:
			change, err := readChange(out, token)
			if err != nil {
				return err
			}
			c.Changes = append(c.Changes, change)
		default:
			return fmt.Errorf("git log wrote %.100q", token)
		}
	}
	if c != nil {
		return tell(*c)
	}
	return nil
}

// readToken reads up to the next NUL and keeps at most a number of bytes.
func readToken(out *bufio.Reader, most int) (string, error) {
	var kept []byte
	for {
		part, err := out.ReadSlice(0)
		full := len(kept)+len(part) > most
		kept = append(kept, part[:min(len(part), most-len(kept))]...)
		switch {
		case err == bufio.ErrBufferFull:
		case err == io.EOF && len(kept) > 0:
			return "", io.ErrUnexpectedEOF
		case err != nil:
			return "", err
		case full:
			return string(kept), nil
		default:
			return string(kept[:len(kept)-1]), nil
		}
	}
}

// readCommit reads the fields behind the SHA.
func readCommit(out *bufio.Reader, sha string) (*Commit, error) {
	var fields [5]string
	for i := range fields {
		var err error
		if fields[i], err = readToken(out, longestMessage); err != nil {
			return nil, short(err)
		}
	}
	seconds, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil || !fullSHA.MatchString(sha) {
		return nil, fmt.Errorf("git log wrote %.100q", sha+" "+fields[1])
	}
	parent, others, _ := strings.Cut(fields[0], " ")
	valid := func(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
	return &Commit{SHA: sha, Parent: parent, Merge: others != "", Time: time.Unix(seconds, 0).UTC(),
		Author: valid(fields[2]), Email: valid(fields[3]), Message: valid(fields[4])}, nil
}

// readChange reads the paths behind `:mode mode object object status`.
func readChange(out *bufio.Reader, about string) (Change, error) {
	fields := strings.Fields(about[1:])
	if len(fields) != 5 {
		return Change{}, fmt.Errorf("git log wrote %.100q", about)
	}
	var paths [2]string
	var err error
	if paths[0], err = readToken(out, longestMessage); err != nil {
		return Change{}, short(err)
	}
	paths[1] = paths[0]
	if fields[4][0] == 'R' {
		if paths[1], err = readToken(out, longestMessage); err != nil {
			return Change{}, short(err)
		}
	}
	c := Change{Old: paths[0], New: paths[1], OldKind: kindOf(fields[0]), NewKind: kindOf(fields[1])}
	if c.OldKind == Nothing {
		c.Old = ""
	}
	if c.NewKind == Nothing {
		c.New = ""
	}
	return c, nil
}

func kindOf(mode string) Kind {
	switch mode {
	case "000000":
		return Nothing
	case linkMode:
		return Link
	case submoduleMode:
		return Submodule
	}
	return Regular
}
