package evaluator

import (
	"fmt"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
)

// docRow is a line of a docs.jsonl.
type docRow struct {
	TaskID    *string `json:"task_id"`
	Repo      *string `json:"repo"`
	Path      *string `json:"path"`
	Qualname  *string `json:"qualname"`
	Ordinal   *int    `json:"ordinal"`
	Docstring *string `json:"docstring"`
}

// contradiction is the first field that says something else than task_id, and
// what; "" when they agree.
func (r docRow) contradiction(id benchmark.TaskID) (field, problem string) {
	for _, f := range []struct {
		name  string
		given *string
		same  []string // what may stand there
	}{
		{"repo", r.Repo, []string{id.Repository}},
		{"path", r.Path, []string{id.Path, "./" + id.Path, strings.TrimPrefix(id.Path, "./")}},
		{"qualname", r.Qualname, []string{id.Qualname}},
	} {
		if f.given == nil || *f.given == "" {
			continue
		}
		agrees := false
		for _, text := range f.same {
			agrees = agrees || text == *f.given
		}
		if !agrees {
			return f.name, fmt.Sprintf("%q is not what task_id says (%q)", *f.given, f.same[0])
		}
	}
	return "", ""
}

// slip finds a key that is none but looks like one that the row lacks, and that
// one. What is missing would otherwise be taken to be left out on purpose.
func (r docRow) slip(data []byte) (written, meant string) {
	var missing []string
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"task_id", r.TaskID != nil || r.Repo != nil && r.Path != nil && r.Qualname != nil},
		{"repo", r.TaskID != nil || r.Repo != nil}, {"path", r.TaskID != nil || r.Path != nil}, {"qualname", r.TaskID != nil || r.Qualname != nil},
		{"docstring", r.Docstring != nil}, {"ordinal", r.Ordinal != nil},
	} {
		if !f.has {
			missing = append(missing, f.name)
		}
	}
	for key := range jsonlines.Own(data) {
		folded := strings.ToLower(key)
		for _, name := range missing {
			if folded != name && slipOf(folded, name) {
				return key, name
			}
		}
	}
	return "", ""
}

// slipOf reports whether a key is a name with one letter wrong, too many or
// missing, or with two neighbours exchanged; or, where the name is long, with
// two such slips of the first kinds.
func slipOf(key, name string) bool {
	allowed := 1
	if len(name) > 7 {
		allowed = 2
	}
	if len(key) > len(name)+allowed || len(name) > len(key)+allowed {
		return false
	}
	// The table of edit distances, three rows at a time.
	before, last, row := make([]int, len(name)+1), make([]int, len(name)+1), make([]int, len(name)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(key); i++ {
		row[0] = i
		for j := 1; j <= len(name); j++ {
			cost := 1
			if key[i-1] == name[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && key[i-1] == name[j-2] && key[i-2] == name[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(name)] <= allowed
}
