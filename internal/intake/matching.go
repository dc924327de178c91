package intake

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/jsonlines"
)

// A matching collects rows under the definitions that they are for.
type matching struct {
	names  *names
	limits Limits
	report *Report
	keys   *jsonlines.Keys

	rows       []documented // as many as names.definitions
	superseded []int        // the definitions of report.Superseded.First
}

// documented is what an upload says of a definition: the last row for it.
type documented struct {
	line int // 0 when there is none
	text string
}

func newMatching(n *names, limits Limits) *matching {
	return &matching{names: n, limits: limits, report: newReport(), keys: jsonlines.NewKeys("task_id", "repo", "path", "qualname", "ordinal", "docstring"), rows: make([]documented, len(n.definitions))}
}

func (m *matching) reject(line int, err error) {
	m.report.Rejected.Add(func() jsonlines.Rejection { return jsonlines.RejectionOf(line, err) })
}

// row takes a row that could be read. Of two for one definition the later
// counts.
func (m *matching) row(line int, row benchmark.Docstring) {
	m.report.Rows++
	i, ok := m.names.at[row.Task]
	if !ok {
		m.report.Unmatched.Add(func() Unmatched {
			problem, found := m.names.nearest(row.Task)
			return Unmatched{Row{line, jsonlines.Clip(row.Task.String())}, problem, found}
		})
		return
	}
	if before := m.rows[i].line; before > 0 {
		m.report.Superseded.Add(func() Duplicate {
			m.superseded = append(m.superseded, i)
			return Duplicate{Row: Row{before, row.Task.String()}}
		})
	}
	m.rows[i] = documented{line, row.Text}
}

// finish sums up once all rows are read.
func (m *matching) finish() (*Report, evaluator.Docs) {
	for i, at := range m.superseded {
		m.report.Superseded.First[i].Counts = m.rows[at].line
	}
	var order []int // definitions with a row, as the upload has them
	for i := range m.rows {
		if m.rows[i].line > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(m.rows[a].line, m.rows[b].line) })
	var counted []benchmark.Docstring
	alike := map[[sha256.Size]byte][]int{} // tasks by their docstrings, white space aside
	for _, i := range order {
		if !m.look(i) {
			continue
		}
		counted = append(counted, benchmark.Docstring{Task: m.names.definitions[i].id, Text: m.rows[i].text})
		if m.names.definitions[i].task {
			text := sha256.Sum256([]byte(oneLine(m.rows[i].text)))
			alike[text] = append(alike[text], i)
		}
	}
	m.repeated(alike)
	m.coverage()
	return m.report, evaluator.NewDocs(counted)
}

// look reports whether a definition's row counts, and notes what is to be said
// of it.
func (m *matching) look(i int) bool {
	d, row := m.names.definitions[i], m.rows[i]
	place := func() Row { return Row{row.line, d.id.String()} }
	if strings.TrimSpace(row.text) == "" {
		m.report.Blank.Add(place)
		return false
	}
	if len(row.text) > m.limits.Docstring {
		m.report.Long.Add(func() Long { return Long{place(), len(row.text)} })
	}
	switch {
	case d.task:
		if why := placeholder(row.text, d.id.Qualname); why != "" {
			m.report.Placeholders.Add(func() Placeholder { return Placeholder{place(), jsonlines.Clip(row.text), why} })
		}
	case d.shown:
		m.report.Context++
	default:
		m.report.Unused++
	}
	return true
}

// repeated lists texts that too many tasks share.
func (m *matching) repeated(alike map[[sha256.Size]byte][]int) {
	for _, tasks := range alike {
		if len(tasks) <= RepeatedFrom {
			continue
		}
		r := Repeated{Text: jsonlines.Clip(oneLine(m.rows[tasks[0]].text)), Count: len(tasks)}
		for _, i := range tasks {
			r.Tasks = append(r.Tasks, m.names.definitions[i].id.String())
		}
		m.report.Repeated = append(m.report.Repeated, r)
	}
	slices.SortFunc(m.report.Repeated, func(a, b Repeated) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Tasks[0], b.Tasks[0]))
	})
}

// oneLine is a text with single spaces for all white space.
func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// coverage counts tasks, repository by repository.
func (m *matching) coverage() {
	for _, r := range m.names.repositories {
		if r.tasks == 0 {
			continue
		}
		c := Coverage{Repository: r.name, Tasks: r.tasks}
		for i := r.from; i < r.to; i++ {
			d := m.names.definitions[i]
			counts := strings.TrimSpace(m.rows[i].text) != ""
			switch {
			case d.task && counts:
				c.Documented++
			case d.task:
				c.Missing++
				m.report.Missing = append(m.report.Missing, d.id.String())
			case d.shown && counts:
				c.Context++
			}
		}
		c.Share = float64(c.Documented) / float64(c.Tasks)
		m.report.Tasks += c.Tasks
		m.report.Documented += c.Documented
		m.report.Repositories = append(m.report.Repositories, c)
	}
}

func tooManyLines(file string, limit int) error {
	return &benchmark.InputError{File: file, Problem: fmt.Sprintf("has more than %d lines", limit), Mend: "leave out what is not for this release"}
}
