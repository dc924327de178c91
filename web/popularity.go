package web

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"

	"touchstone/internal/leaderboard"
	"touchstone/views"
)

// popularityRows is how many comparisons the page shows.
const popularityRows = 60

// popularityText compares popular repositories of a set with the others.
func popularityText(set *leaderboard.Set) (views.PopularityText, error) {
	p, err := set.Popularity()
	if err != nil {
		return views.PopularityText{}, err
	}
	popular, other := 0, 0
	for _, r := range set.Repositories {
		if leaderboard.Popular(r) {
			popular++
		}
		if leaderboard.Other(r) {
			other++
		}
	}
	unknown := len(set.Repositories) - popular - other
	text := views.PopularityText{}
	switch {
	case popular+other == 0:
		text.Sentences = []string{"Nobody counted the stars of these repositories, so it is not known which are popular."}
		return text, nil
	case p.Undefined != "":
		text.Sentences = []string{fmt.Sprintf("There is nothing to compare: %s. %s have more than %d stars, %s do not.", p.Undefined,
			views.Counted(popular, "repository", "repositories"), leaderboard.PopularStars, views.Count(other))}
		return text, nil
	}
	text.Sentences = []string{fmt.Sprintf("The mean over the %s with more than %d stars and the mean over the %s differ by %s on average (mean absolute difference over %s of configuration, evaluator and k) and by %s at most.",
		views.Counted(popular, "popular repository", "popular repositories"), leaderboard.PopularStars, views.Counted(other, "other one", "other ones"),
		views.Decimal(p.MeanAbsolute, 3), views.Counted(p.Compared, "combination", "combinations"), views.Decimal(p.Largest, 3))}
	if unknown > 0 {
		text.Sentences = append(text.Sentences, views.Counted(unknown, "repository is in neither group: nobody counted its stars.", "repositories are in neither group: nobody counted their stars."))
	}
	text.Table = popularityTable(set, p)
	return text, nil
}

// popularityTable is the comparisons that differ most.
func popularityTable(set *leaderboard.Set, p leaderboard.Popularity) views.Table {
	t := views.Table{ID: "popularity-table", CSV: fileAddress(distributionPath+"/popularity.csv", url.Values{"release": {set.Key}}),
		Caption: "Mean pass@k over popular repositories and over the others, largest difference first.",
		Columns: []views.Column{{Label: "Configuration"}, {Label: "Evaluator"}, {Label: "k", Align: views.Decimals}, {Label: "Popular", Align: views.Decimals},
			{Label: "Other", Align: views.Decimals}, {Label: "Difference", Note: "popular − other", Align: views.Decimals}}}
	var compared []int
	difference := func(i int) float64 { return *p.Rows[i].First - *p.Rows[i].Second }
	for i, m := range p.Rows {
		if m.First != nil && m.Second != nil {
			compared = append(compared, i)
		}
	}
	slices.SortStableFunc(compared, func(a, b int) int { return cmp.Compare(math.Abs(difference(b)), math.Abs(difference(a))) })
	if len(compared) > popularityRows {
		t.Source = fmt.Sprintf("The first %d of %s; the CSV has all.", popularityRows, views.Count(len(compared)))
		compared = compared[:popularityRows]
	}
	group := views.Group{}
	for _, i := range compared {
		x := p.Of[i]
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(systemName(x.Row))), views.NameCell(x.Evaluator, ""), views.CountCell(x.K),
			views.NumberCell(*p.Rows[i].First, 3), views.NumberCell(*p.Rows[i].Second, 3), views.TextCell(views.Signed(difference(i), 3))}})
	}
	t.Groups = []views.Group{group}
	return t
}
