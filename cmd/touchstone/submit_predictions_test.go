package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"touchstone/data"
	"touchstone/internal/browsertest"
	"touchstone/internal/evaluation"
	"touchstone/internal/localization"
	"touchstone/internal/sandbox/sandboxtest"
)

// tryHistories is a site in this process that has the shipped release of the
// localization track and scores what is confirmed.
func tryHistories(t *testing.T) (*tried, *localization.Dataset) {
	t.Helper()
	s := trySite(t, false)
	dir, err := data.Histories(sandboxtest.Cache(t))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := evaluation.Import(t.Context(), s.db, s.engine.Config.Releases, dir); err != nil {
		t.Fatal(err)
	}
	release, err := localization.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.engine.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("the engine ended with %v", err)
		}
	})
	return s, release
}

// half is a file that finds exactly what every second task changes.
func half(t *testing.T, release *localization.Dataset, lines ...string) string {
	t.Helper()
	var file bytes.Buffer
	encoder := json.NewEncoder(&file)
	for i := 0; i < len(release.Tasks); i += 2 {
		p := localization.Prediction{Task: release.Tasks[i].ID}
		for _, g := range release.Tasks[i].Gold {
			p.Files = append(p.Files, g.Path)
		}
		if err := encoder.Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range lines {
		file.WriteString(line + "\n")
	}
	path := filepath.Join(t.TempDir(), "half.jsonl")
	if err := os.WriteFile(path, file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestSubmitTakesPredictions(t *testing.T) {
	s, release := tryHistories(t)
	t.Setenv("TOUCHSTONE_TOKEN", s.token)
	var stdout, stderr bytes.Buffer
	file := half(t, release, "{}", `{"instance_id":"gin-gonic__gin-0","found_files":[]}`)
	args := []string{"submit", file, "--url", s.address, "--track", "localization", "--system", "Half", "--condition", "baseline", "--wait"}
	if status := run(args, &stdout, &stderr); status != exitFailed || !strings.Contains(stderr.String(), "of the file, and not chosen for them; choose the level of these lines") {
		t.Errorf("without a level: status %d, %s", status, stderr.String())
	}
	stderr.Reset()
	if status := run(append(args, "--level", "guided"), &stdout, &stderr); status != exitDone {
		t.Fatalf("status %d\n%s", status, stderr.String())
	}
	for _, want := range []string{"instance_id: is missing", "gin-gonic__gin-0: the release has no such task; nearest: gin-gonic__gin-", "guided, baseline: ", "the others count as empty ones"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q is not in %s", want, stderr.String())
		}
	}
	var sub struct {
		State  string `json:"state"`
		Scores []struct {
			F1 float64 `json:"f1"`
		} `json:"file_scores"`
	}
	if err := json.Unmarshal(stdout.Bytes(), &sub); err != nil || sub.State != "finished" || len(sub.Scores) == 0 || sub.Scores[0].F1 < .499 || sub.Scores[0].F1 > .51 {
		t.Errorf("%v, %.1000s", err, stdout.String())
	}
}

func TestSubmitSpeaksOfOthersOnlyWhereThereAreSome(t *testing.T) {
	for _, c := range []struct {
		answered, tasks int
		want            string
	}{
		{742, 742, "each of 742 tasks has a prediction"},
		{741, 742, "741 of 742 tasks have a prediction; the others count as empty ones"},
		{0, 1, "0 of 1 task have a prediction; the others count as empty ones"},
	} {
		if got := answeredInWords(c.answered, c.tasks); got != c.want {
			t.Errorf("%d of %d: %q", c.answered, c.tasks, got)
		}
	}
}

// A visitor uploads predictions through the form, confirms them, and reads their
// F1 on the page that they are led to.
func TestAVisitorReadsTheF1OfTheirPredictions(t *testing.T) {
	s, release := tryHistories(t)
	window, cancel := context.WithTimeout(browsertest.Open(t, 1200, 900), 3*time.Minute)
	defer cancel()
	err := chromedp.Do(window,
		chromedp.Navigate(s.address+"/submit"),
		chromedp.Click(`a[href="/submit/localization"]`),
		chromedp.SendKeys("#field-token", s.token),
		chromedp.SendKeys("#field-system", `<b>Half</b>`),
		chromedp.SetValue("#field-prompt", "guided"),
		chromedp.SetValue("#field-condition", "augmented"),
		chromedp.SetUploadFiles("#field-file", []string{half(t, release)}),
		press(`form.form button[type="submit"]`),
		chromedp.WaitVisible(`form[action$="/confirm"] button`),
		press(`form[action$="/confirm"] button`),
		chromedp.WaitVisible(`#scores-all tbody td`))
	if err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(window, chromedp.Text("#scores-all tbody"))
	if err != nil || !strings.Contains(text, "Guided") || !strings.Contains(text, "Augmented") || !strings.Contains(text, "0.50") {
		t.Errorf("the page says %q, %v", text, err)
	}
	title, err := chromedp.Run(window, chromedp.Text("h1"))
	if err != nil || title != "<b>Half</b>" {
		t.Errorf("the title is %q, %v", title, err)
	}
}
