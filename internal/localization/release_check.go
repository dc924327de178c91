package localization

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"touchstone/internal/benchmark"
)

// fits checks what SHA-256 cannot: that a release which somebody else made
// says one thing. Scores rest on it.
func (d *Dataset) fits() error {
	bad := func(name string, line int, problem string) error {
		return &benchmark.InputError{File: filepath.Join(d.Dir, name), Line: line, Problem: problem, Mend: "build the release again"}
	}
	files := map[string]map[string]bool{}
	counts := map[string]*Counts{}
	for i, r := range d.Repositories {
		_, err := benchmark.ParseRepository(r.Name)
		switch {
		case err != nil:
			return bad(RepositoriesFile, i+1, err.Error())
		case files[r.Name] != nil:
			return bad(RepositoriesFile, i+1, fmt.Sprintf("%s stands there twice", r.Name))
		case r.Files != FilesPath(r.Name) || d.Release.Files[r.Files] == "":
			return bad(RepositoriesFile, i+1, fmt.Sprintf("%q is not among the release's files", r.Files))
		case !r.T0.Before(r.T1):
			return bad(RepositoriesFile, i+1, "t1 is not after t0")
		}
		list, err := d.Files(r)
		if err != nil {
			return err
		}
		files[r.Name] = make(map[string]bool, len(list))
		for _, name := range list {
			files[r.Name][name] = true
		}
		if len(files[r.Name]) != len(list) {
			return bad(r.Files, 0, "names a file twice")
		}
		counts[r.Name] = &Counts{Commits: r.Counts.Commits, Files: len(list), Dropped: map[string]int{}}
	}
	ids := map[string]bool{}
	for i, t := range d.Tasks {
		if problem := t.problem(files[t.Repository]); problem != "" {
			return bad(TasksFile, i+1, problem)
		}
		if ids[t.ID] {
			return bad(TasksFile, i+1, t.ID+" stands there twice")
		}
		ids[t.ID] = true
		c := counts[t.Repository]
		c.Tasks++
		c.PullRequests++
		c.Gold += len(t.Gold)
	}
	for i, drop := range d.Dropped {
		c := counts[drop.Repository]
		switch {
		case c == nil:
			return bad(DroppedFile, i+1, fmt.Sprintf("the release has no repository %q", drop.Repository))
		case !slices.Contains(Reasons, drop.Reason):
			return bad(DroppedFile, i+1, fmt.Sprintf("%q is no reason", drop.Reason))
		}
		c.PullRequests++
		c.Dropped[drop.Reason]++
	}
	var all Counts
	for i, r := range d.Repositories {
		if c := *counts[r.Name]; !c.equal(r.Counts) {
			return bad(RepositoriesFile, i+1, fmt.Sprintf("the counts of %s are not those of the files: %+v", r.Name, c))
		}
		all.Add(r.Counts)
	}
	if !all.equal(d.Release.Counts) {
		return bad(ReleaseFile, 0, "the counts are not the sums of those of the repositories")
	}
	return nil
}

// problem tells what is wrong with a task of a repository with such files; ""
// when nothing is.
func (t Task) problem(files map[string]bool) string {
	switch {
	case files == nil:
		return fmt.Sprintf("the release has no repository %q", t.Repository)
	case t.ID != TaskID(t.Repository, t.Number):
		return fmt.Sprintf("the task %q is not of the pull request %d of %s", t.ID, t.Number, t.Repository)
	case len(t.Gold) == 0:
		return t.ID + " has no gold file"
	case !slices.IsSortedFunc(t.Gold, func(a, b GoldFile) int { return cmp.Compare(a.Path, b.Path) }):
		return "the gold files of " + t.ID + " are not in order"
	}
	for i, g := range t.Gold {
		switch {
		case !files[g.Path]:
			return fmt.Sprintf("the gold file %q of %s is not in the snapshot", g.Path, t.ID)
		case i > 0 && g.Path == t.Gold[i-1].Path:
			return fmt.Sprintf("the gold file %q of %s stands there twice", g.Path, t.ID)
		case !slices.Contains(Labels, g.Label):
			return fmt.Sprintf("%q is no label of a gold file", g.Label)
		}
	}
	for _, level := range Levels {
		if len(t.Prompts) > 0 && t.Prompts[level] == "" {
			return fmt.Sprintf("%s has no %s prompt, but others", t.ID, level)
		}
	}
	return ""
}

func (c Counts) equal(other Counts) bool {
	if c.Commits != other.Commits || c.PullRequests != other.PullRequests || c.Tasks != other.Tasks || c.Gold != other.Gold || c.Files != other.Files {
		return false
	}
	for _, reason := range Reasons {
		if c.Dropped[reason] != other.Dropped[reason] {
			return false
		}
	}
	return true
}
