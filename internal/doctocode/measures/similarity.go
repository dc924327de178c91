package measures

import (
	"context"
	"fmt"
	"slices"

	"touchstone/internal/doctocode/bertscore"
)

// encoded are the numbers of BERTScore and CodeBERTScore.
var encoded = []struct {
	kind               bertscore.Kind
	name, title, about string
	of                 func(bertscore.Score) float64
}{
	{bertscore.Text, "bertscore_f", "BERTScore F", "How alike the tokens of two texts are to an encoder of language, each matched with the most alike: the harmonic mean of precision and recall.", func(s bertscore.Score) float64 { return s.F1 }},
	{bertscore.Text, "bertscore_precision", "BERTScore P", "How well the reference matches the candidate's tokens.", func(s bertscore.Score) float64 { return s.Precision }},
	{bertscore.Text, "bertscore_recall", "BERTScore R", "How well the candidate matches the reference's tokens.", func(s bertscore.Score) float64 { return s.Recall }},
	{bertscore.Code, "codebertscore_f1", "CodeBERTScore F1", "How alike the tokens of two texts are to an encoder of code, each matched with the most alike: the harmonic mean of precision and recall.", func(s bertscore.Score) float64 { return s.F1 }},
	{bertscore.Code, "codebertscore_f3", "CodeBERTScore F3", "The same mean with recall weighing nine times as much.", func(s bertscore.Score) float64 { return s.F3 }},
	{bertscore.Code, "codebertscore_precision", "CodeBERTScore P", "How well the reference matches the candidate's tokens.", func(s bertscore.Score) float64 { return s.Precision }},
	{bertscore.Code, "codebertscore_recall", "CodeBERTScore R", "How well the candidate matches the reference's tokens.", func(s bertscore.Score) float64 { return s.Recall }},
}

// encodedPairs are the pairs that each kind is computed for.
var encodedPairs = []struct {
	kind bertscore.Kind
	pair Pair
}{{bertscore.Text, DocDoc}, {bertscore.Code, CodeDoc}, {bertscore.Code, CodeCode}}

// encodedMeasures are their rows of the catalogue.
func encodedMeasures(pair Pair) []Measure {
	source := map[bertscore.Kind]string{bertscore.Text: "Zhang et al. 2020; bert_score", bertscore.Code: "Zhou et al. 2023; code_bert_score"}
	var all []Measure
	for _, p := range encodedPairs {
		for _, e := range encoded {
			if p.pair == pair && e.kind == p.kind {
				all = append(all, Measure{Key: lexicalKey(e.name, pair), Title: e.title, Pair: pair, Direction: Higher, Low: -1, High: 1,
					About: e.about + " " + undefinedWhen[pair], Source: source[e.kind]})
			}
		}
	}
	return all
}

// Similarities compute BERTScore and CodeBERTScore with the models that are
// registered.
func Similarities(scorers ...*bertscore.Scorer) []Computer {
	var all []Computer
	for _, s := range scorers {
		for _, p := range encodedPairs {
			if p.kind == s.Kind {
				all = append(all, similarity{s, p.pair})
			}
		}
	}
	return all
}

// A similarity is one kind for one pair of texts.
type similarity struct {
	scorer *bertscore.Scorer
	pair   Pair
}

func (s similarity) Measures() []Key {
	var keys []Key
	for _, e := range encoded {
		if e.kind == s.scorer.Kind {
			keys = append(keys, lexicalKey(e.name, s.pair))
		}
	}
	return keys
}

// Version holds the model: values of another are computed anew.
func (s similarity) Version() string {
	m, ok := s.scorer.Model()
	if !ok {
		return "1 without a model"
	}
	return fmt.Sprintf("1 %s (%s)", m.ID(), m)
}

func (s similarity) Ready(ctx context.Context) error { return s.scorer.Ready(ctx) }

func (s similarity) Compute(ctx context.Context, r Repository) ([][]float64, string, error) {
	var pairs []bertscore.Pair
	places := map[bertscore.Pair]int{}
	compared := make([][]int, len(r.Items)) // the pairs of each item
	for i, item := range r.Items {
		for _, p := range s.pairs(item) {
			at, ok := places[p]
			if !ok {
				at = len(pairs)
				places[p], pairs = at, append(pairs, p)
			}
			compared[i] = append(compared[i], at)
		}
	}
	scores, err := s.scorer.Score(ctx, pairs)
	if err != nil {
		return nil, "", err
	}
	all := columns(len(s.Measures()), len(r.Items))
	missing := ""
	for i, item := range r.Items {
		if len(compared[i]) == 0 {
			for j := range all {
				all[j][i] = Undefined
			}
			continue
		}
		if slices.ContainsFunc(compared[i], func(at int) bool { return !scores[at].Defined }) {
			missing = "the model gave what is no number for " + item.Task
			continue
		}
		j := 0
		for _, e := range encoded {
			if e.kind != s.scorer.Kind {
				continue
			}
			sum := 0.0
			for _, at := range compared[i] {
				sum += e.of(scores[at])
			}
			all[j][i] = sum / float64(len(compared[i]))
			j++
		}
	}
	return all, missing, nil
}

// pairs are the candidates of an item with their reference; none where it is
// undefined.
func (s similarity) pairs(item Item) []bertscore.Pair {
	var all []bertscore.Pair
	switch s.pair {
	case DocDoc:
		if item.Docstring.There && item.Original.There {
			all = append(all, bertscore.Pair{Candidate: item.Docstring.Text, Reference: item.Original.Text})
		}
	case CodeDoc:
		if item.Docstring.There {
			all = append(all, bertscore.Pair{Candidate: item.Docstring.Text, Reference: item.Body})
		}
	case CodeCode:
		for _, body := range item.Bodies {
			all = append(all, bertscore.Pair{Candidate: body, Reference: item.Body})
		}
	}
	return all
}
