// Package nearest finds the names that somebody may have meant who wrote one
// that there is not.
package nearest

import (
	"cmp"
	"slices"
	"strings"
)

const (
	// suggestions is how many names at most are offered for one that is unknown.
	suggestions = 3
	// longestWanted is the longest name, in bytes, that is looked for.
	longestWanted = 1024
)

// A Candidate is a name that may have been meant.
type Candidate struct{ name, folded string }

// NewCandidate prepares a name that is compared with many.
func NewCandidate(name string) Candidate { return Candidate{name, strings.ToLower(name)} }

// Names are up to three of the names that are nearest to one that is unknown,
// by edit distance in bytes without regard to case: the nearest first, those
// as near in the order of the alphabet. Names that differ in more than half of
// the longer one are not offered.
func Names(wanted string, names []Candidate) []string {
	type near struct {
		name     string
		distance int
	}
	var best []near
	if p := patternOf(strings.ToLower(wanted)); p.length <= longestWanted {
		for _, c := range names {
			limit := max(p.length, len(c.folded)) / 2
			if len(best) == suggestions {
				limit = min(limit, best[suggestions-1].distance)
			}
			if max(p.length-len(c.folded), len(c.folded)-p.length) > limit {
				continue
			}
			d := p.distance(c.folded)
			if d > limit {
				continue
			}
			best = append(best, near{c.name, d})
			slices.SortFunc(best, func(a, b near) int {
				return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
			})
			best = best[:min(len(best), suggestions)]
		}
	}
	found := make([]string, len(best))
	for i, n := range best {
		found[i] = n.name
	}
	return found
}

// A pattern is a name prepared for comparing it with many: for each byte, the
// places where the name has it, as bits of 64-bit words.
type pattern struct {
	length int
	places [256][]uint64
	// The column of the table of distances that was computed last, as its
	// vertical differences: where they are +1 and where −1.
	up, down []uint64
}

func patternOf(name string) *pattern {
	p := &pattern{length: len(name)}
	if p.length > longestWanted {
		return p
	}
	words := (len(name) + 63) / 64
	none := make([]uint64, words)
	for b := range p.places {
		p.places[b] = none
	}
	for i := range len(name) {
		if b := name[i]; &p.places[b][0] == &none[0] {
			p.places[b] = make([]uint64, words)
		}
		p.places[name[i]][i/64] |= 1 << (i % 64)
	}
	p.up, p.down = make([]uint64, words), make([]uint64, words)
	return p
}

// distance is the Levenshtein distance to a text: how many bytes have to be put
// in, taken out or exchanged. It computes 64 rows of the table at a time
// (Myers, 1999, with Hyyrö's blocks, 2003).
func (p *pattern) distance(text string) int {
	if p.length == 0 {
		return len(text)
	}
	for w := range p.up {
		p.up[w], p.down[w] = ^uint64(0), 0
	}
	last := uint64(1) << ((p.length - 1) % 64)
	distance := p.length
	for i := range len(text) {
		// The horizontal differences that leave a word at its top bit enter
		// the next one; the table's first row grows by one with each column.
		more, less := uint64(1), uint64(0)
		for w, equal := range p.places[text[i]] {
			up, down := p.up[w], p.down[w]
			vertical := equal | down
			equal |= less
			diagonal := (((equal & up) + up) ^ up) | equal
			plus := down | ^(diagonal | up)
			minus := up & diagonal
			if w == len(p.up)-1 {
				if plus&last != 0 {
					distance++
				} else if minus&last != 0 {
					distance--
				}
			}
			plusOut, minusOut := plus>>63, minus>>63
			plus, minus = plus<<1|more, minus<<1|less
			p.up[w] = minus | ^(vertical | plus)
			p.down[w] = plus & vertical
			more, less = plusOut, minusOut
		}
	}
	return distance
}
