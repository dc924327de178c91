package published

import (
	"fmt"
	"io/fs"
	"strings"

	"touchstone/internal/benchmark"
)

const (
	sourcesFile      = "sources.csv"
	namesFile        = "names.csv"
	repositoriesFile = "doc_to_code_table2.csv"
)

var (
	sourcesColumns      = []string{"id", "track", "short_name", "title", "authors", "year", "identifier", "artifact"}
	namesColumns        = []string{"source", "kind", "printed", "name", "meaning"}
	repositoriesColumns = []string{"repository", "n_candidates", "n_all_tasks", "n_tasks", "forks", "stars"}

	localizationColumns = []string{"repository", "system", "model", "condition", "level", "metric", "value"}
)

// scoreFiles are the tables of scores; one with a column k holds pass@k.
var scoreFiles = []struct {
	file    string
	source  string
	table   int
	columns []string
}{
	{"doc_to_code_table1.csv", DocumentationPaper, 1, []string{"system", "model", "evaluator", "k", "value"}},
	{"doc_to_code_table3.csv", DocumentationPaper, 3, []string{"repository", "system", "model", "evaluator", "k", "value"}},
	{"localization_table2.csv", LocalizationPaper, 2, localizationColumns},
	{"localization_table3.csv", LocalizationPaper, 3, localizationColumns},
	{"localization_table4.csv", LocalizationPaper, 4, localizationColumns},
}

// Load reads the published tables from a folder. What is wrong with a file is a
// *benchmark.InputError that names it, the line and the field.
func Load(folder fs.FS) (*Tables, error) {
	l := loader{folder: folder, sources: map[string]Source{}, names: map[nameKey]bool{}}
	for _, step := range []func() error{l.readSources, l.readNames, l.readRepositories, l.readScores} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return &l.tables, nil
}

type nameKey struct{ source, kind, name string }

// loader fills the tables, and remembers what later files may refer to.
type loader struct {
	folder  fs.FS
	tables  Tables
	sources map[string]Source
	names   map[nameKey]bool
}

func (l *loader) readSources() error {
	seen := unique[string]{}
	err := readRows(l.folder, sourcesFile, sourcesColumns, func(r *row) {
		s := Source{ID: r.required("id"), Track: benchmark.Track(r.required("track")), ShortName: r.required("short_name"),
			Title: r.required("title"), Identifier: r.text("identifier"), Artifact: r.text("artifact")}
		if s.Track != benchmark.DocToCode && s.Track != benchmark.Localization {
			r.fail("track", fmt.Sprintf("%q is not a track", s.Track), fmt.Sprintf("write %s or %s", benchmark.DocToCode, benchmark.Localization))
		}
		for _, author := range strings.Split(r.required("authors"), ";") {
			if author = strings.TrimSpace(author); author == "" {
				r.fail("authors", "has an empty name", "separate the names by one semicolon")
			}
			s.Authors = append(s.Authors, author)
		}
		if r.text("year") != "" {
			s.Year = r.count("year")
		}
		seen.add(r, "id", s.ID)
		l.sources[s.ID] = s
		l.tables.Sources = append(l.tables.Sources, s)
	})
	if err != nil {
		return err
	}
	for _, id := range []string{DocumentationPaper, LocalizationPaper} {
		if _, ok := l.sources[id]; !ok {
			return &benchmark.InputError{File: sourcesFile, Field: "id", Problem: fmt.Sprintf("no row has %q", id), Mend: "add the source of the tables"}
		}
	}
	return nil
}

func (l *loader) readNames() error {
	seen := unique[nameKey]{}
	return readRows(l.folder, namesFile, namesColumns, func(r *row) {
		n := Name{Source: r.required("source"), Kind: r.required("kind"), Printed: r.required("printed"),
			Name: r.text("name"), Meaning: r.required("meaning")}
		if _, ok := l.sources[n.Source]; !ok {
			r.fail("source", fmt.Sprintf("%q is not a source", n.Source), "use an id of "+sourcesFile)
		}
		switch n.Kind {
		case "repository", "system", "model", "evaluator", "condition", "level", "metric":
		default:
			r.fail("kind", fmt.Sprintf("%q is not a kind of name", n.Kind), "write repository, system, model, evaluator, condition, level or metric")
		}
		seen.add(r, "printed", nameKey{n.Source, n.Kind, n.Printed})
		l.names[nameKey{n.Source, n.Kind, n.Name}] = true
		l.tables.Names = append(l.tables.Names, n)
	})
}

func (l *loader) readRepositories() error {
	seen := unique[string]{}
	return readRows(l.folder, repositoriesFile, repositoriesColumns, func(r *row) {
		f := RepositoryFacts{Source: DocumentationPaper, Table: 2, Repository: r.required("repository"),
			Candidates: r.count("n_candidates"), AllTasks: r.count("n_all_tasks"), Tasks: r.count("n_tasks"),
			Forks: r.count("forks"), Stars: r.count("stars")}
		if _, err := benchmark.ParseRepository(f.Repository); err != nil {
			r.fail("repository", fmt.Sprintf("%q is not a repository name", f.Repository), "write it as owner/name")
		}
		if f.AllTasks > f.Candidates {
			r.fail("n_all_tasks", fmt.Sprintf("%d is more than n_candidates, %d", f.AllTasks, f.Candidates), "compare both with the paper")
		}
		if f.Tasks > f.AllTasks {
			r.fail("n_tasks", fmt.Sprintf("%d is more than n_all_tasks, %d", f.Tasks, f.AllTasks), "compare both with the paper")
		}
		seen.add(r, "repository", f.Repository)
		l.names[nameKey{f.Source, "repository", f.Repository}] = true
		l.tables.Repositories = append(l.tables.Repositories, f)
	})
}

func (l *loader) readScores() error {
	for _, t := range scoreFiles {
		seen := unique[Score]{}
		err := readRows(l.folder, t.file, t.columns, func(r *row) {
			s := Score{Source: t.source, Table: t.table, Track: l.sources[t.source].Track,
				Repository: l.known(r, t.source, "repository"), System: l.known(r, t.source, "system"),
				Model: l.known(r, t.source, "model"), Evaluator: l.known(r, t.source, "evaluator"),
				Condition: l.known(r, t.source, "condition"), Level: l.known(r, t.source, "level")}
			if k := r.text("k"); r.has("k") {
				s.Metric = "pass@" + k
				if !l.names[nameKey{t.source, "metric", s.Metric}] {
					r.fail("k", fmt.Sprintf("%q makes %s, which is not a known metric", k, s.Metric), "use a metric of "+namesFile)
				}
			} else {
				s.Metric = l.known(r, t.source, "metric")
			}
			seen.add(r, "value", s)
			s.Value, s.Decimals = r.share("value")
			l.tables.Scores = append(l.tables.Scores, s)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// known is the name in the column called kind, which some other file has
// introduced, or "" when the table has no such column.
func (l *loader) known(r *row, source, kind string) string {
	name := r.text(kind)
	if !r.has(kind) || l.names[nameKey{source, kind, name}] {
		return name
	}
	mend := "use a name of " + namesFile
	if kind == "repository" {
		mend += " or " + repositoriesFile
	}
	r.fail(kind, fmt.Sprintf("%q is not a known %s", name, kind), mend)
	return ""
}
