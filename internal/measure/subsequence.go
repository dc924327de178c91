package measure

import (
	"math"
	"math/bits"
)

// A subsequence finds longest common subsequences of a fixed line of n tokens
// with others of m, as rouge_score picks them out of several equally long ones.
//
// The table of lengths t is kept as bits, 64 to a word, since neighbours in a
// row differ by 0 or 1 (Hyyrö, 2004): bit j of row i is 0 where
// t[i][j+1] = t[i][j] + 1. That takes m·n/64 steps. Of a table of more than
// whole words every √m-th row is kept, and those between are computed
// again on the way back, so that it takes no more than about √m·n/4 bytes.
type subsequence struct {
	line  []int32
	words int // of a row

	// The places of each token in the line: heads holds, by token, the index
	// in masks of its first word with a place, less one; next leads on.
	heads []int32
	masks []placeMask

	whole int      // words of a table that are kept without further thought
	kept  []uint64 // every step-th row, from row 0 on
	rows  []uint64 // the rows from a kept one to the next one, both included
}

type placeMask struct {
	word int32
	next int32
	mask uint64
}

// wholeTable is the usual limit of a table that is kept whole: 8 MiB.
const wholeTable = 1 << 20

// reset makes it ready for lines of tokens below known.
func (s *subsequence) reset(known int) {
	s.heads, s.whole = sized(s.heads, known), wholeTable
	clear(s.heads)
}

// against sets the line that others are compared with. Its tokens are below
// known, or unknown.
func (s *subsequence) against(line []int32) {
	s.line, s.words, s.masks = line, (len(line)+63)/64, s.masks[:0]
	for j := len(line) - 1; j >= 0; j-- {
		token := line[j]
		if token == unknown {
			continue
		}
		word, bit := int32(j/64), uint64(1)<<(j%64)
		if head := s.heads[token]; head > 0 && s.masks[head-1].word == word {
			s.masks[head-1].mask |= bit
			continue
		}
		s.masks = append(s.masks, placeMask{word, s.heads[token], bit})
		s.heads[token] = int32(len(s.masks))
	}
}

// forget makes ready for another line.
func (s *subsequence) forget(line []int32) {
	for _, token := range line {
		if token != unknown {
			s.heads[token] = 0
		}
	}
}

// mark sets hit where a token of the other line is in the longest common
// subsequence. Going back from the ends of both lines it takes what is equal;
// else it leaves out the token whose loss costs nothing, and of two such the
// other line's: that is rouge_score's choice.
func (s *subsequence) mark(other []int32, hit []bool) {
	m, step := len(other), len(other)
	if m*s.words > s.whole {
		step = int(math.Sqrt(float64(m))) + 1
	}
	s.keep(other, step)
	base := (m - 1) / step * step
	s.fill(other[base:], base/step)

	i, j := m, len(s.line)
	here, above := s.length(i-base, j), s.length(i-1-base, j) // t[i][j] and t[i−1][j]
	for here > 0 {
		if other[i-1] != s.line[j-1] {
			if left := here - s.rise(i-base, j); left > above {
				here, above = left, above-s.rise(i-1-base, j)
				j--
				continue
			}
			i, here = i-1, above
		} else {
			hit[i-1] = true
			i, j, here = i-1, j-1, above-s.rise(i-1-base, j)
		}
		if here == 0 {
			return
		}
		if i == base {
			base -= step
			s.fill(other[base:base+step], base/step)
		}
		above = s.length(i-1-base, j)
	}
}

// keep computes the rows that are kept.
func (s *subsequence) keep(other []int32, step int) {
	count := (len(other)-1)/step + 1
	s.kept = sized(s.kept, count*s.words)
	row := s.kept[:s.words]
	for k := range row {
		row[k] = ^uint64(0)
	}
	for k := 1; k < count; k++ {
		next := s.kept[k*s.words : (k+1)*s.words]
		copy(next, row)
		for _, token := range other[(k-1)*step : k*step] {
			s.advance(next, next, token)
		}
		row = next
	}
}

// fill computes the rows behind the k-th kept one, of up to step tokens.
func (s *subsequence) fill(tokens []int32, k int) {
	s.rows = sized(s.rows, (len(tokens)+1)*s.words)
	copy(s.rows, s.kept[k*s.words:(k+1)*s.words])
	for i, token := range tokens {
		s.advance(s.row(i+1), s.row(i), token)
	}
}

func (s *subsequence) row(i int) []uint64 { return s.rows[i*s.words : (i+1)*s.words] }

// advance computes a row from the one before, which may be the same memory.
func (s *subsequence) advance(to, from []uint64, token int32) {
	carry, at := uint64(0), s.heads[token]
	for k, v := range from {
		mask := uint64(0)
		if at > 0 && s.masks[at-1].word == int32(k) {
			mask, at = s.masks[at-1].mask, s.masks[at-1].next
		}
		var sum uint64
		sum, carry = bits.Add64(v, v&mask, carry)
		to[k] = sum | v&^mask
	}
}

// length is t[i][j], i counted from the first row at hand.
func (s *subsequence) length(i, j int) int {
	row, ones := s.row(i), 0
	for _, v := range row[:j/64] {
		ones += bits.OnesCount64(v)
	}
	if j%64 > 0 {
		ones += bits.OnesCount64(row[j/64] << (64 - j%64))
	}
	return j - ones
}

// rise is t[i][j] − t[i][j−1].
func (s *subsequence) rise(i, j int) int {
	return int(^s.row(i)[(j-1)/64] >> ((j - 1) % 64) & 1)
}
