package leaderboard

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/statistics"
	"touchstone/internal/store"
)

// An armTask names the outcomes of an arm in what boards remember.
type armTask struct {
	submission uint64
	arm        localization.Arm
	gold       localization.Gold
}

// histories is what boards have read of the localization track and what never
// changes: a release's tasks, and what was computed of entrants.
type histories struct {
	tasks map[uint64][]store.LocalizationTask // by release
	memos map[string]*entrantMemo
}

func newHistories() *histories {
	return &histories{tasks: map[uint64][]store.LocalizationTask{}, memos: map[string]*entrantMemo{}}
}

// localizationBuild is the track's part of a board while it is made.
type localizationBuild struct {
	store *store.Store
	known *histories
	sets  map[uint64]*LocalizationSet // by release
	place map[uint64]int              // repository → place in its set
}

// localizationSets are the evaluated releases, newest first, then the papers.
func localizationSets(ctx context.Context, s *store.Store, known *histories) ([]*LocalizationSet, error) {
	b := &localizationBuild{store: s, known: known, sets: map[uint64]*LocalizationSet{}, place: map[uint64]int{}}
	releases, err := s.Releases(ctx, benchmark.Localization)
	if err != nil {
		return nil, err
	}
	var sets []*LocalizationSet
	for _, r := range releases {
		set, err := b.release(ctx, r)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	if err := b.entrants(ctx); err != nil {
		return nil, err
	}
	papers, err := publishedHistories(ctx, s)
	if err != nil {
		return nil, err
	}
	return append(sets, papers...), nil
}

// release is the set of a release, without entrants.
func (b *localizationBuild) release(ctx context.Context, r store.Release) (*LocalizationSet, error) {
	facts, err := b.store.LocalizationRelease(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	set := &LocalizationSet{Key: r.Label(), Label: r.Label(), Provenance: Evaluated, Tasks: r.Tasks, Release: r, Facts: &localization.Release{}, taskAt: map[uint64]int{}, store: b.store}
	if err := json.Unmarshal(facts.Manifest, set.Facts); err != nil {
		return nil, fmt.Errorf("the manifest of %s: %w", r.Label(), err)
	}
	repositories, err := b.store.LocalizationRepositories(ctx, r.ID)
	if err != nil {
		return nil, err
	}
	for i, x := range r.Repositories {
		b.place[x.ID] = i
		set.Repositories = append(set.Repositories, LocalizationRepository{LocalizationRepository: repositories[x.ID], Name: x.Name, Source: x.Source, Tasks: x.Tasks})
	}
	tasks, ok := b.known.tasks[r.ID]
	if !ok {
		if tasks, err = b.store.LocalizationTasks(ctx, r.ID, 0); err != nil {
			return nil, err
		}
		b.known.tasks[r.ID] = tasks
	}
	set.tasks = tasks
	for i, t := range tasks {
		set.taskAt[t.TaskID] = i
	}
	b.sets[r.ID] = set
	return set, nil
}

// entrants adds the rows of each system to its set.
func (b *localizationBuild) entrants(ctx context.Context) error {
	pairs, err := b.store.LocalizationPairs(ctx)
	if err != nil {
		return err
	}
	scores, err := b.scores(ctx)
	if err != nil {
		return err
	}
	memos := map[string]*entrantMemo{}
	for _, p := range pairs {
		set := b.sets[p.Release.ID]
		if set == nil {
			continue // of a hidden release
		}
		e := &Entrant{Provenance: Evaluated, System: p.System.Name, Model: p.System.Model, Slug: p.System.Slug, Link: p.System.Link, Version: p.Version,
			Account: p.Account.Name, Date: p.Latest()}
		public := map[uint64]string{}
		for _, sub := range p.Submissions {
			e.Submissions = append(e.Submissions, sub.PublicID)
			public[sub.ID] = sub.PublicID
		}
		for _, level := range localization.Levels {
			for _, condition := range localization.Conditions {
				sub, ok := p.Arms[store.Arm{Level: string(level), Condition: string(condition)}]
				if !ok {
					continue
				}
				arm := &Arm{Entrant: e, Arm: localization.Arm{Level: level, Condition: condition}, Submission: public[sub], scores: map[localization.Gold]*armScore{}}
				for _, gold := range localization.Golds {
					if score := b.armScore(armTask{sub, arm.Arm, gold}, scores, set); score != nil {
						arm.scores[gold] = score
					}
				}
				e.Arms = append(e.Arms, arm)
			}
		}
		key := memoKey(p)
		if e.memo = b.known.memos[key]; e.memo == nil {
			e.memo = &entrantMemo{}
		}
		memos[key] = e.memo
		set.Entrants = append(set.Entrants, e)
	}
	b.known.memos = memos
	for _, set := range b.sets {
		slices.SortStableFunc(set.Entrants, func(x, y *Entrant) int {
			return cmp.Or(strings.Compare(strings.ToLower(x.Name()), strings.ToLower(y.Name())), y.Date.Compare(x.Date))
		})
	}
	return nil
}

// memoKey names the arms of a pair: whatever was computed of them stays true.
func memoKey(p store.LocalizationPair) string {
	var parts []string
	for arm, sub := range p.Arms {
		parts = append(parts, fmt.Sprint(arm.Level, " ", arm.Condition, " ", sub))
	}
	slices.Sort(parts)
	return strings.Join(parts, "\n")
}

// A localizationScoreKey names a sum of the store: repository 0 is all.
type localizationScoreKey struct {
	armTask
	repository uint64
}

func (b *localizationBuild) scores(ctx context.Context) (map[localizationScoreKey]store.LocalizationScore, error) {
	all, err := b.store.LocalizationScores(ctx)
	found := make(map[localizationScoreKey]store.LocalizationScore, len(all))
	for _, x := range all {
		found[localizationScoreKey{armTask{x.SubmissionID, armOf(x.Arm), localization.Gold(x.Gold)}, x.RepositoryID}] = x
	}
	return found, err
}

func armOf(a store.Arm) localization.Arm {
	return localization.Arm{Level: localization.Level(a.Level), Condition: localization.Condition(a.Condition)}
}

// armScore is an arm with one kind of gold files, nil when there is no score.
func (b *localizationBuild) armScore(key armTask, scores map[localizationScoreKey]store.LocalizationScore, set *LocalizationSet) *armScore {
	whole, ok := scores[localizationScoreKey{key, 0}]
	if !ok {
		return nil
	}
	s := &armScore{key: key, whole: fileScore(whole), repositories: make([]FileScore, len(set.Repositories))}
	for _, r := range set.Repositories {
		if x, ok := scores[localizationScoreKey{key, r.RepositoryID}]; ok {
			s.repositories[b.place[r.RepositoryID]] = fileScore(x)
		}
	}
	return s
}

func fileScore(x store.LocalizationScore) FileScore {
	f := FileScore{Known: true, Tasks: x.Tasks, Answered: x.Answered, HasMicro: true,
		Macro: Triple{x.Precision, x.Recall, x.F1}, Micro: Triple{x.MicroPrecision, x.MicroRecall, x.MicroF1},
		Extremes: map[localization.Extreme]int{localization.ZeroPrecision: x.ZeroPrecision, localization.ZeroRecall: x.ZeroRecall, localization.FullRecall: x.FullRecall, localization.Exact: x.Exact}}
	if x.Low != nil && x.High != nil {
		f.Interval = &statistics.Interval{Low: *x.Low, High: *x.High}
	}
	return f
}
