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

// ROUGE1 compares which words two texts have, and how often (Lin, 2004), as
// google's rouge_score does without stemming. It is 0 when a side has no word.
func ROUGE1(candidate, reference string) Overlap {
	tokens := ROUGETokens(reference)
	words := newVocabulary(len(tokens))
	ref := numbered(tokens, words.add)
	left := make([]int32, len(words))
	for _, id := range ref {
		left[id]++
	}
	can := numbered(ROUGETokens(candidate), words.find)
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
	words := newVocabulary(len(reference) / 8) // or so
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
	for i, union := range unions(refs, distinct(cans), known, m) {
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
func numberedLines(text string, number func(string) int32) (lines [][]int32, count int) {
	ids := make([]int32, 0, len(text)/4+1)
	var tokens []string
	for line := range strings.SplitSeq(text, "\n") {
		tokens = appendROUGETokens(tokens[:0], line)
		start := len(ids)
		for _, t := range tokens {
			ids = append(ids, number(t))
		}
		if len(tokens) > 0 {
			lines = append(lines, ids[start:len(ids):len(ids)])
		}
	}
	return lines, len(ids)
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

// unions says of every token of every reference's line, m in all, whether it is
// in the longest common subsequence with one of the candidate's lines. Tokens
// are numbered below known; only the candidate has unknown ones.
func unions(refs, cans [][]int32, known, m int) [][]bool {
	union, all := make([][]bool, len(refs)), make([]bool, m)
	having := linesByToken(refs, known, m)
	for i, line := range refs {
		union[i], all = all[:len(line):len(line)], all[len(line):]
	}
	asked := make([]int32, len(refs)) // the last of the candidate's lines that was compared, from 1 on
	s := newSubsequence(known)
	for c, line := range cans {
		s.against(line)
		for _, id := range line {
			if id == unknown {
				continue
			}
			for _, i := range having(id) {
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

// linesByToken tells of each token, numbered below known, which of the lines
// have it; one that has it twice is told twice. The lines have m tokens in all.
func linesByToken(lines [][]int32, known, m int) func(token int32) []int32 {
	ends := make([]int32, known+1) // of each token's part of places
	count(ends, lines)
	sum := int32(0)
	for id, n := range ends {
		ends[id] = sum
		sum += n
	}
	places := make([]int32, m)
	for i, line := range lines {
		for _, id := range line {
			places[ends[id]] = int32(i)
			ends[id]++
		}
	}
	return func(id int32) []int32 {
		start := int32(0)
		if id > 0 {
			start = ends[id-1]
		}
		return places[start:ends[id]]
	}
}
