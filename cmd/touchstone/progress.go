package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// meter shows how far long work has come: a bar with an estimate on a
// terminal, a line a step elsewhere.
type meter struct {
	out      io.Writer
	terminal bool

	mu   sync.Mutex
	name string
	bar  *progressbar.ProgressBar
	last time.Time
}

func newMeter(out io.Writer) *meter {
	file, ok := out.(*os.File)
	return &meter{out: out, terminal: ok && term.IsTerminal(int(file.Fd()))}
}

// show says that done of total parts of a step are finished.
func (m *meter) show(step string, done, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.terminal {
		if step != m.name || (total > 1 && time.Since(m.last) > 30*time.Second) {
			m.name, m.last = step, time.Now()
			if total > 1 {
				fmt.Fprintf(m.out, "%s %d/%d\n", step, done, total)
			} else {
				fmt.Fprintln(m.out, step)
			}
		}
		return
	}
	if step != m.name {
		m.finish()
		m.name = step
		m.bar = progressbar.NewOptions(max(total, 1), progressbar.OptionSetWriter(m.out), progressbar.OptionSetDescription(step),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionFullWidth())
	}
	m.bar.Set(done)
}

func (m *meter) finish() {
	if m.bar != nil {
		m.bar.Finish()
		m.bar = nil
	}
}

// close takes the bar off the screen.
func (m *meter) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.finish()
}
