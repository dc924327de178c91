package leaderboard

import (
	"context"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// publishedHistories are the papers of the localization track.
func publishedHistories(ctx context.Context, s *store.Store) ([]*LocalizationSet, error) {
	scores, err := s.PublishedScores(ctx, benchmark.Localization)
	if err != nil {
		return nil, err
	}
	var sets []*LocalizationSet
	for _, source := range sources(scores) {
		sets = append(sets, publishedHistory(source, slices.DeleteFunc(slices.Clone(scores), func(x store.PublishedScore) bool { return x.Source != source })))
	}
	return sets, nil
}

// publishedHistory is a paper's set: an entrant for each model, an arm for each
// level. What the paper takes together over models is no row of it.
func publishedHistory(source string, scores []store.PublishedScore) *LocalizationSet {
	set := &LocalizationSet{Key: source, Label: strings.ReplaceAll(source, "-", " "), Provenance: Published}
	for _, x := range scores {
		if x.Model == "" {
			continue
		}
		if _, ok := set.Index(x.Repository); !ok {
			set.Repositories = append(set.Repositories, LocalizationRepository{Name: x.Repository})
		}
	}
	slices.SortFunc(set.Repositories, func(a, b LocalizationRepository) int { return strings.Compare(a.Name, b.Name) })
	for _, x := range scores {
		i, ok := set.Index(x.Repository)
		if x.Model == "" || !ok {
			continue
		}
		on := &set.publishedArm(x).scores[localization.AllGold].repositories[i]
		on.Known, on.Decimals = true, max(on.Decimals, x.Decimals)
		switch x.Metric {
		case "precision":
			on.Macro.Precision = x.Value
		case "recall":
			on.Macro.Recall = x.Value
		case "f1":
			on.Macro.F1 = x.Value
		}
	}
	for _, e := range set.Entrants {
		for _, a := range e.Arms {
			a.scores[localization.AllGold].average()
		}
	}
	return set
}

// publishedArm is the arm that a number is of.
func (s *LocalizationSet) publishedArm(x store.PublishedScore) *Arm {
	at := slices.IndexFunc(s.Entrants, func(e *Entrant) bool { return e.System == x.System && e.Model == x.Model })
	if at < 0 {
		at = len(s.Entrants)
		s.Entrants = append(s.Entrants, &Entrant{Provenance: Published, System: x.System, Model: x.Model, Slug: benchmark.Slug(x.System, x.Model), memo: &entrantMemo{}})
	}
	e := s.Entrants[at]
	level, condition := localization.Level(x.Level), localization.Condition(x.Condition)
	arm := e.Arm(level, condition)
	if arm == nil {
		arm = &Arm{Entrant: e, Arm: localization.Arm{Level: level, Condition: condition},
			scores: map[localization.Gold]*armScore{localization.AllGold: {repositories: make([]FileScore, len(s.Repositories))}}}
		e.Arms = append(e.Arms, arm)
		slices.SortFunc(e.Arms, func(a, b *Arm) int { return compareArms(a.Arm, b.Arm) })
	}
	return arm
}

// average is the unweighted mean over the repositories: a paper does not say how
// many tasks each has. It is computed here, so it has no decimals of print.
func (s *armScore) average() {
	n := 0.0
	for _, x := range s.repositories {
		if x.Known {
			n++
			s.whole.Macro.Precision += x.Macro.Precision
			s.whole.Macro.Recall += x.Macro.Recall
			s.whole.Macro.F1 += x.Macro.F1
		}
	}
	if n > 0 {
		s.whole.Known = true
		s.whole.Macro.Precision /= n
		s.whole.Macro.Recall /= n
		s.whole.Macro.F1 /= n
	}
}
