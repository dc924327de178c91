package evaluator

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/llm"
)

// ErrNoCompletion: the recorded completions hold none for this task and sample.
var ErrNoCompletion = errors.New("no recorded completion")

// Recorded replies with completions from a file.
type Recorded struct {
	samples     int
	fingerprint string
	completions map[recordedKey]llm.Completion
	lines       map[recordedKey]int // where each stands
}

// recordedKey names a completion. docstring is "" when it holds for any.
type recordedKey struct {
	task      string
	sample    int
	docstring string // SHA-256 of the docstring it was made for, in hexadecimal
}

// ReadRecorded reads completions, one object a line: task_id, sample (from 0
// on, default 0), completion, and optionally model and docstring_sha256. A
// line with docstring_sha256 is used only for a task whose judged docstring
// has that hash (of its UTF-8 text as submitted, "" for none), so that one file
// can serve several submissions. Errors are *benchmark.InputError unless
// reading failed; a file without a completion is one.
func ReadRecorded(r io.Reader, file string) (*Recorded, error) {
	sum := sha256.New()
	rec := &Recorded{completions: map[recordedKey]llm.Completion{}, lines: map[recordedKey]int{}}
	err := eachLine(io.TeeReader(r, sum), file, func(line int, data []byte) error {
		key, completion, err := readCompletion(file, line, data)
		if err != nil {
			return err
		}
		earlier, again := rec.lines[key]
		if again && rec.completions[key] != completion {
			return &benchmark.InputError{File: file, Line: line, Field: "sample",
				Problem: fmt.Sprintf("sample %d of %s differs from line %d", key.sample, key.task, earlier),
				Mend:    "number the samples of a task from 0 on"}
		}
		if !again {
			rec.lines[key] = line
		}
		rec.completions[key] = completion
		rec.samples = max(rec.samples, key.sample+1)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(rec.completions) == 0 {
		return nil, &benchmark.InputError{File: file, Problem: "holds no completions", Mend: "write one JSON object a line, with task_id, sample and completion"}
	}
	rec.fingerprint = "recorded/" + hex.EncodeToString(sum.Sum(nil))
	return rec, nil
}

const maxSample = llm.MaxSamples - 1

func readCompletion(file string, line int, data []byte) (recordedKey, llm.Completion, error) {
	var row struct {
		TaskID     *string `json:"task_id"`
		Sample     int     `json:"sample"`
		Completion *string `json:"completion"`
		Model      string  `json:"model"`
		Docstring  *string `json:"docstring_sha256"`
	}
	if err := decodeLine(file, line, data, &row); err != nil {
		return recordedKey{}, llm.Completion{}, err
	}
	bad := func(field, problem, mend string) (recordedKey, llm.Completion, error) {
		return recordedKey{}, llm.Completion{}, &benchmark.InputError{File: file, Line: line, Field: field, Problem: problem, Mend: mend}
	}
	if row.TaskID == nil {
		return bad("task_id", "is missing", "write it as owner/name:path::qualname")
	}
	id, err := benchmark.ParseTaskID(*row.TaskID)
	if err != nil {
		return recordedKey{}, llm.Completion{}, located(err, file, line)
	}
	if row.Completion == nil {
		return bad("completion", "is missing", "give the reply as the model wrote it")
	}
	if row.Sample < 0 || row.Sample > maxSample {
		return bad("sample", fmt.Sprintf("%d is not a sample number", row.Sample), fmt.Sprintf("count from 0 to at most %d", maxSample))
	}
	key := recordedKey{task: id.String(), sample: row.Sample}
	if row.Docstring != nil {
		sum := strings.ToLower(*row.Docstring)
		if b, err := hex.DecodeString(sum); err != nil || len(b) != sha256.Size {
			return bad("docstring_sha256", "is not a SHA-256", "write 64 hexadecimal digits")
		}
		key.docstring = sum
	}
	return key, llm.Completion{Text: *row.Completion, Model: row.Model, FinishReason: "stop"}, nil
}

// Name implements Evaluator.
func (r *Recorded) Name() string { return "recorded" }

// Fingerprint is the SHA-256 of the file.
func (r *Recorded) Fingerprint() string { return r.fingerprint }

// Samples is one more than the highest sample number in the file.
func (r *Recorded) Samples() int { return r.samples }

// Len is the number of completions.
func (r *Recorded) Len() int { return len(r.completions) }

// A RecordedRow is a line of the file and the task that it names.
type RecordedRow struct {
	Line int
	Task string
}

// Unmatched are the completions for tasks that known does not know, in the
// order of their lines.
func (r *Recorded) Unmatched(known func(task string) bool) []RecordedRow {
	var rows []RecordedRow
	for key, line := range r.lines {
		if !known(key.task) {
			rows = append(rows, RecordedRow{line, key.task})
		}
	}
	slices.SortFunc(rows, func(a, b RecordedRow) int { return a.Line - b.Line })
	return rows
}

// Complete returns the recorded completion, or ErrNoCompletion. One that was
// recorded for the task's docstring goes before one that holds for any.
func (r *Recorded) Complete(ctx context.Context, q Request) (llm.Completion, error) {
	if err := ctx.Err(); err != nil {
		return llm.Completion{}, err
	}
	text, _ := q.Docstring()
	for _, docstring := range []string{DocstringSHA256(text), ""} {
		if c, ok := r.completions[recordedKey{q.ID, q.Sample, docstring}]; ok {
			c.Cached = true
			return c, nil
		}
	}
	return llm.Completion{}, fmt.Errorf("%w for sample %d of %s", ErrNoCompletion, q.Sample, q.ID)
}

// DocstringSHA256 is how a recorded completion names the docstring it was made for.
func DocstringSHA256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
