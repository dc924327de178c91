package evaluator

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"unicode/utf8"

	"touchstone/internal/benchmark"
)

// maxLine is the longest line, in bytes, that an uploaded JSON Lines file may
// have. A longer one is refused without being read to its end.
const maxLine = 16 << 20

// eachLine calls fn with every line of a JSON Lines file that is not blank.
// A byte order mark and carriage returns at line ends are passed over. Its
// errors are *benchmark.InputError unless reading failed.
func eachLine(r io.Reader, file string, fn func(line int, data []byte) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var buf []byte
	for number := 1; ; number++ {
		buf = buf[:0]
		var err error
		for {
			var part []byte
			part, err = in.ReadSlice('\n')
			if len(buf)+len(part) > maxLine {
				return &benchmark.InputError{File: file, Line: number,
					Problem: fmt.Sprintf("the line is longer than %d MiB", maxLine>>20), Mend: "write one JSON object a line"}
			}
			buf = append(buf, part...)
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("%s:%d: %w", file, number, err)
		}
		data := buf
		if number == 1 {
			if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
				return &benchmark.InputError{File: file, Line: 1, Problem: "the file is UTF-16", Mend: "save it as UTF-8"}
			}
			data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
		}
		data = bytes.TrimSpace(data)
		if len(data) > 0 {
			if !utf8.Valid(data) {
				return &benchmark.InputError{File: file, Line: number, Problem: "the line is not valid UTF-8", Mend: "save the file as UTF-8"}
			}
			if ferr := fn(number, data); ferr != nil {
				return ferr
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

// decodeLine reads one JSON object into v and says what is wrong with it in
// the words of the file.
func decodeLine(file string, line int, data []byte, v any) error {
	if data[0] != '{' {
		return &benchmark.InputError{File: file, Line: line, Problem: "the line is not a JSON object", Mend: "write one JSON object a line"}
	}
	err := json.Unmarshal(data, v)
	if err == nil {
		return nil
	}
	bad := &benchmark.InputError{File: file, Line: line, Problem: "the line is not valid JSON: " + err.Error(), Mend: "write one JSON object a line"}
	if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		bad.Field, bad.Problem, bad.Mend = t.Field, fmt.Sprintf("is a JSON %s", t.Value), kindInWords(t.Type.Kind())
	}
	return bad
}

func kindInWords(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "write a string"
	case reflect.Int:
		return "write a whole number"
	}
	return "write a " + k.String()
}
