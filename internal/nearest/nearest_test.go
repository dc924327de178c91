package nearest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// levenshtein is the textbook's, without any bound.
func levenshtein(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := before
			if a[i] != b[j] {
				cost++
			}
			before = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

func TestDistanceIsLevenshteins(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(longest int) string {
		b := make([]byte, r.IntN(longest))
		for i := range b {
			b[i] = "abc\xff"[r.IntN(4)]
		}
		return string(b)
	}
	for _, c := range []struct{ times, longest int }{{3000, 12}, {500, 70}, {100, 300}} {
		for range c.times {
			p, text := word(c.longest), word(c.longest)
			prepared := patternOf(p)
			for range 2 { // a pattern serves again
				if got, want := prepared.distance(text), levenshtein(p, text); got != want {
					t.Fatalf("%q and %q: %d, want %d", p, text, got, want)
				}
			}
		}
	}
	for _, n := range []int{63, 64, 65, 128, 129} {
		name := strings.Repeat("ab", n)[:n]
		for _, text := range []string{name, name[1:], name + "x", "x" + name, name[:n/2] + "x" + name[n/2:], ""} {
			if got, want := patternOf(name).distance(text), levenshtein(name, text); got != want {
				t.Errorf("%d bytes and %q: %d, want %d", n, text, got, want)
			}
		}
	}
}

func TestNearest(t *testing.T) {
	var candidates []Candidate
	for _, name := range []string{"b/beta", "a/Alpha", "a/alpine", "a/alphabet", "a/alphas", "a/gamma"} {
		candidates = append(candidates, NewCandidate(name))
	}
	for _, c := range []struct {
		rule, wanted string
		want         []string
	}{
		{"the nearest first, those as near by the alphabet", "a/alpha", []string{"a/Alpha", "a/alphas", "a/alphabet"}},
		{"case aside", "A/ALPHABET", []string{"a/alphabet", "a/Alpha", "a/alphas"}},
		{"what differs in more than half is not offered", "zzzz/zz", []string{}},
		{"no name", "", []string{}},
		{"a name that is longer than all", strings.Repeat("a/alpha", 50), []string{}},
		{"a name beyond all measure", strings.Repeat("a/alpha", 1<<17), []string{}},
	} {
		if got := Names(c.wanted, candidates); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.rule, got, c.want)
		}
	}
}

// BenchmarkNearest looks one name up among the 5,000 of a large repository.
func BenchmarkNearest(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	word := func() string {
		return []string{"parse", "write", "token", "stream", "buffer", "index", "node", "visit", "load"}[r.IntN(9)]
	}
	var candidates []Candidate
	for i := range 5000 {
		candidates = append(candidates, NewCandidate(fmt.Sprintf("src/package/%s/%s_%s.py::%s%d.%s_%s", word(), word(), word(), word(), i%97, word(), word())))
	}
	for b.Loop() {
		Names("package/"+word()+"/"+word()+".py::"+word()+"_"+word(), candidates)
	}
}
