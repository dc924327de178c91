package prompts

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"touchstone/internal/llm"
	"touchstone/internal/localization"
)

// A provider is an OpenAI-compatible server that keeps the bytes sent to it.
type provider struct {
	*httptest.Server
	mu   sync.Mutex
	sent []string
}

func newProvider(t *testing.T, answer func(request string) string) *provider {
	p := &provider{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		p.mu.Lock()
		p.sent = append(p.sent, string(body))
		p.mu.Unlock()
		text, _ := json.Marshal(answer(string(body)))
		fmt.Fprintf(w, `{"model":"m-2025","choices":[{"message":{"role":"assistant","content":%s},"finish_reason":"stop"}],"usage":{"prompt_tokens":100,"completion_tokens":50}}`, text)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) writer(t *testing.T, cache *llm.Cache) Model {
	t.Helper()
	client, err := llm.New(llm.Config{Name: "scribe", Model: "m", BaseURL: p.URL + "/v1", Samples: 1}, llm.Options{Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	return NewModel(client)
}

// levelOf reads from a request which level it asks for.
func levelOf(request string) localization.Level {
	for _, level := range slices.Backward(localization.Levels) {
		if strings.Contains(request, fmt.Sprintf("at most %d words", Limits[level])) {
			return level
		}
	}
	return ""
}

// secretPull changes lines that nothing else of it tells.
func secretPull() (*Pull, *Snapshot) {
	p, s := shop()
	p.Title, p.Body = "fix(billing): totals are wrong by a cent", "When a basket has many items, the total is wrong by a cent.\n\n```go\nfencedSecret()\n```\n"
	return p, s
}

// TestBelowGuidedTheModelNeverSeesTheDiff: no line, path or name of it is
// among the bytes that are sent, also when it is asked again.
func TestBelowGuidedTheModelNeverSeesTheDiff(t *testing.T) {
	p, s := secretPull()
	answers := 0
	provider := newProvider(t, func(request string) string {
		if answers++; answers%2 == 1 {
			return "Please change roundedSum for me"
		}
		return "Make the sums of big orders right"
	})
	got, rejected, err := Compose(context.Background(), provider.writer(t, nil), p, s)
	if err != nil || len(got) != len(localization.Levels) {
		t.Fatal(got, err)
	}
	if len(provider.sent) != 8 || len(rejected) != 4 || rejected[0].Rule != "identifier" || rejected[0].What != "roundedSum" {
		t.Errorf("%d requests, rejected %v", len(provider.sent), rejected)
	}
	var diff []string
	for _, c := range p.Changes {
		for _, part := range slices.Concat([]string{c.Old, c.New}, c.Added, c.Removed, c.Kept, c.Hunks) {
			if part = strings.TrimSpace(part); part != "" {
				quoted, _ := json.Marshal(part)
				diff = append(diff, strings.Trim(string(quoted), `"`))
			}
		}
		for _, name := range []string{c.Old, c.New} {
			diff = append(diff, strings.Split(name, "/")[strings.Count(name, "/")])
		}
	}
	seen := map[localization.Level]int{}
	for _, request := range provider.sent {
		level := levelOf(request)
		for _, part := range diff {
			if part != "" && strings.Contains(request, part) {
				seen[level]++
				if level != localization.Guided {
					t.Errorf("at %q the model was sent %q:\n%s", level, part, request)
				}
			}
		}
		for _, name := range []string{"OldTotal", "RoundHalfEven", "Vatbox", "cash_ledger", "CashLedger", "moneybag", "fencedSecret"} {
			if level != localization.Guided && strings.Contains(request, name) {
				t.Errorf("at %q the model was sent %s", level, name)
			}
		}
	}
	if seen[localization.Guided] == 0 {
		t.Error("at guided the model was sent nothing of the diff")
	}
}

// TestTheModelIsToldWhatWasWrong in its own words, and gives up after three.
func TestTheModelIsToldWhatWasWrong(t *testing.T) {
	p, s := secretPull()
	provider := newProvider(t, func(string) string { return "See cash_ledger.go for it" })
	got, rejected, err := Compose(context.Background(), provider.writer(t, nil), p, s)
	bad, ok := errors.AsType[*Unwritable](err)
	if !ok || bad.Level != localization.Minimal || got != nil || len(provider.sent) != Attempts {
		t.Fatalf("%v, %v after %d requests", got, err, len(provider.sent))
	}
	if strings.Contains(provider.sent[0], "not acceptable") || !strings.Contains(provider.sent[1], `path: \"cash_ledger.go\": a prompt names no changed path`) {
		t.Errorf("asked\n%s\nand again\n%s", provider.sent[0], provider.sent[1])
	}
	counts := Rejected{}
	counts.Add(rejected)
	if counts["path/minimal"] != Attempts || counts["stem/minimal"] != Attempts {
		t.Errorf("counted %v", counts)
	}
}

// TestAModelIsAskedOnce for the same prompt when its replies are kept.
func TestAModelIsAskedOnce(t *testing.T) {
	cache, err := llm.OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p, s := secretPull()
	provider := newProvider(t, func(r string) string {
		return `<think>hm</think> "The sums of ` + string(levelOf(r)) + ` orders are wrong"`
	})
	for range 2 {
		got, _, err := Compose(context.Background(), provider.writer(t, cache), p, s)
		if err != nil || got[localization.Concise] != "The sums of concise orders are wrong" {
			t.Fatal(got, err)
		}
	}
	if len(provider.sent) != len(localization.Levels) {
		t.Errorf("%d requests", len(provider.sent))
	}
}

// TestAModelThatCannotBeAskedIsAnError, not a pull request without prompts.
func TestAModelThatCannotBeAskedIsAnError(t *testing.T) {
	p, s := secretPull()
	client, err := llm.New(llm.Config{Name: "scribe", Model: "m", BaseURL: "http://127.0.0.1:1/v1", KeyEnv: "NO_KEY", Samples: 1}, llm.Options{Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Compose(context.Background(), NewModel(client), p, s); !errors.Is(err, llm.ErrKeyMissing) {
		t.Error(err)
	}
}
