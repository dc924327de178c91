package evaluator

import (
	"fmt"
	"strings"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/pytoken"
)

// A ChangeCode names something that extraction did to a reply.
type ChangeCode string

const (
	ChangedEncoding    ChangeCode = "encoding"        // bytes that are not UTF-8, or a byte order mark
	ChangedLineEnds    ChangeCode = "line_ends"       // carriage returns
	RemovedThinking    ChangeCode = "thinking"        // the reasoning before the answer
	UnfinishedThinking ChangeCode = "thinking_only"   // the reply ends before its reasoning does
	TookBlock          ChangeCode = "fence"           // the code of a fenced block
	UnclosedFence      ChangeCode = "unclosed_fence"  // a block that runs to the end of the reply
	RemovedHeader      ChangeCode = "header"          // the target's def line and decorators
	RemovedDocstring   ChangeCode = "docstring"       // a string before the first statement
	KeptImports        ChangeCode = "imports"         // imports above the header, moved into the body
	RemovedBefore      ChangeCode = "code_before"     // other code above the header
	RemovedAfter       ChangeCode = "code_after"      // code behind the function's end
	IndentedFirstLine  ChangeCode = "first_line"      // a first line that stood left or right of its own block
	ExpandedTabs       ChangeCode = "tabs"            // tabs mixed with spaces
	ChangedIndentation ChangeCode = "indentation"     // not indented as the original body is
	FoundNothing       ChangeCode = "no_code"         // nothing is left
	TooNested          ChangeCode = "nested_too_deep" // header in header in header…
)

// A Change is one thing that extraction did, with words for a reader.
type Change struct {
	Code   ChangeCode `json:"code"`
	Detail string     `json:"detail"`
}

// An Extraction is the candidate body in a reply and what was done to get it.
type Extraction struct {
	Body    string   `json:"body"` // canonical, as SourceFile.Splice takes it; "" when the reply holds no code
	Changes []Change `json:"changes,omitempty"`
}

// NoCode reports whether the verdict is no_code.
func (e Extraction) NoCode() bool { return e.Body == "" }

// maxPasses bounds how often a body is taken for a reply again.
const maxPasses = 100

// Extract finds the candidate body in a reply: the last fenced block tagged
// python, else the last fenced block, else the whole reply; without the
// target's header or docstring where the reply repeats them; with its
// indentation made canonical. It changes nothing else, so broken code stays
// broken. It is deterministic, and a body it returns is extracted unchanged.
func Extract(reply string, f *doctocode.SourceFile, d *doctocode.Definition) Extraction {
	x := &extraction{file: f, target: d, name: lastName(d.Qualname)}
	body, stable := x.pass(x.clean(reply)), false
	for passes := 0; !stable && body != ""; passes++ {
		if passes == maxPasses {
			x.changed(TooNested, "the reply repeats itself more than %d times inside itself", maxPasses)
			body = ""
			break
		}
		x.again = true
		next := x.pass(body)
		body, stable = next, next == body
	}
	if body == "" {
		x.changed(FoundNothing, "no statement is left")
	}
	return Extraction{Body: body, Changes: x.changes}
}

// An extraction collects what is done to one reply.
type extraction struct {
	file    *doctocode.SourceFile
	target  *doctocode.Definition
	name    string // of the target
	changes []Change
	again   bool // the text is a body already, looked at once more
}

func (x *extraction) changed(code ChangeCode, format string, args ...any) {
	x.changes = append(x.changes, Change{code, fmt.Sprintf(format, args...)})
}

// clean makes the reply text that Python could read.
func (x *extraction) clean(reply string) string {
	text := strings.TrimPrefix(strings.ToValidUTF8(reply, "\uFFFD"), "\uFEFF")
	if text != reply {
		x.changed(ChangedEncoding, "a byte order mark was removed or bytes that are not UTF-8 replaced")
	}
	if strings.Contains(text, "\r") {
		x.changed(ChangedLineEnds, "carriage returns became line feeds")
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	return text
}

// pass goes from a reply to a canonical body.
func (x *extraction) pass(reply string) string {
	code := x.unfence(x.unthink(reply))
	code, imports := x.stripHeader(code)
	code = x.stripDocstring(code)
	code = x.fixIndentation(code)
	if len(pytoken.Statements(code)) == 0 {
		return ""
	}
	margin := pytoken.Margin(code)
	if own := x.file.BodyIndent(x.target); !x.again && margin != own {
		x.changed(ChangedIndentation, "indented by %s, the original by %s", inWords(margin), inWords(own))
	}
	return doctocode.CanonicalBody(imports + doctocode.CanonicalBody(code))
}

// stripDocstring removes string literals that stand as statements before the
// first other one: they do nothing, or would become the docstring of a
// function that has none.
func (x *extraction) stripDocstring(code string) string {
	var b strings.Builder
	at := 0
	for _, s := range pytoken.Statements(code) {
		n := docLiterals(code, s)
		if n == 0 {
			break
		}
		b.WriteString(code[at:s.Start])
		if at = s.End; n < len(s.Tokens) {
			b.WriteString(s.Indent)
			at = s.Tokens[n].Start
			break
		}
	}
	if at == 0 {
		return code
	}
	x.changed(RemovedDocstring, "a docstring before the first statement was removed")
	return b.String() + code[at:]
}

// docLiterals counts the tokens that a logical line spends on string literals
// before its first other statement.
func docLiterals(code string, s pytoken.Statement) int {
	spent := 0
	for i, t := range s.Tokens {
		switch {
		case isDocLiteral(code, t):
			if i+1 == len(s.Tokens) {
				spent = i + 1
			}
		case i > spent && s.Is(code, i, ";"):
			spent = i + 1
		default:
			return spent
		}
	}
	return spent
}

// isDocLiteral reports whether a token can be part of a docstring: bytes and
// formatted strings cannot.
func isDocLiteral(code string, t pytoken.Token) bool {
	if t.Kind != pytoken.String || t.Unterminated {
		return false
	}
	prefix := code[t.Start : t.Start+strings.IndexAny(code[t.Start:t.End], `'"`)]
	return !strings.ContainsAny(prefix, "bBfFtT")
}

func lastName(qualname string) string { return qualname[strings.LastIndexByte(qualname, '.')+1:] }

func inWords(indent string) string {
	switch {
	case indent == "":
		return "nothing"
	case strings.Trim(indent, " ") == "":
		return count(len(indent), "space")
	case strings.Trim(indent, "\t") == "":
		return count(len(indent), "tab")
	}
	return "tabs and spaces"
}

func count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
