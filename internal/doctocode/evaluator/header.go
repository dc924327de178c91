package evaluator

import (
	"slices"
	"strings"

	"touchstone/internal/doctocode/pytoken"
)

// stripHeader finds the target's definition in code that repeats it, alone or
// inside its class or its enclosing function, and returns what stands in it.
// Imports above it that the file lacks are returned apart, dedented.
//
// A function of the target's name can also be a part of the body. It is taken
// for the target's definition unless code outside it returns or yields, or
// there is other code and its parameters are not the target's.
func (x *extraction) stripHeader(code string) (body, imports string) {
	statements := pytoken.Statements(code)
	repeats := x.repeats(code, statements)
	if len(repeats) == 0 {
		return code, ""
	}
	r := x.best(repeats)
	def := statements[r.at]
	header, _ := def.Header(code)
	end := r.end
	switch {
	case header.Rest < len(def.Tokens): // a suite on the header's line
		body = code[def.Tokens[header.Rest].Start:def.End]
	case end < len(statements):
		body = code[def.End:statements[end-1].End]
	default:
		body = code[def.End:]
	}
	x.changed(RemovedHeader, "the repeated header of %s was removed", x.name)
	before := 0
	for _, s := range statements[:r.decorators] {
		if text, ok := importStatement(code, s); ok {
			if !strings.Contains(x.file.Text, text) {
				imports += text + "\n"
			}
		} else {
			before++
		}
	}
	if imports != "" {
		x.changed(KeptImports, "imports above the header were moved into the body")
	}
	if before > 0 {
		x.changed(RemovedBefore, "%s above the header left out", count(before, "statement"))
	}
	if end < len(statements) {
		x.changed(RemovedAfter, "%s behind the function left out", count(len(statements)-end, "statement"))
	}
	return body, imports
}

// A repeat is a definition in a reply that may be the target's.
type repeat struct {
	at         int      // index of the statement
	decorators int      // index of its first decorator, at itself when there is none
	end        int      // index of the first statement behind it
	parameters []string // names
	decoration string
}

// repeats lists the definitions in the code that repeat the target's.
func (x *extraction) repeats(code string, statements []pytoken.Statement) []repeat {
	type scope struct {
		column int
		name   string
		def    bool
	}
	var stack []scope
	var found []repeat
	// How many statements up to each can only stand in a function, while none
	// is around them; and how many are neither imports nor headers around the target.
	leaving, others := make([]int, len(statements)+1), make([]int, len(statements)+1)
	for i, s := range statements {
		column := columnOf(s.Indent)
		for len(stack) > 0 && stack[len(stack)-1].column >= column {
			stack = stack[:len(stack)-1]
		}
		leaving[i+1], others[i+1] = leaving[i], others[i]
		h, ok := s.Header(code)
		if !ok {
			outside := !slices.ContainsFunc(stack, func(s scope) bool { return s.def })
			if outside && leaves(code, s) {
				leaving[i+1]++
			}
			if _, imports := importStatement(code, s); !imports {
				others[i+1]++
			}
			continue
		}
		if !slices.Contains(x.enclosingNames(), h.Name) {
			others[i+1]++
		}
		if h.Keyword == "def" && h.Name == x.name {
			names := make([]string, len(stack))
			for i, s := range stack {
				names[i] = s.name
			}
			if isSuffix(x.enclosingNames(), names) {
				found = append(found, x.measure(code, statements, i))
			}
		}
		stack = append(stack, scope{column, h.Name, h.Keyword == "def"})
	}
	wanted := x.parameters()
	last := len(statements)
	return slices.DeleteFunc(found, func(r repeat) bool {
		returns := leaving[r.decorators] > 0 || leaving[last] > leaving[r.end]
		more := others[r.decorators] > 0 || r.end < last
		return returns || more && !slices.Equal(r.parameters, wanted)
	})
}

// measure finds where a definition begins and ends. It ends before a
// statement that stands as far left as its header does, or before a further
// definition that stands left of its body.
func (x *extraction) measure(code string, statements []pytoken.Statement, at int) repeat {
	def := statements[at]
	column := columnOf(def.Indent)
	r := repeat{at: at, decorators: at, end: at + 1, parameters: parameterNames(code, def)}
	for r.decorators > 0 && statements[r.decorators-1].Is(code, 0, "@") && columnOf(statements[r.decorators-1].Indent) == column {
		r.decorators--
	}
	r.decoration = decoration(code, statements[r.decorators:at])
	for r.end < len(statements) {
		s := statements[r.end]
		own := columnOf(s.Indent)
		_, defines := s.Header(code)
		if own <= column || own < columnOf(statements[at+1].Indent) && (defines || s.Is(code, 0, "@")) {
			break
		}
		r.end++
	}
	return r
}

// best chooses among several: the one with the target's parameters, then with
// its decorators, then the one that stands where the target stands among the
// definitions of its name, else the last.
func (x *extraction) best(repeats []repeat) repeat {
	narrow := func(keep func(repeat) bool) {
		kept := slices.DeleteFunc(slices.Clone(repeats), func(r repeat) bool { return !keep(r) })
		if len(kept) > 0 {
			repeats = kept
		}
	}
	wanted := x.parameters()
	narrow(func(r repeat) bool { return slices.Equal(r.parameters, wanted) })
	head := x.file.Text[x.target.Start:x.target.HeaderEnd]
	own := pytoken.Statements(head)
	narrow(func(r repeat) bool { return r.decoration == decoration(head, own[:max(0, len(own)-1)]) })
	same := 0
	for _, d := range x.file.Definitions {
		if d.Qualname == x.target.Qualname {
			same++
		}
	}
	if len(repeats) == same && x.target.Ordinal < same {
		return repeats[x.target.Ordinal]
	}
	return repeats[len(repeats)-1]
}

// enclosingNames are the names around the target, outermost first.
func (x *extraction) enclosingNames() []string {
	names := strings.Split(strings.ReplaceAll(x.target.Qualname, ".<locals>", ""), ".")
	return names[:len(names)-1]
}

func (x *extraction) parameters() []string {
	head := x.file.Text[x.target.Start:x.target.HeaderEnd]
	statements := pytoken.Statements(head)
	if len(statements) == 0 {
		return nil
	}
	return parameterNames(head, statements[len(statements)-1])
}

// parameterNames are the names in a header's parameter list.
func parameterNames(code string, def pytoken.Statement) []string {
	var names []string
	inside, expected := false, false
	for _, t := range def.Tokens {
		c := code[t.Start]
		switch {
		case !inside:
			inside = t.Depth == 0 && c == '('
			expected = inside
		case t.Depth == 0: // the closing bracket
			return names
		case t.Depth > 1 || c == '*':
		case c == ',':
			expected = true
		default:
			if expected && t.Kind == pytoken.Name {
				names = append(names, code[t.Start:t.End])
			}
			expected = false
		}
	}
	return names
}

// decoration is the text of decorators, white space left out.
func decoration(code string, decorators []pytoken.Statement) string {
	var b strings.Builder
	for _, s := range decorators {
		for _, t := range s.Tokens {
			b.WriteString(code[t.Start:t.End])
		}
	}
	return b.String()
}

// importStatement is the text of an import that may stand in a function.
func importStatement(code string, s pytoken.Statement) (string, bool) {
	if !s.Is(code, 0, "import") && !s.Is(code, 0, "from") {
		return "", false
	}
	if s.Is(code, 1, "__future__") || s.Is(code, len(s.Tokens)-1, "*") {
		return "", false
	}
	return strings.TrimSpace(code[s.Start:s.End]), true
}

// leaves reports whether a statement can only stand in a function.
func leaves(code string, s pytoken.Statement) bool {
	for i := range s.Tokens {
		switch {
		case i == 0 && (s.Is(code, 0, "return") || s.Is(code, 0, "nonlocal")),
			s.Is(code, i, "yield"), s.Is(code, i, "await") && i == 0,
			i > 0 && s.Is(code, i, "return") && s.Is(code, i-1, ":"):
			return true
		}
	}
	return false
}

// columnOf is the column that Python gives an indentation: a tab goes to the
// next multiple of eight.
func columnOf(indent string) int {
	column := 0
	for i := range len(indent) {
		if indent[i] == '\t' {
			column += 8 - column%8
		} else {
			column++
		}
	}
	return column
}

func isSuffix(whole, end []string) bool {
	return len(end) <= len(whole) && slices.Equal(whole[len(whole)-len(end):], end)
}
