package evaluator

import (
	"os"
	"strings"
	"testing"
)

// TestPromptsAreFrozen: a version's text never changes. A new text is a new version.
func TestPromptsAreFrozen(t *testing.T) {
	frozen := map[string]string{
		A2V1: "371b5276adeb53e7ce3e2880126ef99988b393b041df67ddb3514c6c56cd21d7",
	}
	for _, p := range Prompts {
		if p.SHA256 != frozen[p.Version] {
			t.Errorf("%s has SHA-256 %s, want %q", p.Version, p.SHA256, frozen[p.Version])
		}
		if strings.Count(p.Text, placeholder) != 1 {
			t.Errorf("%s does not hold %s once", p.Version, placeholder)
		}
	}
}

// TestPromptA2 holds the prompt against the listing of the paper's appendix
// A.2, fences as it prints them.
func TestPromptA2(t *testing.T) {
	listing := []string{
		"Given the context before the function:",
		"'''python", "{left_context}", "'''",
		"Generate the continuation of the body of one method, without a header.",
		"Important: format your answer in a code block:",
		"'''python", "<code>", "'''",
		"Observe indentation as in Python.",
		"The function body will be inserted after the context and will be tested.",
	}
	p, err := LookupPrompt(A2V1)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.SplitSeq(strings.ReplaceAll(p.Text, "```", "'''"), "\n") {
		if line != "" {
			lines = append(lines, line)
		}
	}
	if strings.Join(lines, "\n") != strings.Join(listing, "\n") {
		t.Errorf("the prompt reads\n%s", p.Text)
	}
}

// TestPromptFill: the context goes in as it is, whatever it holds.
func TestPromptFill(t *testing.T) {
	p, err := LookupPrompt(A2V1)
	if err != nil {
		t.Fatal(err)
	}
	got := p.Fill("def f(x):\n    \"\"\"{left_context} and <code>.\"\"\"")
	want, err := os.ReadFile("testdata/a2-v1.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got+"\n" != string(want) {
		t.Errorf("got\n%s", got)
	}
	if _, err := LookupPrompt("a3"); err == nil || !strings.Contains(err.Error(), A2V1) {
		t.Errorf("an unknown version gives %v", err)
	}
}
