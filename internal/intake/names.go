package intake

import (
	"fmt"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/nearest"
)

// names are what a row can be for: the functions and classes of a release.
type names struct {
	definitions  []definition // a repository's stand together
	at           map[benchmark.TaskID]int
	repositories []repositoryNames
	candidates   []nearest.Candidate // the repositories
}

type definition struct {
	id    benchmark.TaskID
	task  bool
	shown bool // its file has a task, so its docstring can stand in a prompt
}

// repositoryNames are definitions[from:to].
type repositoryNames struct {
	name     string
	from, to int
	tasks    int
	// candidates are path::qualname of the definitions in files with tasks,
	// made when first needed.
	candidates []nearest.Candidate
}

// namesOf reads the definitions of a release.
func namesOf(d *doctocode.Dataset) (*names, error) {
	tasks := map[benchmark.TaskID]bool{}
	files := map[benchmark.TaskID]bool{} // with a task
	of := map[string]int{}               // tasks of a repository
	for _, t := range d.Tasks {
		id, err := benchmark.ParseTaskID(t.ID)
		if err != nil {
			return nil, err
		}
		tasks[id] = true
		files[fileOf(id)] = true
		of[id.Repository]++
	}
	n := &names{at: map[benchmark.TaskID]int{}}
	for _, r := range d.Repositories {
		rn := repositoryNames{name: r.Name, from: len(n.definitions), tasks: of[r.Name]}
		// A repository without tasks may come without its sources.
		if d.Release.Files[r.Index] != "" {
			sources, err := d.Index(r)
			if err != nil {
				return nil, err
			}
			for _, f := range sources {
				for _, def := range f.Definitions {
					id := benchmark.TaskID{Repository: r.Name, Path: f.Path, Qualname: def.Qualname, Ordinal: def.Ordinal}
					n.at[id] = len(n.definitions)
					n.definitions = append(n.definitions, definition{id, tasks[id], files[fileOf(id)]})
					delete(tasks, id)
				}
			}
		}
		rn.to = len(n.definitions)
		n.repositories = append(n.repositories, rn)
		n.candidates = append(n.candidates, nearest.NewCandidate(r.Name))
	}
	for id := range tasks {
		return nil, &benchmark.InputError{File: d.Dir, Field: "index", Problem: fmt.Sprintf("has no definition of the task %s", id), Mend: "build the release again"}
	}
	return n, nil
}

func fileOf(id benchmark.TaskID) benchmark.TaskID {
	return benchmark.TaskID{Repository: id.Repository, Path: id.Path}
}

// repository is the place of a repository, and whether the release has it.
func (n *names) repository(name string) (int, bool) {
	for i := range n.repositories {
		if n.repositories[i].name == name {
			return i, true
		}
	}
	return 0, false
}

// nearest says what an unknown name may have meant: a repository when that is
// unknown, else path::qualname in the repository.
func (n *names) nearest(id benchmark.TaskID) (problem string, found []string) {
	i, known := n.repository(id.Repository)
	if !known {
		return UnknownRepository, nearest.Names(id.Repository, n.candidates)
	}
	r := &n.repositories[i]
	if r.candidates == nil {
		for _, d := range n.definitions[r.from:r.to] {
			if d.shown {
				r.candidates = append(r.candidates, nearest.NewCandidate(insideOf(d.id)))
			}
		}
	}
	return UnknownDefinition, nearest.Names(insideOf(id), r.candidates)
}

// insideOf is path::qualname of a definition.
func insideOf(id benchmark.TaskID) string {
	return strings.TrimPrefix(id.String(), id.Repository+":")
}
