package measure_test

import (
	"math/rand/v2"
	"testing"

	"touchstone/internal/measure"
)

func TestEveryMeasureGivesTheNumbersItNames(t *testing.T) {
	rng := rand.New(rand.NewPCG(91, 92))
	seen := map[string]bool{}
	for _, m := range measure.Measures {
		if found, ok := measure.Named(m.Name); !ok || found.Name != m.Name || m.Numbers[0] != m.Name || m.About == "" {
			t.Errorf("%+v is not what is found by its name, or its headline has another", m)
		}
		for _, name := range m.Numbers {
			if seen[name] {
				t.Errorf("%s is given twice", name)
			}
			seen[name] = true
		}
		for range 100 {
			if got := m.Compare(randomText(rng), randomText(rng)); len(got) != len(m.Numbers) {
				t.Errorf("%s gives %d numbers and names %d", m.Name, len(got), len(m.Numbers))
			}
		}
	}
	if _, ok := measure.Named("BLEU"); ok {
		t.Error("a measure is found by another name")
	}
}
