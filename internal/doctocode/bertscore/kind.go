// Package bertscore computes BERTScore (Zhang et al. 2020) and CodeBERTScore
// (Zhou et al. 2023) with encoders that the operator registers. An encoder is
// an exported ONNX model with its tokenizer; it runs through ONNX Runtime and
// Hugging Face's tokenizers, in a Python environment of its own, in the sandbox.
package bertscore

import (
	"strings"

	"touchstone/internal/benchmark"
)

// A Kind is one of the two scores.
type Kind string

const (
	Text Kind = "bertscore"
	Code Kind = "codebertscore"
)

// A Usual is what holds for a kind unless its model says otherwise.
type Usual struct {
	Kind      Kind
	Title     string
	Model     string // that its authors used
	Layer     int    // of that model, whose vectors are compared
	MaxLength int    // tokens that it reads at once
	// PrefixSpace: byte-level tokenizers put a space before a text.
	PrefixSpace bool
	// Windows: longer texts are read in overlapping pieces, and tokens of
	// nothing but punctuation are left out. Otherwise texts are cut off.
	Windows bool
}

// Kinds lists both. That of texts is as bert_score 0.3.13, that of code as
// code_bert_score 0.4.1, each without idf.
var Kinds = []Usual{
	{Kind: Text, Title: "BERTScore", Model: "roberta-large", Layer: 17, MaxLength: 512, PrefixSpace: true},
	{Kind: Code, Title: "CodeBERTScore", Model: "neulab/codebert-python", Layer: 11, MaxLength: 512, Windows: true},
}

// Usual is what holds for a kind.
func (k Kind) Usual() Usual {
	for _, u := range Kinds {
		if u.Kind == k {
			return u
		}
	}
	return Usual{Kind: k, Title: string(k)}
}

// Manifest is that of the usual model, without what its files say.
func (u Usual) Manifest() Manifest {
	return Manifest{Kind: u.Kind, Name: u.Model, Layer: u.Layer, MaxLength: u.MaxLength, Prefix: u.PrefixSpace}
}

// ParseKind is the kind of that name; another is a *benchmark.InputError.
func ParseKind(name string) (Kind, error) {
	var names []string
	for _, u := range Kinds {
		if string(u.Kind) == name {
			return u.Kind, nil
		}
		names = append(names, string(u.Kind))
	}
	return "", &benchmark.InputError{Field: "kind", Problem: "there is no score called " + name, Mend: "use one of " + strings.Join(names, ", ")}
}
