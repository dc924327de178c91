package measure_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"testing"
)

// tolerance is how near a measure comes to its reference implementation.
const tolerance = 1e-9

// vectors reads the lines of a file in testdata and refuses one that has lost
// most of them.
func vectors[T any](t *testing.T, file string, least int) []T {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	var all []T
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%s:%d: %v", file, len(all)+1, err)
		}
		all = append(all, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if len(all) < least {
		t.Fatalf("%s has %d lines, not %d or more", file, len(all), least)
	}
	return all
}

// near fails unless got is want, within the tolerance.
func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.12f, want %.12f", what, got, want)
	}
}
