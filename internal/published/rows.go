package published

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"touchstone/internal/benchmark"
)

// A row is one row of a file under its header. Its readers note the first thing
// that is wrong and go on, so that the fields of a row can be read as a list.
type row struct {
	file    string
	columns []string
	cells   []string
	lines   []int // on which each cell begins, from 1 on
	err     *benchmark.InputError
}

// readRows hands over the rows of a file that has exactly these columns and at
// least one row, and stops at the first row that something is wrong with.
func readRows(folder fs.FS, file string, columns []string, each func(*row)) error {
	data, err := fs.ReadFile(folder, file)
	if errors.Is(err, fs.ErrNotExist) {
		return &benchmark.InputError{File: file, Problem: "is missing", Mend: "put it beside the other tables"}
	} else if err != nil {
		return &benchmark.InputError{File: file, Problem: "cannot be read: " + err.Error(), Mend: "make it a readable file"}
	}
	reader := csv.NewReader(bytes.NewReader(data))
	reader.FieldsPerRecord = -1
	rows := 0
	for header := true; ; header = false {
		r := &row{file: file, columns: columns}
		r.cells, err = reader.Read()
		if err == io.EOF && header {
			return &benchmark.InputError{File: file, Line: 1, Field: columns[0], Problem: "is missing: the file is empty",
				Mend: "begin with the header " + strings.Join(columns, ",")}
		} else if err == io.EOF {
			break
		} else if err != nil {
			return r.malformed(err)
		}
		for i := range r.cells {
			line, _ := reader.FieldPos(i)
			r.lines = append(r.lines, line)
		}
		if header {
			r.checkHeader()
		} else if r.checkShape(); r.err == nil {
			each(r)
			rows++
		}
		if r.err != nil {
			return r.err
		}
	}
	if rows == 0 {
		return &benchmark.InputError{File: file, Line: 2, Field: columns[0], Problem: "is missing: there is no row under the header", Mend: "add the rows of the table"}
	}
	return nil
}

// malformed is what the CSV reader found after the cells that it could read.
func (r *row) malformed(err error) error {
	at := &benchmark.InputError{File: r.file, Problem: err.Error(), Mend: "put a cell with a comma or a quotation mark in quotation marks, and double those inside"}
	var parse *csv.ParseError
	if errors.As(err, &parse) {
		at.Line, at.Problem = parse.StartLine, fmt.Sprintf("at byte %d of line %d: %v", parse.Column, parse.Line, parse.Err)
	}
	if n := len(r.cells); n < len(r.columns) {
		at.Field = r.columns[n]
	}
	return at
}

func (r *row) checkHeader() {
	for i, column := range r.columns {
		if i >= len(r.cells) {
			r.failAt(r.lines[0], column, "is missing in the header", "write the header "+strings.Join(r.columns, ","))
		} else if r.cells[i] != column {
			r.failAt(r.lines[i], column, fmt.Sprintf("stands as %q in the header", r.cells[i]), "write the header "+strings.Join(r.columns, ","))
		}
	}
	if len(r.cells) > len(r.columns) {
		r.failAt(r.lines[0], r.cells[len(r.columns)], "is one column too many", "write the header "+strings.Join(r.columns, ","))
	}
}

func (r *row) checkShape() {
	if n := len(r.cells); n < len(r.columns) {
		r.failAt(r.lines[0], r.columns[n], "is missing", fmt.Sprintf("give the row %d cells", len(r.columns)))
	} else if n > len(r.columns) {
		r.failAt(r.lines[0], r.columns[len(r.columns)-1], fmt.Sprintf("is followed by %q", r.cells[len(r.columns)]), fmt.Sprintf("give the row %d cells", len(r.columns)))
	} else {
		for _, column := range r.columns {
			if cell := r.text(column); !utf8.ValidString(cell) {
				r.fail(column, "is not UTF-8", "save the file as UTF-8")
			} else if cell != strings.TrimSpace(cell) {
				r.fail(column, fmt.Sprintf("%q begins or ends with a space", cell), "remove it")
			}
		}
	}
}

func (r *row) has(column string) bool { return slices.Contains(r.columns, column) }

// text is a cell, or "" when the table has no such column.
func (r *row) text(column string) string {
	if i := slices.Index(r.columns, column); i >= 0 {
		return r.cells[i]
	}
	return ""
}

func (r *row) required(column string) string {
	s := r.text(column)
	if s == "" {
		r.fail(column, "is empty", "fill it in")
	}
	return s
}

// count is a whole number from 0 on.
func (r *row) count(column string) int {
	s := r.text(column)
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || strconv.Itoa(n) != s {
		r.fail(column, fmt.Sprintf("%q is not a whole number from 0 on", s), "write digits alone")
		return 0
	}
	return n
}

var shareForm = regexp.MustCompile(`^(0|1)(\.[0-9]+)?$`)

// share is a number from 0 to 1 and how many decimals it is written with.
func (r *row) share(column string) (value float64, decimals int) {
	s := r.text(column)
	value, err := strconv.ParseFloat(s, 64)
	if err != nil || !shareForm.MatchString(s) || value > 1 {
		r.fail(column, fmt.Sprintf("%q is not a share from 0 to 1", s), "write it as 0.73; divide percents by 100")
		return 0, 0
	}
	_, fraction, _ := strings.Cut(s, ".")
	return value, len(fraction)
}

func (r *row) fail(column, problem, mend string) {
	r.failAt(r.lines[slices.Index(r.columns, column)], column, problem, mend)
}

func (r *row) failAt(line int, column, problem, mend string) {
	if r.err == nil {
		r.err = &benchmark.InputError{File: r.file, Line: line, Field: column, Problem: problem, Mend: mend}
	}
}

// unique remembers on which line each key of a file stands.
type unique[K comparable] map[K]int

// add notes a key, which the row may not share with an earlier one.
func (u unique[K]) add(r *row, column string, key K) {
	if line, ok := u[key]; ok {
		r.fail(column, fmt.Sprintf("is given a second time, after line %d", line), "keep one of the two rows")
		return
	}
	u[key] = r.lines[0]
}
