package jsonlines

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"touchstone/internal/benchmark"
)

// TestReadingGoesOnBehindABadLine: each bad line is named, the others are read.
func TestReadingGoesOnBehindABadLine(t *testing.T) {
	long := strings.Repeat("x", 200<<10)
	type read struct {
		number int
		text   string // the line, or the problem in brackets
	}
	for _, c := range []struct {
		rule, text string
		want       []read
		whole      int
		unended    bool
	}{
		{"nothing", "", nil, 0, false},
		{"blank lines", "\n \r\n", nil, 2, false},
		{"the last line ended", "\ufeffa\n\nb\r\n", []read{{1, "a"}, {3, "b"}}, 3, false},
		{"the last line not ended", "a\nb", []read{{1, "a"}, {2, "b"}}, 2, true},
		{"as long as may be", strings.Repeat("y", 63) + "\na\n", []read{{1, strings.Repeat("y", 63)}, {2, "a"}}, 2, false},
		{"one longer", strings.Repeat("y", 64) + "\na\n", []read{{1, "[the line is longer than 64 bytes]"}, {2, "a"}}, 2, false},
		{"a line that is too long", "a\n" + long + "\nb\n", []read{{1, "a"}, {2, "[the line is longer than 64 bytes]"}, {3, "b"}}, 3, false},
		{"two of them, the last not ended", long + "\n" + long, []read{{1, "[the line is longer than 64 bytes]"}, {2, "[the line is longer than 64 bytes]"}}, 2, false},
		{"bytes that are no text", "\xff\nb\n", []read{{1, "[the line is not valid UTF-8]"}, {2, "b"}}, 2, false},
	} {
		lines := NewReader(strings.NewReader(c.text), "f", 64)
		var got []read
		unended := false
		for {
			number, data, err := lines.Next()
			if err == io.EOF {
				break
			}
			unended = err == nil && lines.Unended()
			if bad, ok := errors.AsType[*benchmark.InputError](err); ok {
				if bad.Line != number || bad.File != "f" {
					t.Errorf("%s: line %d: %v", c.rule, number, err)
				}
				data = []byte("[" + bad.Problem + "]")
			} else if err != nil {
				t.Fatalf("%s: %v", c.rule, err)
			}
			got = append(got, read{number, string(data)})
		}
		if !slices.Equal(got, c.want) || lines.Whole() != c.whole || unended != c.unended {
			t.Errorf("%s: %.200v, %d whole, unended %v", c.rule, got, lines.Whole(), unended)
		}
		if _, _, err := lines.Next(); err != io.EOF {
			t.Errorf("%s: behind the end: %v", c.rule, err)
		}
	}
}

// TestReadingCountsWhatWasWhole: a file that breaks off in its third line.
func TestReadingCountsWhatWasWhole(t *testing.T) {
	lines := NewReader(io.MultiReader(strings.NewReader("a\nb\nc"), iotest.ErrReader(io.ErrUnexpectedEOF)), "f", 64)
	for {
		_, _, err := lines.Next()
		if err == nil {
			continue
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) || lines.Whole() != 2 {
			t.Errorf("%v, %d whole", err, lines.Whole())
		}
		return
	}
}
