package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"touchstone/internal/localization"
)

// A model writes the prompts, and a second build of the same pays for nothing.
func TestAModelWritesPromptsAndIsPaidOnce(t *testing.T) {
	var asked atomic.Int32
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Take more care with what comes in"}}],"usage":{"prompt_tokens":9,"completion_tokens":7,"total_tokens":16}}`)
	}))
	defer api.Close()
	h, dir := pastAndFuture(t), t.TempDir()
	config := filepath.Join(dir, "models.toml")
	if err := os.WriteFile(config, []byte("[[evaluator]]\nname = \"scribe\"\nmodel = \"m\"\nbase_url = \""+api.URL+"\"\nsamples = 1\nmax_tokens = 100\ntemperature = 0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	build := func(writer, out string) (int, string) {
		var stdout, stderr bytes.Buffer
		status := run([]string{"localization", "build", "--repo", h.Dir, "--name", "acme/tool", "--t0", "2026-01-01", "--t1", "2026-02-01",
			"--writer", writer, "--config", config, "--cache", filepath.Join(dir, "cache"), "--out", out}, &stdout, &stderr)
		return status, stderr.String()
	}
	for _, name := range []string{"first", "second"} {
		out := filepath.Join(dir, name)
		if status, said := build("scribe", out); status != exitDone {
			t.Fatalf("status %d: %s", status, said)
		}
		d, err := localization.OpenDataset(out)
		if err != nil {
			t.Fatal(err)
		}
		about := d.Release.Prompts
		if d.Tasks[0].Prompts[localization.Guided] != "Take more care with what comes in" || about.Writer != "scribe" || about.Model["model"] != "m" || about.Model["max_tokens"] != 100.0 || about.Templates[localization.Minimal] == "" {
			t.Errorf("%+v, %+v", d.Tasks[0].Prompts, about)
		}
		if n := asked.Load(); n != int32(len(localization.Levels)) {
			t.Errorf("after the %s build the model was asked %d times", name, n)
		}
	}
	if status, said := build("nobody", filepath.Join(dir, "third")); status != exitFailed || !strings.Contains(said, `"nobody"`) || !strings.Contains(said, "extractive-v1") {
		t.Errorf("status %d: %s", status, said)
	}
}
