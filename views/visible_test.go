package views

import (
	"strings"
	"testing"
)

func TestCharactersThatDeceiveAreShown(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"plain\n\ttext é 日本 👩‍💻", "plain\n\ttext é 日本 👩‍💻"},
		{"line\r\nend", "line\nend"},
		{"over\rwritten", "over‹U+000D›written"},
		{"a\u202eb\u202c", "a‹U+202E›b‹U+202C›"},
		{"\u2066\u2069\u200f\u061c", "‹U+2066›‹U+2069›‹U+200F›‹U+061C›"},
		{"nul\x00 bell\x07 escape\x1b[31m delete\x7f", "nul‹U+0000› bell‹U+0007› escape‹U+001B›[31m delete‹U+007F›"},
		{"zero\u200bwidth\ufeff\u00ad", "zero‹U+200B›width‹U+FEFF›‹U+00AD›"},
		{"tag\U000e0041", "tag‹U+E0041›"},
		{"two\u2028lines", "two‹U+2028›lines"},
		{"bad\xffbyte", "bad\uFFFDbyte"},
		{"", ""},
	} {
		if got := Visible(c.text); got != c.want {
			t.Errorf("%q is shown as %q, want %q", c.text, got, c.want)
		}
	}
}

func FuzzVisible(f *testing.F) {
	f.Add("a\u202e\x00\xff\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		seen := Visible(text)
		if strings.IndexFunc(seen, isUnseen) >= 0 {
			t.Errorf("%q still hides something", seen)
		}
		if Visible(seen) != seen {
			t.Errorf("%q changes again", seen)
		}
	})
}

func TestCodeAndDifferencesShowWhatIsHidden(t *testing.T) {
	for _, page := range []string{
		rendered(t, Code("if x: \u202epass\x1b")),
		rendered(t, Diff{Before: "a\u202e\nb", After: "a\u202e\nc\x1b"}.View()),
		rendered(t, Diff{Before: "a\u202e\nb", After: "a\u202e\nc\x1b", Split: true}.View()),
	} {
		if strings.IndexFunc(page, isUnseen) >= 0 || !strings.Contains(page, "‹U+202E›") || !strings.Contains(page, "‹U+001B›") {
			t.Errorf("a character is hidden: %q", page)
		}
	}
}
