package measure

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A table of which only some rows are kept gives what the whole one gives.
func TestASubsequenceIsTheSameWithFewRowsKept(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	line := func(n, letters int) []int32 {
		ids := make([]int32, n)
		for i := range ids {
			ids[i] = int32(rng.IntN(letters))
		}
		return ids
	}
	for range 500 {
		letters := 1 + rng.IntN(12)
		other, fixed := line(1+rng.IntN(200), letters), line(1+rng.IntN(200), letters)
		marks := func(whole int) []bool {
			s := new(subsequence)
			s.reset(letters)
			s.whole = whole
			s.against(fixed)
			hit := make([]bool, len(other))
			s.mark(other, hit)
			return hit
		}
		if got, want := marks(0), marks(wholeTable); !slices.Equal(got, want) {
			t.Fatalf("%v against %v: %v with few rows, %v with all", other, fixed, got, want)
		}
	}
}
