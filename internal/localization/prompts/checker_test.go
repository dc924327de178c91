package prompts

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"touchstone/internal/localization"
	"touchstone/internal/localization/history"
	"touchstone/internal/localization/history/historytest"
)

// A smallHistory is a shop whose window holds three pull requests that give
// much away in what they say.
func smallHistory(t *testing.T) (dir, snapshot string, merges []string) {
	h := historytest.New(t, time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC))
	for i := range OrdinaryFiles + 2 {
		n := strconv.Itoa(i)
		h.Write("src/stock/item"+n+".py", "# the basket of a server, a parser and its total\ndef weigh"+n+"(item):\n    return item.total + "+n+"\n")
	}
	ledger := "import decimal\n\n\nclass CashLedger:\n    def close_books(self, day):\n        entries = self.entries(day)\n        total = 0\n        for entry in entries:\n            total += entry.amount\n        return total\n"
	h.Write("src/billing/cash_ledger.py", ledger).Write("src/billing/__init__.py", "").Write("tests/test_billing.py", "def test_nothing():\n    assert True\n").Write("README.md", "# Shop\n")
	h.Commit("the shop")
	for i := range OrdinaryFiles + 2 {
		h.Write("docs/billing"+strconv.Itoa(i)+".md", "billing and stock, in and out\n")
	}
	snapshot = h.Commit("manual")

	rounded := strings.Replace(ledger, "        return total\n", "        if total is None:\n            raise ValueError(\"no rounded total\")\n        return round_half_even(total, 1048576)\n", 1)
	h.Write("src/billing/cash_ledger.py", rounded)
	h.Write("tests/test_billing.py", "def test_nothing():\n    assert True\n\n\ndef test_rounding_of_totals():\n    assert 'Grand Opening'\n")
	merges = append(merges, h.Commit("fix(billing): close_books in cash_ledger.py forgets to call round_half_even (#12)\n\n"+
		"When a day has many entries, the total of the basket is wrong by a cent. See https://example.org/12 and @ada.\n"+
		"Customers see \"no rounded total\" instead. Since commit 1a2b3c4d5e6f it also fails on 2025-01-01.\n\n"+
		"* `if total is None: raise ValueError` is new in close_books\n* Adds test_rounding_of_totals\n\n```python\nround_half_even(total, 1048576)\n```\n\nCloses #11\nSigned-off-by: Ada <ada@example.org>\n"))

	h.Move("src/stock/item1.py", "src/stock/weighted_item.py")
	h.Write("src/stock/item2.py", "# the basket of a server, a parser and its total\ndef weigh2(item):\n    return item.total + item.tare_weight\n")
	merges = append(merges, h.Commit("Weigh items with their tare (#13)\n\nAn item in the basket is weighed without its box. Now weighted_item knows tare_weight.\n"))

	h.Write("README.md", "# Shop\n\nOpen all day.\n")
	merges = append(merges, h.Commit("docs: say when the shop is open (#14)"))
	return h.Dir, snapshot, merges
}

// writeRelease composes prompts for the small history, as a release has them.
func writeRelease(t *testing.T, w Writer, dir, snapshot string, merges []string) []localization.Task {
	t.Helper()
	ctx := context.Background()
	repository, err := history.Open(ctx, dir)
	if err != nil {
		t.Fatal(err)
	}
	files, _, err := repository.Files(ctx, snapshot)
	if err != nil {
		t.Fatal(err)
	}
	s := NewSnapshot()
	if _, err := repository.Contents(ctx, files, func(_ history.File, _ int64, content io.Reader) error {
		text, err := io.ReadAll(content)
		s.Add(text)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	messages := map[string]string{}
	if err := repository.Log(ctx, snapshot, merges[len(merges)-1], func(c history.Commit) error {
		messages[c.SHA] = c.Message
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	var tasks []localization.Task
	if err := repository.Patches(ctx, merges, func(out io.Reader) error {
		return ReadLog(out, func(commit string, changes []Change) error {
			title, body, _ := strings.Cut(messages[commit], "\n")
			title, number, _ := strings.Cut(title, " (#")
			texts, _, err := Compose(ctx, w, &Pull{Title: title, Body: body, Changes: changes}, s)
			tasks = append(tasks, localization.Task{ID: "shop__shop-" + strings.TrimSuffix(number, ")"), Repository: "shop/shop", Commit: commit, Base: commit + "^", Prompts: texts})
			return err
		})
	}); err != nil {
		t.Fatal(err)
	}
	if len(tasks) != len(merges) {
		t.Fatalf("%d tasks of %d pull requests", len(tasks), len(merges))
	}
	return tasks
}

type violation struct{ Task, Level, Rule string }

// checkIndependently runs the script over tasks.
func checkIndependently(t *testing.T, dir, snapshot string, tasks []localization.Task) (found []violation) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	release := t.TempDir()
	write := func(name string, values ...any) {
		var b bytes.Buffer
		for _, v := range values {
			if err := json.NewEncoder(&b).Encode(v); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(release, name), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("repositories.jsonl", localization.Repository{Name: "shop/shop", Snapshot: snapshot})
	var values []any
	for _, task := range tasks {
		values = append(values, task)
	}
	write("tasks.jsonl", values...)
	command := exec.Command(python, "testdata/check_prompts.py", release, "shop/shop="+dir)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil && command.ProcessState.ExitCode() != 1 || stderr.Len() > 0 {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	checked := false
	for lines.Scan() {
		var line struct {
			violation
			Prompts *int
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Prompts != nil {
			checked = *line.Prompts > 0
		} else {
			found = append(found, line.violation)
		}
	}
	if !checked || (err != nil) != (len(found) > 0) {
		t.Fatalf("the script ended with %v after\n%s", err, out)
	}
	return found
}

// TestAnIndependentCheckerFindsNothingInPrompts that were written here, and
// everything that is planted in them.
func TestAnIndependentCheckerFindsNothingInPrompts(t *testing.T) {
	dir, snapshot, merges := smallHistory(t)
	tasks := writeRelease(t, Extractive{}, dir, snapshot, merges)
	if found := checkIndependently(t, dir, snapshot, tasks); len(found) > 0 {
		t.Errorf("violations of\n%+v\n%+v", tasks, found)
	}

	planted := map[string]string{
		"words":      strings.Repeat("word ", 300),
		"fence":      "do\n```\nx\n```\nso",
		"url":        "see https://example.org/x there",
		"reference":  "as #12 says it",
		"hash":       "since 1a2b3c4d5e6f it fails",
		"handle":     "thanks @ada for it",
		"date":       "since 2025-01-01 it fails",
		"path":       "in Cash_Ledger.py it fails",
		"stem":       "the CashLedger fails",
		"identifier": "call Round-Half-Even for it",
		"function":   "the closeBooks fails",
		"literal":    "it says No Rounded\ntotal then",
		"code":       "so if total is None : it",
	}
	for rule, prompt := range planted {
		task := tasks[0]
		task.Prompts = maps.Clone(task.Prompts)
		task.Prompts[localization.Contextual] = prompt
		found := checkIndependently(t, dir, snapshot, []localization.Task{task})
		if len(found) == 0 || found[0] != (violation{task.ID, "contextual", rule}) {
			t.Errorf("%s: %q was found to be %v", rule, prompt, found)
		}
	}
	if len(planted) != len(Rules) {
		t.Errorf("%d of %d rules are planted", len(planted), len(Rules))
	}
	short := tasks[0]
	short.Prompts = map[localization.Level]string{localization.Minimal: "Fix the total"}
	if found := checkIndependently(t, dir, snapshot, []localization.Task{short}); len(found) != 1 || found[0].Rule != "levels" {
		t.Errorf("a task of one level was found to be %v", found)
	}
}
