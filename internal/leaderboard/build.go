package leaderboard

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"touchstone/internal/benchmark"
	"touchstone/internal/store"
)

// Boards makes a board and keeps it until the results change.
type Boards struct {
	store *store.Store
	mu    sync.Mutex
	board *Board
}

// NewBoards makes boards of a store.
func NewBoards(s *store.Store) *Boards { return &Boards{store: s} }

// Current is the board of the results as they are now.
func (b *Boards) Current(ctx context.Context) (*Board, error) {
	version, err := b.store.ResultsVersion(ctx)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.board != nil && b.board.Version == version {
		return b.board, nil
	}
	board, err := build(ctx, b.store, version)
	if err != nil {
		return nil, err
	}
	b.board = board
	return board, nil
}

func build(ctx context.Context, s *store.Store, version uint64) (*Board, error) {
	board := &Board{Version: version}
	sets, err := evaluatedSets(ctx, s)
	if err != nil {
		return nil, err
	}
	papers, err := publishedSets(ctx, s)
	if err != nil {
		return nil, err
	}
	board.Sets = append(sets, papers...)
	return board, nil
}

// evaluatedSets are the site's own releases, those without a result, too.
func evaluatedSets(ctx context.Context, s *store.Store) ([]*Set, error) {
	releases, err := s.Releases(ctx, benchmark.DocToCode)
	if err != nil {
		return nil, err
	}
	facts, err := s.PublishedRepositories(ctx, benchmark.DocToCode)
	if err != nil {
		return nil, err
	}
	known := map[string]store.PublishedRepository{}
	for _, f := range facts {
		known[f.Name] = f
	}
	var sets []*Set
	byRelease := map[uint64]*Set{}
	place := map[uint64]int{} // repository → index in its set
	for _, r := range releases {
		set := &Set{Key: r.Label(), Label: r.Label(), Provenance: Evaluated, Tasks: r.Tasks}
		for i, repository := range r.Repositories {
			place[repository.ID] = i
			row := Repository{Name: repository.Name, Tasks: repository.Tasks, Tests: repository.Tests,
				Candidates: repository.Candidates, AllTasks: repository.AllTasks}
			if f, ok := known[repository.Name]; ok {
				row.Stars, row.Forks = &f.Stars, &f.Forks
			}
			set.Repositories = append(set.Repositories, row)
		}
		byRelease[r.ID] = set
		sets = append(sets, set)
	}
	return sets, addEvaluated(ctx, s, byRelease, place)
}

func addEvaluated(ctx context.Context, s *store.Store, byRelease map[uint64]*Set, place map[uint64]int) error {
	evaluations, err := s.FinishedEvaluations(ctx, benchmark.DocToCode)
	if err != nil {
		return err
	}
	systems, err := s.Systems(ctx)
	if err != nil {
		return err
	}
	named := map[uint64]store.System{}
	for _, system := range systems {
		named[system.ID] = system
	}
	scores, err := s.Scores(ctx, benchmark.DocToCode)
	if err != nil {
		return err
	}
	repositoryScores, err := s.RepositoryScores(ctx, benchmark.DocToCode)
	if err != nil {
		return err
	}
	rows := map[uint64]*Row{}
	results := map[uint64]*Result{}
	sizes := map[uint64]int{}
	position := map[string]int{}
	for _, e := range evaluations {
		set := byRelease[e.Submission.ReleaseID]
		if set == nil {
			continue // of a hidden release
		}
		row := rows[e.SubmissionID]
		if row == nil {
			row = evaluatedRow(e, named[e.Submission.SystemID])
			rows[e.SubmissionID] = row
			set.Rows = append(set.Rows, row)
		}
		if e.FinishedAt != nil && e.FinishedAt.After(row.Date) {
			row.Date = *e.FinishedAt
		}
		result := &Result{Evaluator: e.Evaluator.Name, Samples: e.Samples, Evaluation: e.ID,
			scores: map[scoreKey]Estimate{}, byRepo: map[int][]Cell{}}
		if err := json.Unmarshal(e.Verdicts, &result.Verdicts); err != nil {
			return err
		}
		row.Results[e.Evaluator.Name] = result
		results[e.ID], sizes[e.ID] = result, len(set.Repositories)
		position[e.Evaluator.Name] = e.Evaluator.Position
		set.meet(Evaluator{Name: e.Evaluator.Name, Control: e.Evaluator.Kind == store.KindControl, Samples: e.Samples, Description: e.Evaluator.Description})
	}
	for _, v := range scores {
		if result := results[v.EvaluationID]; result != nil {
			result.scores[scoreKey{v.Aggregation, v.K}] = Estimate{Value: v.Value, Low: v.Low, High: v.High, Repositories: v.Repositories, Tasks: v.Tasks}
		}
	}
	for _, v := range repositoryScores {
		result := results[v.EvaluationID]
		if result == nil || v.Tasks == 0 {
			continue
		}
		if result.byRepo[v.K] == nil {
			result.byRepo[v.K] = make([]Cell, sizes[v.EvaluationID])
		}
		result.byRepo[v.K][place[v.RepositoryID]] = Cell{Known: true, Value: v.Value, Tasks: v.Tasks}
	}
	for _, set := range byRelease {
		slices.SortFunc(set.Evaluators, func(a, b Evaluator) int {
			return cmp.Or(cmp.Compare(order(a.Control), order(b.Control)), cmp.Compare(position[a.Name], position[b.Name]), cmp.Compare(a.Name, b.Name))
		})
	}
	return nil
}

func order(last bool) int {
	if last {
		return 1
	}
	return 0
}

func evaluatedRow(e store.Evaluation, system store.System) *Row {
	sub := e.Submission
	row := &Row{
		Submission: sub.PublicID, Provenance: Evaluated, System: system.Name, Model: system.Model, Slug: system.Slug, Link: system.Link,
		Version: sub.Version, Tasks: sub.Tasks, Documented: sub.Documented, Results: map[string]*Result{},
	}
	if sub.Docs != store.DocsFile {
		row.Control = sub.Docs
	}
	return row
}

// meet notes an evaluator of the set and the largest k it was seen with.
func (s *Set) meet(e Evaluator) {
	for i := range s.Evaluators {
		if s.Evaluators[i].Name == e.Name {
			s.Evaluators[i].Samples = max(s.Evaluators[i].Samples, e.Samples)
			return
		}
	}
	s.Evaluators = append(s.Evaluators, e)
}
