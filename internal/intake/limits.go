package intake

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"touchstone/internal/benchmark"
)

// Limits bound an upload. A field that is 0 takes its value from DefaultLimits.
type Limits struct {
	Bytes     int64 // of the upload as it comes
	Unpacked  int64 // bytes
	Ratio     int64 // unpacked bytes for each packed one; met by the first 8 MiB whatever they are
	Line      int   // bytes of a line, its end included; a longer one is a rejected row
	Lines     int   // of the file; those without content do not count towards it
	Docstring int   // bytes; a longer one is listed, and used all the same
}

// DefaultLimits let a thousand docstrings for each of 28 repositories through
// many times over, and no file that would fill a machine.
var DefaultLimits = Limits{
	Bytes:     64 << 20,
	Unpacked:  256 << 20,
	Ratio:     200,
	Line:      1 << 20,
	Lines:     500_000,
	Docstring: 8 << 10,
}

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	return Limits{cmp.Or(l.Bytes, d.Bytes), cmp.Or(l.Unpacked, d.Unpacked), cmp.Or(l.Ratio, d.Ratio),
		cmp.Or(l.Line, d.Line), cmp.Or(l.Lines, d.Lines), cmp.Or(l.Docstring, d.Docstring)}
}

// freely is how many bytes may be unpacked at any ratio: rows that repeat pack
// well, and this much does no harm.
const freely = 8 << 20

// A meter counts what is read through it and stops at a limit.
type meter struct {
	in    io.Reader
	ctx   context.Context
	limit func(read int64) error // nil while there may be more
	read  int64
	err   error // why reading stopped, when it was not the end
}

func (m *meter) Read(p []byte) (int, error) {
	if m.err != nil {
		return 0, m.err
	}
	if m.err = m.ctx.Err(); m.err != nil {
		return 0, m.err
	}
	n, err := m.in.Read(p)
	m.read += int64(n)
	if m.err = m.limit(m.read); m.err != nil {
		return 0, m.err
	}
	if err != nil && err != io.EOF {
		m.err = err
	}
	return n, err
}

// packedLimit bounds the upload as it comes.
func (l Limits) packedLimit(file string) func(int64) error {
	return func(read int64) error {
		if read <= l.Bytes {
			return nil
		}
		return &benchmark.InputError{File: file, Problem: "is larger than " + inWords(l.Bytes), Mend: "pack it with gzip or zstd, or leave out what is not for this release"}
	}
}

// unpackedLimit bounds what an upload unpacks to.
func (l Limits) unpackedLimit(file string, packed *meter) func(int64) error {
	return func(read int64) error {
		switch {
		case read > l.Unpacked:
			return &benchmark.InputError{File: file, Problem: "unpacks to more than " + inWords(l.Unpacked), Mend: "leave out what is not for this release"}
		case read > freely && read > l.Ratio*packed.read:
			return &benchmark.InputError{File: file, Problem: fmt.Sprintf("unpacks to more than %d times its size", l.Ratio), Mend: "upload it unpacked"}
		}
		return nil
	}
}

// inWords is a number of bytes for a person.
func inWords(bytes int64) string {
	switch {
	case bytes >= 1<<20 && bytes%(1<<20) == 0:
		return fmt.Sprintf("%d MiB", bytes>>20)
	case bytes >= 1<<10 && bytes%(1<<10) == 0:
		return fmt.Sprintf("%d KiB", bytes>>10)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
