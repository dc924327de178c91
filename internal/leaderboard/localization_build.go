package leaderboard

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/measure"
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
// changes: a release's tasks, and how each of them ended for a submission.
type histories struct {
	tasks    map[uint64][]store.LocalizationTask // by release
	outcomes map[armTask][]outcome
	read     map[uint64]bool // submissions whose outcomes were read
	memos    map[string]*entrantMemo
}

func newHistories() *histories {
	return &histories{tasks: map[uint64][]store.LocalizationTask{}, outcomes: map[armTask][]outcome{}, read: map[uint64]bool{}, memos: map[string]*entrantMemo{}}
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
	set := &LocalizationSet{Key: r.Label(), Label: r.Label(), Provenance: Evaluated, Tasks: r.Tasks, Release: r, Facts: &localization.Release{}, taskAt: map[uint64]int{}}
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
	memos, shown := map[string]*entrantMemo{}, map[uint64]bool{}
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
			public[sub.ID], shown[sub.ID] = sub.PublicID, true
			if err := b.readOutcomes(ctx, sub.ID, set); err != nil {
				return err
			}
		}
		for _, level := range localization.Levels {
			for _, condition := range localization.Conditions {
				sub, ok := p.Arms[store.Arm{Level: string(level), Condition: string(condition)}]
				if !ok {
					continue
				}
				arm := &Arm{Entrant: e, Arm: localization.Arm{Level: level, Condition: condition}, Submission: public[sub], scores: map[localization.Gold]*armScore{}}
				for _, gold := range localization.Golds {
					if score, err := b.armScore(armTask{sub, arm.Arm, gold}, scores, set); err != nil {
						return err
					} else if score != nil {
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
	b.forget(shown)
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

// forget drops what is known of submissions that are shown no more.
func (b *localizationBuild) forget(shown map[uint64]bool) {
	gone := func(submission uint64) bool { return !shown[submission] }
	maps.DeleteFunc(b.known.outcomes, func(key armTask, _ []outcome) bool { return gone(key.submission) })
	maps.DeleteFunc(b.known.read, func(submission uint64, _ bool) bool { return gone(submission) })
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

// readOutcomes reads how the tasks of a submission ended, once.
func (b *localizationBuild) readOutcomes(ctx context.Context, submission uint64, set *LocalizationSet) error {
	if b.known.read[submission] {
		return nil
	}
	found := map[armTask][]outcome{}
	for _, gold := range localization.Golds {
		rows, err := b.store.LocalizationTaskScoresOf(ctx, submission, string(gold))
		if err != nil {
			return err
		}
		for _, x := range rows {
			at, ok := set.taskAt[x.TaskID]
			if !ok {
				return fmt.Errorf("submission %d has a score for task %d, which is not in %s", submission, x.TaskID, set.Key)
			}
			key := armTask{submission, armOf(x.Arm), gold}
			found[key] = append(found[key], outcome{task: int32(at), right: int32(x.TruePositives), wrong: int32(x.FalsePositives),
				missed: int32(x.FalseNegatives), f1: x.F1, answered: x.Answered})
		}
	}
	for key, all := range found {
		slices.SortFunc(all, func(x, y outcome) int { return cmp.Compare(x.task, y.task) })
		b.known.outcomes[key] = all
	}
	b.known.read[submission] = true
	return nil
}

// armScore is an arm with one kind of gold files, nil when there is no score.
func (b *localizationBuild) armScore(key armTask, scores map[localizationScoreKey]store.LocalizationScore, set *LocalizationSet) (*armScore, error) {
	whole, ok := scores[localizationScoreKey{key, 0}]
	if !ok {
		return nil, nil
	}
	s := &armScore{outcomes: b.known.outcomes[key], repositories: make([]FileScore, len(set.Repositories))}
	var err error
	if s.whole, err = fileScore(whole, set, s.outcomes); err != nil {
		return nil, err
	}
	for _, r := range set.Repositories {
		x, ok := scores[localizationScoreKey{key, r.RepositoryID}]
		if !ok {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(s.outcomes), func(o outcome) bool { return set.tasks[o.task].RepositoryID != r.RepositoryID })
		if s.repositories[b.place[r.RepositoryID]], err = fileScore(x, set, own); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func fileScore(x store.LocalizationScore, set *LocalizationSet, outcomes []outcome) (FileScore, error) {
	f := FileScore{Known: true, Tasks: x.Tasks, Answered: x.Answered, HasMicro: true,
		Macro: Triple{x.Precision, x.Recall, x.F1}, Micro: Triple{x.MicroPrecision, x.MicroRecall, x.MicroF1},
		Extremes: map[localization.Extreme]int{localization.ZeroPrecision: x.ZeroPrecision, localization.ZeroRecall: x.ZeroRecall, localization.FullRecall: x.FullRecall, localization.Exact: x.Exact}}
	if x.Low != nil && x.High != nil {
		f.Interval = &statistics.Interval{Low: *x.Low, High: *x.High}
	}
	var err error
	if f.Precision, err = set.meanInterval(outcomes, outcome.precision); err == nil {
		f.Recall, err = set.meanInterval(outcomes, outcome.recall)
	}
	return f, err
}

// score is the outcome as the track has it.
func (o outcome) score() measure.FileScore {
	return measure.FileScore{TruePositives: int(o.right), FalsePositives: int(o.wrong), FalseNegatives: int(o.missed),
		Overlap: measure.Overlap{Precision: o.precision(), Recall: o.recall(), F: o.f1}}
}

func (o outcome) triple() Triple { return Triple{o.precision(), o.recall(), o.f1} }

func (s *LocalizationSet) repositoryOf(o outcome) string {
	for _, r := range s.Repositories {
		if r.RepositoryID == s.tasks[o.task].RepositoryID {
			return r.Name
		}
	}
	return ""
}

func (o outcome) precision() float64 { return share(o.right, o.right+o.wrong) }
func (o outcome) recall() float64    { return share(o.right, o.right+o.missed) }

func share(part, whole int32) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

// meanInterval is that of a mean over tasks: of repositories drawn anew where
// there are several, else by Student's t over the tasks of the one, which is
// the same to the eye and takes no time.
func (s *LocalizationSet) meanInterval(outcomes []outcome, of func(outcome) float64) (*statistics.Interval, error) {
	units, several := s.units(outcomes, of)
	if several {
		b, err := statistics.Micro.Bootstrap(units, localization.Seed)
		return b.Interval, err
	}
	estimate, err := statistics.Micro.Of(units)
	return estimate.Interval, err
}

// units are values of tasks under what varies at random: the repository where
// there are several, else the task.
func (s *LocalizationSet) units(outcomes []outcome, of func(outcome) float64) (units []statistics.Score, several bool) {
	for _, o := range outcomes {
		several = several || s.tasks[o.task].RepositoryID != s.tasks[outcomes[0].task].RepositoryID
	}
	scores := make([]statistics.Score, len(outcomes))
	for i, o := range outcomes {
		t := s.tasks[o.task].Task
		scores[i] = statistics.Score{Repository: fmt.Sprint(t.RepositoryID), Task: t.Key, Value: of(o)}
		if !several {
			scores[i].Repository = t.Key
		}
	}
	return scores, several
}
