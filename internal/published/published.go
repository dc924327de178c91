// Package published holds the numbers that the two papers print, so that they
// can stand beside what this site evaluated itself. It reads them from a folder
// of CSV files that the caller gives and checks each of them.
//
// A score is a share from 0 to 1 with the decimals of the paper; what a paper
// prints in percent was divided by 100. Names are the papers' own; the file
// names.csv says how each is printed and what it means.
package published

import "touchstone/internal/benchmark"

// Ids of the sources.
const (
	DocumentationPaper = "documentation-paper" // track doc-to-code: Tables 1, 2 and 3
	LocalizationPaper  = "localization-paper"  // track localization: Tables 2, 3 and 4
)

// A Source is a paper.
type Source struct {
	ID         string
	Track      benchmark.Track
	ShortName  string
	Title      string
	Authors    []string // as the paper lists them
	Year       int      // 0 when the paper states none
	Identifier string   // of the paper, such as arXiv:2603.26137v1; "" when it states none
	Artifact   string   // of its replication package, such as doi:10.5281/zenodo.19253895; "" when it states none
}

// A Name says how a paper prints what the tables call by Name.
type Name struct {
	Source  string
	Kind    string // repository, system, model, evaluator, condition, level or metric
	Printed string
	Name    string // "" where a row stands for none or for all of a kind
	Meaning string
}

// RepositoryFacts is a row of the documentation paper's Table 2.
type RepositoryFacts struct {
	Source     string
	Table      int
	Repository string // owner/name
	Candidates int    // n_candidates: docstrings
	AllTasks   int    // n_all_tasks: valid tasks, at most Candidates
	Tasks      int    // n_tasks: valid tasks that finish within 10 seconds, at most AllTasks
	Forks      int
	Stars      int
}

// A Score is one number of one table. A field that its table does not have is "".
type Score struct {
	Source     string
	Table      int // its number in the source
	Track      benchmark.Track
	Repository string // owner/name, or the bare name where the paper gives no owner; "" for the mean over all
	System     string // the agent; "default" for the repositories' own docstrings
	Model      string // that the agent ran on; "" for default docstrings and where all models are taken together
	Evaluator  string // the model that judged
	Condition  string // baseline: without repository-derived knowledge
	Level      string // of the prompt: minimal, concise, contextual or guided
	Metric     string // pass@1, pass@3, precision, recall, f1; or a rate: precision=0, recall=0, recall=1
	Value      float64
	Decimals   int // that the source prints of the share
}

// Tables is everything that the sources print, each part in the order of print.
type Tables struct {
	Sources      []Source
	Names        []Name
	Repositories []RepositoryFacts
	Scores       []Score
}

// Of is the scores of one table of a source.
func (t *Tables) Of(source string, table int) []Score {
	var scores []Score
	for _, s := range t.Scores {
		if s.Source == source && s.Table == table {
			scores = append(scores, s)
		}
	}
	return scores
}
