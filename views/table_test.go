package views

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestAHeaderLinkTurnsTheOrderAndKeepsTheFilters(t *testing.T) {
	columns := []Column{{Key: "name", Sortable: true}, {Key: "p", Sortable: true, Descends: true}}
	for _, c := range []struct {
		address string
		sort    Sort
		column  int
		want    string
		aria    string
	}{
		{"/t?q=a%26b&page=7", Sort{}, 0, "/t?order=asc&q=a%26b&sort=name", ""},
		{"/t", Sort{}, 1, "/t?order=desc&sort=p", ""},
		{"/t?sort=p&order=desc", Sort{"p", true}, 1, "/t?order=asc&sort=p", "descending"},
		{"/t?sort=p&order=asc", Sort{"p", false}, 1, "/t?order=desc&sort=p", "ascending"},
		{"/t?sort=p", Sort{"p", true}, 0, "/t?order=asc&sort=name", ""},
		{"/repos/a%2Fb?x=1&x=2", Sort{}, 0, "/repos/a%2Fb?order=asc&sort=name&x=1&x=2", ""},
		{"https://elsewhere.example/t", Sort{}, 0, "/t?order=asc&sort=name", ""},
		{"", Sort{}, 0, "/?order=asc&sort=name", ""},
	} {
		table := Table{Address: address(c.address), Sort: c.sort, Columns: columns}
		if got := table.sortAddress(columns[c.column]); got != c.want {
			t.Errorf("%s: %s, want %s", c.address, got, c.want)
		}
		if got := table.ariaSort(columns[c.column]); got != c.aria {
			t.Errorf("%s: aria-sort %q, want %q", c.address, got, c.aria)
		}
	}
}

func TestTheOrderIsReadFromTheQuery(t *testing.T) {
	columns := []Column{{Key: "name", Sortable: true}, {Key: "p", Sortable: true, Descends: true}, {Key: "fixed"}}
	otherwise := Sort{"p", true}
	for query, want := range map[string]Sort{
		"":                         otherwise,
		"sort=name":                {"name", false},
		"sort=p":                   {"p", true},
		"sort=p&order=asc":         {"p", false},
		"sort=name&order=desc":     {"name", true},
		"sort=name&order=nonsense": {"name", false},
		"sort=fixed":               otherwise,
		"sort=drop+table":          otherwise,
		"order=asc":                otherwise,
	} {
		values, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		if got := ReadSort(values, columns, otherwise); got != want {
			t.Errorf("%q: %v, want %v", query, got, want)
		}
	}
}

func TestAShortRowIsFilledWithEmptyCells(t *testing.T) {
	table := Table{ID: "t", Columns: []Column{{Label: "a"}, {Label: "b"}, {Label: "c"}}, Groups: []Group{{Rows: []Row{{Cells: []Cell{TextCell("x")}}}}}}
	if page := rendered(t, table.View()); strings.Count(page, "<td") != 2 {
		t.Errorf("the row has not all its cells: %s", page)
	}
}

func TestAThousandRowsAreAllDrawn(t *testing.T) {
	var rows []Row
	for n := range 1000 {
		rows = append(rows, Row{Cells: []Cell{TextCell(fmt.Sprint("row ", n)), CountCell(n)}})
	}
	table := Table{ID: "t", Columns: []Column{{Label: "name"}, {Label: "n", Align: Decimals}}, Groups: []Group{{Rows: rows}}}
	if page := rendered(t, table.View()); strings.Count(page, "<tr") != 1001 || strings.Contains(page, "There is nothing") {
		t.Errorf("%d rows are drawn, want 1001", strings.Count(page, "<tr"))
	}
}

func TestGroupsWithoutRowsAreAnEmptyTable(t *testing.T) {
	table := Table{ID: "t", Columns: scoreColumns, Groups: []Group{{Heading: "Systems"}}, Empty: Empty{Title: "Nothing yet."}}
	if page := rendered(t, table.View()); !strings.Contains(page, "Nothing yet.") || strings.Contains(page, "<table") {
		t.Errorf("an empty table is drawn: %s", page)
	}
}
