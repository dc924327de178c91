package history

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"touchstone/internal/benchmark"
)

// A Window is the part of the main line that tasks are taken from: the commits
// behind Snapshot up to and with Head, following first parents.
//
// The ends are found from the tip backwards: Head is the first commit that is
// met whose committer date is at or before T1, Snapshot the first one at or
// before T0. Between them a commit's place decides, not its date, since the
// dates of a line need not rise: whose clock was wrong, or who pushed old
// commits late, is in the window that the commits around are in. Early and
// Late count such commits.
type Window struct {
	T0, T1   time.Time
	Snapshot string    // what is known
	Head     string    // the last commit that is a task
	Commits  int       // in the window
	Tip      time.Time // when the branch's last commit was committed
	Early    int       // commits of the snapshot's line that are dated after T0
	Late     int       // commits of the window that are dated after T1
}

// ParseDate reads a day, whose beginning in UTC is meant, or an instant as in
// RFC 3339. field names it in the error.
func ParseDate(field, s string) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, &benchmark.InputError{Field: field, Problem: fmt.Sprintf("%q is not a date", s), Mend: "write it as 2026-01-31 or 2026-01-31T12:00:00Z"}
}

// Window finds the window (T0, T1] on the main line of a branch or commit.
// Errors of the dates are *benchmark.InputError.
func (r Repository) Window(ctx context.Context, branch string, t0, t1 time.Time) (Window, error) {
	bad := func(field, problem, mend string) (Window, error) {
		return Window{}, &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	w := Window{T0: t0.UTC(), T1: t1.UTC()}
	if !t0.Before(t1) {
		return bad("t1", fmt.Sprintf("%s is not after t0, %s", day(t1), day(t0)), "give a later T1 or an earlier T0")
	}
	tip, err := r.Resolve(ctx, branch)
	if err != nil {
		return w, err
	}
	var first time.Time
	err = r.line(ctx, tip, func(commit string, at time.Time) {
		first = at
		if w.Tip.IsZero() {
			w.Tip = at
		}
		switch {
		case w.Head == "" && at.After(w.T1), w.Snapshot != "" && !at.After(w.T0):
			return
		case w.Snapshot != "":
			w.Early++
			return
		case w.Head == "":
			w.Head = commit
		case at.After(w.T1):
			w.Late++
		}
		if at.After(w.T0) {
			w.Commits++
		} else {
			w.Snapshot = commit
		}
	})
	switch {
	case err != nil:
		return w, err
	case w.Snapshot == "":
		return bad("t0", fmt.Sprintf("%s is before the first commit, which is of %s", day(t0), day(first)), "give a T0 at which the repository had files")
	case w.Commits == 0:
		return bad("t1", fmt.Sprintf("there is no commit after %s and up to %s; the last one of the branch is of %s", day(t0), day(t1), day(w.Tip)), "choose another window, or fetch")
	}
	return w, nil
}

// day writes an instant as short as it was meant.
func day(t time.Time) string {
	if t = t.UTC(); t.Equal(t.Truncate(24 * time.Hour)) {
		return t.Format(time.DateOnly)
	}
	return t.UTC().Format(time.RFC3339)
}

// line tells the commits of a main line from its tip to its root, with their
// committer dates.
func (r Repository) line(ctx context.Context, tip string, tell func(commit string, at time.Time)) error {
	return r.stream(ctx, nil, func(out *bufio.Reader) error {
		for {
			line, err := out.ReadString('\n')
			if err == io.EOF && line == "" {
				return nil
			}
			if err != nil {
				return short(err)
			}
			seconds, commit, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
			n, err := strconv.ParseInt(seconds, 10, 64)
			if err != nil {
				return fmt.Errorf("git rev-list wrote %q", line)
			}
			tell(commit, time.Unix(n, 0).UTC())
		}
	}, "rev-list", "--first-parent", "--timestamp", "--end-of-options", tip, "--")
}
