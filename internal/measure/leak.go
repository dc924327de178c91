package measure

// A Leak is how much of a body's code stands in a docstring. Code there lets an
// evaluator copy instead of understand.
type Leak struct {
	Tokens   int     // of the body
	Matched  int     // tokens of the body that are covered
	Coverage float64 // Matched / Tokens, from 0 to 1; 0 for an empty body
	Run      int     // tokens of the longest piece that both have
	Flagged  bool    // so much that the task's score may measure copying
	Severe   bool    // Flagged, and most of the body or all of it in one piece
}

// The limits of a leak.
const (
	leakGram     = 6   // tokens of a piece that counts as covered
	leakMatched  = 12  // tokens that have to be covered, at least …
	leakCoverage = 0.5 // … and this share, to be flagged
	leakWhole    = 4   // tokens of the shortest body that is flagged for standing there whole
	leakSevere   = 0.8 // coverage of a severe leak
	leakMarks    = 2   // operators that make a piece code …
	leakWords    = 1   // … together with so many words
)

// FindLeak compares a body with a docstring. A token of the body is covered
// when it is in a piece of 6 tokens that is code (it has 2 operators or more,
// and a word) and occurs in the docstring. A leak is flagged when 12 tokens or
// more and at least half of the body are covered, or when all of a body of 4
// tokens or more stands in the docstring in one piece; it is severe from four
// fifths of the body on, or in one piece.
//
// Comments of the body do not count, nor do fences, prompts and backticks in
// the docstring. Time is linear in both lengths.
func FindLeak(body, docstring string) Leak {
	code, text := leakTokens(withoutComments(body)), leakTokens(withoutMarkup(docstring))
	w := borrow()
	defer w.giveBack()
	w.words.reset(len(code) + len(text))
	ids, known := w.numbered(code), w.numbered(text)
	leak := Leak{Tokens: len(code), Matched: covered(code, ids, known), Run: longestRun(ids, known)}
	if leak.Tokens > 0 {
		leak.Coverage = float64(leak.Matched) / float64(leak.Tokens)
	}
	whole := leak.Tokens >= leakWhole && leak.Run == leak.Tokens
	leak.Flagged = whole || leak.Matched >= leakMatched && leak.Coverage >= leakCoverage
	leak.Severe = leak.Flagged && (whole || leak.Coverage >= leakSevere)
	return leak
}

// numbered numbers all tokens.
func (w *workspace) numbered(tokens []string) []int32 {
	ids := w.numbers.take(len(tokens))
	for i, t := range tokens {
		ids[i] = w.words.add([]byte(t))
	}
	return ids
}

// covered counts the tokens of the body that are covered.
func covered(code []string, body, docstring []int32) int {
	there := make(map[[leakGram]int32]bool, len(docstring))
	for i := 0; i+leakGram <= len(docstring); i++ {
		there[[leakGram]int32(docstring[i:i+leakGram])] = true
	}
	marks, words := 0, 0 // in the piece that ends here
	n, until := 0, 0     // tokens before until are counted
	for i, token := range code {
		marks, words = marks+one(isOperator(token)), words+one(isWord(token))
		start := i + 1 - leakGram
		if start < 0 {
			continue
		}
		if marks >= leakMarks && words >= leakWords && there[[leakGram]int32(body[start:i+1])] {
			n += i + 1 - max(start, until)
			until = i + 1
		}
		marks, words = marks-one(isOperator(code[start])), words-one(isWord(code[start]))
	}
	return n
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
