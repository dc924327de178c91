package prompts

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/localization"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestPromptsOfTheSmallHistory are what they were: a template's text, or a rule
// of the writer, does not change under its version.
func TestPromptsOfTheSmallHistory(t *testing.T) {
	dir, snapshot, merges := smallHistory(t)
	var b strings.Builder
	for _, task := range writeRelease(t, Extractive{}, dir, snapshot, merges) {
		for _, level := range localization.Levels {
			fmt.Fprintf(&b, "%s %s\n%s\n\n", task.ID, level, task.Prompts[level])
		}
	}
	golden := filepath.Join("testdata", ExtractiveV1+".golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("prompts are\n%s\nand were\n%s", b.String(), want)
	}
}

// TestTemplatesNeverChangeUnderTheirVersion.
func TestTemplatesNeverChangeUnderTheirVersion(t *testing.T) {
	for name, hashes := range map[string]map[localization.Level]string{"extractive": Extractive{}.Templates(), "model": Model{}.Templates()} {
		for _, level := range localization.Levels {
			if len(hashes[level]) != 64 {
				t.Errorf("%s %s has the hash %q", name, level, hashes[level])
			}
		}
	}
	want := map[localization.Level]string{
		localization.Minimal:    "83a348330dcc32e82dd6d806f4675804c80cb33d4737592597b56320159e5131",
		localization.Concise:    "ce8a2b559f4bb7c054b18ab464de46539ccdf8ba9a552ecf5390b01741926cd5",
		localization.Contextual: "2514467897293713c7df6b340d4a2d3c200363c0537ede3d3967dc6162cb1a09",
		localization.Guided:     "a0d3ddc290269c8b8bd28129f9188521753a38754c396dc42359eac11df498ec",
	}
	for level, got := range (Extractive{}).Templates() {
		if got != want[level] {
			t.Errorf("%s-v1 is %s, was %s: give changed text a new version", level, got, want[level])
		}
	}
}

// compose writes prompts by the extractive writer.
func compose(t *testing.T, p *Pull, s *Snapshot) map[localization.Level]string {
	t.Helper()
	got, _, err := Compose(context.Background(), Extractive{}, p, s)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestTheWriterGeneralisesWhatARuleNames before it gives up.
func TestTheWriterGeneralisesWhatARuleNames(t *testing.T) {
	for _, c := range []struct{ rule, title, want string }{
		{"a type is dropped and the request made one", "fix: wrong total", "Fix wrong total"},
		{"a request stays one", "fix: reject a wrong total", "Reject a wrong total"},
		{"a feature is added", "feat(shop): baskets for two", "Add baskets for two"},
		{"a number of a pull request goes", "Copy the total (#12)", "Copy the total"},
		{"so do emoji, code marks and full stops", ":bug: Copy `total` now.", "Copy total now"},
		{"a function becomes its component", "OldTotal drops a cent", "The billing code drops a cent"},
		{"a method goes with its class", "crash in Ledger.OldTotal() of the server", "Crash in the billing code of the server"},
		{"a file becomes its component", "add a total to cash_ledger.go", "Add a total to the billing code"},
		{"a name before its noun goes", "use the roundedSum value in the total", "Use the value in the total"},
		{"a new type is one", "Vatbox is for a total", "A new type is for a total"},
		{"a literal becomes its kind", "add 1048576 of 'Zürich GmbH'", "Add a number of a message"},
		{"an option becomes one", "add --round-mode for the total", "Add an option for the total"},
		{"several names in a row become one", "add a total to cash_ledger.go, OldTotal and moneybag", "Add a total to the billing code"},
		{"a name in brackets goes with them", "copy the total (OldTotal)", "Copy the total"},
	} {
		p, s := shop()
		for range OrdinaryFiles + 1 {
			s.Add([]byte("billing shop baskets two wrong"))
		}
		p.Title = c.title
		if got := compose(t, p, s)[localization.Minimal]; got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.rule, c.title, got, c.want)
		}
	}
}

// TestEachLevelSaysWhatTheOneBeforeSays and more, where there is more.
func TestEachLevelSaysWhatTheOneBeforeSays(t *testing.T) {
	p, s := shop()
	for range OrdinaryFiles + 1 {
		s.Add([]byte("billing"))
	}
	p.Title = "fix(totals): wrong by a cent"
	p.Body = "When a basket has many items, the total is wrong by a cent. The customer then pays too much.\n\nRefactor the loop into a helper struct with two fields.\n\nSigned-off-by: Ada <ada@example.org>\n"
	got := compose(t, p, s)
	before := ""
	for _, level := range localization.Levels {
		if !strings.HasPrefix(got[level], before) || len(got[level]) <= len(before) {
			t.Errorf("%s\n%q does not go on from\n%q", level, got[level], before)
		}
		before = got[level]
	}
	for _, part := range []struct {
		level localization.Level
		text  string
	}{{localization.Concise, "totals (the billing)"}, {localization.Contextual, "When a basket has many items"}, {localization.Guided, "Functions to start from are"}, {localization.Guided, "Refactor the loop"}} {
		for _, level := range localization.Levels {
			if has, should := strings.Contains(got[level], part.text), !localizationBefore(level, part.level); has != should {
				t.Errorf("that %s says %q is %v:\n%s", level, part.text, has, got[level])
			}
		}
	}
	if strings.Contains(got[localization.Guided], "ada") {
		t.Errorf("a trailer is told: %s", got[localization.Guided])
	}
}

func localizationBefore(a, b localization.Level) bool {
	order := map[localization.Level]int{}
	for i, level := range localization.Levels {
		order[level] = i
	}
	return order[a] < order[b]
}

// TestAPullRequestThatCannotBeToldLeavesAllLevels.
func TestAPullRequestThatCannotBeToldLeavesAllLevels(t *testing.T) {
	for _, title := range []string{"", "   ", "https://example.org/x", "#12", "cash_ledger.go", "`OldTotal`"} {
		p, s := shop()
		p.Title = title
		got, rejected, err := Compose(context.Background(), Extractive{}, p, s)
		if bad, ok := errors.AsType[*Unwritable](err); ok {
			if got != nil || len(rejected) == 0 || bad.Level != localization.Minimal || !strings.Contains(err.Error(), "after 3 drafts") {
				t.Errorf("%q: %v, %v, %v", title, got, rejected, err)
			}
			continue
		}
		if err != nil || len(got) != len(localization.Levels) {
			t.Errorf("%q: %v, %v", title, got, err)
		}
		if title == "" || title == "#12" {
			t.Errorf("%q was told as %q", title, got[localization.Minimal])
		}
	}
}

// TestWhateverIsWrittenPassesTheRules for odd titles and bodies.
func TestWhateverIsWrittenPassesTheRules(t *testing.T) {
	long := strings.Repeat("When the basket of a server is empty, the total fails with OldTotal and a crash. ", 200)
	for _, c := range []struct{ title, body string }{
		{strings.Repeat("long ", 300), long},
		{strings.Repeat("x", 300), strings.Repeat("y", 5000)},
		{"<script>alert(1)</script> in a total & more", "<b>bold</b> is lost when a total is\n<!-- hidden -->"},
		{"fix\u200b: \u202eOldTotal", "\xff\xfe bytes when they fail\n\n" + long},
		{"Обновить total в сash_ledger.go", "合計が間違っています。 When it fails, it fails."},
		{"```go", "```\nnever closed\n"},
		{"A total", "| a | b |\n|---|---|\n> quoted when it fails\n- [x] checked when it fails\n    indented code fails when\n"},
	} {
		p, s := shop()
		p.Title, p.Body = c.title, c.body
		got, _, err := Compose(context.Background(), Extractive{}, p, s)
		if _, unwritable := errors.AsType[*Unwritable](err); err != nil && !unwritable {
			t.Errorf("%.30q: %v", c.title, err)
		}
		f := NewFacts(p, s)
		for level, text := range got {
			if bad := f.Check(level, text); len(bad) > 0 {
				t.Errorf("%.30q at %s: %v in %q", c.title, level, bad, text)
			}
		}
	}
}

// FuzzCompose: no title and no body breaks the writer, and none gets past the
// rules.
func FuzzCompose(f *testing.F) {
	f.Add("fix(parser): OldTotal() forgets `roundedSum` (#12)", "When it fails, see https://example.org.\n\n* one\n* two\n")
	f.Add("Add --round-mode", "```\ncode\n```\nCloses #1, #2 and #3\n")
	f.Add("ﬁx \u200bcash\u00adledger", "@ada 2025-01-01 1a2b3c4d")
	f.Fuzz(func(t *testing.T, title, body string) {
		p, s := shop()
		p.Title, p.Body = title, body
		got, _, err := Compose(context.Background(), Extractive{}, p, s)
		if _, unwritable := errors.AsType[*Unwritable](err); err != nil && !unwritable {
			t.Fatal(err)
		}
		again, _, _ := Compose(context.Background(), Extractive{}, p, s)
		facts := NewFacts(p, s)
		for level, text := range got {
			if bad := facts.Check(level, text); len(bad) > 0 || text != again[level] {
				t.Fatalf("%s: %v in %q, then %q", level, bad, text, again[level])
			}
		}
	})
}

// BenchmarkCompose writes the prompts of a pull request of 200 changed lines.
func BenchmarkCompose(b *testing.B) {
	p, s := shop()
	for i := range 200 {
		p.Changes[0].Added = append(p.Changes[0].Added, fmt.Sprintf("	if value%d := compute(b, %d); value%d != nil { return value%d.total }", i, i, i, i))
	}
	p.Body = strings.Repeat("When the basket of a server is empty, the total fails with a crash in OldTotal. ", 30)
	for b.Loop() {
		if _, _, err := Compose(context.Background(), Extractive{}, p, s); err != nil {
			b.Fatal(err)
		}
	}
}

// TestASnapshotKnowsItsWords by files, whatever joins them.
func TestASnapshotKnowsItsWords(t *testing.T) {
	s := NewSnapshot()
	for i := range OrdinaryFiles + 1 {
		s.Add([]byte(fmt.Sprintf("StringSet string_set value%d value value value", i)))
	}
	s.Add([]byte("binary\x00 seldom"))
	s.Add([]byte("HTTPServer naïve 数える seldom"))
	for word, want := range map[string]int{"value": 6, "stringset": 6, "String-Set": 6, "string": 6, "value3": 1, "seldom": 1, "http": 1, "server": 1, "naïve": 1, "数える": 1, "binary": 0, "never": 0} {
		if got := s.Files(word); got != want {
			t.Errorf("%q occurs in %d files, want %d", word, got, want)
		}
	}
	for name, want := range map[string]bool{"StringSet": true, "stringset": false, "Stringset": false, "HTTPServer": true, "HttpServer": false} {
		if s.Knows(name) != want {
			t.Errorf("%s is known: %v", name, !want)
		}
	}
}

// TestTheMeterIsTheMeanOfEachLevel.
func TestTheMeterIsTheMeanOfEachLevel(t *testing.T) {
	var r Residual
	ranker := rankerFunc(func(query string, n int) []string { return strings.Fields(query)[:min(n, len(strings.Fields(query)))] })
	for _, task := range []localization.Task{
		{Gold: []localization.GoldFile{{Path: "a"}, {Path: "b"}}, Prompts: map[localization.Level]string{localization.Minimal: "a x", localization.Guided: "a b"}},
		{Gold: []localization.GoldFile{{Path: "c"}}, Prompts: map[localization.Level]string{localization.Minimal: "x y z c", localization.Guided: "c"}},
	} {
		if err := r.Add(ranker, task); err != nil {
			t.Fatal(err)
		}
	}
	if got := r.F1(); len(got) != 2 || got[localization.Minimal] != 0.25 || got[localization.Guided] != 1 {
		t.Errorf("F1 is %v", got)
	}
}

type rankerFunc func(query string, n int) []string

func (f rankerFunc) Rank(query string, n int) []string { return f(query, n) }
