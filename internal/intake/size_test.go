package intake

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
)

// manyLines writes lines as they are read: docstrings of tasks, docstrings of
// nothing, and lines that cannot be read, in turn.
type manyLines struct {
	tasks  []string
	lines  int
	at     int
	rest   string
	sample func() // after every MiB
	since  int
}

func (m *manyLines) Read(p []byte) (int, error) {
	if m.rest == "" {
		if m.at == m.lines {
			return 0, io.EOF
		}
		text := strings.Repeat(fmt.Sprintf("Line %d says what it does. ", m.at), 7)
		switch m.at % 3 {
		case 0:
			m.rest = fmt.Sprintf(`{"task_id":"%s","docstring":"%s"}`+"\n", m.tasks[m.at/3%len(m.tasks)], text)
		case 1:
			m.rest = line(fmt.Sprintf("src/spans/m%d.py", m.at), "f", text)
		case 2:
			m.rest = fmt.Sprintf(`{"task_id":"none%d","docstring":"%s"}`+"\n", m.at, text)
		}
		m.at++
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	if m.since += n; m.since > 1<<20 {
		m.since = 0
		m.sample()
	}
	return n, nil
}

// TestMemoryDoesNotGrowWithTheUpload: 200,000 lines of 50 MB in all, of which
// the heap never holds more than 32 MiB, garbage included, beyond what was
// there before.
func TestMemoryDoesNotGrowWithTheUpload(t *testing.T) {
	const lines, bound = 200_000, 32 << 20
	var ids []string
	for _, task := range starter.Tasks {
		ids = append(ids, task.ID)
	}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	runtime.GC()
	before, peak := heap(), uint64(0)
	in := &manyLines{tasks: ids, lines: lines, sample: func() { peak = max(peak, heap()) }}
	r, docs, err := Preflight(t.Context(), in, "docs.jsonl", starter, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	in.sample()
	placed(t, r)
	if r.Lines != lines || r.Documented != 83 || docs.Len() != 83 || r.Unpacked < 45<<20 {
		t.Errorf("%d lines of %d bytes, %d tasks", r.Lines, r.Unpacked, r.Documented)
	}
	if r.Rejected.Count != 66_666 || r.Unmatched.Count != 66_667 || r.Superseded.Count != 66_667-83 {
		t.Errorf("%d rejected, %d unmatched, %d superseded", r.Rejected.Count, r.Unmatched.Count, r.Superseded.Count)
	}
	if grown := int64(peak) - int64(before); grown > bound {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	} else {
		t.Logf("the heap grew by %.1f MiB over %d MiB of lines", float64(grown)/(1<<20), r.Unpacked>>20)
	}
}

// BenchmarkPreflight is of 20,000 lines, the release's names and prompts
// included.
func BenchmarkPreflight(b *testing.B) {
	var ids []string
	for _, task := range starter.Tasks {
		ids = append(ids, task.ID)
	}
	text, err := io.ReadAll(&manyLines{tasks: ids, lines: 20_000, sample: func() {}})
	if err != nil {
		b.Fatal(err)
	}
	for _, packing := range []struct{ name, bytes string }{{"plain", string(text)}, {"gzip", gzipped(string(text))}, {"zstd", zstandard(string(text))}} {
		b.Run(packing.name, func(b *testing.B) {
			b.SetBytes(int64(len(text))) // unpacked
			for b.Loop() {
				if _, _, err := Preflight(b.Context(), strings.NewReader(packing.bytes), "docs.jsonl", starter, Limits{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
