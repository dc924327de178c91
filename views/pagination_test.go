package views

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestThePageIsReadFromTheQuery(t *testing.T) {
	for _, c := range []struct {
		query          string
		perPage, total int
		want           int
	}{
		{"", 10, 95, 1}, {"page=3", 10, 95, 3}, {"page=10", 10, 95, 10}, {"page=11", 10, 95, 10}, {"page=99999999999999999999", 10, 95, 1},
		{"page=0", 10, 95, 1}, {"page=-4", 10, 95, 1}, {"page=x", 10, 95, 1}, {"page=5", 10, 0, 1}, {"page=2", 10, 10, 1}, {"page=2", 0, 10, 1},
	} {
		values, err := url.ParseQuery(c.query)
		if err != nil {
			t.Fatal(err)
		}
		if got := ReadPage(values, c.perPage, c.total); got != c.want {
			t.Errorf("%q of %d by %d: page %d, want %d", c.query, c.total, c.perPage, got, c.want)
		}
	}
}

func TestEndsAndNeighboursHaveLinks(t *testing.T) {
	for _, c := range []struct {
		page, total int
		want        string
	}{
		{1, 20, "[1 2]"}, {1, 100, "[1 2 3 0 10]"}, {5, 100, "[1 0 3 4 5 6 7 0 10]"}, {10, 100, "[1 0 8 9 10]"}, {4, 70, "[1 2 3 4 5 6 7]"},
	} {
		if got := fmt.Sprint(Pagination{Page: c.page, PerPage: 10, Total: c.total}.shown()); got != c.want {
			t.Errorf("page %d of %d rows: %s, want %s", c.page, c.total, got, c.want)
		}
	}
}

func TestTheLastPageSaysItsOwnRows(t *testing.T) {
	p := Pagination{Page: 13, PerPage: 100, Total: 1234, Unit: "tasks", Address: address("/t?q=x&page=13")}
	if got := p.sentence(); got != "1,201–1,234 of 1,234 tasks" {
		t.Error(got)
	}
	if first, second := p.address(1), p.address(2); first != "/t?q=x" || second != "/t?page=2&q=x" {
		t.Errorf("addresses are %s and %s", first, second)
	}
	if page := rendered(t, p.View()); strings.Contains(page, "Next") || !strings.Contains(page, "Previous") {
		t.Errorf("the last page has the wrong steps: %s", page)
	}
}
