// Package views draws the pages. It knows no database and no request: a page is
// a plain Go value in, HTML out.
//
// # How to write a page
//
// One file per page: home.templ holds the page's struct and its component; the
// handler in package web fills the struct. A page is
//
//	templ DocToCode(p DocToCodePage) {
//		@Layout(p.Page) {
//			@Heading{Title: "Doc-to-code", Lead: "…"}.View()
//			@p.Filters.View()
//			@p.Scores.View()
//		}
//	}
//
// where p.Page is a Page, p.Filters a Filters and p.Scores a Table. Everything
// that is drawn is a value with a View method: Table, Score, Progress, Field,
// Select, File, Choice, Errors, Pagination, Diff, Empty, Problem; Provenance and
// verdicts have badges. Cells of a table come from TextCell, LinkCell, NameCell,
// CodeCell, ScoreCell, NumberCell, CountCell, HeatCell, DivergingCell,
// UnknownCell, or ViewCell for any other component.
//
// A chart is a value with View and File, such as Distribution. It has a Chart,
// which gives it title, description, table and files, and puts its marks where
// a Scale says; a system's colour is its series. Lengths across are shares of
// the width, so that one drawing fits every screen. What its SVG needs of style
// stands in drawing.css, which a downloaded file takes along.
//
// # Rules that a test watches
//
//   - No style attribute, no inline script: the content security policy refuses
//     both. Lengths that depend on data are SVG attributes, colours are classes.
//   - Every class is in static/css; every colour is a token in tokens.css. What
//     only one page needs has a sheet named like the page, listed in static.go.
//   - Whatever a person or a repository named stands in <bdi>, so that
//     right-to-left text turns nothing round it; NameCell and LinkCell do so.
//   - A number that is not known is Unknown with its reason, never 0 and never
//     an empty cell.
//   - A page works without JavaScript. data-tip is a tooltip (also on focus);
//     give the same words as title, which serves where no script runs.
//   - A new component has a golden file: add it to the cases of golden_test.go
//     and run go test ./views -update.
//
// Generated files (*_templ.go) are kept: after a change run
// go tool templ generate -path views.
package views
