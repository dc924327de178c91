package leaderboard

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/store"
)

// Boards makes boards, a new one when the results have changed.
type Boards struct {
	store *store.Store
	known *known // used by the one board that is being made

	mu      sync.Mutex
	board   *Board
	latest  uint64 // version of the results when they were last looked at
	looked  time.Time
	pending *pending

	preparing sync.Mutex // held while tables of a board are computed ahead
}

// pending is a board that is being made.
type pending struct {
	done chan struct{} // closed when err is set
	err  error
}

const (
	// Another process may have changed the results this long ago unseen.
	lookEvery = 200 * time.Millisecond
	// A page waits so long for a newer board before it shows the one there is.
	patience = 500 * time.Millisecond
)

// NewBoards makes boards of a store.
func NewBoards(s *store.Store) *Boards { return &Boards{store: s, known: newKnown()} }

// Current is the newest board. While a newer one takes long to make it is the
// one before, so that nobody waits for a change that they did not make.
func (b *Boards) Current(ctx context.Context) (*Board, error) {
	board, making, err := b.look(ctx)
	if making == nil || err != nil {
		return board, err
	}
	wait := make(<-chan time.Time)
	if board != nil {
		wait = time.After(patience)
	}
	select {
	case <-making.done:
		if making.err != nil {
			return nil, making.err
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		return b.board, nil
	case <-wait:
		return board, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// look returns the board there is, and the newer one that is being made.
func (b *Boards) look(ctx context.Context) (*Board, *pending, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.looked) > lookEvery {
		version, err := b.store.ResultsVersion(ctx)
		if err != nil {
			return nil, nil, err
		}
		b.latest, b.looked = version, time.Now()
	}
	if b.board != nil && b.board.Version >= b.latest {
		return b.board, nil, nil
	}
	if b.pending == nil {
		b.pending = &pending{done: make(chan struct{})}
		go b.make(context.WithoutCancel(ctx), b.pending, b.latest)
	}
	return b.board, b.pending, nil
}

func (b *Boards) make(ctx context.Context, p *pending, version uint64) {
	board, err := build(ctx, b.store, b.known, version)
	b.mu.Lock()
	if err == nil {
		b.board = board
	}
	p.err, b.pending = err, nil
	b.mu.Unlock()
	close(p.done)
	if err == nil {
		b.prepare(board)
	}
}

// boardBuild is a board while it is made.
type boardBuild struct {
	store       *store.Store
	known       *known
	sets        map[uint64]*Set // by release
	place       map[uint64]int  // repository → index in its set
	evaluations []store.Evaluation
	rows        map[uint64]*Row // by submission
}

func build(ctx context.Context, s *store.Store, k *known, version uint64) (*Board, error) {
	board := &Board{Version: version}
	b := &boardBuild{store: s, known: k, sets: map[uint64]*Set{}, place: map[uint64]int{}, rows: map[uint64]*Row{}}
	sets, err := b.evaluatedSets(ctx)
	if err != nil {
		return nil, err
	}
	if err := b.addMatrices(ctx); err != nil {
		return nil, err
	}
	if err := b.addLeaks(); err != nil {
		return nil, err
	}
	if err := b.addLifts(); err != nil {
		return nil, err
	}
	papers, err := publishedSets(ctx, s)
	if err != nil {
		return nil, err
	}
	board.Sets = append(sets, papers...)
	board.Localization, err = localizationSets(ctx, s, k.histories)
	return board, err
}

// evaluatedSets are the site's own releases, those without a result, too.
func (b *boardBuild) evaluatedSets(ctx context.Context) ([]*Set, error) {
	releases, err := b.store.Releases(ctx, benchmark.DocToCode)
	if err != nil {
		return nil, err
	}
	facts, err := b.store.PublishedRepositories(ctx, benchmark.DocToCode)
	if err != nil {
		return nil, err
	}
	known := map[string]store.PublishedRepository{}
	for _, f := range facts {
		known[f.Name] = f
	}
	var sets []*Set
	for _, r := range releases {
		set := &Set{Key: r.Label(), Label: r.Label(), Provenance: Evaluated, Tasks: r.Tasks}
		for i, repository := range r.Repositories {
			b.place[repository.ID] = i
			row := Repository{Name: repository.Name, Tasks: repository.Tasks, Tests: repository.Tests,
				Candidates: repository.Candidates, AllTasks: repository.AllTasks}
			if f, ok := known[repository.Name]; ok {
				row.Stars, row.Forks = &f.Stars, &f.Forks
			}
			set.Repositories = append(set.Repositories, row)
		}
		b.sets[r.ID] = set
		sets = append(sets, set)
	}
	return sets, b.addEvaluated(ctx)
}

func (b *boardBuild) addEvaluated(ctx context.Context) error {
	var err error
	if b.evaluations, err = b.store.FinishedEvaluations(ctx, benchmark.DocToCode); err != nil {
		return err
	}
	systems, err := b.store.Systems(ctx)
	if err != nil {
		return err
	}
	named := map[uint64]store.System{}
	for _, system := range systems {
		named[system.ID] = system
	}
	scores, err := b.store.Scores(ctx, benchmark.DocToCode)
	if err != nil {
		return err
	}
	repositoryScores, err := b.store.RepositoryScores(ctx, benchmark.DocToCode)
	if err != nil {
		return err
	}
	results := map[uint64]*Result{}
	sizes := map[uint64]int{}
	position := map[string]int{}
	for _, e := range b.evaluations {
		set := b.sets[e.Submission.ReleaseID]
		if set == nil {
			continue // of a hidden release
		}
		row := b.rows[e.SubmissionID]
		if row == nil {
			row = evaluatedRow(e, named[e.Submission.SystemID])
			b.rows[e.SubmissionID] = row
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
		set.meet(Evaluator{Name: e.Evaluator.Name, Control: e.Evaluator.Kind == store.KindControl, Recorded: e.Evaluator.Kind == store.KindRecorded, Samples: e.Samples, Description: e.Evaluator.Description})
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
		result.byRepo[v.K][b.place[v.RepositoryID]] = Cell{Known: true, Value: v.Value, Tasks: v.Tasks}
	}
	for _, set := range b.sets {
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
