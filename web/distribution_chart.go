package web

import (
	"fmt"
	"math"
	"net/url"

	"touchstone/internal/leaderboard"
	"touchstone/views"
)

// chart draws the spreads of one page of configurations.
func (d distribution) chart(at url.URL) (views.Distribution, views.Pagination) {
	pages := views.Pagination{Page: views.ReadPage(at.Query(), systemsPerPage, len(d.spreads)), PerPage: systemsPerPage, Total: len(d.spreads),
		Unit: "configurations", Address: at}
	first := (pages.Page - 1) * systemsPerPage
	shown := d.spreads[first:min(len(d.spreads), first+systemsPerPage)]
	query := d.query()
	chart := views.Distribution{
		Chart: views.Chart{
			ID: "spreads", Title: d.finding(),
			Description: fmt.Sprintf("For each of %s, from the highest mean down: the median of pass@%d over repositories, the range between its 0.1 and 0.9 quantiles, and a faint line for each repository from one configuration to the next. The table has the numbers.",
				views.Counted(len(shown), "configuration", "configurations"), d.k),
			Note: fmt.Sprintf("pass@%d on each of %s under %s; mean over the tasks of a repository. Quantiles are linear between neighbours (type 7). Rows stand by their mean over repositories.",
				d.k, views.Counted(len(d.set.Repositories), "repository", "repositories"), d.evaluator),
			CSV: fileAddress(distributionPath+".csv", query),
		},
		Unit: fmt.Sprintf("pass@%d, higher is better", d.k),
	}
	if pages.Page > 1 {
		query.Set("page", fmt.Sprint(pages.Page))
	}
	chart.SVG = fileAddress(distributionPath+".svg", query)
	chart.Table = d.table(shown, chart.CSV)
	place := colours(d.board)
	for _, x := range shown {
		chart.Spreads = append(chart.Spreads, views.Spread{Name: x.Name(), Series: place(x.System), Low: x.Low, Median: x.Median, High: x.High, Repositories: x.Repositories})
	}
	for i, r := range d.set.Repositories {
		strand := views.Strand{Name: r.Name}
		for _, x := range shown {
			value := math.NaN()
			if c := x.Cells[i]; c.Known {
				value, strand.Decimals = c.Value, c.Decimals
			}
			strand.Values = append(strand.Values, value)
		}
		chart.Strands = append(chart.Strands, strand)
	}
	return chart, pages
}

// finding is what the chart shows in a sentence.
func (d distribution) finding() string {
	best := d.spreads[0]
	for _, x := range d.spreads {
		if x.Median > best.Median {
			best = x
		}
	}
	shared := 0
	for _, x := range d.spreads {
		if best.Median-x.Median < 1e-9 {
			shared++
		}
	}
	median := views.Decimal(best.Median, 3)
	switch {
	case len(d.spreads) == 1:
		return fmt.Sprintf("%s has a median pass@%d of %s", best.Name(), d.k, median)
	case shared > 1:
		return fmt.Sprintf("%s of %s share the highest median pass@%d: %s", views.Count(shared), views.Counted(len(d.spreads), "configuration", "configurations"), d.k, median)
	}
	return fmt.Sprintf("%s has the highest median pass@%d: %s", best.Name(), d.k, median)
}

// table is the numbers behind the chart.
func (d distribution) table(shown []leaderboard.Spread, csv string) views.Table {
	t := views.Table{ID: "spreads-table", CSV: csv, Caption: fmt.Sprintf("How pass@%d under %s lies over repositories.", d.k, d.evaluator),
		Columns: []views.Column{{Label: "Configuration"}, {Label: "0.1 quantile", Align: views.Decimals}, {Label: "Median", Align: views.Decimals},
			{Label: "0.9 quantile", Align: views.Decimals}, {Label: "Mean", Align: views.Decimals}, {Label: "Repositories", Align: views.Decimals}}}
	group := views.Group{}
	for _, x := range shown {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(systemName(x.Row))), views.NumberCell(x.Low, 3), views.NumberCell(x.Median, 3),
			views.NumberCell(x.High, 3), views.NumberCell(x.Mean, 3), views.CountCell(x.Repositories)}})
	}
	t.Groups = []views.Group{group}
	return t
}
