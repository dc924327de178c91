package localization

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
)

// predictionForm says how a line is written.
const predictionForm = `write one JSON object a line: {"instance_id":"…","found_files":["a/b.py"],"prompt":"contextual","condition":"baseline"}`

// predictionFields are those that a line is read from. Their case does not matter.
var predictionFields = []string{"instance_id", "found_files", "prompt", "condition", "model_patch", "model_name_or_path"}

// A PredictionLine is a prediction as it was written. Level and Condition are
// empty where the line does not name them.
type PredictionLine struct {
	Prediction
	Model      string           // model_name_or_path, of a patch
	Added      int              // files that the patch adds
	Normalised []NormalisedPath // without line numbers
}

// ParsePrediction reads a line in either of two forms: the one of LocAgent and
// Agentless,
//
//	{"instance_id":"owner__name-12","found_files":["a/b.py"],"prompt":"minimal","condition":"baseline"}
//
// of which the last two may be left out, as may be the files; or SWE-bench's,
//
//	{"instance_id":"owner__name-12","model_name_or_path":"…","model_patch":"diff --git …"}
//
// whose files are those that its unified diff changes, deletes or renames. What
// is wrong is a *benchmark.InputError that names file, line, field and mend.
func ParsePrediction(file string, line int, data []byte) (PredictionLine, error) {
	return parsePrediction(file, line, data, jsonlines.NewKeys(predictionFields...))
}

func parsePrediction(file string, line int, data []byte, keys *jsonlines.Keys) (PredictionLine, error) {
	row, err := readPrediction(data, keys)
	if bad, ok := errors.AsType[*benchmark.InputError](err); ok {
		bad.File, bad.Line = file, line
	}
	return row, err
}

// readPrediction does not know where the line stands.
func readPrediction(data []byte, keys *jsonlines.Keys) (PredictionLine, error) {
	bad := func(field, problem, mend string) (PredictionLine, error) {
		return PredictionLine{}, &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	if len(data) == 0 || data[0] != '{' {
		return bad("", "the line is not a JSON object", predictionForm)
	}
	var row struct {
		ID        *string    `json:"instance_id"`
		Files     *[]*string `json:"found_files"`
		Patch     *string    `json:"model_patch"`
		Model     string     `json:"model_name_or_path"`
		Level     *Level     `json:"prompt"`
		Condition *Condition `json:"condition"`
	}
	if err := json.Unmarshal(data, &row); err != nil {
		if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			mend := "write a string"
			if t.Field == "found_files" && t.Type.Kind() == reflect.Slice {
				mend = `write a list of paths: ["a/b.py"]`
			}
			return bad(t.Field, "holds a JSON "+t.Value, mend)
		}
		return bad("", "the line is not valid JSON: "+err.Error(), predictionForm)
	}
	if key, twice := keys.Twice(data); twice {
		return bad(key, "is given twice", "give it once")
	}
	switch {
	case row.ID == nil:
		return bad("instance_id", "is missing", predictionForm)
	case *row.ID == "":
		return bad("instance_id", "is empty", "write the task's instance_id, as in the release's tasks.jsonl")
	case row.Files == nil && row.Patch == nil:
		return bad("found_files", "is missing", `write a list of paths, [] for none; or the patch as "model_patch"`)
	case row.Files != nil && row.Patch != nil:
		return bad("model_patch", "is given beside found_files", "give one of them: they may name different files")
	case row.Level != nil && !slices.Contains(Levels, *row.Level):
		return bad("prompt", fmt.Sprintf("%q is not a level", *row.Level), "write minimal, concise, contextual or guided")
	case row.Condition != nil && !slices.Contains(Conditions, *row.Condition):
		return bad("condition", fmt.Sprintf("%q is not a condition", *row.Condition), "write baseline or augmented")
	}
	p := PredictionLine{Prediction: Prediction{Task: *row.ID}, Model: row.Model}
	if row.Level != nil {
		p.Level = *row.Level
	}
	if row.Condition != nil {
		p.Condition = *row.Condition
	}
	var err error
	if row.Patch != nil {
		err = p.readPatch(*row.Patch)
	} else {
		err = p.readFiles(*row.Files)
	}
	return p, err
}

// readFiles takes the paths of found_files in.
func (p *PredictionLine) readFiles(written []*string) error {
	if len(written) > mostFilesFound {
		return &benchmark.InputError{Field: "found_files", Problem: fmt.Sprintf("names %d files, more than %d", len(written), mostFilesFound), Mend: "name the files that have to change, the likeliest first"}
	}
	seen := map[string]bool{}
	p.Files = []string{}
	for i, name := range written {
		field := fmt.Sprintf("found_files[%d]", i)
		if name == nil {
			return &benchmark.InputError{Field: field, Problem: "is null", Mend: "write a path, or leave it out"}
		}
		if err := p.addPath(field, *name, seen); err != nil {
			return err
		}
	}
	return nil
}

// readPatch takes the paths of a patch in.
func (p *PredictionLine) readPatch(patch string) error {
	changed, added, err := FilesOfPatch(patch)
	if err != nil {
		return &benchmark.InputError{Field: "model_patch", Problem: "does not parse as a unified diff: " + err.Error(), Mend: "write the patch whole, as `git diff` does"}
	}
	if len(changed) > mostFilesFound {
		return &benchmark.InputError{Field: "model_patch", Problem: fmt.Sprintf("touches %d files, more than %d", len(changed), mostFilesFound), Mend: "leave out what is no part of the solution"}
	}
	seen := map[string]bool{}
	p.Files, p.Added = []string{}, len(added)
	for _, name := range changed {
		if err := p.addPath("model_patch", name, seen); err != nil {
			return err
		}
	}
	return nil
}

// addPath checks a path and adds it once.
func (p *PredictionLine) addPath(field, written string, seen map[string]bool) error {
	read, err := cleanPath(field, written)
	if err != nil {
		return err
	}
	if read != written {
		p.Normalised = append(p.Normalised, NormalisedPath{Path: written, Read: read})
	}
	if !seen[read] {
		seen[read] = true
		p.Files = append(p.Files, read)
	}
	return nil
}

// cleanPath writes a path as git does: from the repository's root, with forward
// slashes, without "./". A path out of the repository is a *benchmark.InputError.
func cleanPath(field, written string) (string, error) {
	bad := func(problem, mend string) (string, error) {
		return "", &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	const fromRoot = "write it from the repository's root, such as src/tool.py"
	read := strings.ReplaceAll(strings.TrimSpace(written), `\`, "/")
	switch {
	case read == "":
		return bad("is an empty path", "leave it out")
	case len(read) > longestPath:
		return bad(fmt.Sprintf("is a path of %d bytes, more than %d", len(read), longestPath), "write the path of one file")
	case strings.ContainsFunc(read, unicode.IsControl):
		return bad(fmt.Sprintf("%q holds a control character", written), "write the path of one file")
	case strings.HasPrefix(read, "/") || len(read) > 2 && read[1] == ':' && read[2] == '/':
		return bad(fmt.Sprintf("%q is an absolute path", written), fromRoot)
	}
	read = path.Clean(read)
	switch {
	case read == ".." || strings.HasPrefix(read, "../"):
		return bad(fmt.Sprintf("%q leads out of the repository", written), fromRoot)
	case read == ".":
		return bad(fmt.Sprintf("%q is the repository's root", written), "name files")
	}
	return read, nil
}
