// Package bm25 ranks documents by the words that they share with a query
// (Robertson and Zaragoza, 2009), with words taken out of code as well as out
// of prose. It is pure: the same documents and query give the same ranking.
package bm25

import (
	"cmp"
	"math"
	"slices"
)

// How much repetitions of a word count, and how much long documents are held
// back: the usual values.
const (
	k1 = 1.2
	b  = 0.75
)

// A Field is text of a document whose every word counts Weight times.
type Field struct {
	Text   []byte
	Weight int // 1 or more
}

// A Builder collects documents. It keeps which words a document has, not its
// text: about 8 bytes for each different word of each document.
type Builder struct {
	words   map[string]uint32
	names   []string
	lengths []uint32
	entries []entry // of all documents, one document after the other
	ends    []int   // where each document's entries end
	seen    []int32 // word → 1 + its place among the entries of the document that is being added
}

// An entry says how often a document has a word.
type entry struct{ word, count uint32 }

// NewBuilder makes one without documents.
func NewBuilder() *Builder { return &Builder{words: map[string]uint32{}} }

// Add takes a document in. Documents are numbered from 0 on as they are added.
func (x *Builder) Add(name string, fields ...Field) {
	start, length := len(x.entries), 0
	for _, f := range fields {
		weight := uint32(max(f.Weight, 1))
		Tokens(f.Text, func(token []byte) {
			if stopWords[string(token)] {
				return
			}
			length += int(weight)
			word, ok := x.words[string(token)]
			if !ok {
				word = uint32(len(x.words))
				x.words[string(token)] = word
				x.seen = append(x.seen, 0)
			}
			if at := x.seen[word]; at > 0 {
				x.entries[start+int(at)-1].count += weight
				return
			}
			x.entries = append(x.entries, entry{word, weight})
			x.seen[word] = int32(len(x.entries) - start)
		})
	}
	for _, e := range x.entries[start:] {
		x.seen[e.word] = 0
	}
	x.names = append(x.names, name)
	x.lengths = append(x.lengths, uint32(length))
	x.ends = append(x.ends, len(x.entries))
}

// Index makes the documents searchable. The builder is spent.
func (x *Builder) Index() *Index {
	index := &Index{names: x.names, words: x.words, starts: make([]int, len(x.words)+1)}
	var total float64
	for _, length := range x.lengths {
		total += float64(length)
	}
	for _, e := range x.entries {
		index.starts[e.word+1]++
	}
	for i := 1; i < len(index.starts); i++ {
		index.starts[i] += index.starts[i-1]
	}
	index.postings = make([]posting, len(x.entries))
	next := slices.Clone(index.starts)
	from := 0
	for document, to := range x.ends {
		long := k1 * (1 - b + b*float64(x.lengths[document])*float64(len(x.ends))/max(total, 1))
		for _, e := range x.entries[from:to] {
			count := float64(e.count)
			index.postings[next[e.word]] = posting{uint32(document), float32(count * (k1 + 1) / (count + long))}
			next[e.word]++
		}
		from = to
	}
	*x = Builder{}
	return index
}

// An Index ranks documents. It does not change and may be used by several at once.
type Index struct {
	names    []string
	words    map[string]uint32
	starts   []int // word → where its postings begin; one more at the end
	postings []posting
}

// A posting is what a word is worth in a document, without how rare it is.
type posting struct {
	document uint32
	weight   float32
}

// Document is one to be indexed by New.
type Document struct {
	Name   string
	Fields []Field
}

// New indexes documents that are in memory. Where they are not, a Builder takes
// them one by one.
func New(documents ...Document) *Index {
	x := NewBuilder()
	for _, d := range documents {
		x.Add(d.Name, d.Fields...)
	}
	return x.Index()
}

// Len is the number of documents.
func (x *Index) Len() int { return len(x.names) }

// Frequency is in how many documents a word occurs, given in lower case.
func (x *Index) Frequency(word string) int {
	i, ok := x.words[word]
	if !ok {
		return 0
	}
	return x.starts[i+1] - x.starts[i]
}

// A Hit is a document that shares words with a query.
type Hit struct {
	Document int // its number
	Name     string
	Score    float64 // above 0; of one query only comparable among its hits
}

// Scores is what each document is worth for a query, 0 for those that share no
// word with it. A word counts once, however often the query repeats it.
func (x *Index) Scores(query string) []float64 {
	scores := make([]float64, len(x.names))
	used := map[uint32]bool{}
	Tokens([]byte(query), func(token []byte) {
		word, ok := x.words[string(token)]
		if !ok || used[word] {
			return
		}
		used[word] = true
		postings := x.postings[x.starts[word]:x.starts[word+1]]
		n, with := float64(len(x.names)), float64(len(postings))
		rare := math.Log(1 + (n-with+0.5)/(with+0.5))
		for _, p := range postings {
			scores[p.document] += rare * float64(p.weight)
		}
	})
	return scores
}

// Rank gives the n best documents, the best first; those of the same score in
// the order of their names.
func (x *Index) Rank(query string, n int) []Hit {
	return Best(x.Scores(query), x.names, n)
}

// Best gives the n highest of the scores that are above 0, the highest first;
// equal ones in the order of their names.
func Best(scores []float64, names []string, n int) []Hit {
	var hits []Hit
	before := func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Name, b.Name)) }
	for i, score := range scores {
		if score <= 0 || len(hits) >= n && (n < 1 || score < hits[n-1].Score) {
			continue
		}
		hit := Hit{i, names[i], score}
		at, _ := slices.BinarySearchFunc(hits, hit, before)
		if hits = slices.Insert(hits, at, hit); len(hits) > n {
			hits = hits[:n]
		}
	}
	return hits
}
