package leaderboard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/statistics"
	"touchstone/internal/store"
)

// A Query chooses rows of a board and their order. Zero fields choose all.
type Query struct {
	Release     string // key of a set
	Provenance  Provenance
	Evaluator   string // rows with a result under it; the ranks are by it
	Text        string // that system, model or version contain, in any case
	Aggregation store.Aggregation
	K           int    // that ranks and the default order are by; 0 is 1
	Controls    bool   // rows and evaluators that are controls, too
	Leak        string // WithoutLeaks to leave out tasks; "" for all
	Sort        string // system, model, tasks, coverage, leak, lift, date or score:EVALUATOR:K; "" is by rank
	Descending  bool
}

// A Ranked row and its place among the rows of its set.
type Ranked struct {
	*Row
	Rank int  // from 1; 0 when it has no score to be ranked by
	Tied bool // shares its rank
}

// A Listing is the rows of a set that a query chose.
type Listing struct {
	*Set
	Shown    []Evaluator // columns
	RankedBy string      // evaluator; "" when none has results
	Rows     []Ranked    // in order
}

// Ranked is how many rows of the set have a rank, those that the query left out
// included.
func (l Listing) Ranked() int {
	n := 0
	for _, row := range l.Set.Rows {
		if _, ok := l.Comparable(row, l.RankedBy, 1).At(store.ByRepository, 1); ok {
			n++
		}
	}
	return n
}

// Check names what is wrong with a query for a board.
func (b *Board) Check(q Query) error {
	if q.Release != "" {
		if _, ok := b.Set(q.Release); !ok {
			return &benchmark.InputError{Field: "release", Problem: "there is no " + quote(q.Release), Mend: "choose one of " + strings.Join(b.keys(), ", ")}
		}
	}
	if q.Provenance != "" && q.Provenance != Published && q.Provenance != Evaluated {
		return &benchmark.InputError{Field: "provenance", Problem: quote(string(q.Provenance)) + " is none", Mend: "choose published or evaluated"}
	}
	if q.Aggregation != "" && !slices.Contains(store.Aggregations, q.Aggregation) {
		return &benchmark.InputError{Field: "by", Problem: quote(string(q.Aggregation)) + " is no aggregation", Mend: "choose repository, task or tests"}
	}
	if q.Evaluator != "" && !slices.ContainsFunc(b.Sets, func(s *Set) bool { _, ok := s.Evaluator(q.Evaluator); return ok }) {
		return &benchmark.InputError{Field: "evaluator", Problem: "nothing was judged by " + quote(q.Evaluator), Mend: "leave it out to see all"}
	}
	if err := b.checkLeak(q); err != nil {
		return err
	}
	if largest := b.largestK(); largest > 0 && q.K > largest {
		return &benchmark.InputError{Field: "k", Problem: fmt.Sprintf("no row has a pass@%d", q.K), Mend: fmt.Sprintf("give a number from 1 to %d", largest)}
	}
	column, rest, _ := strings.Cut(q.Sort, ":")
	if _, _, score := ScoreColumn(rest); q.Sort != "" && !slices.Contains(sortKeys, q.Sort) && !(column == "score" && score) {
		return &benchmark.InputError{Field: "sort", Problem: "there is no column " + quote(q.Sort),
			Mend: "choose " + strings.Join(sortKeys, ", ") + " or score:EVALUATOR:K"}
	}
	return nil
}

// sortKeys are the columns that rows can be sorted by, beside those of scores.
var sortKeys = []string{"system", "model", "tasks", "coverage", "leak", "lift", "date"}

func (b *Board) largestK() (k int) {
	for _, s := range b.Sets {
		for _, e := range s.Evaluators {
			k = max(k, e.Samples)
		}
	}
	return k
}

func quote(s string) string {
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "…"
	}
	return "“" + s + "”"
}

func (b *Board) keys() []string {
	var keys []string
	for _, s := range b.Sets {
		keys = append(keys, s.Key)
	}
	return keys
}

// List answers a query, set by set. Sets of which no row is chosen are left
// out, unless they are asked for by name.
func (b *Board) List(q Query) ([]Listing, error) {
	if q.Aggregation == "" {
		q.Aggregation = store.ByRepository
	}
	q.K = max(1, q.K)
	var listings []Listing
	for _, set := range b.Sets {
		if q.Release != "" && set.Key != q.Release || q.Provenance != "" && set.Provenance != q.Provenance {
			continue
		}
		if q.Leak == WithoutLeaks {
			if set.unleaked == nil {
				continue
			}
			set = set.unleaked
		}
		l, err := set.list(q)
		if err != nil {
			return nil, err
		}
		if len(l.Rows) > 0 || q.Release != "" {
			listings = append(listings, l)
		}
	}
	return listings, nil
}

func (s *Set) list(q Query) (Listing, error) {
	l := Listing{Set: s}
	for _, e := range s.Evaluators {
		if (q.Evaluator == "" || e.Name == q.Evaluator) && (!e.Control || q.Controls || e.Name == q.Evaluator) {
			l.Shown = append(l.Shown, e)
		}
	}
	if len(l.Shown) > 0 {
		l.RankedBy = l.Shown[0].Name
	}
	ranks, err := s.ranks(l.RankedBy, q.K)
	if err != nil {
		return l, err
	}
	for i, row := range s.Rows {
		if !row.matches(q) {
			continue
		}
		ranked := Ranked{Row: row}
		if _, ok := row.Results[l.RankedBy].At(q.Aggregation, q.K); ok {
			ranked.Rank, ranked.Tied = ranks[i].rank, ranks[i].tied
		}
		l.Rows = append(l.Rows, ranked)
	}
	q.sort(l.Rows, l.RankedBy)
	return l, nil
}

func (r *Row) matches(q Query) bool {
	if q.Evaluator != "" && r.Results[q.Evaluator] == nil {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(q.Text))
	return text == "" || strings.Contains(strings.ToLower(r.System+"\n"+r.Model+"\n"+r.Version), text)
}

// sort orders rows by rank and score, or as the query says. Rows without a
// number come last, in either direction.
func (q Query) sort(rows []Ranked, rankedBy string) {
	score := func(evaluator string, k int) func(Ranked) (float64, bool) {
		return func(r Ranked) (float64, bool) {
			e, ok := r.Results[evaluator].At(q.Aggregation, k)
			return e.Value, ok
		}
	}
	text := func(of func(Ranked) string) func(a, b Ranked) int {
		return func(a, b Ranked) int {
			return q.directed(strings.Compare(strings.ToLower(of(a)), strings.ToLower(of(b))))
		}
	}
	number := func(of func(Ranked) (float64, bool)) func(a, b Ranked) int {
		return func(a, b Ranked) int {
			x, hasX := of(a)
			y, hasY := of(b)
			if hasX != hasY {
				return cmp.Compare(order(!hasX), order(!hasY))
			}
			return q.directed(cmp.Compare(x, y))
		}
	}
	byRank := func(a, b Ranked) int {
		if (a.Rank == 0) != (b.Rank == 0) {
			return cmp.Compare(order(a.Rank == 0), order(b.Rank == 0))
		}
		x, hasX := score(rankedBy, q.K)(a)
		y, hasY := score(rankedBy, q.K)(b)
		if hasX != hasY {
			return cmp.Compare(order(!hasX), order(!hasY))
		}
		return cmp.Compare(y, x)
	}
	by := byRank
	switch column, rest, _ := strings.Cut(q.Sort, ":"); column {
	case "system":
		by = text(func(r Ranked) string { return r.Name() })
	case "model":
		by = text(func(r Ranked) string { return r.Model })
	case "tasks":
		by = number(func(r Ranked) (float64, bool) { return float64(r.Tasks), true })
	case "coverage":
		by = number(func(r Ranked) (float64, bool) { return r.Coverage() })
	case "leak":
		by = number(func(r Ranked) (float64, bool) { flagged, _, ok := r.Leak.Shares(); return flagged, ok })
	case "lift":
		by = number(func(r Ranked) (float64, bool) {
			e, ok := r.Results[rankedBy].Lift(q.Aggregation, q.K)
			return e.Value, ok
		})
	case "date":
		by = number(func(r Ranked) (float64, bool) { return float64(r.Date.Unix()), !r.Date.IsZero() })
	case "score":
		if evaluator, k, ok := ScoreColumn(rest); ok {
			by = number(score(evaluator, k))
		}
	}
	slices.SortStableFunc(rows, func(a, b Ranked) int {
		return cmp.Or(by(a, b), byRank(a, b), cmp.Compare(a.Name(), b.Name()), cmp.Compare(a.Submission, b.Submission))
	})
}

func (q Query) directed(c int) int {
	if q.Descending {
		return -c
	}
	return c
}

// Coverage is the share of tasks that have a docstring, if it is known.
func (r *Row) Coverage() (float64, bool) {
	if r.Documented < 0 || r.Tasks == 0 {
		return 0, false
	}
	return float64(r.Documented) / float64(r.Tasks), true
}

type place struct {
	rank int
	tied bool
}

// Comparable is a row's result under an evaluator, nil when its pass@k lacks
// tasks of the set because its evaluator had no reply for them. Such a result is
// shown and not compared: the tasks that it lacks may be the hard ones. Tasks
// that the whole set is shown without, because they leak, are not lacking.
func (s *Set) Comparable(row *Row, evaluator string, k int) *Result {
	result := row.Results[evaluator]
	expected := s.Tasks
	if s.leakFree {
		expected -= row.Leak.Flagged
	}
	if e, ok := result.At(store.ByRepository, k); ok && e.Tasks < expected {
		return nil
	}
	return result
}

// ranks gives each row its place by pass@k under an evaluator: 1 and how many
// rows are better beyond chance, by their paired differences on repositories.
func (s *Set) ranks(evaluator string, k int) ([]place, error) {
	key := rankKey{evaluator, k}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.ranked[key]; ok {
		return known, nil
	}
	var rows [][]statistics.Score
	var which []int
	for i, row := range s.Rows {
		result := s.Comparable(row, evaluator, k)
		if result == nil || len(result.byRepo[k]) == 0 {
			continue
		}
		var scores []statistics.Score
		for j, c := range result.byRepo[k] {
			if c.Known {
				scores = append(scores, statistics.Score{Repository: s.Repositories[j].Name, Value: c.Value, Weight: 1})
			}
		}
		rows, which = append(rows, scores), append(which, i)
	}
	standings, err := statistics.Ranks(rows, statistics.Macro)
	if err != nil {
		return nil, err
	}
	places := make([]place, len(s.Rows))
	shared := map[int]int{}
	for _, standing := range standings {
		shared[standing.Rank]++
	}
	for i, standing := range standings {
		places[which[i]] = place{standing.Rank, shared[standing.Rank] > 1}
	}
	if s.ranked == nil {
		s.ranked = map[rankKey][]place{}
	}
	s.ranked[key] = places
	return places, nil
}
