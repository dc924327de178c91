package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
)

// An Exported pull request is a line of a forge's export. What it says of
// title and body counts instead of the commit's message.
type Exported struct {
	Number   int        `json:"number"`
	Title    string     `json:"title"`
	Body     string     `json:"body"`      // "" or null when there is none
	MergedAt *time.Time `json:"merged_at"` // null when it was not merged
	Base     string     `json:"base"`      // branches
	Head     string     `json:"head"`
}

// longestExport bounds a line of an export.
const longestExport = 4 << 20

// LoadExport reads the export in a file.
func LoadExport(name string) (map[int]Exported, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, &benchmark.InputError{Field: "pulls", Problem: fmt.Sprintf("there is no file %q that can be read", name), Mend: "give a file of JSON lines"}
	}
	defer file.Close()
	return ReadExport(file, name)
}

// ReadExport reads pull requests, a JSON object a line, by their numbers; name
// is the file's in errors. Blank lines are passed over. Anything that is not as
// Exported says is an *benchmark.InputError, for a silently different title
// would be another task.
func ReadExport(r io.Reader, name string) (map[int]Exported, error) {
	pulls, lines := map[int]Exported{}, map[int]int{}
	in := jsonlines.NewReader(r, name, longestExport)
	keys := jsonlines.NewKeys("number", "title", "body", "merged_at", "base", "head")
	for {
		n, line, err := in.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		p, wrong := readExported(line, keys)
		if wrong == nil && lines[p.Number] > 0 {
			wrong = &benchmark.InputError{Field: "number", Problem: fmt.Sprintf("%d stands on line %d already", p.Number, lines[p.Number]), Mend: "keep one of them"}
		}
		if wrong != nil {
			wrong.File, wrong.Line = name, n
			return nil, wrong
		}
		pulls[p.Number], lines[p.Number] = p, n
	}
	if len(pulls) == 0 {
		return nil, &benchmark.InputError{File: name, Problem: "holds no pull request", Mend: "write one JSON object a line, or leave --pulls out"}
	}
	return pulls, nil
}

const exportForm = `write {"number":12,"title":"…","body":"…","merged_at":"2026-01-31T12:00:00Z","base":"main","head":"branch"}`

func readExported(line []byte, keys *jsonlines.Keys) (Exported, *benchmark.InputError) {
	bad := func(field, problem, mend string) (Exported, *benchmark.InputError) {
		return Exported{}, &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	var p Exported
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&p); err != nil {
		return bad(exportError(err))
	}
	if _, err := decoder.Token(); err != io.EOF {
		return bad("", "holds more than one JSON object", "write one pull request a line")
	}
	if key, twice := keys.Twice(line); twice {
		return bad(key, "is given twice", "keep one of them")
	}
	switch {
	case p.Number < 1:
		return bad("number", "is missing or not a number from 1 on", exportForm)
	case strings.TrimSpace(p.Title) == "":
		return bad("title", "is missing or blank", exportForm)
	}
	return p, nil
}

// exportError names the field of a decoder's error.
func exportError(err error) (field, problem, mend string) {
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) && kind.Field != "" {
		want := "a " + kind.Type.String()
		if kind.Type.Kind() == reflect.Int {
			want = "a whole number"
		}
		return kind.Field, fmt.Sprintf("is a JSON %s where %s is expected", kind.Value, want), exportForm
	}
	var date *time.ParseError
	if errors.As(err, &date) {
		return "merged_at", fmt.Sprintf("%q is not an instant", date.Value), "write it as 2026-01-31T12:00:00Z"
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return strings.Trim(name, `"`), "is no key of an export", "take it out; the keys are number, title, body, merged_at, base and head"
	}
	if strings.Contains(err.Error(), "Time.UnmarshalJSON") {
		return "merged_at", "is not a string", "write it as 2026-01-31T12:00:00Z"
	}
	return "", "is not a JSON object: " + strings.TrimPrefix(err.Error(), "json: "), exportForm
}
