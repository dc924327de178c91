package build

import "time"

// Limits bound what running a repository's own tests may take. A zero field
// stands for its default.
type Limits struct {
	Collection time.Duration // collecting the tests once; default 5 minutes
	Suite      time.Duration // one run of all tests; default 20 minutes
	Test       time.Duration // any one test of it; default 1 minute
	Removed    int           // tests that hang or end the process, taken out before the repository is given up; default 8
}

func (l Limits) withDefaults() Limits {
	if l.Collection <= 0 {
		l.Collection = 5 * time.Minute
	}
	if l.Suite <= 0 {
		l.Suite = 20 * time.Minute
	}
	if l.Test <= 0 {
		l.Test = time.Minute
	}
	if l.Removed <= 0 {
		l.Removed = 8
	}
	return l
}
