package build

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/localization/history"
	"touchstone/internal/release"
)

// A Recipe says how a release is built, so that it can be built again.
type Recipe struct {
	Release      RecipeRelease      `toml:"release"`
	Repositories []RepositoryRecipe `toml:"repository"`
}

// RecipeRelease names the release and its policy.
type RecipeRelease struct {
	Name    string `toml:"name"`     // pull-requests
	Version string `toml:"version"`  // 1
	MaxGold int    `toml:"max_gold"` // a pull request of more gold files is left out; default 30
	Bots    bool   `toml:"bots"`     // keep pull requests of bots
	Reverts bool   `toml:"reverts"`  // keep reverts
	Notes   string `toml:"notes"`
}

// A RepositoryRecipe is a repository and its window. Name, T0 and T1 are required.
type RepositoryRecipe struct {
	Name   string `toml:"name"`   // owner/name
	Source string `toml:"source"` // the URL it is cloned from; the build does not open it
	Repo   string `toml:"repo"`   // the folder of a clone, from the recipe's own folder
	Branch string `toml:"branch"` // whose first parents are the main line; default HEAD
	T0     string `toml:"t0"`     // 2026-01-31, the beginning of that day in UTC, or an instant
	T1     string `toml:"t1"`
	Pulls  string `toml:"pulls"` // a forge's export, from the recipe's own folder
	Notes  string `toml:"notes"`

	from, to time.Time
}

// DefaultMaxGold is how many gold files a task has at most.
const DefaultMaxGold = 30

// LoadRecipe reads a recipe's file. What is wrong with it is an *benchmark.InputError.
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
		for _, name := range []*string{&r.Repositories[i].Repo, &r.Repositories[i].Pulls} {
			if *name != "" && !filepath.IsAbs(*name) {
				*name = filepath.Join(filepath.Dir(file), *name)
			}
		}
	}
	return r, nil
}

// ParseRecipe reads a recipe; file is its name in errors. Unknown keys are
// errors. It fills defaults in, and looks at no clone.
func ParseRecipe(file string, text []byte) (Recipe, error) {
	var r Recipe
	if err := release.DecodeRecipe(file, text, &r); err != nil {
		return Recipe{}, err
	}
	if err := r.complete(); err != nil {
		err.File = file
		return Recipe{}, err
	}
	return r, nil
}

// Single is the recipe of a release of one repository.
func Single(name string, q RepositoryRecipe) (Recipe, error) {
	r := Recipe{Release: RecipeRelease{Name: release.NameOf(name), Version: "1"}, Repositories: []RepositoryRecipe{q}}
	if err := r.complete(); err != nil {
		err.Field = strings.TrimPrefix(err.Field, fmt.Sprintf("repository 1 (%s): ", q.Name))
		return Recipe{}, err
	}
	return r, nil
}

// complete fills in what is left out and checks the rest.
func (r *Recipe) complete() *benchmark.InputError {
	bad := func(field, problem, mend string) *benchmark.InputError {
		return &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	if r.Release.MaxGold == 0 {
		r.Release.MaxGold = DefaultMaxGold
	}
	if err := release.CheckName(r.Release.Name, r.Release.Version); err != nil {
		return err
	}
	switch {
	case r.Release.MaxGold < 1:
		return bad("release.max_gold", fmt.Sprintf("%d is less than 1", r.Release.MaxGold), "leave it out for 30")
	case len(r.Repositories) == 0:
		return bad("repository", "there is none", "add a [[repository]] with name, t0 and t1")
	}
	seen := map[string]bool{}
	for i := range r.Repositories {
		q := &r.Repositories[i]
		if err := q.complete(); err != nil {
			err.Field = fmt.Sprintf("repository %d (%.100s): %s", i+1, q.Name, err.Field)
			return err
		}
		key := strings.ToLower(localization.FilesPath(q.Name))
		if seen[key] {
			return bad(fmt.Sprintf("repository %d (%s): name", i+1, q.Name), "it stands in the recipe twice, or its files would have the names of another's", "keep one of them")
		}
		seen[key] = true
	}
	return nil
}

func (q *RepositoryRecipe) complete() *benchmark.InputError {
	bad := func(field, problem, mend string) *benchmark.InputError {
		return &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	if _, err := benchmark.ParseRepository(q.Name); err != nil {
		return bad("name", fmt.Sprintf("%q is not a repository name", q.Name), "write it as owner/name")
	}
	if len(q.Name) > release.MaxRepositoryName {
		return bad("name", fmt.Sprintf("is longer than %d characters", release.MaxRepositoryName), "shorten it")
	}
	if q.Branch == "" {
		q.Branch = "HEAD"
	}
	for _, d := range []struct {
		field, text string
		date        *time.Time
	}{{"t0", q.T0, &q.from}, {"t1", q.T1, &q.to}} {
		if d.text == "" {
			return bad(d.field, "is missing", "write it as 2026-01-31")
		}
		date, err := history.ParseDate(d.field, d.text)
		var input *benchmark.InputError
		if errors.As(err, &input) {
			return input
		}
		*d.date = date
	}
	if !q.from.Before(q.to) {
		return bad("t1", fmt.Sprintf("%s is not after t0, %s", q.T1, q.T0), "give a later T1 or an earlier T0")
	}
	return nil
}

// Clone is the folder of the repository's clone: the recipe's own, or the one
// below mirror that bears its name.
func (q RepositoryRecipe) Clone(mirror string) (string, error) {
	if q.Repo != "" {
		return q.Repo, nil
	}
	folder := strings.Replace(q.Name, "/", "__", 1)
	if mirror != "" {
		for _, name := range []string{q.Name, q.Name + ".git", folder, folder + ".git"} {
			dir := filepath.Join(mirror, filepath.FromSlash(name))
			if info, err := os.Stat(dir); err == nil && info.IsDir() {
				return dir, nil
			}
		}
	}
	source := q.Source
	if source == "" {
		source = "URL"
	}
	if mirror == "" {
		mirror = "DIR"
	}
	return "", &benchmark.InputError{Field: "repo", Problem: "there is no clone of " + q.Name,
		Mend: fmt.Sprintf("make one with `git clone --mirror %s %s` and give --mirror %s", source, filepath.Join(mirror, q.Name+".git"), mirror)}
}
