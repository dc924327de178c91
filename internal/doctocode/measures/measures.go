// Package measures says of a docstring, and of the bodies that were written
// from it, what pass@k does not: how like the original they are, how complete,
// how much of the code stands in the docstring. The arithmetic is in
// internal/measure; here is which texts of a release's tasks it is applied to,
// what the results are called, and what it means that there is none. It knows
// no store and no page.
package measures

import (
	"math"
	"strings"

	"touchstone/internal/benchmark"
)

// A Key names a measure in files, addresses and the database. A key never
// changes its meaning.
type Key string

// A Pair says which texts a measure compares: the reference first.
type Pair string

const (
	DocDoc   Pair = "doc-doc"   // the repository's own docstring and the submitted one
	CodeCode Pair = "code-code" // the original body and those that an evaluator wrote
	CodeDoc  Pair = "code-doc"  // the original body and the submitted docstring
	Doc      Pair = "doc"       // the submitted docstring by itself
)

// Pairs lists them in the order of tables.
var Pairs = []Pair{DocDoc, CodeDoc, Doc, CodeCode}

// Meaning is a pair in words.
func (p Pair) Meaning() string {
	return map[Pair]string{
		DocDoc:   "the repository's own docstring and the submitted one",
		CodeCode: "the original body and the bodies that the evaluator wrote",
		CodeDoc:  "the original body and the submitted docstring",
		Doc:      "the submitted docstring",
	}[p]
}

// A Direction says which end of a measure's range is the good one.
type Direction string

const (
	Higher  Direction = "higher is better"
	Lower   Direction = "lower is better"
	Neither Direction = "neither end is better"
)

// A Measure is a row of the catalogue.
type Measure struct {
	Key       Key
	Title     string // unique together with Pair
	Pair      Pair
	Direction Direction
	Unit      string  // what a value counts; "" for a score
	Low, High float64 // of its range; High is +Inf where nothing bounds it
	About     string  // in a sentence: what it says, and when it is undefined
	Source    string  // who defined it
	// Pool is the measure by which the mean over tasks is weighted; "" when
	// each task counts the same.
	Pool Key
}

// OfReplies reports whether a measure is of an evaluation's replies, and not
// of the submission's docstrings alone.
func (m Measure) OfReplies() bool { return m.Pair == CodeCode }

// Label is the title with the pair, where another measure has the same title.
func (m Measure) Label() string {
	for _, other := range Catalogue {
		if other.Title == m.Title && other.Pair != m.Pair {
			return m.Title + ", " + string(m.Pair)
		}
	}
	return m.Title
}

// The measures that something else than a table depends on.
const (
	LeakCoverage Key = "leak_coverage"
	LeakRun      Key = "leak_run"
	LeakFlagged  Key = "leak_flagged"
	LeakSevere   Key = "leak_severe"

	Completeness      Key = "completeness"
	ExistenceStrict   Key = "existence_strict"
	ExistenceDocAgent Key = "existence_docagent"
	Mentions          Key = "mentions"
	Words             Key = "words"
)

// lexical are the numbers of internal/measure that compare any two texts.
var lexical = []struct{ name, title, about, source string }{
	{"bleu", "BLEU", "Precision of word n-grams as Hugging Face's evaluate computes it, without smoothing: 0 for texts of fewer than 4 tokens.", "Papineni et al. 2002; Hugging Face evaluate"},
	{"sacrebleu", "sacreBLEU", "Sentence BLEU as sacrebleu computes it, with exponential smoothing.", "Post 2018; sacrebleu"},
	{"rouge1_f", "ROUGE-1 F", "Words in common: the harmonic mean of precision and recall.", "Lin 2004; rouge_score"},
	{"rouge1_precision", "ROUGE-1 P", "Of the candidate's words, the share that the reference has.", "Lin 2004; rouge_score"},
	{"rouge1_recall", "ROUGE-1 R", "Of the reference's words, the share that the candidate has.", "Lin 2004; rouge_score"},
	{"rougeLsum_f", "ROUGE-Lsum F", "Words in common in the same order, line by line: the harmonic mean of precision and recall.", "Lin 2004; rouge_score"},
	{"rougeLsum_precision", "ROUGE-Lsum P", "Of the candidate's words, the share in common subsequences of lines.", "Lin 2004; rouge_score"},
	{"rougeLsum_recall", "ROUGE-Lsum R", "Of the reference's words, the share in common subsequences of lines.", "Lin 2004; rouge_score"},
}

// undefinedWhen says for which tasks a measure of a pair is undefined.
var undefinedWhen = map[Pair]string{
	DocDoc:   "Undefined without a submitted docstring or without an original one.",
	CodeDoc:  "Undefined without a submitted docstring.",
	CodeCode: "The mean over a task's replies that hold a body; undefined without one.",
	Doc:      "Undefined without a submitted docstring.",
}

// lexicalKey is the key of a lexical number for a pair: bleu_doc_doc.
func lexicalKey(name string, p Pair) Key {
	return Key(name + "_" + strings.ReplaceAll(string(p), "-", "_"))
}

// Catalogue lists every measure in the order of tables. A new one is a row
// here and a Computer that fills it; nothing else has to know of it.
var Catalogue = catalogue()

func catalogue() []Measure {
	var all []Measure
	for _, pair := range []Pair{DocDoc, CodeDoc, CodeCode} {
		for _, l := range lexical {
			all = append(all, Measure{Key: lexicalKey(l.name, pair), Title: l.title, Pair: pair, Direction: Higher, High: 1,
				About: l.about + " " + undefinedWhen[pair], Source: l.source})
		}
		all = append(all, encodedMeasures(pair)...)
	}
	const docAgent = "Yang et al. 2025, DocAgent"
	return append(all,
		Measure{Key: Completeness, Title: "Completeness", Pair: Doc, Direction: Higher, High: 1, Source: docAgent,
			About: "Share of the sections that the code asks for which the docstring has, by Google's labels only. 0 without a docstring."},
		Measure{Key: ExistenceStrict, Title: "Existence, strict", Pair: Doc, Direction: Higher, High: 1, Source: docAgent, Pool: Mentions,
			About: "Share of the names that the docstring mentions which a function, method or class of the repository has; 0 when it mentions none. " + undefinedWhen[Doc]},
		Measure{Key: ExistenceDocAgent, Title: "Existence, as DocAgent", Pair: Doc, Direction: Higher, High: 1, Source: docAgent, Pool: Mentions,
			About: "Share of the names that the docstring mentions which are part of such a name; 0 when it mentions none. " + undefinedWhen[Doc]},
		Measure{Key: Mentions, Title: "Names mentioned", Pair: Doc, Direction: Neither, High: math.Inf(1), Unit: "names", Source: docAgent,
			About: "Names of the repository's own code that the docstring seems to mention. " + undefinedWhen[Doc]},
		Measure{Key: Helpful, Title: "Helpfulness", Pair: Doc, Direction: Higher, Low: 1, High: 5, Source: docAgent,
			About: "How much summary, description and parameters help a developer, as a language model grades them from 1 to 5: the mean over those that the docstring has. A reply without grades is no value. " + undefinedWhen[Doc]},
		Measure{Key: HelpfulSummary, Title: "Helpfulness, summary", Pair: Doc, Direction: Higher, Low: 1, High: 5, Source: docAgent,
			About: "The grade of the first paragraph. Undefined where there is none."},
		Measure{Key: HelpfulDescription, Title: "Helpfulness, description", Pair: Doc, Direction: Higher, Low: 1, High: 5, Source: docAgent,
			About: "The grade of what else stands outside sections. Undefined where there is none."},
		Measure{Key: HelpfulParameters, Title: "Helpfulness, parameters", Pair: Doc, Direction: Higher, Low: 1, High: 5, Source: docAgent,
			About: "The grade of what the docstring says of parameters, in Google's, NumPy's or reStructuredText's style. Undefined where it says nothing of them."},
		Measure{Key: LeakCoverage, Title: "Leak coverage", Pair: CodeDoc, Direction: Lower, High: 1, Source: "Touchstone",
			About: "Share of the original body's tokens that stand as code in the docstring. " + undefinedWhen[CodeDoc]},
		Measure{Key: LeakRun, Title: "Leak run", Pair: CodeDoc, Direction: Lower, High: math.Inf(1), Unit: "tokens", Source: "Touchstone",
			About: "The longest piece that the original body and the docstring have in common. " + undefinedWhen[CodeDoc]},
		Measure{Key: LeakFlagged, Title: "Leak flagged", Pair: CodeDoc, Direction: Lower, High: 1, Unit: "0 or 1", Source: "Touchstone",
			About: "1 when so much of the body stands in the docstring that the score may measure copying. " + undefinedWhen[CodeDoc]},
		Measure{Key: LeakSevere, Title: "Leak severe", Pair: CodeDoc, Direction: Lower, High: 1, Unit: "0 or 1", Source: "Touchstone",
			About: "1 when the leak is flagged and most of the body, or all of it in one piece, stands there. " + undefinedWhen[CodeDoc]},
		Measure{Key: Words, Title: "Length", Pair: Doc, Direction: Neither, High: math.Inf(1), Unit: "words", Source: "Touchstone",
			About: "Words of the docstring: what white space separates. " + undefinedWhen[Doc]},
	)
}

// Lookup is the measure of a key, also of one of imported values.
func Lookup(key Key) (Measure, bool) {
	base, imported := key.Base()
	for _, m := range Catalogue {
		if m.Key == base {
			if imported {
				m = m.imported()
			}
			return m, true
		}
	}
	return Measure{}, false
}

// NoMeasure is the error for a key that the catalogue does not have.
func NoMeasure(field, key string) error {
	var keys []string
	for _, m := range Catalogue {
		keys = append(keys, string(m.Key))
	}
	return &benchmark.InputError{Field: field, Problem: "“" + key + "” is no measure", Mend: "choose one of " + strings.Join(keys, ", ")}
}
