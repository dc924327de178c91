package web

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"

	"touchstone/internal/leaderboard"
	"touchstone/internal/statistics"
	"touchstone/views"
)

// A sentence names so many configurations in their order.
const orderMost = 8

// stabilityText says how far the repositories of a set agree on an order.
func stabilityText(set *leaderboard.Set) (views.StabilityText, error) {
	settings := set.Settings()
	all, err := set.Stability(settings, func(leaderboard.Repository) bool { return true })
	if err != nil {
		return views.StabilityText{}, err
	}
	text := views.StabilityText{}
	if all.Undefined != "" {
		text.Sentences = []string{"There is nothing to compare: " + all.Undefined + "."}
		return text, nil
	}
	in := inSettings(len(settings))
	for _, i := range all.Order[:min(len(all.Order), orderMost)] {
		text.Order = append(text.Order, all.Rows[i].Name())
	}
	text.More = len(all.Order) - len(text.Order)
	text.Before = "The global order is the same " + in + ":"
	if len(settings) == 1 {
		text.Before = "The global order is"
	}
	preserving := len(all.Preserving())
	verb := "preserve"
	if preserving == 1 {
		verb = "preserves"
	}
	if all.Order == nil {
		text.Sentences = append(text.Sentences, "The evaluators and k do not agree on one strict order; what follows counts each repository against the order of each setting.")
	}
	text.Sentences = append(text.Sentences, fmt.Sprintf("%s %s %s %s.", shareOf(preserving, len(all.Repositories)), verb, orderWord(all.Order == nil), in))
	if n := len(all.Incomplete); n > 0 {
		text.Sentences = append(text.Sentences, views.Counted(n, "repository lacks a score somewhere and is", "repositories lack a score somewhere and are")+" left out.")
	}
	if n := len(all.LeftOut); n > 0 {
		text.Sentences = append(text.Sentences, views.Counted(n, "configuration has no score in some setting and is", "configurations have no score in some setting and are")+" left out.")
	}
	if text.Settings, err = settingsTable(set, settings); err != nil {
		return text, err
	}
	text.Repositories = keptTable(set, all)
	return text, nil
}

func orderWord(several bool) string {
	if several {
		return "the order"
	}
	return "it"
}

// shareOf is "6 of 28 repositories (21.4 %)".
func shareOf(n, of int) string {
	return fmt.Sprintf("%s of %s (%s %%)", views.Count(n), views.Counted(of, "repository", "repositories"), views.Decimal(100*float64(n)/float64(of), 1))
}

// inSettings is "in all four settings".
func inSettings(n int) string {
	switch n {
	case 1:
		return "in the only setting"
	case 2:
		return "in both settings"
	}
	words := []string{"three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n-3 < len(words) {
		return "in all " + words[n-3] + " settings"
	}
	return "in all " + views.Count(n) + " settings"
}

// A subset is some of a set's repositories.
type subset struct {
	name   string
	note   string
	chosen func(leaderboard.Repository) bool
}

var subsets = []subset{
	{"All", "repositories", func(leaderboard.Repository) bool { return true }},
	{"Popular", fmt.Sprintf("more than %d stars", leaderboard.PopularStars), leaderboard.Popular},
	{"Other", fmt.Sprintf("at most %d stars", leaderboard.PopularStars), leaderboard.Other},
}

// settingsTable is how many repositories keep the order in each setting and in
// all together, among all of them and among some.
func settingsTable(set *leaderboard.Set, settings []leaderboard.Setting) (views.Table, error) {
	t := views.Table{ID: "stability-settings", Caption: "Repositories that keep the order of configurations which the mean over the same repositories gives. Popular and other ones are held against an order of their own, so they need not add up to all.",
		CSV: fileAddress(distributionPath+"/stability.csv", url.Values{"release": {set.Key}}), Columns: []views.Column{{Label: "Setting"}}}
	for _, s := range subsets {
		t.Columns = append(t.Columns, views.Column{Label: s.name, Note: s.note, Align: views.Decimals})
	}
	group := views.Group{}
	add := func(name string, settings []leaderboard.Setting) error {
		row := views.Row{Cells: []views.Cell{views.TextCell(name)}}
		for _, s := range subsets {
			found, err := set.Stability(settings, s.chosen)
			switch {
			case err != nil:
				return err
			case !slices.ContainsFunc(set.Repositories, s.chosen):
				row.Cells = append(row.Cells, views.UnknownCell("no repository of the set is known to be one of these"))
			case found.Undefined != "":
				row.Cells = append(row.Cells, views.UnknownCell(found.Undefined))
			default:
				n, of := len(found.Preserving()), len(found.Repositories)
				row.Cells = append(row.Cells, views.TextCell(fmt.Sprintf("%d of %d (%s %%)", n, of, views.Decimal(100*float64(n)/float64(of), 1))))
			}
		}
		group.Rows = append(group.Rows, row)
		return nil
	}
	if err := add("All settings together", settings); err != nil {
		return t, err
	}
	for _, x := range settings {
		if len(settings) == 1 {
			break
		}
		if err := add(fmt.Sprintf("pass@%d under %s", x.K, x.Evaluator), []leaderboard.Setting{x}); err != nil {
			return t, err
		}
	}
	t.Groups = []views.Group{group}
	return t, nil
}

// keptTable is every repository with how much of the order it keeps, those that
// keep all of it first.
func keptTable(set *leaderboard.Set, s leaderboard.Stability) views.Table {
	t := views.Table{ID: "stability-repositories", Caption: "How much of the order each repository keeps, in all settings together.",
		CSV: fileAddress(distributionPath+"/stability.csv", url.Values{"release": {set.Key}}),
		Columns: []views.Column{{Label: "Repository"}, {Label: "Keeps the order"}, {Label: "Pairs kept", Note: fmt.Sprintf("of %s", views.Count(s.Pairs)), Align: views.Decimals},
			{Label: "Tasks", Align: views.Decimals}, {Label: "Stars", Align: views.Decimals}}}
	repositories := slices.Clone(s.Repositories)
	group := views.Group{}
	slices.SortStableFunc(repositories, func(a, b statistics.RepositoryKept) int { return cmp.Compare(b.Kept, a.Kept) })
	for _, r := range repositories {
		at, _ := set.Index(r.Repository)
		keeps := "no"
		if r.Preserves {
			keeps = "yes"
		}
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.CodeCell(r.Repository, repositoryAddress(r.Repository)), views.TextCell(keeps), views.CountCell(r.Kept),
			views.CountCell(set.Repositories[at].Tasks), countCell(set.Repositories[at].Stars)}})
	}
	t.Groups = []views.Group{group}
	return t
}
