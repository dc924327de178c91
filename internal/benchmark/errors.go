package benchmark

import (
	"fmt"
	"strings"
)

// An InputError says what is wrong with something a person gave: where, which
// field, and how to mend it. Line is 1-based, 0 when there is none.
type InputError struct {
	File    string
	Line    int
	Field   string
	Problem string
	Mend    string
}

func (e *InputError) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	} else if e.Line > 0 {
		fmt.Fprintf(&b, "line %d: ", e.Line)
	}
	if e.Field != "" {
		b.WriteString(e.Field + ": ")
	}
	b.WriteString(e.Problem)
	if e.Mend != "" {
		b.WriteString("; " + e.Mend)
	}
	return b.String()
}
