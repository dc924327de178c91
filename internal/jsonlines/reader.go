// Package jsonlines reads files of one JSON object a line, as people write and
// upload them, so that every bad line can be named.
package jsonlines

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"touchstone/internal/benchmark"
)

// A Reader reads a JSON Lines file line by line and can go on behind a line
// that is bad. A byte order mark, blank lines and carriage
// returns at line ends are passed over.
type Reader struct {
	in      *bufio.Reader
	file    string
	longest int
	number  int // of the line that is being read
	whole   int // lines read to their end
	buf     []byte
	rest    bool // what is left of a line that is too long comes first
	ended   bool // the last line was given
}

// NewReader reads r, which errors call file. longest bounds a line, in bytes
// with its line end; a longer one is not collected.
func NewReader(r io.Reader, file string, longest int) *Reader {
	return &Reader{in: bufio.NewReaderSize(r, 64<<10), file: file, longest: longest}
}

// Next returns the next line that is not blank, without white space around it,
// and its number, from 1 on. data is good until the following call. A line
// that is too long or no UTF-8 is a *benchmark.InputError; a following call
// goes on behind it. io.EOF ends the file; any other error is one of reading.
func (l *Reader) Next() (number int, data []byte, err error) {
	for {
		if l.ended {
			return 0, nil, io.EOF
		}
		if l.rest {
			l.rest = false
			if err := l.skip(); err != nil {
				return l.number, nil, err
			}
			continue
		}
		l.number++
		data, err := l.read()
		if err != nil {
			return l.number, nil, err
		}
		if data = bytes.TrimSpace(data); len(data) == 0 {
			continue
		}
		if !utf8.Valid(data) {
			return l.number, nil, &benchmark.InputError{File: l.file, Line: l.number, Problem: "the line is not valid UTF-8", Mend: "save the file as UTF-8"}
		}
		return l.number, data, nil
	}
}

// Whole is how many lines were read to their end so far, blank ones included.
func (l *Reader) Whole() int { return l.whole }

// Unended reports whether the line that Next gave last is the file's last and
// has no line end.
func (l *Reader) Unended() bool { return l.ended && len(l.buf) > 0 }

// read collects a line.
func (l *Reader) read() ([]byte, error) {
	l.buf = l.buf[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		if len(l.buf)+len(part) > l.longest {
			l.rest = err != nil
			if err == nil {
				l.whole++
			}
			return nil, &benchmark.InputError{File: l.file, Line: l.number,
				Problem: "the line is longer than " + size(l.longest), Mend: "write one JSON object a line"}
		}
		l.buf = append(l.buf, part...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err := l.end(err, len(l.buf) > 0); err != nil {
			return nil, err
		}
		break
	}
	if l.number > 1 {
		return l.buf, nil
	}
	if bytes.HasPrefix(l.buf, []byte("\xff\xfe")) || bytes.HasPrefix(l.buf, []byte("\xfe\xff")) {
		return nil, &benchmark.InputError{File: l.file, Line: 1, Problem: "the file is UTF-16", Mend: "save it as UTF-8"}
	}
	return bytes.TrimPrefix(l.buf, []byte("\xef\xbb\xbf")), nil
}

// skip passes over the rest of a line.
func (l *Reader) skip() error {
	for {
		if _, err := l.in.ReadSlice('\n'); !errors.Is(err, bufio.ErrBufferFull) {
			return l.end(err, true)
		}
	}
}

// end takes what ended a line: its line end, the file's end (where there may
// be none), or an error of reading.
func (l *Reader) end(err error, line bool) error {
	if err != nil && err != io.EOF {
		return fmt.Errorf("%s:%d: %w", l.file, l.number, err)
	}
	l.ended = err == io.EOF
	if line {
		l.whole++
	}
	return nil
}

func size(n int) string {
	if n >= 1<<20 && n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
