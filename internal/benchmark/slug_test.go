package benchmark

import (
	"strings"
	"testing"
)

func TestNamesBecomeAddresses(t *testing.T) {
	a, b := Slug("Repo Agent", "GPT-5 mini"), Slug("Repo-Agent", "GPT 5 mini")
	if a == b || !strings.HasPrefix(a, "repo-agent-gpt-5-mini-") {
		t.Errorf("%q %q", a, b)
	}
	if long := Slug(strings.Repeat("я", 300), ""); long == "" || len(long) > 90 {
		t.Errorf("%q", long)
	}
}
