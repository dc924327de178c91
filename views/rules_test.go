package views

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// broken lists what a page must not hold: the policy would refuse it, or a
// reader would be misled.
func broken(t *testing.T, page string, classes map[string]bool) []string {
	t.Helper()
	var found []string
	ids := map[string]bool{}
	z := html.NewTokenizer(strings.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			if z.Err() != io.EOF {
				t.Fatal(z.Err())
			}
			return found
		case html.StartTagToken, html.SelfClosingTagToken:
			tag := z.Token()
			has := map[string]string{}
			for _, a := range tag.Attr {
				has[a.Key] = a.Val
				if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Key, "hx-on") {
					found = append(found, "the inline script "+a.Key)
				}
				if (a.Key == "href" || a.Key == "src" || a.Key == "action") && strings.HasPrefix(strings.ToLower(strings.TrimSpace(a.Val)), "javascript:") {
					found = append(found, "a script as the address "+a.Val)
				}
			}
			if _, ok := has["style"]; ok || tag.Data == "style" {
				found = append(found, "an inline style in <"+tag.Data+">")
			}
			if tag.Data == "script" && has["src"] == "" {
				found = append(found, "an inline script")
			}
			if id := has["id"]; id != "" {
				if ids[id] {
					found = append(found, "the id "+id+" twice")
				}
				ids[id] = true
			}
			for _, class := range strings.Fields(has["class"]) {
				if !classes[class] {
					found = append(found, "the class "+class+", which no sheet has")
				}
			}
		}
	}
}

var classSelector = regexp.MustCompile(`\.([a-zA-Z][a-zA-Z0-9_-]*)`)

// sheetClasses are the classes that the style sheets know.
func sheetClasses(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("../static/css/*.css")
	if err != nil || len(files) == 0 {
		t.Fatalf("no style sheets: %v", err)
	}
	known := map[string]bool{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range classSelector.FindAllStringSubmatch(string(text), -1) {
			known[m[1]] = true
		}
	}
	return known
}

func TestGoldenPagesKeepTheRules(t *testing.T) {
	classes := sheetClasses(t)
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, file := range files {
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, problem := range broken(t, string(page), classes) {
			t.Errorf("%s has %s", file, problem)
		}
	}
	for _, problem := range broken(t, rendered(t, gallery()), classes) {
		t.Errorf("the gallery has %s", problem)
	}
}

func TestTheRulesAreWatched(t *testing.T) {
	for page, want := range map[string]string{
		`<p style="color:red">`:                   "inline style",
		`<style>p{}</style>`:                      "inline style",
		`<script>1</script>`:                      "inline script",
		`<p onclick="1">`:                         "inline script",
		`<a href=" JavaScript:1">`:                "script as the address",
		`<p class="grid nonsuch">`:                "class nonsuch",
		`<p id="a"></p><p id="a">`:                "id a twice",
		`<button hx-on:click="x">`:                "inline script",
		`<p>&lt;script&gt; style="none"</p>`:      "",
		`<script src="/static/js/a.js"></script>`: "",
	} {
		found := strings.Join(broken(t, page, map[string]bool{"grid": true}), "; ")
		if want == "" && found != "" || !strings.Contains(found, want) {
			t.Errorf("%s: found %q, want %q", page, found, want)
		}
	}
}

var (
	staticClass = regexp.MustCompile(`class="([^"]*)"`)
	dynamic     = regexp.MustCompile(`class=\{([^\n]*?)\}[\s>]`)
	quoted      = regexp.MustCompile(`"([^"]*)"`)
)

// TestClassesInTemplatesAreInTheSheets reads the templates themselves, so that a
// class in a branch without a golden file is found, too. A literal that ends in
// a hyphen is the beginning of a name.
func TestClassesInTemplatesAreInTheSheets(t *testing.T) {
	classes := sheetClasses(t)
	files, err := filepath.Glob("*.templ")
	if err != nil || len(files) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range staticClass.FindAllStringSubmatch(string(text), -1) {
			names = append(names, strings.Fields(m[1])...)
		}
		for _, m := range dynamic.FindAllStringSubmatch(string(text), -1) {
			for _, literal := range quoted.FindAllStringSubmatch(m[1], -1) {
				names = append(names, strings.Fields(literal[1])...)
			}
		}
		for _, name := range names {
			if !strings.HasSuffix(name, "-") && !classes[name] {
				t.Errorf("%s uses the class %s, which no sheet has", file, name)
			}
		}
	}
}

func TestTextFromOutsideIsNeverMarkup(t *testing.T) {
	for _, view := range []templ.Component{
		NameCell(hostile, "/x").content, CodeCell(hostile, "").content, LinkCell(hostile, "/x").content, TextCell(hostile).content,
		Unknown(hostile), Heading{Title: hostile, Lead: hostile}.View(), Problem{What: hostile, Where: hostile, Do: hostile}.View(),
		Empty{Title: hostile, Command: hostile}.View(), Code(hostile), Diff{After: hostile, BeforeName: hostile}.View(),
		Progress{Words: hostile, Total: 1}.View(), Errors{{Field: hostile, Message: hostile}}.View(),
	} {
		page := rendered(t, view)
		if strings.Contains(page, "<script") || !strings.Contains(page, "&lt;script&gt;") {
			t.Errorf("markup goes through: %s", page)
		}
	}
}

func TestAnAddressCannotBeAScript(t *testing.T) {
	for _, view := range []templ.Component{
		LinkCell("x", "javascript:alert(1)").content, NameCell("x", "javascript:alert(1)").content,
		Heading{Title: "x", Trail: []Link{{"x", "javascript:alert(1)"}}}.View(), Empty{Next: Link{"x", "javascript:alert(1)"}}.View(),
		Problem{Next: Link{"x", "javascript:alert(1)"}}.View(),
	} {
		if page := rendered(t, view); strings.Contains(page, "javascript:") {
			t.Errorf("a script as an address goes through: %s", page)
		}
	}
}

func TestNamesAreIsolatedFromTheTextAround(t *testing.T) {
	for _, view := range []templ.Component{NameCell(rightLeft, "/x").content, CodeCell(rightLeft, "").content, LinkCell(rightLeft, "/x").content, Heading{Title: rightLeft}.View()} {
		if page := rendered(t, view); !strings.Contains(page, rightLeft+"</bdi>") {
			t.Errorf("the name is not in <bdi>: %s", page)
		}
	}
}
