package main

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// shared is a writer that a test may read while others write.
type shared struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *shared) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *shared) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

var elapsed = regexp.MustCompile(`, \d+m?\d*s`)

// Off a terminal a line stands where a step begins and where it ends, and says
// what an earlier run had finished.
func TestProgressInLines(t *testing.T) {
	for _, c := range []struct {
		rule string
		show func(m *meter)
		want string
	}{
		{"a step of many parts begins and ends", func(m *meter) {
			m.show("samples", 0, 3)
			m.show("samples", 1, 3)
			m.show("samples", 3, 3)
			m.show("samples", 3, 3)
		}, "samples 0/3\nsamples 3/3, T\n"},
		{"what is done at first was found", func(m *meter) {
			m.show("samples", 78, 415)
			m.show("samples", 415, 415)
		}, "samples 78/415 (78 found finished)\nsamples 415/415, T\n"},
		{"all of it was found", func(m *meter) { m.show("samples", 5, 5) }, "samples 5/5 (5 found finished)\n"},
		{"a step of one part has no count", func(m *meter) {
			m.show("a/b source", 0, 1)
			m.show("a/b trace", 0, 1)
			m.show("a/b trace", 1, 1)
		}, "a/b source\na/b trace\n"},
		{"nothing to do is no count", func(m *meter) { m.show("stubs", 0, 0) }, "stubs\n"},
		{"after an end the step begins anew", func(m *meter) {
			m.show("samples", 0, 2)
			m.close()
			m.show("samples", 1, 2)
		}, "samples 0/2\nsamples 1/2 (1 found finished)\n"},
	} {
		var out bytes.Buffer
		m := newMeter(&out)
		c.show(m)
		m.close()
		if got := elapsed.ReplaceAllString(out.String(), ", T"); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.rule, got, c.want)
		}
	}
}

// A line comes every so often though nothing is finished, until the meter is
// closed.
func TestProgressGoesOnBeingTold(t *testing.T) {
	var out shared
	m := newMeter(&out)
	if m.every != 10*time.Second {
		t.Errorf("a line comes every %s", m.every)
	}
	m.every = time.Millisecond
	m.show("samples", 1, 9)
	told := regexp.MustCompile(`(?m)^samples 1/9, \d+s$`)
	for deadline := time.Now().Add(10 * time.Second); len(told.FindAllString(out.String(), -1)) < 2; {
		if time.Now().After(deadline) {
			t.Fatalf("told was only\n%s", out.String())
		}
		time.Sleep(time.Millisecond)
	}
	m.close()
	before := out.String()
	time.Sleep(20 * time.Millisecond)
	if after := out.String(); after != before {
		t.Errorf("after the end came %q", strings.TrimPrefix(after, before))
	}
	m.close() // again does no harm
}
