package views

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
)

// Align is how a column stands.
type Align int

const (
	Start    Align = iota // words
	Decimals              // numbers, aligned on the decimal point
	Centre                // heat cells, badges
)

// A Column is one column of a table. The first column of a table names the row
// and stays when the rest is scrolled.
type Column struct {
	Key        string // its name in the address (?sort=) and in the CSV
	Label      string
	Note       string // unit and direction: "0–1, higher is better"
	Definition string // address of what the column means, "" when it needs none
	Align      Align
	Sortable   bool
	Descends   bool // the first click sorts from high to low
	Named      bool // label and note are names from outside: they are cut after two lines each
}

// A Row is one line of a table.
type Row struct {
	ID    string // anchor, "" for none
	Rank  string // "1", or "2=" for a tie; stands before the first cell
	Cells []Cell // one a column; missing ones are empty
}

// A Group is rows under a heading; a table without groups has one without.
type Group struct {
	Heading string
	Note    string
	Rows    []Row
}

// Sort is the order of a table.
type Sort struct {
	Key        string
	Descending bool
}

// A Table is the heart of most pages.
type Table struct {
	ID      string  // of the element; unique on the page
	Caption string  // one sentence: what it shows for the current filters
	Source  string  // release and date
	CSV     string  // address of the same rows as CSV, "" when there is none
	Address url.URL // of the page as it was asked for: headers keep its other parameters
	Sort    Sort
	Columns []Column
	Groups  []Group
	Empty   Empty // stands instead of a table without rows
}

// Names of the query parameters that a table reads and writes.
const (
	sortParameter  = "sort"
	orderParameter = "order"
	pageParameter  = "page"
)

// ReadSort reads the order from a page's query. An unknown column, or one that
// cannot be sorted, gives the default.
func ReadSort(query url.Values, columns []Column, otherwise Sort) Sort {
	key := query.Get(sortParameter)
	for _, c := range columns {
		if c.Key != key || !c.Sortable {
			continue
		}
		switch query.Get(orderParameter) {
		case "asc":
			return Sort{Key: key}
		case "desc":
			return Sort{Key: key, Descending: true}
		}
		return Sort{Key: key, Descending: c.Descends}
	}
	return otherwise
}

func (t Table) rows() int {
	n := 0
	for _, g := range t.Groups {
		n += len(g.Rows)
	}
	return n
}

// ranked reports whether any row has a rank, so that names stay in line.
func (t Table) ranked() bool {
	for _, g := range t.Groups {
		for _, r := range g.Rows {
			if r.Rank != "" {
				return true
			}
		}
	}
	return false
}

// sortedBy reports whether the rows are in the order of a column.
func (t Table) sortedBy(c Column) bool { return c.Sortable && t.Sort.Key == c.Key }

// ariaSort is the value of aria-sort of a column's head, "" when the rows are in
// another order.
func (t Table) ariaSort(c Column) string {
	switch {
	case !t.sortedBy(c):
		return ""
	case t.Sort.Descending:
		return "descending"
	}
	return "ascending"
}

// arrow shows the order in force, or that there could be one.
func (t Table) arrow(c Column) string {
	switch {
	case !t.sortedBy(c):
		return "↕"
	case t.Sort.Descending:
		return "↓"
	}
	return "↑"
}

// sortAddress is the page with its rows in the order of a column, the other way
// round when they are in it already. The order starts at the first page.
func (t Table) sortAddress(c Column) string {
	descending := c.Descends
	if t.sortedBy(c) {
		descending = !t.Sort.Descending
	}
	order := "asc"
	if descending {
		order = "desc"
	}
	return withParameters(t.Address, map[string]string{sortParameter: c.Key, orderParameter: order, pageParameter: ""})
}

// withParameters is an address with some parameters of its query set, or taken
// out where the value is "". Host and scheme are left out: pages link to pages.
func withParameters(address url.URL, set map[string]string) string {
	query := address.Query()
	for name, value := range set {
		if value == "" {
			query.Del(name)
		} else {
			query.Set(name, value)
		}
	}
	path := address.EscapedPath()
	if path == "" {
		path = "/"
	}
	if encoded := query.Encode(); encoded != "" {
		return path + "?" + encoded
	}
	return path
}

// class is the class of the column's cells, with another where one is given.
func (c Column) class(other string) string {
	align := ""
	switch c.Align {
	case Decimals:
		align = "decimal"
	case Centre:
		align = "centre"
	}
	return strings.TrimSpace(align + " " + other)
}

// headClass is the class of the column's head.
func (c Column) headClass(first bool) string {
	switch {
	case first:
		return c.class("first")
	case c.Named:
		return c.class("named")
	}
	return c.class("")
}

// whole is the label of a column of names that may be cut off, "" otherwise.
func (c Column) whole() string {
	if !c.Named {
		return ""
	}
	return c.Label
}

// cell is the row's i-th cell, an empty one when the row is shorter.
func (r Row) cell(i int) Cell {
	if i < len(r.Cells) && r.Cells[i].content != nil {
		return r.Cells[i]
	}
	return TextCell("")
}

func (t Table) span() string { return strconv.Itoa(len(t.Columns)) }

// breakable is a name that may go on in the next line behind a slash.
func breakable(name string) templ.Component {
	return templ.Raw(strings.ReplaceAll(templ.EscapeString(name), "/", "/<wbr>"))
}
