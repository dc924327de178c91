package views

import "strings"

// A Page is what every page tells the layout.
type Page struct {
	Title       string // without the site's name; "" on the home page
	Description string // one sentence for search engines and previews
	Path        string // the request's path; marks the current item of the bar
	Version     string // of the site
	Live        bool   // the page listens to server-sent events
}

func (p Page) documentTitle() string {
	if p.Title == "" {
		return "Touchstone: what generated documentation is worth"
	}
	return p.Title + " – Touchstone"
}

type navItem struct {
	label   string
	address string
	section string // paths at and under it belong to the item
}

var navItems = []navItem{
	{"Doc-to-code", "/doc-to-code", "/doc-to-code"},
	{"Localization", "/localization", "/localization"},
	{"Submissions", "/submissions", "/submissions"},
	{"Submit", "/submit", "/submit"},
	{"Methodology", "/methodology", "/methodology"},
}

// current is the value of the item's aria-current on a page, "" when the page
// is elsewhere.
func (n navItem) current(path string) string {
	switch {
	case path == n.address:
		return "page"
	case path == n.section || strings.HasPrefix(path, n.section+"/"):
		return "true"
	}
	return ""
}

// A Link is words with an address.
type Link struct {
	Text    string
	Address string
}
