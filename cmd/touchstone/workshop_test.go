package main

import (
	"errors"
	"strings"
	"testing"
)

func TestJobsFitTheMachine(t *testing.T) {
	for _, c := range []struct {
		jobs       count
		processors int
		want       int // 0: refused
	}{{0, 4, 4}, {1, 4, 1}, {64, 4, 64}, {65, 4, 0}, {16, 1, 16}, {17, 1, 0}} {
		got, err := workshopFlags{Jobs: c.jobs}.workers(c.processors)
		var usage usageError
		if got != c.want || (c.want == 0) != errors.As(err, &usage) {
			t.Errorf("%d jobs on %d processors: %d, %v", c.jobs, c.processors, got, err)
		}
	}
	_, err := workshopFlags{Jobs: 65}.workers(4)
	if err == nil || !strings.Contains(err.Error(), "give at most 64 (16 for each of 4 processors)") {
		t.Errorf("the error is %v", err)
	}
}
