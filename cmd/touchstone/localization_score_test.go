package main

import (
	"strings"
	"testing"

	"touchstone/internal/localization"
)

func TestScoreSaysWhereNoDifferenceCanBeToldFromChance(t *testing.T) {
	for repositories, want := range map[int]string{1: "", 2: "2 repositories are too few", 5: "5 repositories are too few", 6: ""} {
		got := cannotTell([]localization.Contrast{{Repositories: repositories}})
		if (got == "") != (want == "") || !strings.HasPrefix(got, want) {
			t.Errorf("%d repositories: %q", repositories, got)
		}
	}
	if got := cannotTell(nil); got != "" {
		t.Errorf("without contrasts: %q", got)
	}
}
