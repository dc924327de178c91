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
	w := borrow()
	defer w.giveBack()
	w.words.reset(len(reference) / 5) // or so
	left := w.numbers.take(len(reference)/2 + 1)
	words, common, m, n := &w.words, 0, 0, 0
	w.eachROUGE(reference, func(token []byte) {
		left[words.add(token)]++
		m++
	})
	w.eachROUGE(candidate, func(token []byte) {
		if id := words.find(token); id != unknown && left[id] > 0 {
			left[id]--
			common++
		}
		n++
	})
	return overlap(common, n, m)
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
	w := borrow()
	defer w.giveBack()
	w.words.reset(len(reference) / 5) // or so
	refs, m := w.numberedLines(reference, w.words.add)
	known := w.words.size()
	cans, n := w.numberedLines(candidate, w.words.find)
	if m == 0 || n == 0 {
		return Overlap{}
	}
	inReference, inCandidate := w.numbers.take(known), w.numbers.take(known)
	count(inReference, refs)
	count(inCandidate, cans)
	hits := 0
	for i, union := range w.unions(refs, w.distinct(cans), known, m) {
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
func (w *workspace) numberedLines(text string, number func([]byte) int32) (lines [][]int32, count int) {
	lines = w.sequences.take(strings.Count(text, "\n") + 1)[:0]
	ids := w.numbers.take(len(text)/2 + 1)[:0] // a character stands between two
	for line := range strings.SplitSeq(text, "\n") {
		start := len(ids)
		w.eachROUGE(line, func(token []byte) { ids = append(ids, number(token)) })
		if len(ids) > start {
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
func (w *workspace) distinct(lines [][]int32) [][]int32 {
	w.lines.reset(len(lines))
	kept := w.sequences.take(len(lines))[:0]
	for _, line := range lines {
		key := w.spare[:0]
		for _, id := range line {
			key = append(key, byte(id), byte(id>>8), byte(id>>16), byte(id>>24))
		}
		if w.spare = key; int(w.lines.add(key)) == len(kept) {
			kept = append(kept, line)
		}
	}
	return kept
}

// unions says of every token of every reference's line, m in all, whether it is
// in the longest common subsequence with one of the candidate's lines. Tokens
// are numbered below known; only the candidate has unknown ones.
func (w *workspace) unions(refs, cans [][]int32, known, m int) [][]bool {
	union, all := w.marks.take(len(refs)), w.flags.take(m)
	ends, places := w.linesByToken(refs, known, m)
	for i, line := range refs {
		union[i], all = all[:len(line):len(line)], all[len(line):]
	}
	asked := w.numbers.take(len(refs)) // the last of the candidate's lines that was compared, from 1 on
	s := &w.subsequence
	s.reset(known)
	for c, line := range cans {
		s.against(line)
		for _, id := range line {
			if id == unknown {
				continue
			}
			start := int32(0)
			if id > 0 {
				start = ends[id-1]
			}
			for _, i := range places[start:ends[id]] {
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
// have it: those of places from the end of the token before on; a line that has
// it twice stands there twice. The lines have m tokens in all.
func (w *workspace) linesByToken(lines [][]int32, known, m int) (ends, places []int32) {
	ends, places = w.numbers.take(known), w.numbers.take(m)
	count(ends, lines)
	sum := int32(0)
	for id, n := range ends {
		ends[id] = sum
		sum += n
	}
	for i, line := range lines {
		for _, id := range line {
			places[ends[id]] = int32(i)
			ends[id]++
		}
	}
	return ends, places
}
