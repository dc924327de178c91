package leaderboard

import (
	"time"

	"touchstone/internal/localization"
	"touchstone/internal/statistics"
	"touchstone/internal/store"
)

// A LocalizationSet is everything that was scored on the same pull requests: a
// release, or the repositories of a paper.
type LocalizationSet struct {
	Key          string // name@version of a release, or the id of a paper
	Label        string
	Provenance   Provenance
	Tasks        int                      // 0 where a paper does not say
	Release      store.Release            // of an evaluated set
	Facts        *localization.Release    // release.json: policy and prompts; nil of a paper
	Repositories []LocalizationRepository // by name
	Entrants     []*Entrant               // by name
	tasks        []store.LocalizationTask // in the release's order, without prompts
	taskAt       map[uint64]int           // task → place among tasks
	contrasts    keptContrasts
	store        *store.Store // that single tasks are read from
}

// A LocalizationRepository is one of a set's.
type LocalizationRepository struct {
	store.LocalizationRepository
	Name   string
	Source string
	Tasks  int // 0 where a paper does not say
}

// An Entrant is one system on one set: all arms of it that were scored there,
// whether one submission brought them or several.
type Entrant struct {
	Provenance  Provenance
	System      string
	Model       string
	Slug        string // of the system
	Version     string
	Link        string
	Account     string   // who submitted; "" of a paper
	Submissions []string // public ids, oldest first
	Date        time.Time
	Arms        []*Arm // by level, the baseline first
	memo        *entrantMemo
}

// Name is the system and what it ran on.
func (e *Entrant) Name() string {
	if e.Model == "" {
		return e.System
	}
	return e.System + " · " + e.Model
}

// Arm is the entrant's at a level and condition, nil when it has none.
func (e *Entrant) Arm(level localization.Level, condition localization.Condition) *Arm {
	for _, a := range e.Arms {
		if a.Level == level && a.Condition == condition {
			return a
		}
	}
	return nil
}

// An Arm is what an entrant scored at one level and in one condition.
type Arm struct {
	*Entrant
	localization.Arm
	Submission string // public id; "" of a paper
	scores     map[localization.Gold]*armScore
}

// armScore is an arm with one kind of gold files.
type armScore struct {
	key          armTask
	whole        FileScore
	repositories []FileScore // as LocalizationSet.Repositories
}

// An outcome is how one task ended.
type outcome struct {
	task     int32 // place in the set
	right    int32 // true positives
	wrong    int32 // false positives
	missed   int32 // false negatives
	f1       float64
	answered bool
}

// A Mean says how tasks become one number.
type Mean string

const (
	MacroFiles Mean = "macro" // the mean of the tasks' own P, R and F1: the headline
	MicroFiles Mean = "micro" // of the files of all tasks as one set
)

// Means lists them in the order in which pages offer them.
var Means = []Mean{MacroFiles, MicroFiles}

// A Triple is precision, recall and F1.
type Triple struct{ Precision, Recall, F1 float64 }

// A FileScore is an arm's on a set, or on one of its repositories.
type FileScore struct {
	Known    bool
	Tasks    int // that are scored; 0 where a paper does not say
	Answered int // of them with a prediction
	Macro    Triple
	Micro    Triple
	HasMicro bool                         // a paper prints no such mean
	Interval *statistics.Interval         // of the macro F1, from a bootstrap; nil when there is none
	Extremes map[localization.Extreme]int // tasks that ended so; nil where a paper does not say
	Decimals int                          // that a paper prints; 0 when it was computed here
}

// Of is the triple of a mean, and whether it is known.
func (f FileScore) Of(m Mean) (Triple, bool) {
	if m == MicroFiles {
		return f.Micro, f.Known && f.HasMicro
	}
	return f.Macro, f.Known
}

// Whole is the arm's score over all tasks that have gold files of a kind. A
// paper's is known for all gold files only.
func (a *Arm) Whole(gold localization.Gold) FileScore {
	if s := a.scores[gold]; s != nil {
		return s.whole
	}
	return FileScore{}
}

// On is the arm's score on the i-th repository of its set.
func (a *Arm) On(i int, gold localization.Gold) FileScore {
	if s := a.scores[gold]; s != nil && i < len(s.repositories) {
		return s.repositories[i]
	}
	return FileScore{}
}

// Key names the arm in addresses: submission:level:condition; of a paper,
// paper:MODEL in place of the submission.
func (a *Arm) Key() string {
	first := a.Submission
	if first == "" {
		first = "paper:" + a.Model
	}
	return first + ":" + string(a.Level) + ":" + string(a.Condition)
}

// TaskAt is the i-th task of the set, without its prompts.
func (s *LocalizationSet) TaskAt(i int) store.LocalizationTask { return s.tasks[i] }

// AllTasks are those of the set, in the release's order and without prompts.
// They are not to be written to.
func (s *LocalizationSet) AllTasks() []store.LocalizationTask { return s.tasks }

// Index is the place of a repository, and whether the set has it.
func (s *LocalizationSet) Index(name string) (int, bool) {
	for i, r := range s.Repositories {
		if r.Name == name {
			return i, true
		}
	}
	return 0, false
}

// ArmOf finds an arm by its key.
func (s *LocalizationSet) ArmOf(key string) (*Arm, bool) {
	for _, e := range s.Entrants {
		for _, a := range e.Arms {
			if a.Key() == key {
				return a, true
			}
		}
	}
	return nil, false
}

// LocalizationSet finds a set of the localization track by its key.
func (b *Board) LocalizationSet(key string) (*LocalizationSet, bool) {
	for _, s := range b.Localization {
		if s.Key == key {
			return s, true
		}
	}
	return nil, false
}

// WithHistory are the sets of the localization track that have a repository.
func (b *Board) WithHistory(repository string) []*LocalizationSet {
	var sets []*LocalizationSet
	for _, s := range b.Localization {
		if _, ok := s.Index(repository); ok {
			sets = append(sets, s)
		}
	}
	return sets
}
