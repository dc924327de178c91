package evaluator

import (
	"fmt"
	"io"
	"path"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
)

// Docs are the docstrings under which targets are judged: a submission's, the
// repository's own (Original), or none (NoDocs). The zero Docs is a submission
// without a docstring: every target is judged without, all others stay.
type Docs struct {
	kind docsKind
	set  map[benchmark.TaskID]string
}

type docsKind uint8

const (
	submitted docsKind = iota
	original
	none
)

// Original leaves every docstring as the repository has it: the paper's
// "default" row.
func Original() Docs { return Docs{kind: original} }

// NoDocs takes the target's docstring away and leaves all others.
func NoDocs() Docs { return Docs{kind: none} }

// NewDocs makes Docs of a submission's rows. A blank text documents nothing;
// of two rows for one definition the later counts.
func NewDocs(rows []benchmark.Docstring) Docs {
	d := Docs{set: make(map[benchmark.TaskID]string, len(rows))}
	for _, row := range rows {
		d.put(row)
	}
	return d
}

func (d *Docs) put(row benchmark.Docstring) {
	if strings.TrimSpace(row.Text) == "" {
		delete(d.set, row.Task)
		return
	}
	d.set[row.Task] = row.Text
}

// Len is how many definitions the submission documents.
func (d Docs) Len() int { return len(d.set) }

// Get is the submission's docstring of a definition.
func (d Docs) Get(id benchmark.TaskID) (string, bool) {
	text, ok := d.set[id]
	return text, ok
}

// Rows calls yield with every docstring, in no particular order.
func (d Docs) Rows(yield func(benchmark.Docstring) bool) {
	for id, text := range d.set {
		if !yield(benchmark.Docstring{Task: id, Text: text}) {
			return
		}
	}
}

func (d Docs) of(repository string, f *doctocode.SourceFile, def *doctocode.Definition) (string, bool) {
	return d.Get(benchmark.TaskID{Repository: repository, Path: f.Path, Qualname: def.Qualname, Ordinal: def.Ordinal})
}

// judged is the docstring of a definition when it is the target.
func (d Docs) judged(repository string, f *doctocode.SourceFile, def *doctocode.Definition) (string, bool) {
	switch d.kind {
	case original:
		return def.DocText, def.HasDoc()
	case none:
		return "", false
	}
	return d.of(repository, f, def)
}

// A DocsReport counts what ReadDocs met.
type DocsReport struct {
	Rows       int // lines that hold a docstring, blank ones included
	Blank      int // docstrings without a character, which document nothing
	Duplicates int // rows for a definition that an earlier row documents; the later counts
}

// ReadDocs reads a docs.jsonl, whose lines are as ParseDoc has them. file names
// the input in errors, which are *benchmark.InputError unless reading failed.
func ReadDocs(r io.Reader, file string) (Docs, DocsReport, error) {
	docs := Docs{set: map[benchmark.TaskID]string{}}
	var report DocsReport
	seen := map[benchmark.TaskID]bool{}
	err := eachLine(r, file, func(line int, data []byte) error {
		row, err := ParseDoc(file, line, data)
		if err != nil {
			return err
		}
		report.Rows++
		if seen[row.Task] {
			report.Duplicates++
		}
		seen[row.Task] = true
		if strings.TrimSpace(row.Text) == "" {
			report.Blank++
		}
		docs.put(row)
		return nil
	})
	if err != nil {
		return Docs{}, report, err
	}
	return docs, report, nil
}

// ParseDoc reads a line of a docs.jsonl as Lines gives it: an object with repo,
// path, qualname and docstring, and ordinal for a further definition of the
// same name; task_id may stand for the first three, and must agree with those
// that stand beside it. Other fields are passed over, unless they look like a
// slip of the pen for one that is missing; of a field given twice the later
// counts. Errors are *benchmark.InputError with file and line.
func ParseDoc(file string, line int, data []byte) (benchmark.Docstring, error) {
	var row docRow
	if err := decodeLine(file, line, data, &row); err != nil {
		return benchmark.Docstring{}, err
	}
	bad := func(field, problem, mend string) (benchmark.Docstring, error) {
		return benchmark.Docstring{}, &benchmark.InputError{File: file, Line: line, Field: field, Problem: problem, Mend: mend}
	}
	if written, meant := row.slip(data); written != "" {
		return bad(written, "is no field of a docstring's line", "write "+meant+", or leave it out")
	}
	var id benchmark.TaskID
	var err error
	if row.TaskID != nil {
		if id, err = benchmark.ParseTaskID(*row.TaskID); err != nil {
			return benchmark.Docstring{}, located(err, file, line)
		}
		if field, problem := row.contradiction(id); field != "" {
			return bad(field, problem, "give task_id alone, or make them agree")
		}
	} else {
		for _, f := range []struct {
			name  string
			value *string
		}{{"repo", row.Repo}, {"path", row.Path}, {"qualname", row.Qualname}} {
			if f.value == nil || *f.value == "" {
				return bad(f.name, "is missing", "give repo, path and qualname, or task_id")
			}
		}
		if id.Repository, err = benchmark.ParseRepository(*row.Repo); err != nil {
			return benchmark.Docstring{}, located(err, file, line, "repo")
		}
		id.Path, id.Qualname = *row.Path, *row.Qualname
	}
	id.Path = strings.TrimPrefix(id.Path, "./")
	if id.Path == "" || path.Clean(id.Path) != id.Path || path.IsAbs(id.Path) || id.Path == ".." ||
		strings.HasPrefix(id.Path, "../") || strings.ContainsAny(id.Path, "\\\x00") {
		return bad("path", fmt.Sprintf("%q is not a path in the repository", id.Path), "write it from the repository's root with forward slashes")
	}
	if row.Ordinal != nil {
		switch {
		case *row.Ordinal < 0:
			return bad("ordinal", "is negative", "count from 0, the first definition of the name in the file")
		case row.TaskID != nil && id.Ordinal != 0 && id.Ordinal != *row.Ordinal:
			return bad("ordinal", "differs from the number in task_id", "give one of the two")
		}
		id.Ordinal = *row.Ordinal
	}
	if row.Docstring == nil {
		return bad("docstring", "is missing", "give the docstring's text")
	}
	return benchmark.Docstring{Task: id, Text: *row.Docstring}, nil
}

// located adds the place to an error about a value, and the field's name in
// the file when it differs.
func located(err error, file string, line int, field ...string) error {
	if e, ok := err.(*benchmark.InputError); ok {
		at := *e
		at.File, at.Line = file, line
		if len(field) > 0 {
			at.Field = field[0]
		}
		return &at
	}
	return err
}
