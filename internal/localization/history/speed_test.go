package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
)

// Twenty thousand commits take no more memory than a few: one is held at a time.
func TestMemoryDoesNotGrowWithTheHistory(t *testing.T) {
	const commits, bound = 20_000, 8 << 20
	dir := t.TempDir()
	if out, err := exec.Command("git", "init", "--quiet", "--bare", dir).CombinedOutput(); err != nil {
		if os.Getenv("TOUCHSTONE_REQUIRE") == "all" || !errors.Is(err, exec.ErrNotFound) {
			t.Fatalf("%v: %s", err, out)
		}
		t.Skip(err)
	}
	var script strings.Builder
	for i := range commits {
		fmt.Fprintf(&script, "commit refs/heads/main\ncommitter A <a@example.org> %d +0000\ndata 200\n%-200d\nM 100644 inline f%d\ndata 6\n%06d\n", 1767225600+i, i, i%100, i)
	}
	grow := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	grow.Stdin = strings.NewReader(script.String())
	if out, err := grow.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	script.Reset()
	r, err := Open(context.Background(), dir)
	if err != nil {
		t.Fatal(err)
	}
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, most, told := held(), uint64(0), 0
	err = r.Log(context.Background(), "", "main", func(c Commit) error {
		if told++; told%2000 == 0 {
			most = max(most, held())
		}
		return nil
	})
	if err != nil || told != commits || most > before+bound {
		t.Errorf("%d commits, %v; the heap grew from %d to %d KiB", told, err, before>>10, most>>10)
	}
}

// BenchmarkLog reads the whole main line of the clone that TOUCHSTONE_CLONE
// names, and says how much memory of ours that takes at most.
func BenchmarkLog(b *testing.B) {
	dir := os.Getenv("TOUCHSTONE_CLONE")
	if dir == "" {
		b.Skip("TOUCHSTONE_CLONE names no clone")
	}
	r, err := Open(context.Background(), dir)
	if err != nil {
		b.Fatal(err)
	}
	var most uint64
	commits, changes := 0, 0
	for b.Loop() {
		err := r.Log(context.Background(), "", "HEAD", func(c Commit) error {
			commits++
			changes += len(c.Changes)
			if commits%500 == 0 {
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc)
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(commits)/float64(b.N), "commits")
	b.ReportMetric(float64(changes)/float64(b.N), "changes")
	b.ReportMetric(float64(most)/(1<<20), "MiB-heap")
}
