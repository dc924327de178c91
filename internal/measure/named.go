package measure

// A Measure compares a candidate's text with its reference. Of its Numbers the
// first is the headline; Compare gives them in the same order.
type Measure struct {
	Name    string
	About   string // in a few words
	Numbers []string
	Compare func(candidate, reference string) []float64
}

// Measures are all that need nothing but the two texts.
var Measures = []Measure{
	{"bleu", "BLEU as Hugging Face's evaluate computes it, 0 to 1", []string{"bleu"}, func(candidate, reference string) []float64 {
		return []float64{BLEU(candidate, reference)}
	}},
	{"sacrebleu", "sentence BLEU as sacrebleu computes it, 0 to 1", []string{"sacrebleu"}, func(candidate, reference string) []float64 {
		return []float64{SacreBLEU(candidate, reference)}
	}},
	{"rouge1", "ROUGE-1 as google's rouge_score computes it: F, precision, recall", []string{"rouge1", "rouge1_precision", "rouge1_recall"}, func(candidate, reference string) []float64 {
		return ROUGE1(candidate, reference).numbers()
	}},
	{"rougeLsum", "ROUGE-Lsum, likewise", []string{"rougeLsum", "rougeLsum_precision", "rougeLsum_recall"}, func(candidate, reference string) []float64 {
		return ROUGELsum(candidate, reference).numbers()
	}},
	{"words", "length of both texts in words, the candidate's first", []string{"words", "reference_words"}, func(candidate, reference string) []float64 {
		return []float64{float64(Words(candidate)), float64(Words(reference))}
	}},
	{"leak", "share of a body (the reference) that stands in a docstring (the candidate), and whether it is flagged or severe, 1 or 0", []string{"leak", "leak_flagged", "leak_severe"}, func(candidate, reference string) []float64 {
		l := FindLeak(reference, candidate)
		return []float64{l.Coverage, float64(one(l.Flagged)), float64(one(l.Severe))}
	}},
}

func (o Overlap) numbers() []float64 { return []float64{o.F, o.Precision, o.Recall} }

// Named is the measure of that name.
func Named(name string) (Measure, bool) {
	for _, m := range Measures {
		if m.Name == name {
			return m, true
		}
	}
	return Measure{}, false
}
