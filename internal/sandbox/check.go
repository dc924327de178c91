package sandbox

import (
	"context"
	"strings"
)

// A Finding says whether one promise of a sandbox holds on this machine.
type Finding struct {
	What   string // the promise, for example "no network"
	OK     bool
	Detail string // what was seen
	Mend   string // what to do; with OK, how to make the promise hold more firmly
}

// Check tries each promise of s for real, with programs that break them if
// they can. It takes a second or two and leaves nothing behind.
func Check(ctx context.Context, s Sandbox) []Finding {
	return checkInside(ctx, s)
}

// OK reports whether every finding is good.
func OK(findings []Finding) bool {
	for _, f := range findings {
		if !f.OK {
			return false
		}
	}
	return true
}

// broken is the advice when a sandbox does not isolate.
const broken = "do not run candidates in this sandbox; please report what was seen"

func finding(what string, problems ...string) Finding {
	if len(problems) == 0 {
		return Finding{What: what, OK: true}
	}
	return Finding{What: what, Detail: strings.Join(problems, "; "), Mend: broken}
}
