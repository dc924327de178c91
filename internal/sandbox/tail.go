package sandbox

import "sync"

// tail keeps the last bytes written to it. It never blocks and never fails,
// so a program cannot fill our memory or stall by writing errors.
type tail struct {
	mu   sync.Mutex
	buf  []byte
	next int  // where the next byte goes
	full bool // buf has wrapped around
}

func newTail(size int) *tail { return &tail{buf: make([]byte, size)} }

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	written := len(p)
	if len(p) >= len(t.buf) {
		copy(t.buf, p[len(p)-len(t.buf):])
		t.next, t.full = 0, true
		return written, nil
	}
	n := copy(t.buf[t.next:], p)
	if n < len(p) {
		t.next = copy(t.buf, p[n:])
		t.full = true
		return written, nil
	}
	t.next += n
	return written, nil
}

// String returns what is kept, oldest byte first.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.full {
		return string(t.buf[:t.next])
	}
	return string(t.buf[t.next:]) + string(t.buf[:t.next])
}
