package published

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEveryNoteFollowsFromTheTables: the notes hold the numbers that are
// calculated here from the files.
func TestEveryNoteFollowsFromTheTables(t *testing.T) {
	tables := load(t)
	rules := []struct {
		source  string
		table   int
		numbers func(*testing.T, *Tables) []string
	}{
		{DocumentationPaper, 1, roundedMeans},
		{DocumentationPaper, 1, pairedDifference},
		{DocumentationPaper, 2, tasks},
		{LocalizationPaper, 4, meansOfF1},
		{LocalizationPaper, 4, ratesOfTasks},
	}
	notes := Notes()
	if len(notes) != len(rules) {
		t.Fatalf("%d notes, %d calculations", len(notes), len(rules))
	}
	for i, rule := range rules {
		note := notes[i]
		if note.Source != rule.source || note.Table != rule.table {
			t.Errorf("note %d belongs to %s table %d", i, note.Source, note.Table)
		}
		text := note.Text
		for _, number := range rule.numbers(t, tables) {
			at := strings.Index(text, number)
			if at < 0 {
				t.Errorf("%q does not go on with %q", note.Text, number)
				break
			}
			text = text[at+len(number):]
		}
	}
}

// roundedMeans: how many cells of Table 1 are the rounded mean of Table 3, and
// the one that is not.
func roundedMeans(t *testing.T, tables *Tables) []string {
	table1 := tables.Of(DocumentationPaper, 1)
	numbers := []string{fmt.Sprintf("%d repositories", len(tables.Repositories))}
	var others []string
	for _, s := range table1 {
		m := mean(byRepository(t, tables, s))
		if math.Round(m*100) == math.Round(s.Value*100) {
			continue
		}
		others = append(others, s.System+" with "+s.Model+", judged by "+s.Evaluator, s.Metric, fmt.Sprintf("%.2f here", s.Value), fmt.Sprintf("%.4f there", m))
		if math.Abs(m-s.Value) > 0.005+0.005 {
			t.Errorf("%+v: rounding does not explain a mean of %v", s, m)
		}
	}
	return append(append(numbers, fmt.Sprintf("%d of the %d", len(table1)-len(others)/4, len(table1))), others...)
}

// pairedDifference: RepoAgent minus OSA, both with gpt-5-mini and judged by it.
func pairedDifference(t *testing.T, tables *Tables) []string {
	of := func(system string) []float64 {
		return byRepository(t, tables, Score{System: system, Model: gpt, Evaluator: gpt, Metric: "pass@1"})
	}
	differences, squares := of("RepoAgent"), 0.0
	for i, osa := range of("OSA") {
		differences[i] -= osa
	}
	m, n := mean(differences), float64(len(differences))
	for _, d := range differences {
		squares += (d - m) * (d - m)
	}
	const t27 = 2.05183 // the 97.5 % quantile of Student's t with 27 degrees of freedom
	half := t27 * math.Sqrt(squares/(n-1)/n)
	if n != 28 || m-half >= 0 || m+half <= 0 {
		t.Errorf("n %v, interval from %v to %v", n, m-half, m+half)
	}
	signed := func(v float64) string { return strings.Replace(fmt.Sprintf("%.3f", v), "-", "−", 1) }
	return []string{signed(m), fmt.Sprintf("%v repositories", n), signed(m-half) + " to " + signed(m+half)}
}

// tasks: the sum of Table 2, in which the number of the paper's text is not.
func tasks(t *testing.T, tables *Tables) []string {
	sum := 0
	for _, r := range tables.Repositories {
		sum += r.Tasks
	}
	const text = 2924
	if sum != 3094 {
		t.Errorf("n_tasks sums to %d", sum)
	}
	return []string{thousands(sum), thousands(text), fmt.Sprintf("%d fewer", sum-text)}
}

func thousands(n int) string {
	return strconv.Itoa(n/1000) + "," + fmt.Sprintf("%03d", n%1000)
}

// meansOfF1: of Table 4, and of the three models in Table 3.
func meansOfF1(t *testing.T, tables *Tables) []string {
	var table4, table3 []string
	for _, level := range levels {
		var values []float64
		for _, model := range models {
			values = append(values, f1(t, tables, 3, model, level))
		}
		printed, averaged := f1(t, tables, 4, "", level), mean(values)
		if printed-averaged < 0.03 {
			t.Errorf("%s: Table 4 prints %v, the mean of Table 3 is %v; rounding would explain that", level, printed, averaged)
		}
		table4, table3 = append(table4, fmt.Sprintf("%.3f", printed)), append(table3, fmt.Sprintf("%.3f", averaged))
	}
	return append(table4, table3...)
}

// ratesOfTasks: which rates of Table 4 are shares of 270 tasks.
func ratesOfTasks(t *testing.T, tables *Tables) []string {
	const outcomes = 3 * 90
	rates, others := 0, map[string][]string{}
	for _, s := range tables.Of(LocalizationPaper, 4) {
		if s.Metric == "f1" {
			continue
		}
		rates++
		whole := false
		for n := range outcomes + 1 {
			whole = whole || math.Abs(float64(n)/outcomes-s.Value) <= 0.0005+1e-12
		}
		if !whole {
			others[s.Metric] = append(others[s.Metric], s.Level+fmt.Sprintf(" %.1f", 100*s.Value))
		}
	}
	zero := []string{"minimal 60.2", "concise 28.7", "guided 3.5"}
	if !slices.Equal(others["precision=0"], zero) || !slices.Equal(others["recall=0"], zero) || !slices.Equal(others["recall=1"], []string{"guided 59.8"}) {
		t.Errorf("no whole number of %d are %v", outcomes, others)
	}
	numbers := []string{strconv.Itoa(outcomes) + " outcomes", fmt.Sprintf("%d of the %d rates", 2*len(zero)+1, rates)}
	for _, one := range append(zero, others["recall=1"]...) {
		level, percent, _ := strings.Cut(one, " ")
		numbers = append(numbers, level, percent+" %")
	}
	return numbers
}
