package measures

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
	"touchstone/internal/nearest"
)

// importedPrefix begins the keys of columns that were computed elsewhere. No
// measure of the catalogue has such a key, so that the site's own values and
// imported ones of the same measure never stand in one column.
const importedPrefix = "imported_"

// Imported is the key of a measure's values that were computed elsewhere.
func (k Key) Imported() Key { return importedPrefix + k }

// Base is the key of the measure itself, and whether k is of imported values.
func (k Key) Base() (base Key, imported bool) {
	rest, imported := strings.CutPrefix(string(k), importedPrefix)
	return Key(rest), imported
}

// imported is a measure as others computed it. Its mean is plain: what values
// would have to be weighted by is not imported.
func (m Measure) imported() Measure {
	m.Key, m.Pool = m.Key.Imported(), ""
	m.Title += " (imported)"
	m.About = "Computed elsewhere and imported; the column says by whom and how. " + m.About
	return m
}

const (
	longestImported = 64 << 10 // of a line, in bytes
	mostErrors      = 20       // named of one file
	// MostProvenance is the longest provenance, in bytes.
	MostProvenance = 500
)

// CheckProvenance refuses what does not say who computed values.
func CheckProvenance(text string) error {
	if strings.TrimSpace(text) == "" || len(text) > MostProvenance || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' }) {
		return &benchmark.InputError{Field: "provenance", Problem: fmt.Sprintf("is empty, longer than %d bytes, or not text of one line", MostProvenance),
			Mend: "say who computed the values, with what, and when"}
	}
	return nil
}

const importedForm = `write one JSON object a line: {"task_id":"…","value":0.5}, null for an undefined value`

// ReadImported reads the values of a measure: a line for each task, in any
// order. tasks are the ids of the release, in its order. Tasks without a line
// are not computed, and missing says how many. The error names up to 20 lines,
// each an *benchmark.InputError.
func ReadImported(in io.Reader, file string, m Measure, tasks []string) (values []float64, missing string, err error) {
	places := make(map[string]int, len(tasks))
	values = make([]float64, len(tasks))
	for i, task := range tasks {
		places[task], values[i] = i, NotComputed
	}
	lines := jsonlines.NewReader(in, file, longestImported)
	from := map[int]int{} // line of a task that was read
	var names []nearest.Candidate
	var wrong []error
	more := 0
	for {
		number, data, err := lines.Next()
		if err == io.EOF {
			break
		}
		var task string
		var value float64
		if err == nil {
			task, value, err = parseImported(data, m)
		}
		if place, ok := places[task]; err == nil && !ok {
			if names == nil {
				for _, t := range tasks {
					names = append(names, nearest.NewCandidate(t))
				}
			}
			err = noTask(task, nearest.Names(task, names))
		} else if err == nil && from[place] > 0 {
			err = &benchmark.InputError{Field: "task_id", Problem: fmt.Sprintf("%q has a value in line %d, too", task, from[place]), Mend: "keep one of the lines"}
		} else if err == nil {
			values[place], from[place] = value, number
		}
		bad, ok := errors.AsType[*benchmark.InputError](err)
		switch {
		case err == nil:
		case !ok:
			return nil, "", err
		case len(wrong) < mostErrors:
			bad.File, bad.Line = file, number
			wrong = append(wrong, bad)
		default:
			more++
		}
	}
	if more > 0 {
		wrong = append(wrong, fmt.Errorf("… and %d more lines", more))
	}
	if len(wrong) == 0 && len(from) == 0 {
		wrong = append(wrong, &benchmark.InputError{File: file, Problem: "holds no value", Mend: importedForm})
	}
	if len(wrong) > 0 {
		return nil, "", errors.Join(wrong...)
	}
	if without := len(tasks) - len(from); without > 0 {
		missing = fmt.Sprintf("the imported file had no value for %s of %d", counted(without, "task", "tasks"), len(tasks))
	}
	return values, missing, nil
}

func noTask(task string, near []string) error {
	mend := "write the ids of the release's tasks"
	if len(near) > 0 {
		mend = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return &benchmark.InputError{Field: "task_id", Problem: fmt.Sprintf("the release has no task %q", task), Mend: mend}
}

// parseImported reads a line. Errors are *benchmark.InputError without a place.
func parseImported(data []byte, m Measure) (task string, value float64, err error) {
	bad := func(field, problem, mend string) (string, float64, error) {
		return "", 0, &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	var row struct {
		Task  *string         `json:"task_id"`
		Value json.RawMessage `json:"value"`
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&row); err != nil {
		if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && t.Field != "" {
			return bad(t.Field, "is a JSON "+t.Value, importedForm)
		}
		return bad("", "the line cannot be read: "+strings.TrimPrefix(err.Error(), "json: "), importedForm)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return bad("", "something follows the object", importedForm)
	}
	if key, twice := jsonlines.NewKeys("task_id", "value").Twice(data); twice {
		return bad(key, "is there twice", "keep one")
	}
	switch {
	case row.Task == nil || *row.Task == "":
		return bad("task_id", "is missing", importedForm)
	case row.Value == nil:
		return bad("value", "is missing", importedForm)
	case string(row.Value) == "null":
		return *row.Task, Undefined, nil
	}
	if err := json.Unmarshal(row.Value, &value); err != nil {
		return bad("value", "is no number", importedForm)
	}
	if value < m.Low || value > m.High || math.IsInf(value, 0) {
		return bad("value", fmt.Sprintf("is %v", value), fmt.Sprintf("%s is from %v to %v", m.Title, m.Low, m.High))
	}
	return *row.Task, value, nil
}
