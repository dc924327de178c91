package evaluator

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
)

// maxLine is the longest line, in bytes, that ReadDocs and ReadRecorded take.
const maxLine = 16 << 20

// eachLine calls fn with every line of a JSON Lines file that is not blank and
// stops at the first error. Its errors are *benchmark.InputError unless
// reading failed.
func eachLine(r io.Reader, file string, fn func(line int, data []byte) error) error {
	lines := jsonlines.NewReader(r, file, maxLine)
	for {
		number, data, err := lines.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := fn(number, data); err != nil {
			return err
		}
	}
}

// decodeLine reads one JSON object into v and says what is wrong with it in
// the words of the file.
func decodeLine(file string, line int, data []byte, v any) error {
	if len(data) == 0 || data[0] != '{' {
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
