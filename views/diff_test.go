package views

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// sketch writes rows as a unified difference.
func sketch(rows []diffRow) string {
	var b strings.Builder
	for _, row := range rows {
		switch {
		case row.left > 0:
			fmt.Fprintf(&b, "…%d\n", row.left)
		case row.before.changed:
			fmt.Fprintf(&b, "%d -%s\n", row.before.number, row.before.text)
		case row.after.changed:
			fmt.Fprintf(&b, "%d +%s\n", row.after.number, row.after.text)
		default:
			fmt.Fprintf(&b, "%d %d %s\n", row.before.number, row.after.number, row.after.text)
		}
	}
	return b.String()
}

func TestADifferenceIsOfWholeLines(t *testing.T) {
	for _, c := range []struct {
		name, before, after string
		context             int
		want, said          string
	}{
		{"equal", "a\nb\n", "a\nb\n", 0, "1 1 a\n2 2 b\n", "No line differs."},
		{"both empty", "", "", 0, "", "No line differs."},
		{"all new", "", "a\nb", 0, "1 +a\n2 +b\n", "0 lines removed, 2 added"},
		{"all gone", "a\n", "", 0, "1 -a\n", "1 line removed, 0 added"},
		{"one changed", "a\nb\nc\n", "a\nB\nc\n", 0, "1 1 a\n2 -b\n2 +B\n3 3 c\n", "1 line removed, 1 added"},
		{"line ends of another system", "a\r\nb\r\n", "a\nb\n", 0, "1 1 a\n2 2 b\n", "No line differs."},
		{"folded", "1\n2\n3\n4\n5\n6\nx\n7\n8\n9\n", "1\n2\n3\n4\n5\n6\ny\n7\n8\n9\n", 1, "…5\n6 6 6\n7 -x\n7 +y\n8 8 7\n…2\n", "1 line removed, 1 added"},
		{"a single line is not worth folding", "1\n2\nx", "1\n2\ny", 1, "1 1 1\n2 2 2\n3 -x\n3 +y\n", "1 line removed, 1 added"},
		{"equal and folded", "a\nb\n", "a\nb\n", 3, "…2\n", "No line differs."},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, removed, added := Diff{Before: c.before, After: c.after}.compare()
			if got := sketch(unified(folded(rows, c.context))); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
			if got := diffSentence(removed, added); got != c.said {
				t.Errorf("it says %q, want %q", got, c.said)
			}
		})
	}
}

func FuzzADifferenceHoldsBothTexts(f *testing.F) {
	f.Add("a\nb\nc", "a\nc\nd", 0)
	f.Add(originalBody, candidateBody, 2)
	f.Add("\n\n", "\r\n", 1)
	f.Add("a\x7f", "a\u202e", 1)
	f.Fuzz(func(t *testing.T, before, after string, context int) {
		rows, removed, added := Diff{Before: before, After: after}.compare()
		var left, right []string
		changed := 0
		for _, row := range rows {
			if row.before.number > 0 {
				left = append(left, row.before.text)
			}
			if row.after.number > 0 {
				right = append(right, row.after.text)
			}
			if row.before.changed {
				changed++
			}
			if row.after.changed {
				changed++
			}
		}
		seen := func(text string) (all []string) {
			for _, line := range lines(text) {
				all = append(all, Visible(line))
			}
			return all
		}
		if !slices.Equal(left, seen(before)) || !slices.Equal(right, seen(after)) {
			t.Fatalf("the rows hold %q and %q", left, right)
		}
		if changed != removed+added {
			t.Fatalf("%d changed lines, counted %d and %d", changed, removed, added)
		}
		shown := 0
		for _, row := range folded(rows, context) {
			shown += max(1, row.left)
		}
		if shown != len(rows) {
			t.Fatalf("folding accounts for %d of %d rows", shown, len(rows))
		}
	})
}
