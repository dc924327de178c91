package measure

import (
	"math/rand/v2"
	"testing"
)

func TestTheLongestRunIsThatOfTheWholeTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 52))
	sequence := func(letters int) []int32 {
		ids := make([]int32, rng.IntN(40))
		for i := range ids {
			ids[i] = int32(rng.IntN(letters))
		}
		return ids
	}
	for range 5000 {
		letters := 1 + rng.IntN(6)
		a, b := sequence(letters), sequence(letters)
		want := 0
		row := make([]int, len(b)+1)
		for i := range a {
			for j := len(b); j > 0; j-- {
				if a[i] == b[j-1] {
					row[j] = row[j-1] + 1
					want = max(want, row[j])
				} else {
					row[j] = 0
				}
			}
		}
		if got := longestRun(a, b); got != want {
			t.Fatalf("%v and %v: %d, want %d", a, b, got, want)
		}
		if got := longestRun(b, a); got != want {
			t.Fatalf("%v and %v, turned: %d, want %d", a, b, got, want)
		}
	}
}
