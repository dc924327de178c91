package baseline

import (
	"slices"
	"testing"

	"touchstone/internal/localization/history"
)

func TestTheTitleOfACommit(t *testing.T) {
	for _, c := range []struct{ message, want string }{
		{"", ""},
		{"Fix it (#12)\n\nBody (#3)", "Fix it"},
		{"Fix (#1) it", "Fix (#1) it"},
		{"Merge pull request #7 from a/b\n\nMake it better\n\nWhy.", "Make it better"},
		{"Merge pull request #7 from a/b", "Merge pull request #7 from a/b"},
		{"\n\n  Late title", "Late title"},
	} {
		if got := title(c.message); got != c.want {
			t.Errorf("%q: %q, want %q", c.message, got, c.want)
		}
	}
}

func TestFilesAreFollowedThroughRenames(t *testing.T) {
	type change = history.Change
	var names tracker
	first := names.follow([]change{{New: "a"}, {New: "b"}, {New: "gone"}})
	exchanged := names.follow([]change{{Old: "a", New: "b"}, {Old: "b", New: "a"}, {Old: "gone"}})
	again := names.follow([]change{{New: "gone"}, {Old: "b", New: "b"}})
	if want := []int{first[0], first[1]}; !slices.Equal(exchanged, want) {
		t.Errorf("exchanged: %v, want %v", exchanged, want)
	}
	if again[0] == first[2] || again[1] != first[0] {
		t.Errorf("a new file of an old name is %v, the old one %v; b is %v, want %v", again[0], first[2], again[1], first[0])
	}
	numbers := names.numbers([]string{"a", "b", "gone", "never changed"})
	if got := still([]int{first[0], first[1], first[2], again[0]}, numbers); !slices.Equal(got, []int{1, 0, 2}) {
		t.Errorf("%v", got)
	}
}
