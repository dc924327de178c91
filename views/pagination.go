package views

import (
	"cmp"
	"net/url"
	"strconv"
)

// A Pagination cuts long tables into pages, counted from 1.
type Pagination struct {
	Page    int
	PerPage int
	Total   int     // rows on all pages
	Unit    string  // "submissions"
	Address url.URL // of the page as it was asked for

	Parameter string // of the query; "page" when "", another where a page has two
}

// ReadPage reads the page from a query: 1 when it is missing or nonsense, the
// last when it is beyond.
func ReadPage(query url.Values, perPage, total int) int {
	page, err := strconv.Atoi(query.Get(pageParameter))
	if err != nil || page < 1 {
		return 1
	}
	return min(page, max(1, Pagination{PerPage: perPage, Total: total}.pages()))
}

func (p Pagination) pages() int {
	if p.PerPage < 1 {
		return 1
	}
	return (p.Total + p.PerPage - 1) / p.PerPage
}

// sentence is "Submissions 101–200 of 1,034".
func (p Pagination) sentence() string {
	first := (p.Page-1)*p.PerPage + 1
	return Count(first) + "–" + Count(min(first+p.PerPage-1, p.Total)) + " of " + Count(p.Total) + " " + p.Unit
}

// shown are the numbers with links: the ends, and two on either side; 0 is a gap.
func (p Pagination) shown() []int {
	var numbers []int
	last := p.pages()
	for n := 1; n <= last; n++ {
		if n == 1 || n == last || (n >= p.Page-2 && n <= p.Page+2) {
			numbers = append(numbers, n)
		} else if numbers[len(numbers)-1] != 0 {
			numbers = append(numbers, 0)
		}
	}
	return numbers
}

func (p Pagination) address(n int) string {
	value := ""
	if n > 1 {
		value = strconv.Itoa(n)
	}
	return withParameters(p.Address, map[string]string{cmp.Or(p.Parameter, pageParameter): value})
}
