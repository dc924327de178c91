package prompts

import (
	"testing"

	"touchstone/internal/localization"
)

// A run of code that ends in the very bracket that goes with the name in it.
func TestWhatIsTakenOutWithItsBracketsIsNotReplacedAgain(t *testing.T) {
	p, s := shop()
	p.Changes[0].Added = append(p.Changes[0].Added, "	total 3.1 (money")
	f := NewFacts(p, s)
	for _, title := range []string{"Retry the total 3.1 (Vatbox)", "Retry the total 3.1 (Vatbox) for money"} {
		text, clean := f.generalise(localization.Minimal, title, "billing")
		if !clean || text == title || text == "" {
			t.Errorf("%q becomes %q, clean %v", title, text, clean)
		}
	}
}
