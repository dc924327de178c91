package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
)

// manifest says what an output folder holds results of.
type manifest struct {
	Release   string `json:"release"`
	Tasks     string `json:"tasks_sha256"`
	Docs      string `json:"docs"`
	Evaluator string `json:"evaluator"`
	Key       string `json:"evaluator_fingerprint"`
	Prompt    string `json:"prompt"`
	Context   string `json:"context"`
	Samples   int    `json:"samples"`
	Strategy  string `json:"strategy,omitempty"`
	Sandbox   string `json:"sandbox"`
}

func manifestOf(o Options) manifest {
	return manifest{Release: o.Dataset.Release.ID(), Tasks: o.Dataset.Release.Files[doctocode.TasksFile], Docs: o.DocsKey,
		Evaluator: o.Evaluator.Name(), Key: o.Evaluator.Fingerprint(), Prompt: o.Dataset.Release.Prompt,
		Context: o.Dataset.Release.Context, Samples: o.Samples, Strategy: string(o.Strategy), Sandbox: o.Sandbox.Name()}
}

// claim makes the output folder and writes its manifest. A folder that holds
// the results of another evaluation, a release, or files of somebody else's
// under the names of ours, is refused with an *benchmark.InputError.
func claim(o Options) error {
	bad := func(problem, mend string) error {
		return &benchmark.InputError{Field: "out", Problem: problem, Mend: mend}
	}
	if err := os.MkdirAll(o.Out, 0o755); err != nil {
		return bad(err.Error(), "give a folder that can be written to")
	}
	path := filepath.Join(o.Out, ManifestFile)
	m := manifestOf(o)
	data, err := os.ReadFile(path)
	if err == nil {
		var old manifest
		if json.Unmarshal(data, &old) != nil {
			return bad(path+" is not the description of an evaluation", "choose another folder")
		}
		if difference := old.difference(m); difference != "" {
			return bad(fmt.Sprintf("%s holds another evaluation: %s", o.Out, difference), "choose another folder")
		}
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, err := os.Lstat(filepath.Join(o.Out, doctocode.ReleaseFile)); err == nil {
		return bad(o.Out+" holds a release", "choose another folder")
	}
	for _, name := range []string{VerdictsFile, CompletionsFile, ScoresFile} {
		if _, err := os.Lstat(filepath.Join(o.Out, name)); err == nil {
			return bad(fmt.Sprintf("%s holds a %s, but no %s", o.Out, name, ManifestFile), "choose another folder")
		}
	}
	if data, err = json.MarshalIndent(m, "", "  "); err != nil {
		return err
	}
	if err := doctocode.WriteFile(path, append(data, '\n')); err != nil {
		return bad(err.Error(), "give a folder that can be written to")
	}
	return nil
}

// difference names what is not the same in another evaluation, "" when all is.
func (m manifest) difference(other manifest) string {
	var parts []string
	mine, others := reflect.ValueOf(m), reflect.ValueOf(other)
	for i := range mine.NumField() {
		if a, b := mine.Field(i).Interface(), others.Field(i).Interface(); a != b {
			name, _, _ := strings.Cut(mine.Type().Field(i).Tag.Get("json"), ",")
			parts = append(parts, fmt.Sprintf("its %s is %v, not %v", name, shown(a), shown(b)))
		}
	}
	return strings.Join(parts, "; ")
}

func shown(value any) any {
	if value == "" {
		return "not given"
	}
	return value
}
