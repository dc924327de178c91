package bm25

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func document(name, text string) Document {
	return Document{name, []Field{{Text: []byte(text), Weight: 1}}}
}

// The score is the formula's, computed here from the counts.
func TestScoresAreOkapis(t *testing.T) {
	x := New(document("a", "cache cache evict"), document("b", "cache list"), document("c", "list"))
	mean := 6.0 / 3
	okapi := func(count, length, with float64) float64 {
		return math.Log(1+(3-with+0.5)/(with+0.5)) * count * 2.2 / (count + 1.2*(0.25+0.75*length/mean))
	}
	want := []float64{okapi(2, 3, 2) + okapi(1, 3, 1), okapi(1, 2, 2), 0}
	for i, got := range x.Scores("Evict the cache, cache!") {
		if math.Abs(got-want[i]) > 1e-6 {
			t.Errorf("document %d: %v, want %v", i, got, want[i])
		}
	}
}

func TestTheBestComeFirstAndTiesGoByName(t *testing.T) {
	x := New(document("z", "cache"), document("a", "cache"), document("m", "cache evict"), document("n", "list"))
	for _, c := range []struct {
		query string
		n     int
		want  []string
	}{
		{"evict cache", 9, []string{"m", "a", "z"}},
		{"cache", 2, []string{"a", "z"}},
		{"evict cache", 1, []string{"m"}},
		{"nothing of it", 9, nil},
		{"", 9, nil},
		{"the and with", 9, nil},
		{"cache", 0, nil},
		{"cache", -1, nil},
	} {
		var got []string
		for _, hit := range x.Rank(c.query, c.n) {
			got = append(got, hit.Name)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q, %d: %q, want %q", c.query, c.n, got, c.want)
		}
	}
}

func TestAFieldCountsAsOftenAsItsWeight(t *testing.T) {
	once := New(Document{"a", []Field{{[]byte("cache"), 3}, {[]byte("list"), 1}}}, document("b", "other words"))
	thrice := New(document("a", "cache cache cache list"), document("b", "other words"))
	if got, want := once.Scores("cache list"), thrice.Scores("cache list"); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestAnIndexOfNothing(t *testing.T) {
	for _, x := range []*Index{New(), New(document("empty", "")), New(document("punctuation", "{}();"))} {
		if hits := x.Rank("anything", 5); len(hits) > 0 {
			t.Errorf("%v", hits)
		}
	}
	if x := New(document("a", "cache"), document("b", "cache")); x.Frequency("cache") != 2 || x.Frequency("list") != 0 || x.Len() != 2 {
		t.Error("the counts are wrong")
	}
}

// Whatever way the documents come, the ranking is that of sorting all scores.
func TestTheBestAreThoseOfAFullSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := r.IntN(40)
		scores, names := make([]float64, n), make([]string, n)
		for i := range scores {
			scores[i], names[i] = float64(r.IntN(6)), fmt.Sprint(r.IntN(1000), "-", i)
		}
		all := Best(scores, names, n)
		for i := 1; i < len(all); i++ {
			if a, b := all[i-1], all[i]; a.Score < b.Score || a.Score == b.Score && a.Name > b.Name {
				t.Fatalf("%v before %v", a, b)
			}
		}
		k := r.IntN(8)
		if got := Best(scores, names, k); !slices.Equal(got, all[:min(k, len(all))]) {
			t.Fatalf("the best %d are %v of %v", k, got, all)
		}
	}
}

// BenchmarkIndex makes an index of 20,000 files of about 400 words.
func BenchmarkIndex(b *testing.B) {
	documents := files(20_000, 400)
	b.ReportAllocs()
	for b.Loop() {
		New(documents...)
	}
}

func BenchmarkRank(b *testing.B) {
	x := New(files(20_000, 400)...)
	for b.Loop() {
		x.Rank("word12 word400 word9000 the word3 of word77", 6)
	}
}

func files(n, words int) []Document {
	r := rand.New(rand.NewPCG(1, 2))
	frequencies := rand.NewZipf(r, 1.1, 4, 200_000)
	documents := make([]Document, n)
	for i := range documents {
		var text []byte
		for range words {
			text = fmt.Appendf(text, "word%d ", frequencies.Uint64())
		}
		documents[i] = Document{fmt.Sprintf("src/file%d.go", i), []Field{{text, 1}}}
	}
	return documents
}
