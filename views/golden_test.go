package views

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/a-h/templ"
)

var update = flag.Bool("update", false, "write the golden files anew")

// hash is what addresses of static files carry; it changes with every change of
// the look, and golden files do not.
var hash = regexp.MustCompile(`(/static/[^"]+)\.[0-9a-f]{16}\.`)

func rendered(t *testing.T, view templ.Component) string {
	t.Helper()
	var b strings.Builder
	if err := view.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// golden compares a component with its file in testdata. Tags stand on lines of
// their own there, so that a change is read as one.
func golden(t *testing.T, name string, view templ.Component) {
	t.Helper()
	got := hash.ReplaceAllString(rendered(t, view), "$1.HASH.")
	got = strings.ReplaceAll(got, "><", ">\n<") + "\n"
	file := filepath.Join("testdata", name+".html")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at the page, then run go test ./views -update\n%s", file,
			rendered(t, Diff{Before: string(want), After: got, Context: 1}.plain()))
	}
}

// plain is the difference without HTML, for a test's message.
func (d Diff) plain() templ.Component {
	rows, _, _ := d.compare()
	var b strings.Builder
	for _, row := range unified(folded(rows, d.Context)) {
		switch {
		case row.before.changed:
			b.WriteString("- " + row.before.text + "\n")
		case row.after.changed:
			b.WriteString("+ " + row.after.text + "\n")
		}
	}
	return templ.Raw(b.String())
}

func TestComponentsAreAsTheirGoldenFiles(t *testing.T) {
	for _, s := range samples() {
		t.Run(s.name, func(t *testing.T) { golden(t, s.name, s.view) })
	}
}
