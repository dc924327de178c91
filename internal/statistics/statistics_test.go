package statistics

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// someScores are scores in fifths of up to 12 repositories with up to 8 tasks.
func someScores(r *rand.Rand) []Score {
	var scores []Score
	for c := range 1 + r.IntN(12) {
		for i := range 1 + r.IntN(8) {
			scores = append(scores, Score{fmt.Sprintf("o/r%d", c), fmt.Sprint(i), float64(r.IntN(6)) / 5, float64(1 + r.IntN(9))})
		}
	}
	return scores
}

func shuffled(r *rand.Rand, scores []Score) []Score {
	s := append([]Score(nil), scores...)
	r.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	return s
}

// negligibly reports whether two estimates are each other's up to rounding,
// the second times sign.
func negligibly(a, b Estimate, sign float64) bool {
	near := func(x, y float64) bool { return math.Abs(x-y) < 1e-12 }
	if (a.Interval == nil) != (b.Interval == nil) || !near(a.Value, sign*b.Value) || !near(a.SE, b.SE) {
		return false
	}
	if a.Interval == nil {
		return true
	}
	low, high := b.Interval.Low, b.Interval.High
	if sign < 0 {
		low, high = -high, -low
	}
	return near(a.Interval.Low, low) && near(a.Interval.High, high)
}

func TestTheOrderOfTasksDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		scores := someScores(r)
		other := shuffled(r, scores)
		for _, a := range Averages {
			x, err1 := a.Of(scores)
			y, err2 := a.Of(other)
			if err1 != nil || err2 != nil || !reflect.DeepEqual(x, y) {
				t.Fatalf("%s: %+v, %v and %+v, %v", a, x, err1, y, err2)
			}
		}
	}
	scores := someScores(r)
	for _, a := range Averages {
		x, _ := a.Bootstrap(scores, 7)
		y, err := a.Bootstrap(shuffled(r, scores), 7)
		if err != nil || !reflect.DeepEqual(x, y) {
			t.Fatalf("bootstrap, %s: %+v and %+v, %v", a, x, y, err)
		}
	}
}

func TestAnAverageStaysWithinItsScores(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		scores := someScores(r)
		low, high := 1.0, 0.0
		for _, s := range scores {
			low, high = min(low, s.Value), max(high, s.Value)
		}
		for _, a := range Averages {
			e, err := a.Of(scores)
			if err != nil || e.Value < low || e.Value > high || e.SE < 0 {
				t.Fatalf("%s: %+v, %v for scores of %v to %v", a, e, err, low, high)
			}
			if (e.Interval != nil) != (e.Repositories > 1) || (e.Undefined == "") != (e.Repositories > 1) {
				t.Fatalf("%s: %+v", a, e)
			}
			if e.Interval != nil && (e.Interval.Low > e.Value || e.Interval.High < e.Value) {
				t.Fatalf("%s: %v outside %+v", a, e.Value, *e.Interval)
			}
		}
	}
	for _, a := range Averages {
		scores := someScores(r)
		b, err := a.Bootstrap(scores, 1)
		if err != nil || b.Interval == nil || b.Interval.Low < 0 || b.Interval.High > 1 || b.Interval.Low > b.Interval.High {
			t.Fatalf("bootstrap, %s: %+v, %v", a, b, err)
		}
	}
}

func TestADifferenceTurnedRoundIsItsNegative(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		first := someScores(r)
		var second []Score
		for _, s := range first {
			if r.IntN(5) > 0 {
				s.Value = float64(r.IntN(6)) / 5
				second = append(second, s)
			}
		}
		there, err1 := Pair(first, second)
		back, err2 := Pair(second, first)
		if err1 != nil || err2 != nil || there.OnlyFirst != back.OnlySecond || there.OnlySecond != back.OnlyFirst {
			t.Fatalf("%+v, %v and %+v, %v", there, err1, back, err2)
		}
		if there.OnlyFirst != len(first)-len(second) || there.OnlySecond != 0 {
			t.Fatalf("%d and %d left out of %d and %d", there.OnlyFirst, there.OnlySecond, len(first), len(second))
		}
		for _, a := range Averages {
			x, err1 := a.Of(there.Scores)
			y, err2 := a.Of(back.Scores)
			if err1 != nil || err2 != nil || !negligibly(x, y, -1) {
				t.Fatalf("%s: %+v, %v and %+v, %v", a, x, err1, y, err2)
			}
		}
	}
}

// TestEqualRepositoriesMakeTheAveragesOne: with as many tasks in each and
// equal weights, macro, micro and weighted are the same.
func TestEqualRepositoriesMakeTheAveragesOne(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 100 {
		var scores []Score
		tasks := 1 + r.IntN(5)
		for c := range 1 + r.IntN(9) {
			for i := range tasks {
				scores = append(scores, Score{fmt.Sprint(c), fmt.Sprint(i), r.Float64(), 3})
			}
		}
		macro, err := Macro.Of(scores)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range []Average{Micro, Weighted} {
			if e, err := a.Of(scores); err != nil || !negligibly(macro, e, 1) {
				t.Fatalf("macro %+v, %s %+v, %v", macro, a, e, err)
			}
		}
	}
}

// TestMacroCountsRepositoriesNotTasks: means 1/2 and 1, their standard
// deviation √(1/8), over √2.
func TestMacroCountsRepositoriesNotTasks(t *testing.T) {
	scores := []Score{{"o/a", "f", 0, 1}, {"o/a", "g", 1, 1}, {"o/b", "f", 1, 2}}
	for _, c := range []struct {
		average   Average
		value, se float64
	}{
		{Macro, 0.75, 0.25},
		{Micro, 2.0 / 3, math.Sqrt(2*(1.0/9+1.0/9)) / 3},
		{Weighted, 0.75, math.Sqrt(2*(0.25+0.25)) / 4},
	} {
		e, err := c.average.Of(scores)
		if err != nil || math.Abs(e.Value-c.value) > 1e-12 || math.Abs(e.SE-c.se) > 1e-12 || e.Tasks != 3 || e.Repositories != 2 {
			t.Errorf("%s: %+v, %v; want %v and %v", c.average, e, err, c.value, c.se)
		}
	}
}

func TestWithoutTwoRepositoriesThereIsNoInterval(t *testing.T) {
	for _, c := range []struct {
		rule   string
		scores []Score
		want   Estimate
	}{
		{"no task", nil, Estimate{Undefined: NoTask}},
		{"one task", []Score{{"o/a", "f", 0.25, 1}}, Estimate{Value: 0.25, Undefined: OneRepository, Tasks: 1, Repositories: 1}},
		{"two tasks of one repository", []Score{{"o/a", "f", 0, 1}, {"o/a", "g", 1, 1}},
			Estimate{Value: 0.5, Undefined: OneRepository, Tasks: 2, Repositories: 1}},
	} {
		for _, a := range Averages {
			if e, err := a.Of(c.scores); err != nil || e != c.want {
				t.Errorf("%s, %s: %+v, %v", c.rule, a, e, err)
			}
			b, err := a.Bootstrap(c.scores, 9)
			if want := (Bootstrap{Undefined: c.want.Undefined, Resamples: Resamples, Seed: 9}); err != nil || b != want {
				t.Errorf("bootstrap, %s, %s: %+v, %v", c.rule, a, b, err)
			}
		}
	}
	data, err := json.Marshal(Estimate{Undefined: NoTask})
	if want := `{"value":0,"se":0,"interval":null,"undefined":"no task has a score","tasks":0,"repositories":0}`; err != nil || string(data) != want {
		t.Errorf("%s, %v", data, err)
	}
}

func TestWhatIsNoScoreIsRefused(t *testing.T) {
	good := Score{"o/a", "f", 0.5, 1}
	for _, c := range []struct {
		rule    string
		average Average
		scores  []Score
		want    string
	}{
		{"not a number", Macro, []Score{good, {"o/a", "g", math.NaN(), 1}}, "the score of o/a g is NaN, not a finite number"},
		{"infinite", Micro, []Score{{"o/a", "", math.Inf(1), 1}}, "the score of o/a is +Inf, not a finite number"},
		{"twice", Macro, []Score{good, {"o/b", "f", 0, 1}, good}, "o/a f has two scores"},
		{"no weight", Weighted, []Score{{"o/a", "f", 0.5, 0}}, "the weight of o/a f is 0, not a positive number"},
		{"endless weight", Weighted, []Score{{"o/a", "f", 0.5, math.Inf(1)}}, "the weight of o/a f is +Inf, not a positive number"},
		{"no average", "median", []Score{good}, `"median" is not an average`},
	} {
		_, err := c.average.Of(c.scores)
		_, again := c.average.Bootstrap(c.scores, 1)
		_, ranks := Ranks([][]Score{c.scores, c.scores}, c.average)
		for _, err := range []error{err, again, ranks} {
			if err == nil || !strings.HasSuffix(err.Error(), c.want) {
				t.Errorf("%s: %v, want %s", c.rule, err, c.want)
			}
			if c.average == Weighted || c.average == "median" {
				continue
			}
			for _, pair := range [][2][]Score{{c.scores, {good}}, {{good}, c.scores}} {
				if _, err := Pair(pair[0], pair[1]); err == nil || err.Error() != c.want {
					t.Errorf("pair, %s: %v", c.rule, err)
				}
			}
		}
	}
	heavier := good
	heavier.Weight = 2
	if _, err := Pair([]Score{good}, []Score{heavier}); err == nil || err.Error() != "o/a f has weight 1 in one system and 2 in the other" {
		t.Errorf("differing weights: %v", err)
	}
}

func TestProportionsAreBounded(t *testing.T) {
	for _, n := range []int{1, 2, 3, 10, 90, 12345} {
		last := Interval{-1, -1}
		for x := 0; x <= n; x += max(1, n/7) {
			i, err := Wilson(x, n)
			p := float64(x) / float64(n)
			if err != nil || i.Low < 0 || i.High > 1 || i.Low > p || i.High < p || i.Low <= last.Low || i.High <= last.High {
				t.Errorf("%d of %d: %+v, %v", x, n, i, err)
			}
			other, err := Wilson(n-x, n)
			if err != nil || math.Abs(1-other.Low-i.High) > 1e-12 || math.Abs(1-other.High-i.Low) > 1e-12 {
				t.Errorf("%d of %d is not the mirror of %d: %+v, %+v", x, n, n-x, i, other)
			}
			last = i
		}
	}
	for _, c := range [][2]int{{0, 0}, {-1, 3}, {4, 3}} {
		if i, err := Wilson(c[0], c[1]); err == nil {
			t.Errorf("%v: %+v", c, i)
		}
	}
}

// TestTheSeedDecidesTheBootstrap: the same again with the same seed; another
// with another; and about the interval of Student's t where that is exact.
func TestTheSeedDecidesTheBootstrap(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	var scores []Score
	for c := range 60 {
		scores = append(scores, Score{Repository: fmt.Sprint(c), Value: r.NormFloat64()})
	}
	first, err := Macro.Bootstrap(scores, 1)
	if err != nil {
		t.Fatal(err)
	}
	again, _ := Macro.Bootstrap(scores, 1)
	other, _ := Macro.Bootstrap(scores, 2)
	if *first.Interval != *again.Interval || *first.Interval == *other.Interval {
		t.Errorf("%+v, %+v, %+v", *first.Interval, *again.Interval, *other.Interval)
	}
	e, _ := Macro.Of(scores)
	if math.Abs(first.Interval.Low-e.Interval.Low) > 0.3*e.SE || math.Abs(first.Interval.High-e.Interval.High) > 0.3*e.SE {
		t.Errorf("bootstrap %+v, Student's t %+v", *first.Interval, *e.Interval)
	}
	// What a page shows may not change with a library.
	fixed, err := Macro.Bootstrap([]Score{{"a", "", 0.1, 1}, {"b", "", 0.4, 1}, {"c", "", 0.35, 1}, {"d", "", 0.8, 1}, {"e", "", 0.95, 1}}, 42)
	if err != nil || fmt.Sprintf("%.4f %.4f", fixed.Interval.Low, fixed.Interval.High) != "0.2600 0.7800" {
		t.Errorf("%+v, %v", *fixed.Interval, err)
	}
}

// system has one score for each repository.
func system(values ...float64) []Score {
	var scores []Score
	for i, v := range values {
		scores = append(scores, Score{Repository: fmt.Sprintf("o/r%d", i), Value: v})
	}
	return scores
}

func TestRanks(t *testing.T) {
	for _, c := range []struct {
		rule string
		rows [][]Score
		want []Standing
	}{
		{"no row", nil, []Standing{}},
		{"one row", [][]Score{system(0.1, 0.9)}, []Standing{{Rank: 1}}},
		{"better everywhere by about as much",
			[][]Score{system(0.5, 0.6, 0.7), system(0.61, 0.7, 0.79)},
			[]Standing{{Rank: 2, Better: 1}, {Rank: 1, Worse: 1}}},
		{"better here, worse there: a tie",
			[][]Score{system(0.5, 0.6, 0.7), system(0.9, 0.2, 0.8)},
			[]Standing{{Rank: 1}, {Rank: 1}}},
		{"two share the first place and the next has the third",
			[][]Score{system(0.2, 0.3, 0.1), system(0.9, 0.8, 0.7), system(0.8, 0.9, 0.7)},
			[]Standing{{Rank: 3, Better: 2}, {Rank: 1, Worse: 1}, {Rank: 1, Worse: 1}}},
		{"equal rows", [][]Score{system(0.3, 0.1), system(0.3, 0.1)}, []Standing{{Rank: 1}, {Rank: 1}}},
		{"sharing a place does not carry over: 1 = 2 and 2 = 3, but 1 is better than 3",
			[][]Score{system(0.50, 0.51, 0.49), system(0.7, 0.3, 0.4), system(0.40, 0.41, 0.38)},
			[]Standing{{Rank: 1, Worse: 1}, {Rank: 1}, {Rank: 2, Better: 1}}},
		{"nothing in common",
			[][]Score{{{"o/a", "f", 1, 1}}, {{"o/b", "f", 0, 1}}, nil},
			[]Standing{{Rank: 1, Undecided: 2}, {Rank: 1, Undecided: 2}, {Rank: 1, Undecided: 2}}},
		{"one repository in common", [][]Score{system(1), system(0)}, []Standing{{Rank: 1, Undecided: 1}, {Rank: 1, Undecided: 1}}},
		{"the same lead everywhere, without any spread",
			[][]Score{system(0.2, 0.2), system(0.4, 0.4)},
			[]Standing{{Rank: 2, Better: 1}, {Rank: 1, Worse: 1}}},
	} {
		got, err := Ranks(c.rows, Macro)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, %v", c.rule, got, err)
		}
	}
}

// TestRoundingIsNoLead: the tasks of each repository cancel out but for the
// last bit.
func TestRoundingIsNoLead(t *testing.T) {
	var first, second []Score
	for _, r := range []string{"o/a", "o/b"} {
		first = append(first, Score{r, "f", 0.3, 1}, Score{r, "g", 0.1, 1})
		second = append(second, Score{r, "f", 0.2, 1}, Score{r, "g", 0.2, 1})
	}
	p, err := Pair(first, second)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := Macro.Of(p.Scores); err != nil || e.Value == 0 || e.SE != 0 || e.Interval.Excludes(0) {
		t.Errorf("%+v, %v", e, err)
	}
	standings, err := Ranks([][]Score{first, second}, Macro)
	if want := []Standing{{Rank: 1}, {Rank: 1}}; err != nil || !reflect.DeepEqual(standings, want) {
		t.Errorf("%+v, %v", standings, err)
	}
}

// The rank of a system is the same wherever its row stands.
func TestRanksDoNotDependOnTheOrderOfRows(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	var rows [][]Score
	for range 30 {
		ability := r.Float64()
		var row []Score
		for c := range 6 {
			for i := range 4 {
				row = append(row, Score{fmt.Sprint(c), fmt.Sprint(i), (ability + r.Float64()) / 2, 1})
			}
		}
		rows = append(rows, row)
	}
	for _, a := range Averages {
		before, err := Ranks(rows, a)
		if err != nil {
			t.Fatal(err)
		}
		order := r.Perm(len(rows))
		other := make([][]Score, len(rows))
		for i, at := range order {
			other[i] = shuffled(r, rows[at])
		}
		after, err := Ranks(other, a)
		if err != nil {
			t.Fatal(err)
		}
		first := 0
		for i, at := range order {
			if after[i] != before[at] {
				t.Fatalf("%s: row %d: %+v, before %+v", a, at, after[i], before[at])
			}
			if after[i].Rank == 1 {
				first++
			}
		}
		if first == 0 || first == len(rows) {
			t.Errorf("%s: %d of %d rows are first", a, first, len(rows))
		}
	}
}
