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

// lineEvery is how often a meter says how far the work has come, off a terminal.
const lineEvery = 10 * time.Second

// A meter is standard error while a command works: messages are written to it
// as lines, and it shows how far long work has come: as a bar with an estimate
// on a terminal; elsewhere as a line when a step begins, when it ends, and
// every ten seconds between.
type meter struct {
	out      io.Writer
	terminal bool
	every    time.Duration

	mu          sync.Mutex
	step        string
	done, total int
	since       time.Time
	ended       bool // the step's last line is written
	bar         *progressbar.ProgressBar
	tick        *time.Ticker  // for the lines between; nil while there are none
	stop        chan struct{} // ends them
}

func newMeter(out io.Writer) *meter {
	file, ok := out.(*os.File)
	return &meter{out: out, terminal: ok && term.IsTerminal(int(file.Fd())), every: lineEvery}
}

// Write takes the bar off the line that a message is written to.
func (m *meter) Write(message []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.bar != nil {
		m.bar.Clear()
	}
	return m.out.Write(message)
}

// show says that done of total parts of a step are finished. What is finished
// when a step is first shown was finished by an earlier run.
func (m *meter) show(step string, done, total int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	begins := step != m.step
	if begins {
		m.finish()
		m.step, m.since, m.ended = step, time.Now(), false
	}
	m.done, m.total = done, total
	switch {
	case m.terminal:
		m.draw(begins)
	case begins:
		m.remind()
		m.line("", done)
	case done == total && total > 1 && !m.ended:
		m.line(m.elapsed(), 0)
	}
}

// line writes how far the step has come. Of what is done, found was done by an
// earlier run.
func (m *meter) line(elapsed string, found int) {
	text := m.step
	if m.total > 1 {
		text += fmt.Sprintf(" %d/%d", m.done, m.total)
		m.ended = m.done == m.total
		if found > 0 {
			text += fmt.Sprintf(" (%d found finished)", found)
		}
	}
	fmt.Fprintln(m.out, text+elapsed)
	m.tick.Reset(m.every)
}

func (m *meter) elapsed() string {
	return fmt.Sprintf(", %s", time.Since(m.since).Round(time.Second))
}

// remind writes a line whenever none came for a while, until the meter is closed.
func (m *meter) remind() {
	if m.tick != nil {
		return
	}
	tick, stop := time.NewTicker(m.every), make(chan struct{})
	m.tick, m.stop = tick, stop
	go func() {
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				m.mu.Lock()
				if m.tick == tick && !m.ended {
					m.line(m.elapsed(), 0)
				}
				m.mu.Unlock()
			}
		}
	}()
}

func (m *meter) draw(begins bool) {
	if begins {
		m.bar = progressbar.NewOptions(max(m.total, 1), progressbar.OptionSetWriter(m.out), progressbar.OptionSetDescription(m.step),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionFullWidth())
	}
	m.bar.Set(m.done)
}

func (m *meter) finish() {
	if m.bar != nil {
		m.bar.Finish()
		m.bar = nil
	}
}

// close takes the bar off the screen and ends the lines. The next step begins anew.
func (m *meter) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.finish()
	m.step = ""
	if m.tick != nil {
		close(m.stop)
		m.tick = nil
	}
}
