package doctocode

import "strings"

// SourceFile is a line of index/<owner>__<name>.jsonl: one Python file of a
// repository with the place of every function and class in it. Offsets are
// bytes into Text.
type SourceFile struct {
	Path        string       `json:"path"`
	Encoding    string       `json:"encoding"` // as Python names it; the file on disk is Text encoded so
	BOM         bool         `json:"bom,omitempty"`
	Text        string       `json:"text"` // the file decoded; line ends as they are
	Test        bool         `json:"test"` // test code by the rules of the track
	Definitions []Definition `json:"definitions"`
}

// Definition is a function, method or class.
type Definition struct {
	Qualname  string `json:"qualname"` // as Python's __qualname__
	Ordinal   int    `json:"ordinal,omitempty"`
	Kind      string `json:"kind"`                // function, async or class
	Line      int    `json:"line"`                // 1-based line of def or class
	FirstLine int    `json:"first_line"`          // line of the first decorator, else Line: co_firstlineno
	Candidate bool   `json:"candidate,omitempty"` // counted in n_candidates
	// Start is the beginning of FirstLine; Outer the Start of the outermost
	// enclosing function (Start itself when there is none), OuterEnd its end.
	Start    int `json:"start"`
	Outer    int `json:"outer"`
	OuterEnd int `json:"outer_end"`
	// HeaderEnd is just behind the colon that ends the header.
	HeaderEnd int `json:"header_end"`
	// Doc is the docstring's string literal, or [0,0] when there is none; DocText its value as written (not dedented).
	Doc     [2]int `json:"doc"`
	DocText string `json:"doc_text,omitempty"`
	// Body is what a candidate replaces: from the end of the header's or the
	// docstring's line to the end of the last statement's line, newline
	// included. When Inline, the suite stands on the header's line (or
	// behind the docstring on its line) and Body begins there.
	Body   [2]int `json:"body"`
	Inline bool   `json:"inline,omitempty"`
	// Indent is the white space before the body's statements.
	Indent string `json:"indent"`
	// Returns is the source of the return annotation, "" when there is none.
	Returns string `json:"returns,omitempty"`
	// Nested is true for a function inside a function.
	Nested bool `json:"nested,omitempty"`
}

// HasDoc reports whether the definition has a docstring.
func (d Definition) HasDoc() bool { return d.Doc[1] > d.Doc[0] }

// Name is the last part of the qualified name: what stands behind def.
func (d Definition) Name() string {
	return d.Qualname[strings.LastIndexByte(d.Qualname, '.')+1:]
}
