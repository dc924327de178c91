package views

import "github.com/a-h/templ"

// A Cell is one field of a table's row.
type Cell struct {
	content templ.Component
	class   string
}

// ViewCell holds any component.
func ViewCell(c templ.Component) Cell { return Cell{content: c} }

// TextCell holds words.
func TextCell(text string) Cell { return Cell{content: isolated(text)} }

// NameCell holds the name of a system or a person, cut after two lines. The
// address may be "".
func NameCell(name, address string) Cell { return Cell{content: nameView(name, address, false)} }

// CodeCell is NameCell in the monospaced face: a repository, a task, an id.
func CodeCell(name, address string) Cell { return Cell{content: nameView(name, address, true)} }

// LinkCell holds a link in the accent colour.
func LinkCell(text, address string) Cell {
	return Cell{content: linkView(Link{Text: text, Address: address})}
}

// ScoreCell holds a score.
func ScoreCell(s Score) Cell { return Cell{content: s.View()} }

// NumberCell holds a number with a fixed number of decimals, for columns that
// are aligned on them.
func NumberCell(v float64, decimals int) Cell {
	if !known(v) {
		return UnknownCell("the value is not a number")
	}
	return Cell{content: figures(Decimal(v, decimals))}
}

// CountCell holds a whole number.
func CountCell(n int) Cell { return Cell{content: figures(Count(n))} }

// UnknownCell says that a value is not known, and why.
func UnknownCell(reason string) Cell { return Cell{content: Unknown(reason)} }
