// Package intake reads what people upload and says, before anything is queued
// or paid for, what it is worth: which rows cannot be read and how to mend
// them, which name nothing that the release has, which tasks go without a
// docstring, and what judging the rest will cost.
package intake

import (
	"context"
	"errors"
	"io"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/jsonlines"
)

// Preflight reads an upload of docstrings for a release: a docs.jsonl, plain
// or packed. It reads r to its end unless a limit is met, and holds no more of
// it than the docstrings that are for the release's own functions and classes,
// which it returns as evaluator.Docs. name is what errors call the upload.
//
// A bad row does not end the reading; it is named in the report. An upload
// that cannot be used at all (empty, no text, broken off, over the limits) is
// a *benchmark.InputError. Any other error is one of reading r, of the release,
// or of ctx.
func Preflight(ctx context.Context, r io.Reader, name string, d *doctocode.Dataset, limits Limits) (*Report, evaluator.Docs, error) {
	known, err := namesOf(d)
	if err != nil {
		return nil, evaluator.Docs{}, err
	}
	m, err := match(ctx, r, name, known, limits.orDefault())
	if err != nil {
		return nil, evaluator.Docs{}, err
	}
	report, docs := m.finish()
	report.Release = d.Release.ID()
	if report.Prompts, err = prompts(ctx, d, docs); err != nil {
		return nil, evaluator.Docs{}, err
	}
	return report, docs, nil
}

// match reads every row and finds what it is for.
func match(ctx context.Context, r io.Reader, name string, known *names, limits Limits) (*matching, error) {
	u, err := open(ctx, r, name, DocsJSONL, limits)
	if err != nil {
		return nil, err
	}
	defer u.close()
	m := newMatching(known, limits)
	lines := jsonlines.NewReader(u, name, limits.Line)
	for {
		number, data, err := lines.Next()
		if err == io.EOF {
			break
		}
		bad, input := errors.AsType[*benchmark.InputError](err)
		if err != nil && (!input || bad.Line == 0) {
			return nil, u.explain(err, lines.Whole())
		}
		if m.report.Lines++; m.report.Lines > limits.Lines {
			return nil, tooManyLines(name, limits.Lines)
		}
		if err != nil {
			m.reject(number, err)
			continue
		}
		row, err := m.read(name, number, data)
		if err != nil {
			m.reject(number, cutOff(err, lines.Unended()))
			continue
		}
		m.row(number, row)
	}
	if m.report.Lines == 0 {
		return nil, &benchmark.InputError{File: name, Problem: "is empty", Mend: saveAsLines}
	}
	m.report.File, m.report.Format, m.report.Packing = name, u.format, u.packing
	m.report.Bytes, m.report.Unpacked = u.packed.read, u.unpacked.read
	return m, nil
}

// read parses a line and refuses what evaluator.ParseDoc would let pass in
// silence: a key given twice, and characters that no docstring can hold.
func (m *matching) read(name string, number int, data []byte) (benchmark.Docstring, error) {
	row, err := evaluator.ParseDoc(name, number, data)
	if err != nil {
		return row, err
	}
	bad := func(field, problem, mend string) (benchmark.Docstring, error) {
		return row, &benchmark.InputError{File: name, Line: number, Field: field, Problem: problem, Mend: mend}
	}
	if key, twice := m.keys.Twice(data); twice {
		return bad(key, "is given twice", "give it once")
	}
	if strings.Contains(row.Task.String(), "\x00") {
		return bad("task_id", "holds a NUL character", "write the name as it is in the file")
	}
	if strings.Contains(row.Text, "\x00") {
		return bad("docstring", "holds a NUL character", "leave it out; Python allows none in a file")
	}
	if strings.Contains(row.Text, "\uFFFD") && !holdsReplacement(data) {
		return bad("docstring", "holds half of a surrogate pair, which is no character", `write both halves, or the character itself`)
	}
	return row, nil
}

// holdsReplacement reports whether a line itself has the replacement
// character, that JSON decoding also puts where a surrogate stands alone.
func holdsReplacement(data []byte) bool {
	line := string(data)
	return strings.Contains(line, "\uFFFD") || strings.Contains(strings.ToLower(line), `\ufffd`)
}

// cutOff says of a last line without a line end that is not JSON what is
// likely wrong with it.
func cutOff(err error, unended bool) error {
	bad, ok := errors.AsType[*benchmark.InputError](err)
	if !ok || !unended || bad.Field != "" {
		return err
	}
	last := *bad
	last.Mend = "the file seems to be cut off here: upload it whole"
	return &last
}
