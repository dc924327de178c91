package leaderboard

import (
	"cmp"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
)

// A LocalizationQuery chooses rows of the localization track and their order.
// Zero fields choose all.
type LocalizationQuery struct {
	Release    string // key of a set
	Provenance Provenance
	Level      localization.Level
	Condition  localization.Condition
	Gold       localization.Gold // AllGold when ""
	Mean       Mean              // MacroFiles when ""
	Text       string            // that system, model or version contain, in any case
	Sort       string            // system, level, condition, precision, recall, f1, tasks, date or repository:NAME; "" is f1
	Ascending  bool
}

// CheckLocalization names what is wrong with a query for a board.
func (b *Board) CheckLocalization(q LocalizationQuery) error {
	if q.Release != "" {
		if _, ok := b.LocalizationSet(q.Release); !ok {
			var keys []string
			for _, s := range b.Localization {
				keys = append(keys, s.Key)
			}
			return &benchmark.InputError{Field: "release", Problem: "there is no " + quote(q.Release), Mend: "choose one of " + strings.Join(keys, ", ")}
		}
	}
	for _, x := range []struct {
		field, value string
		among        []string
	}{
		{"provenance", string(q.Provenance), []string{string(Evaluated), string(Published)}},
		{"level", string(q.Level), names(localization.Levels)},
		{"condition", string(q.Condition), names(localization.Conditions)},
		{"gold", string(q.Gold), names(localization.Golds)},
		{"mean", string(q.Mean), names(Means)},
	} {
		if x.value != "" && !slices.Contains(x.among, x.value) {
			return &benchmark.InputError{Field: x.field, Problem: quote(x.value) + " is none", Mend: "choose " + strings.Join(x.among, ", ")}
		}
	}
	return nil
}

func names[T ~string](values []T) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = string(v)
	}
	return texts
}

func compareArms(a, b localization.Arm) int {
	return cmp.Or(cmp.Compare(slices.Index(localization.Levels, a.Level), slices.Index(localization.Levels, b.Level)),
		cmp.Compare(slices.Index(localization.Conditions, a.Condition), slices.Index(localization.Conditions, b.Condition)))
}

// A LocalizationListing is the rows of a set that a query chose, in its order.
type LocalizationListing struct {
	*LocalizationSet
	Rows []*Arm
}

// ListLocalization answers a query, set by set. Sets of which no row is chosen
// are left out, unless they are asked for by name.
func (b *Board) ListLocalization(q LocalizationQuery) []LocalizationListing {
	var listings []LocalizationListing
	for _, set := range b.Localization {
		if q.Release != "" && set.Key != q.Release || q.Provenance != "" && set.Provenance != q.Provenance {
			continue
		}
		l := LocalizationListing{LocalizationSet: set}
		for _, e := range set.Entrants {
			for _, a := range e.Arms {
				if q.chooses(a) {
					l.Rows = append(l.Rows, a)
				}
			}
		}
		q.sort(l)
		if len(l.Rows) > 0 || q.Release != "" {
			listings = append(listings, l)
		}
	}
	return listings
}

func (q LocalizationQuery) chooses(a *Arm) bool {
	if q.Level != "" && a.Level != q.Level || q.Condition != "" && a.Condition != q.Condition {
		return false
	}
	text := strings.ToLower(strings.TrimSpace(q.Text))
	return text == "" || strings.Contains(strings.ToLower(a.System+"\n"+a.Model+"\n"+a.Version), text)
}

// sort orders rows as the query says; those without a number come last, in
// either direction.
func (q LocalizationQuery) sort(l LocalizationListing) {
	gold, mean := cmp.Or(q.Gold, localization.AllGold), cmp.Or(q.Mean, MacroFiles)
	number := func(of func(*Arm) (float64, bool)) func(a, b *Arm) int {
		return func(a, b *Arm) int {
			x, hasX := of(a)
			y, hasY := of(b)
			if hasX != hasY {
				return cmp.Compare(order(!hasX), order(!hasY))
			}
			return q.directed(cmp.Compare(x, y))
		}
	}
	metric := func(of func(Triple) float64) func(a, b *Arm) int {
		return number(func(a *Arm) (float64, bool) {
			t, ok := a.Whole(gold).Of(mean)
			return of(t), ok
		})
	}
	f1 := func(t Triple) float64 { return t.F1 }
	by := metric(f1)
	switch column, rest, _ := strings.Cut(q.Sort, ":"); column {
	case "system":
		by = func(a, b *Arm) int {
			return q.directed(strings.Compare(strings.ToLower(a.Name()), strings.ToLower(b.Name())))
		}
	case "level":
		by = func(a, b *Arm) int { return q.directed(compareArms(a.Arm, b.Arm)) }
	case "condition":
		by = func(a, b *Arm) int { return q.directed(-strings.Compare(string(a.Condition), string(b.Condition))) }
	case "precision":
		by = metric(func(t Triple) float64 { return t.Precision })
	case "recall":
		by = metric(func(t Triple) float64 { return t.Recall })
	case "tasks":
		by = number(func(a *Arm) (float64, bool) { return float64(a.Whole(gold).Tasks), a.Whole(gold).Tasks > 0 })
	case "date":
		by = number(func(a *Arm) (float64, bool) { return float64(a.Date.Unix()), !a.Date.IsZero() })
	case "repository":
		if i, ok := l.Index(rest); ok {
			by = number(func(a *Arm) (float64, bool) {
				t, ok := a.On(i, gold).Of(mean)
				return t.F1, ok
			})
		}
	}
	slices.SortStableFunc(l.Rows, func(a, b *Arm) int {
		return cmp.Or(by(a, b), strings.Compare(a.Name(), b.Name()), compareArms(a.Arm, b.Arm))
	})
}

func (q LocalizationQuery) directed(c int) int {
	if q.Ascending {
		return c
	}
	return -c
}
