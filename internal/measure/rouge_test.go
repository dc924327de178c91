package measure_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/measure"
)

type overlapVector struct{ P, R, F float64 }

func checkOverlap(t *testing.T, what string, got measure.Overlap, want overlapVector) {
	t.Helper()
	near(t, what+" precision", got.Precision, want.P)
	near(t, what+" recall", got.Recall, want.R)
	near(t, what+" F", got.F, want.F)
}

func TestROUGEIsThatOfGooglesScorer(t *testing.T) {
	for _, v := range vectors[struct {
		ID                 string
		Prediction, Target string
		TokPrediction      []string `json:"tok_prediction"`
		TokTarget          []string `json:"tok_target"`
		Scores             struct{ Rouge1, RougeLsum overlapVector }
	}](t, "rouge.jsonl", 200) {
		for _, side := range []struct {
			text string
			want []string
		}{{v.Prediction, v.TokPrediction}, {v.Target, v.TokTarget}} {
			if got := measure.ROUGETokens(side.text); !slices.Equal(got, side.want) {
				t.Errorf("%s: tokens of %q are %q, want %q", v.ID, side.text, got, side.want)
			}
		}
		checkOverlap(t, v.ID+" ROUGE-1", measure.ROUGE1(v.Prediction, v.Target), v.Scores.Rouge1)
		checkOverlap(t, v.ID+" ROUGE-Lsum", measure.ROUGELsum(v.Prediction, v.Target), v.Scores.RougeLsum)
	}
}

func TestROUGETokens(t *testing.T) {
	for _, c := range []struct {
		why, text, want string
	}{
		{"underscores separate", "snake_case_2", "snake case 2"},
		{"the dot above İ separates", "aİb İ", "ai b i"},
		{"the sign of kelvin is a k", "3\u212a \u212a", "3k k"},
		{"other letters separate", "naïve größe", "na ve gr e"},
		{"nothing", "…", ""},
	} {
		if got := strings.Join(measure.ROUGETokens(c.text), " "); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.why, c.text, got, c.want)
		}
	}
}

func TestROUGELsumEndsLinesAtLineFeedsOnly(t *testing.T) {
	if o := measure.ROUGELsum("b\na", "a\nb"); o.F != 1 {
		t.Errorf("two lines in another order: %+v", o)
	}
	if o := measure.ROUGELsum("b\ra", "a\rb"); o.F != 0.5 {
		t.Errorf("a carriage return ends a line: %+v", o)
	}
}

// plainLsum is ROUGE-Lsum as it is defined, with the whole table.
func plainLsum(candidate, reference string) measure.Overlap {
	lines := func(s string) (all [][]string, count map[string]int, n int) {
		count = map[string]int{}
		for _, l := range strings.Split(s, "\n") {
			tokens := measure.ROUGETokens(l)
			all = append(all, tokens)
			for _, t := range tokens {
				count[t]++
				n++
			}
		}
		return
	}
	refs, inRef, m := lines(reference)
	cans, inCan, n := lines(candidate)
	if m == 0 || n == 0 {
		return measure.Overlap{}
	}
	hits := 0
	for _, ref := range refs {
		union := make([]bool, len(ref))
		for _, can := range cans {
			table := make([][]int, len(ref)+1)
			table[0] = make([]int, len(can)+1)
			for i := range ref {
				table[i+1] = make([]int, len(can)+1)
				for j := range can {
					if ref[i] == can[j] {
						table[i+1][j+1] = table[i][j] + 1
					} else {
						table[i+1][j+1] = max(table[i][j+1], table[i+1][j])
					}
				}
			}
			for i, j := len(ref), len(can); i > 0 && j > 0; {
				switch {
				case ref[i-1] == can[j-1]:
					i, j = i-1, j-1
					union[i] = true
				case table[i][j-1] > table[i-1][j]:
					j--
				default:
					i--
				}
			}
		}
		for i, t := range ref {
			if union[i] && inCan[t] > 0 && inRef[t] > 0 {
				hits, inCan[t], inRef[t] = hits+1, inCan[t]-1, inRef[t]-1
			}
		}
	}
	o := measure.Overlap{Precision: float64(hits) / float64(n), Recall: float64(hits) / float64(m)}
	if hits > 0 {
		o.F = 2 * o.Precision * o.Recall / (o.Precision + o.Recall)
	}
	return o
}

// Lines of several words of bits and many ties, by the plain definition.
func TestROUGELsumOfLongLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	text := func(n, letters int, newline float64) string {
		var b strings.Builder
		for range n {
			b.WriteByte(byte('a' + rng.IntN(letters)))
			if rng.Float64() < newline {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
		return b.String()
	}
	for _, c := range []struct {
		rounds, most, letters int
		newline               float64
	}{
		{300, 40, 2, 0.1},
		{100, 300, 4, 0.02},
		{40, 500, 26, 0},
		{40, 130, 1, 0.01},
	} {
		for range c.rounds {
			a, b := text(rng.IntN(c.most), c.letters, c.newline), text(rng.IntN(c.most), c.letters, c.newline)
			if got, want := measure.ROUGELsum(a, b), plainLsum(a, b); got != want {
				t.Fatalf("%q and %q: %+v, want %+v", a, b, got, want)
			}
		}
	}
}

func TestROUGEProperties(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		a, b := randomText(rng), randomText(rng)
		one, turned := measure.ROUGE1(a, b), measure.ROUGE1(b, a)
		if one.Precision != turned.Recall || one.Recall != turned.Precision || one.F != turned.F {
			t.Errorf("ROUGE-1 of %q and %q: %+v, turned %+v", a, b, one, turned)
		}
		lsum := measure.ROUGELsum(a, b)
		for _, o := range []measure.Overlap{one, lsum} {
			if !(o.Precision >= 0 && o.Precision <= 1 && o.Recall >= 0 && o.Recall <= 1 && o.F >= 0 && o.F <= 1) ||
				o.F < min(o.Precision, o.Recall)-tolerance || o.F > max(o.Precision, o.Recall)+tolerance {
				t.Errorf("%q and %q: %+v", a, b, o)
			}
		}
		if lsum.Precision > one.Precision || lsum.Recall > one.Recall {
			t.Errorf("%q and %q have more in order (%+v) than at all (%+v)", a, b, lsum, one)
		}
		if self := measure.ROUGELsum(a, a); len(measure.ROUGETokens(a)) > 0 && self.F != 1 {
			t.Errorf("ROUGE-Lsum of %q and itself is %+v", a, self)
		}
	}
}

// Ten thousand tokens a side: a table of a hundred million numbers would need
// most of a gigabyte and seconds.
func TestROUGELsumOfTenThousandTokens(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	long := func(separator string) string {
		words := make([]string, 10_000)
		for i := range words {
			words[i] = string(rune('a'+rng.IntN(6))) + string(rune('a'+rng.IntN(6)))
		}
		return strings.Join(words, separator)
	}
	for _, separator := range []string{" ", "\n"} {
		a, b := long(separator), long(separator)
		if o := measure.ROUGELsum(a, b); !(o.F > 0.1 && o.F <= 1) {
			t.Errorf("separated by %q: %+v", separator, o)
		}
		if o := measure.ROUGELsum(a, a); o.F != 1 {
			t.Errorf("separated by %q, itself: %+v", separator, o)
		}
	}
	if o := measure.ROUGELsum(strings.Repeat("a ", 10_000), strings.Repeat("a\n", 5_000)); o.Recall != 1 || o.Precision != 0.5 {
		t.Errorf("one word again and again: %+v", o)
	}
}

func FuzzROUGELsum(f *testing.F) {
	f.Add("a b c", "c b a")
	f.Add("w1 w2\nw3 w1", "w1 w3\nw2")
	f.Add("", "İ\u212a\n")
	f.Fuzz(func(t *testing.T, candidate, reference string) {
		if len(candidate) > 2000 || len(reference) > 2000 {
			return
		}
		if got, want := measure.ROUGELsum(candidate, reference), plainLsum(candidate, reference); got != want {
			t.Errorf("%q and %q: %+v, want %+v", candidate, reference, got, want)
		}
	})
}
