package measure

import "strings"

// An Overlap is how much two texts have in common, each number from 0 to 1. F
// is the harmonic mean of the others, 0 when both are 0.
type Overlap struct {
	Precision float64 // of the candidate, the share that the reference has
	Recall    float64 // of the reference, the share that the candidate has
	F         float64
}

// overlap is that of two texts of so many tokens with so many in common.
func overlap(common, candidate, reference int) Overlap {
	o := Overlap{Precision: float64(common) / float64(max(candidate, 1)), Recall: float64(common) / float64(max(reference, 1))}
	if sum := o.Precision + o.Recall; sum > 0 {
		o.F = 2 * o.Precision * o.Recall / sum
	}
	return o
}

// ROUGETokens splits a text as google's rouge_score does without stemming:
// ASCII letters, lowered, and digits make tokens, everything else separates
// them.
func ROUGETokens(text string) []string {
	lower := make([]byte, 0, len(text))
	var ends []int // behind each token, in lower
	inside := false
	for _, r := range text {
		c := rougeByte(r)
		if c != 0 {
			lower = append(lower, c)
			inside = true
		}
		if inside && (c == 0 || r == dottedI) {
			ends = append(ends, len(lower))
			inside = false
		}
	}
	if inside {
		ends = append(ends, len(lower))
	}
	tokens := make([]string, len(ends))
	all, start := string(lower), 0
	for i, end := range ends {
		tokens[i], start = all[start:end], end
	}
	return tokens
}

// Two characters outside of ASCII have ASCII in their lower case.
const (
	dottedI = 'İ'      // i and, in Python, a dot above, which ends the token
	kelvin  = '\u212a' // k
)

// rougeByte is what a character adds to a token, 0 when it separates tokens.
func rougeByte(r rune) byte {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
		return byte(r)
	case r >= 'A' && r <= 'Z':
		return byte(r) + 'a' - 'A'
	case r == dottedI:
		return 'i'
	case r == kelvin:
		return 'k'
	}
	return 0
}

// ROUGE1 compares which words two texts have, and how often (Lin, 2004), as
// google's rouge_score does without stemming. It is 0 when a side has no word.
func ROUGE1(candidate, reference string) Overlap {
	words := vocabulary{}
	ref := words.add(ROUGETokens(reference))
	left := make([]int32, len(words))
	for _, id := range ref {
		left[id]++
	}
	can := words.find(ROUGETokens(candidate))
	common := 0
	for _, id := range can {
		if id != unknown && left[id] > 0 {
			left[id]--
			common++
		}
	}
	return overlap(common, len(can), len(ref))
}

// ROUGELsum compares two texts line by line (Lin, 2004), as google's
// rouge_score does without stemming: a word of a reference's line is common
// when it is in the longest common subsequence with any line of the candidate,
// and no word is common more often than either text has it. Only line feeds
// end lines. It is 0 when a side has no word, and not symmetric.
//
// Time grows with the product of both lengths, divided by 64 where lines are
// long; lines that have no word in common, and a candidate's line that an
// earlier one repeats, cost nothing. Memory is bounded by subsequence.
func ROUGELsum(candidate, reference string) Overlap {
	words := vocabulary{}
	refs, m := numberedLines(reference, words.add)
	known := len(words)
	cans, n := numberedLines(candidate, words.find)
	if m == 0 || n == 0 {
		return Overlap{}
	}
	inReference, inCandidate := make([]int32, known), make([]int32, known)
	count(inReference, refs)
	count(inCandidate, cans)
	hits := 0
	for i, union := range unions(refs, distinct(cans), known) {
		for j, token := range refs[i] {
			if union[j] && inCandidate[token] > 0 && inReference[token] > 0 {
				inCandidate[token]--
				inReference[token]--
				hits++
			}
		}
	}
	return overlap(hits, n, m)
}

// numberedLines are the tokens of every line that has any, and how many they
// are.
func numberedLines(text string, number func([]string) []int32) (lines [][]int32, tokens int) {
	for line := range strings.SplitSeq(text, "\n") {
		if ids := number(ROUGETokens(line)); len(ids) > 0 {
			lines = append(lines, ids)
			tokens += len(ids)
		}
	}
	return lines, tokens
}

func count(counts []int32, lines [][]int32) {
	for _, line := range lines {
		for _, id := range line {
			if id != unknown {
				counts[id]++
			}
		}
	}
}

// distinct leaves out lines that repeat an earlier one.
func distinct(lines [][]int32) [][]int32 {
	seen := make(map[string]bool, len(lines))
	var kept [][]int32
	var key []byte
	for _, line := range lines {
		key = key[:0]
		for _, id := range line {
			key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			kept = append(kept, line)
		}
	}
	return kept
}

// unions says of every token of every reference's line whether it is in the
// longest common subsequence with one of the candidate's lines. Tokens are
// numbered below known; only the candidate has unknown ones.
func unions(refs, cans [][]int32, known int) [][]bool {
	union := make([][]bool, len(refs))
	having := make([][]int32, known) // by token, the reference's lines that have it
	for i, line := range refs {
		union[i] = make([]bool, len(line))
		for _, id := range line {
			if h := having[id]; len(h) == 0 || h[len(h)-1] != int32(i) {
				having[id] = append(h, int32(i))
			}
		}
	}
	asked := make([]int32, len(refs)) // the last of the candidate's lines that was compared, from 1 on
	s := newSubsequence(known)
	for c, line := range cans {
		s.against(line)
		for _, id := range line {
			if id == unknown {
				continue
			}
			for _, i := range having[id] {
				if asked[i] != int32(c+1) {
					asked[i] = int32(c + 1)
					s.mark(refs[i], union[i])
				}
			}
		}
		s.forget(line)
	}
	return union
}
