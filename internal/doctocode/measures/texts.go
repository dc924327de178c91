package measures

import "touchstone/internal/measure"

// Texts are the computers that need nothing but the texts of a task.
var Texts = []Computer{
	each{lexicalKeys(DocDoc), "1", func(i Item) []float64 {
		if !i.Docstring.There || !i.Original.There {
			return undefined(len(lexical))
		}
		return compare(i.Docstring.Text, i.Original.Text)
	}},
	each{lexicalKeys(CodeDoc), "1", func(i Item) []float64 {
		if !i.Docstring.There {
			return undefined(len(lexical))
		}
		return compare(i.Docstring.Text, i.Body)
	}},
	each{lexicalKeys(CodeCode), "1", func(i Item) []float64 {
		if len(i.Bodies) == 0 {
			return undefined(len(lexical))
		}
		return meanOver(i.Bodies, func(body string) []float64 { return compare(body, i.Body) })
	}},
	each{[]Key{LeakCoverage, LeakRun, LeakFlagged, LeakSevere}, "1", func(i Item) []float64 {
		if !i.Docstring.There {
			return undefined(4)
		}
		l := measure.FindLeak(i.Body, i.Docstring.Text)
		return []float64{l.Coverage, float64(l.Run), flag(l.Flagged), flag(l.Severe)}
	}},
	each{[]Key{Words}, "1", func(i Item) []float64 {
		if !i.Docstring.There {
			return undefined(1)
		}
		return []float64{float64(measure.Words(i.Docstring.Text))}
	}},
}

func lexicalKeys(p Pair) []Key {
	var keys []Key
	for _, l := range lexical {
		keys = append(keys, lexicalKey(l.name, p))
	}
	return keys
}

// compare gives the lexical numbers in their order.
func compare(candidate, reference string) []float64 {
	one, sum := measure.ROUGE1(candidate, reference), measure.ROUGELsum(candidate, reference)
	return []float64{measure.BLEU(candidate, reference), measure.SacreBLEU(candidate, reference),
		one.F, one.Precision, one.Recall, sum.F, sum.Precision, sum.Recall}
}

// meanOver is the mean of the values that several texts give, each text
// computed once however often it comes.
func meanOver(texts []string, of func(string) []float64) []float64 {
	known := map[string][]float64{}
	var total []float64
	for _, text := range texts {
		values, ok := known[text]
		if !ok {
			values = of(text)
			known[text] = values
		}
		if total == nil {
			total = make([]float64, len(values))
		}
		for i, v := range values {
			total[i] += v
		}
	}
	for i := range total {
		total[i] /= float64(len(texts))
	}
	return total
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
