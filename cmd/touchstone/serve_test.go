package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/sandbox/sandboxtest"
	"touchstone/internal/store"
)

// A served site is the program's serve command as a process.
type served struct {
	*exec.Cmd
	address string
	log     chan string
}

// serve starts a demonstration over a data folder and waits until it listens.
func serve(t *testing.T, dir string) served {
	t.Helper()
	c := program("serve", "--demo", "--data", dir, "--listen", "127.0.0.1:0", "--sandbox", "local")
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	s := served{Cmd: c, log: make(chan string, 1)}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	lines := bufio.NewScanner(stderr)
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
		if _, address, ok := strings.Cut(lines.Text(), "listening on "); ok {
			s.address = address
			go func() {
				rest, _ := io.ReadAll(stderr)
				s.log <- string(rest)
			}()
			return s
		}
	}
	t.Fatalf("it ended before it listened:\n%s", strings.Join(said, "\n"))
	return s
}

// states counts the demonstration's submissions by their state.
func states(t *testing.T, dir string) map[store.State]int {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(dir, "touchstone.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	all, _, err := db.Submissions(t.Context(), store.SubmissionFilter{Track: benchmark.DocToCode})
	if err != nil {
		t.Fatal(err)
	}
	count := map[store.State]int{}
	for _, s := range all {
		count[s.State]++
	}
	return count
}

// allOver waits until the demonstration has evaluated its four submissions.
func allOver(t *testing.T, dir string) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Minute); ; time.Sleep(200 * time.Millisecond) {
		now := states(t, dir)
		if now[store.Finished] == 4 {
			return
		}
		if now[store.Failed]+now[store.Cancelled] > 0 || time.Now().After(deadline) {
			t.Fatalf("the submissions are %v", now)
		}
	}
}

// results are all verdicts and scores in a site's database, by names that do
// not depend on their order.
func results(t *testing.T, dir string) map[string]string {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(dir, "touchstone.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found := map[string]string{}
	evaluations, err := db.FinishedEvaluations(t.Context(), benchmark.DocToCode)
	if err != nil {
		t.Fatal(err)
	}
	names := map[uint64]string{}
	for _, e := range evaluations {
		sub, err := db.Submission(t.Context(), e.SubmissionID)
		if err != nil {
			t.Fatal(err)
		}
		names[e.ID] = sub.System.Name + " under " + e.Evaluator.Name
		tasks, err := db.Tasks(t.Context(), sub.ReleaseID)
		if err != nil {
			t.Fatal(err)
		}
		keys := map[uint64]string{}
		for _, task := range tasks {
			keys[task.ID] = task.Key
		}
		verdicts, err := db.Verdicts(t.Context(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if len(verdicts) != e.Total || e.Done != e.Total {
			t.Errorf("%s: %d verdicts, %d counted as done, %d samples", names[e.ID], len(verdicts), e.Done, e.Total)
		}
		for _, v := range verdicts {
			found[fmt.Sprintf("%s: %s, sample %d", names[e.ID], keys[v.TaskID], v.Sample)] = string(v.Verdict)
		}
	}
	scores, err := db.Scores(t.Context(), benchmark.DocToCode)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range scores {
		found[fmt.Sprintf("%s: pass@%d by %s", names[s.EvaluationID], s.K, s.Aggregation)] = fmt.Sprint(s.Value)
	}
	return found
}

// evaluated is the data folder of a demonstration that is over, for the tests
// that follow: evaluating it takes the longest.
var evaluated string

// starterScores are what the samples of the starter release come to under the recorded
// replies: pass@1, the mean over repositories.
var starterScores = map[string]string{
	"Sample: detailed under recorded: pass@1 by repository": "0.880",
	"Sample: summary under recorded: pass@1 by repository":  "0.559",
	"Sample: vague under recorded: pass@1 by repository":    "0.208",
}

// A server that is killed at any moment goes on by itself when it is started
// again: no verdict is lost and none doubled. With TOUCHSTONE_KILLS, which sets
// how often it is killed, every verdict and score is held against those of a
// server that was left in peace, too.
func TestAKilledServerGoesOn(t *testing.T) {
	needs(t)
	dir, err := os.MkdirTemp("", "touchstone-killed-")
	if err != nil {
		t.Fatal(err)
	}
	disturbed := filepath.Join(dir, "disturbed")
	defer func() {
		if t.Failed() || evaluated != disturbed {
			os.RemoveAll(dir)
		}
	}()
	kills, span := 2, 10*time.Second
	var want map[string]string
	if n, err := strconv.Atoi(os.Getenv("TOUCHSTONE_KILLS")); err == nil {
		begun := time.Now()
		want = inPeace(t, filepath.Join(dir, "peace"))
		kills, span = n, time.Since(begun)/time.Duration(min(n, 8))
	}
	for done := 0; done < kills; {
		s := serve(t, disturbed)
		time.Sleep(time.Duration(rand.Int64N(int64(span))))
		finished := states(t, disturbed)[store.Finished] == 4
		if err := s.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = s.Wait()
		if finished { // faster than the kills: begin again with an empty site
			if err := os.RemoveAll(disturbed); err != nil {
				t.Fatal(err)
			}
			continue
		}
		done++
		t.Logf("kill %d: %v", done, states(t, disturbed))
	}
	last := serve(t, disturbed)
	allOver(t, disturbed)
	got := results(t, disturbed)
	if err := last.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := last.Wait(); err != nil {
		t.Errorf("it did not end well: %v", err)
	}
	evaluated = disturbed
	if n := 4 * (415 + 3*83 + 3*(5+1+1+1)); len(got) != n {
		t.Errorf("%d verdicts and scores instead of %d after %d kills", len(got), n, kills)
	}
	for name, v := range want {
		if got[name] != v {
			t.Errorf("%s: %s undisturbed, %q after %d kills", name, v, got[name], kills)
		}
	}
	for name, v := range starterScores {
		if x, err := strconv.ParseFloat(got[name], 64); err != nil || fmt.Sprintf("%.3f", x) != v {
			t.Errorf("%s: %q instead of %s", name, got[name], v)
		}
	}
}

// inPeace are the results of a server that nobody disturbs.
func inPeace(t *testing.T, dir string) map[string]string {
	t.Helper()
	s := serve(t, dir)
	allOver(t, dir)
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("it did not end well: %v\n%s", err, <-s.log)
	}
	return results(t, dir)
}

func TestAServerAnswersWhileItWorksAndEndsWhenAsked(t *testing.T) {
	needs(t)
	s := serve(t, t.TempDir())
	for path, status := range map[string]int{"/healthz": 200, "/readyz": 200, "/doc-to-code": 200, "/doc-to-code.csv": 200, "/nowhere": 404} {
		r, err := http.Get(s.address + path)
		if err != nil {
			t.Fatal(err)
		}
		r.Body.Close()
		if r.StatusCode != status || r.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: %d, %v", path, r.StatusCode, r.Header)
		}
	}
	if err := s.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(); err != nil {
		t.Errorf("it did not end well: %v", err)
	}
}

func TestAJudgeThatIsNotConfiguredIsNamed(t *testing.T) {
	sandboxtest.Local(t)
	var out, messages bytes.Buffer
	if status := run([]string{"serve", "--data", t.TempDir(), "--judge", "gpt"}, &out, &messages); status != exitFailed ||
		!strings.Contains(messages.String(), `--judge: evaluator: there is no evaluator "gpt"; use one of gpt-5-mini`) {
		t.Errorf("status %d: %s", status, messages.String())
	}
}
