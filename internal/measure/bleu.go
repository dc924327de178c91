package measure

import (
	"math"

	"touchstone/internal/measure/pystr"
)

// BLEUCounts are what BLEU (Papineni et al., 2002) is computed from. Those of a
// corpus are the sums of its sentences'. The index of an array is the order of
// the n-grams less one.
type BLEUCounts struct {
	Matched   [maxOrder]int // n-grams of the candidate that a reference has, each as often as there at most
	Total     [maxOrder]int // n-grams of the candidate
	Candidate int           // tokens
	Reference int           // tokens of the reference that counts
}

// Add adds the counts of a further sentence.
func (c *BLEUCounts) Add(o BLEUCounts) {
	for i := range c.Matched {
		c.Matched[i] += o.Matched[i]
		c.Total[i] += o.Total[i]
	}
	c.Candidate += o.Candidate
	c.Reference += o.Reference
}

// CountBLEU counts as the metric "bleu" of Hugging Face's evaluate does: of
// several references the shortest one's length counts.
func CountBLEU(candidate string, references ...string) BLEUCounts {
	return countBLEU(candidate, references, shortest)
}

// CountSacreBLEU counts as sacrebleu does: white space at the end is cut off
// first, and of several references that length counts which is nearest to the
// candidate's, the shorter one of two.
func CountSacreBLEU(candidate string, references ...string) BLEUCounts {
	trimmed := make([]string, len(references))
	for i, r := range references {
		trimmed[i] = pystr.TrimRight(r)
	}
	return countBLEU(pystr.TrimRight(candidate), trimmed, nearest)
}

func countBLEU(candidate string, references []string, length func(candidate int, references [][]int32) int) BLEUCounts {
	w := borrow()
	defer w.giveBack()
	bytes := 0
	for _, r := range references {
		bytes += len(r)
	}
	w.words.reset(bytes / 4) // or so
	refs := w.sequences.take(len(references))
	for i, r := range references {
		refs[i] = w.numbered13a(r, w.words.add)
	}
	can := w.numbered13a(candidate, w.words.find)
	c := BLEUCounts{
		Matched:   w.countNgrams(refs).matches(can),
		Candidate: len(can),
		Reference: length(len(can), refs),
	}
	for i := range c.Total {
		c.Total[i] = max(len(can)-i, 0)
	}
	return c
}

func shortest(_ int, references [][]int32) int {
	n := 0
	for i, r := range references {
		if i == 0 || len(r) < n {
			n = len(r)
		}
	}
	return n
}

func nearest(candidate int, references [][]int32) int {
	n, least := 0, -1
	for _, r := range references {
		distance := max(len(r)-candidate, candidate-len(r))
		if least < 0 || distance < least || distance == least && len(r) < n {
			n, least = len(r), distance
		}
	}
	return n
}

// BLEU is the score of Hugging Face's metric, from 0 to 1. Without smoothing it
// is 0 when an order has no match, and so for fewer than 4 tokens; smoothed,
// orders above 1 count one n-gram more, which matches. Where the metric
// divides by zero, because a side is empty, the score is 0.
func (c BLEUCounts) BLEU(smooth bool) float64 {
	if c.Candidate == 0 || c.Reference == 0 {
		return 0
	}
	logs := 0.0
	for i, total := range c.Total {
		matched := c.Matched[i]
		if smooth && i > 0 {
			matched, total = matched+1, total+1
		}
		if matched == 0 {
			return 0
		}
		logs += math.Log(float64(matched)/float64(total)) / maxOrder
	}
	return math.Exp(logs) * c.brevityPenalty()
}

// SacreBLEU is sacrebleu's score with its default smoothing ("exp"), from 0 to
// 1 (sacrebleu itself prints it from 0 to 100). effectiveOrder leaves out the
// orders that a short candidate has no n-gram of: sacrebleu's default for a
// sentence, not for a corpus.
func (c BLEUCounts) SacreBLEU(effectiveOrder bool) float64 {
	if c.Matched == [maxOrder]int{} {
		return 0
	}
	logs, order, smooth := 0.0, 0, 1.0
	for i, total := range c.Total {
		if total == 0 {
			break
		}
		order = i + 1
		precision := float64(c.Matched[i]) / float64(total)
		if c.Matched[i] == 0 {
			smooth *= 2
			precision = 1 / (smooth * float64(total))
		}
		logs += math.Log(precision)
	}
	if order < maxOrder && !effectiveOrder {
		return 0 // sacrebleu takes ln 0 to be −9999999999
	}
	return math.Exp(logs/float64(order)) * c.brevityPenalty()
}

// brevityPenalty punishes a candidate that is shorter than its reference.
func (c BLEUCounts) brevityPenalty() float64 {
	if c.Candidate >= c.Reference {
		return 1
	}
	return math.Exp(1 - float64(c.Reference)/float64(c.Candidate))
}

// BLEU is the score of one text, from 0 to 1, as BLEUCounts.BLEU has it
// without smoothing.
func BLEU(candidate string, references ...string) float64 {
	return CountBLEU(candidate, references...).BLEU(false)
}

// SacreBLEU is the score of one text, from 0 to 1, as sacrebleu's sentence BLEU.
func SacreBLEU(candidate string, references ...string) float64 {
	return CountSacreBLEU(candidate, references...).SacreBLEU(true)
}
