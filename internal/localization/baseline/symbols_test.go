package baseline

import (
	"strings"
	"testing"
)

func TestDefinitionsAreFoundByTheWordBeforeThem(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"func Parse(s string)", "Parse"},
		{"func (r *Reader) Next() {", "Next"},
		{"func (r *Reader,\n) Next", ""},
		{"func(s string) {}", ""},
		{"async def load(self):\nclass Loader(Base):", "load Loader"},
		{"pub fn new() -> Self {\nimpl Display for Error\npub(crate) struct Span;", "new Display Span"},
		{"macro_rules! check {", "check"},
		{"export function* walk() {}\nconst $el = 1;{let x2=3}", "walk $el x2"},
		{"#define MAX_SIZE 10\nnamespace dfly {\nenum class", "MAX_SIZE dfly class"},
		{"x.class Name, undefine Y, 'def z'", ""},
		{"const 9 = 2", ""},
		{"type\nName", ""},
		{"def", ""},
		{"interface Größe", "Gr"},
	} {
		if got := strings.Join(strings.Fields(string(definitions([]byte(c.text)))), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// FuzzDefinitions: whatever the bytes, every name is of the text.
func FuzzDefinitions(f *testing.F) {
	f.Add([]byte("func (a b) c() def x class\t$y macro_rules! z"))
	f.Fuzz(func(t *testing.T, text []byte) {
		for name := range strings.FieldsSeq(string(definitions(text))) {
			if !strings.Contains(string(text), name) {
				t.Fatalf("%q is not in the text", name)
			}
		}
	})
}
