package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/release"
)

// manifest says what an output folder holds results of.
type manifest struct {
	Release   string `json:"release"`
	Tasks     string `json:"tasks_sha256"`
	Docs      string `json:"docs"`
	DocsName  string `json:"docs_name,omitempty"` // for people: the same docs may have two names
	Evaluator string `json:"evaluator"`
	Key       string `json:"evaluator_fingerprint"`
	Prompt    string `json:"prompt"`
	Context   string `json:"context"`
	Samples   int    `json:"samples"`
	Strategy  string `json:"strategy,omitempty"`
	Sandbox   string `json:"sandbox"`
}

func manifestOf(o Options) manifest {
	return manifest{Release: o.Dataset.Release.ID(), Tasks: o.Dataset.Release.Files[doctocode.TasksFile], Docs: o.DocsKey, DocsName: o.DocsName,
		Evaluator: o.Evaluator.Name(), Key: o.Evaluator.Fingerprint(), Prompt: o.Dataset.Release.Prompt,
		Context: o.Dataset.Release.Context, Samples: o.Samples, Strategy: string(o.Strategy), Sandbox: o.Sandbox.Name()}
}

// write puts the manifest into the folder.
func (m manifest) write(out string) error {
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return release.WriteFile(filepath.Join(out, ManifestFile), append(data, '\n'))
}

// claim makes the output folder and writes its manifest. A folder that holds
// the results of another evaluation, a release, or files of somebody else's
// under the names of ours, is refused with an *benchmark.InputError. unproved
// says that only the recorded completions are of another file: whether the
// folder can be gone on with, its replies tell.
func claim(o Options) (unproved bool, err error) {
	bad := func(problem, mend string) (bool, error) {
		return false, &benchmark.InputError{Field: "out", Problem: problem, Mend: mend}
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
		if _, ok := o.Evaluator.(*evaluator.Recorded); ok && old.Evaluator == m.Evaluator && old.Key != m.Key {
			unproved, old.Key = true, m.Key
		}
		if difference := old.difference(m); difference != "" {
			return bad(fmt.Sprintf("%s holds another evaluation: %s", o.Out, difference), "choose another folder, or give what that one was given")
		}
		return unproved, nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if _, err := os.Lstat(filepath.Join(o.Out, doctocode.ReleaseFile)); err == nil {
		return bad(o.Out+" holds a release", "choose another folder")
	}
	for _, name := range []string{VerdictsFile, CompletionsFile, ScoresFile} {
		if _, err := os.Lstat(filepath.Join(o.Out, name)); err == nil {
			return bad(fmt.Sprintf("%s holds a %s, but no %s", o.Out, name, ManifestFile), "choose another folder")
		}
	}
	if err := m.write(o.Out); err != nil {
		return bad(err.Error(), "give a folder that can be written to")
	}
	return false, nil
}

// difference names what is not the same in another evaluation, "" when all is.
func (m manifest) difference(other manifest) string {
	var parts []string
	differ := func(what, mine, others string) bool {
		if mine == others {
			return false
		}
		parts = append(parts, fmt.Sprintf("its %s %s, not %s", what, given(mine), given(others)))
		return true
	}
	if !differ("release is", m.Release, other.Release) && m.Tasks != other.Tasks {
		parts = append(parts, "its release "+m.Release+" has other tasks")
	}
	if m.Docs != other.Docs && !differ("docs are", m.docs(), other.docs()) {
		parts = append(parts, m.docs()+" had another content")
	}
	if !differ("evaluator is", m.Evaluator, other.Evaluator) && m.Key != other.Key {
		parts = append(parts, "its evaluator "+m.Evaluator+" was another (model, address or parameters)")
	}
	differ("prompt is", m.Prompt, other.Prompt)
	differ("context is", m.Context, other.Context)
	differ("samples for each task are", strconv.Itoa(m.Samples), strconv.Itoa(other.Samples))
	differ("strategy is", m.Strategy, other.Strategy)
	differ("sandbox is", m.Sandbox, other.Sandbox)
	return strings.Join(parts, "; ")
}

// docs names the docstrings for a person.
func (m manifest) docs() string {
	if m.DocsName != "" {
		return m.DocsName
	}
	if len(m.Docs) == 64 {
		return "a file with the SHA-256 " + m.Docs[:12] + "…"
	}
	return m.Docs
}

func given(value string) string {
	if value == "" {
		return "not given"
	}
	return value
}
