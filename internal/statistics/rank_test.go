package statistics

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Rows of the same tasks are compared by sums; this is what they must come to.
func TestRanksAreThoseOfEveryPairByItself(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for round := range 30 {
		var rows [][]Score
		for range 6 {
			quality := random.Float64()
			var row []Score
			for c := range 2 + round%5 {
				for i := range 1 + c%3 {
					if round%3 == 0 && random.IntN(8) == 0 {
						continue // rows of different tasks, too
					}
					row = append(row, Score{fmt.Sprint("r", c), fmt.Sprint("t", i), quality + 0.2*random.Float64(), float64(1 + i)})
				}
			}
			rows = append(rows, row)
		}
		for _, average := range Averages {
			got, err := Ranks(rows, average)
			if err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				var want Standing
				for j := range rows {
					if i == j {
						continue
					}
					p, err := Pair(rows[i], rows[j])
					if err != nil {
						t.Fatal(err)
					}
					difference, err := average.Of(p.Scores)
					if err != nil {
						t.Fatal(err)
					}
					want.against(difference.Interval, &Standing{})
				}
				want.Rank = 1 + want.Better
				if got[i] != want {
					t.Errorf("round %d, %s, row %d: %+v, want %+v", round, average, i, got[i], want)
				}
			}
		}
	}
}

func BenchmarkRanks(b *testing.B) {
	random := rand.New(rand.NewPCG(7, 7))
	rows := make([][]Score, 1000)
	for i := range rows {
		for c := range 28 {
			rows[i] = append(rows[i], Score{Repository: fmt.Sprint("r", c), Value: random.Float64()})
		}
	}
	for b.Loop() {
		if _, err := Ranks(rows, Macro); err != nil {
			b.Fatal(err)
		}
	}
}
