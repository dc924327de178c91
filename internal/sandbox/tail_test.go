package sandbox

import (
	"strings"
	"testing"
)

func TestTailKeepsTheLastBytes(t *testing.T) {
	const text = "abcdefghijklmnopqrstuvwxyz"
	for size := 1; size <= len(text)+1; size++ {
		for chunk := 1; chunk <= len(text); chunk++ {
			kept := newTail(size)
			for rest := text; rest != ""; {
				n := min(chunk, len(rest))
				if written, err := kept.Write([]byte(rest[:n])); written != n || err != nil {
					t.Fatal(written, err)
				}
				rest = rest[n:]
			}
			if got, want := kept.String(), text[max(0, len(text)-size):]; got != want {
				t.Errorf("size %d, chunks of %d: %q, not %q", size, chunk, got, want)
			}
		}
	}
}

func TestTailIsEmptyAtFirst(t *testing.T) {
	if got := newTail(4).String(); got != "" {
		t.Errorf("%q", strings.ToValidUTF8(got, "?"))
	}
}
