package build

import (
	"slices"
	"testing"
)

func TestOrderedPutsWhatTheStubFailedFirst(t *testing.T) {
	for _, c := range []struct {
		tests, failed, want []string
		failing             int
	}{
		{[]string{"a", "b", "c"}, nil, []string{"a", "b", "c"}, 0},
		{[]string{"a", "b", "c"}, []string{"c", "b"}, []string{"b", "c", "a"}, 2},
		{[]string{"a", "b", "c"}, []string{"a", "b", "c"}, []string{"a", "b", "c"}, 3},
		{[]string{"a"}, []string{"gone"}, []string{"a"}, 0},
		{nil, nil, nil, 0},
	} {
		got, failing := ordered(c.tests, c.failed)
		if !slices.Equal(got, c.want) || failing != c.failing {
			t.Errorf("ordered(%q, %q) is %q, %d; want %q, %d", c.tests, c.failed, got, failing, c.want, c.failing)
		}
	}
}
