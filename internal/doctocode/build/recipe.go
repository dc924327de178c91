package build

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/release"
)

// A Recipe says how a release is built, so that it can be built again.
type Recipe struct {
	Release      RecipeRelease      `toml:"release"`
	Repositories []RepositoryRecipe `toml:"repository"`
}

// RecipeRelease names the release and its policies.
type RecipeRelease struct {
	Name       string  `toml:"name"`        // starter
	Version    string  `toml:"version"`     // 1
	Context    string  `toml:"context"`     // prefix-v1 (the default) or scope-v1
	MaxSeconds float64 `toml:"max_seconds"` // a task whose tests run longer is left out; default 10
	Notes      string  `toml:"notes"`
}

// A RepositoryRecipe says where a repository comes from and corrects what is
// discovered about it. Only Name and Source are required.
type RepositoryRecipe struct {
	Name   string `toml:"name"`   // owner/name
	Source string `toml:"source"` // a folder (from the recipe's own folder), a git URL, or pypi:NAME==VERSION
	Commit string `toml:"commit"` // for git
	Python string `toml:"python"` // 3.11, or the path of an interpreter; default python3
	// AnyPython lets later versions of Python evaluate it, too: its requirements are pure
	// Python and its tests do not depend on the version.
	AnyPython    bool     `toml:"any_python"`
	Requirements []string `toml:"requirements"` // beyond those that are discovered
	Without      []string `toml:"without"`      // names of distributions to leave out
	PythonPath   []string `toml:"python_path"`  // instead of the discovered folders
	PytestArgs   []string `toml:"pytest_args"`  // instead of the discovered arguments
	Deselect     []string `toml:"deselect"`     // node ids, or beginnings of them
	// AllowSourceBuilds lets requirements without a wheel be built inside the sandbox.
	AllowSourceBuilds bool   `toml:"allow_source_builds"`
	Notes             string `toml:"notes"`
}

// Context policies and the default time limit of a release.
const (
	PrefixContext     = "prefix-v1"
	ScopeContext      = "scope-v1"
	DefaultMaxSeconds = 10
)

// LoadRecipe reads a recipe's file. Folders named as sources are taken from
// the folder of the file. What is wrong with it is an *benchmark.InputError.
func LoadRecipe(file string) (Recipe, error) {
	text, err := release.ReadRecipe(file)
	if err != nil {
		return Recipe{}, err
	}
	r, err := ParseRecipe(file, text)
	if err != nil {
		return Recipe{}, err
	}
	for i := range r.Repositories {
		q := &r.Repositories[i]
		if !strings.HasPrefix(q.Source, archivePrefix) && !strings.Contains(q.Source, "://") && !scpForm.MatchString(q.Source) && !filepath.IsAbs(q.Source) {
			q.Source = filepath.Join(filepath.Dir(file), q.Source)
		}
	}
	return r, nil
}

// ParseRecipe reads a recipe; file is its name in errors. Unknown keys are
// errors. It fills defaults in, and does not look at the sources.
func ParseRecipe(file string, text []byte) (Recipe, error) {
	var r Recipe
	if err := release.DecodeRecipe(file, text, &r); err != nil {
		return Recipe{}, err
	}
	if r.Release.Context == "" {
		r.Release.Context = PrefixContext
	}
	if r.Release.MaxSeconds == 0 {
		r.Release.MaxSeconds = DefaultMaxSeconds
	}
	if err := r.check(); err != nil {
		err.File = file
		return Recipe{}, err
	}
	return r, nil
}

func (r Recipe) check() *benchmark.InputError {
	bad := func(field, problem, mend string) *benchmark.InputError {
		return &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	if err := release.CheckName(r.Release.Name, r.Release.Version); err != nil {
		return err
	}
	switch {
	case r.Release.Context != PrefixContext && r.Release.Context != ScopeContext:
		return bad("release.context", fmt.Sprintf("%q is no context policy", r.Release.Context), "use prefix-v1 or scope-v1")
	case r.Release.MaxSeconds < 0 || r.Release.MaxSeconds > 3600:
		return bad("release.max_seconds", fmt.Sprintf("%g is out of range", r.Release.MaxSeconds), "use at most 3600")
	case len(r.Repositories) == 0:
		return bad("repository", "there is none", "add a [[repository]] with name and source")
	}
	seen := map[string]bool{}
	for i, q := range r.Repositories {
		field := func(key string) string { return fmt.Sprintf("repository %d (%s): %s", i+1, q.Name, key) }
		if _, err := benchmark.ParseRepository(q.Name); err != nil {
			return bad(field("name"), fmt.Sprintf("%q is not a repository name", q.Name), "write it as owner/name")
		}
		if len(q.Name) > release.MaxRepositoryName {
			return bad(fmt.Sprintf("repository %d: name", i+1), fmt.Sprintf("is longer than %d characters", release.MaxRepositoryName), "shorten it")
		}
		if key := strings.ToLower(environment.FolderName(q.Name)); seen[key] {
			return bad(field("name"), "it stands in the recipe twice, or its files would have the names of another's", "keep one of them")
		} else {
			seen[key] = true
		}
		if q.Source == "" {
			return bad(field("source"), "is missing", "give a folder, a git URL, or pypi:NAME==VERSION")
		}
		for _, text := range q.Requirements {
			if (environment.Requirement{Text: text}).Name() == "" {
				return bad(field("requirements"), fmt.Sprintf("%q is not a requirement on the package index", text), `write it as "name" or "name>=1.2"`)
			}
		}
		for _, name := range q.Without {
			if !distributionForm.MatchString(name) {
				return bad(field("without"), fmt.Sprintf("%q is not the name of a distribution", name), "give names without versions")
			}
		}
		if i := slices.IndexFunc(q.PythonPath, func(p string) bool { return p == "" || !filepath.IsLocal(p) }); i >= 0 {
			return bad(field("python_path"), fmt.Sprintf("%q is not a folder of the repository", q.PythonPath[i]), `write it from the root, "." for the root itself`)
		}
	}
	return nil
}
