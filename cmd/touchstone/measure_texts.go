package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
)

// longestText is the longest line of a file of texts, in bytes.
const longestText = 16 << 20

// A textPair is a candidate and its reference.
type textPair struct {
	id                   string
	candidate, reference string
}

// texts are a file of them by id.
type texts struct {
	file string
	ids  []string // in the order of the file
	line map[string]int
	text map[string]string
}

// readPairs reads two files that have the same ids. Ids of only one of them are
// named, the first of each file, and are an error.
func readPairs(p *place, reference, candidate string) ([]textPair, error) {
	references, err := readTexts(reference)
	if err != nil {
		return nil, err
	}
	candidates, err := readTexts(candidate)
	if err != nil {
		return nil, err
	}
	lonely := append(without(references, candidates), without(candidates, references)...)
	switch {
	case len(lonely) == 1:
		return nil, lonely[0]
	case len(lonely) > 1:
		for _, e := range lonely[:min(len(lonely), mostLines)] {
			p.say("%v", e)
		}
		if rest := len(lonely) - mostLines; rest > 0 {
			p.say("… and %d more of these", rest)
		}
		return nil, fmt.Errorf("%d ids are in one file only; nothing was measured", len(lonely))
	}
	pairs := make([]textPair, len(references.ids))
	for i, id := range references.ids {
		pairs[i] = textPair{id: id, candidate: candidates.text[id], reference: references.text[id]}
	}
	return pairs, nil
}

// without are the lines of a file whose ids the other one lacks.
func without(all, other texts) []error {
	var lonely []error
	for _, id := range all.ids {
		if other.line[id] == 0 {
			lonely = append(lonely, &benchmark.InputError{File: all.file, Line: all.line[id], Field: "id",
				Problem: fmt.Sprintf("%q is not in %s", id, other.file), Mend: "give both files a line for it, or neither"})
		}
	}
	return lonely
}

// readTexts reads a file of texts. Errors are *benchmark.InputError unless
// reading failed.
func readTexts(file string) (texts, error) {
	f, err := os.Open(file)
	if err != nil {
		return texts{}, err
	}
	defer f.Close()
	all := texts{file: file, line: map[string]int{}, text: map[string]string{}}
	lines := jsonlines.NewReader(f, file, longestText)
	for {
		number, data, err := lines.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return texts{}, err
		}
		id, text, err := parseText(file, number, data)
		if err != nil {
			return texts{}, err
		}
		if first := all.line[id]; first > 0 {
			return texts{}, &benchmark.InputError{File: file, Line: number, Field: "id",
				Problem: fmt.Sprintf("%q is that of line %d, too", id, first), Mend: "give every text an id of its own"}
		}
		all.ids, all.line[id], all.text[id] = append(all.ids, id), number, text
	}
	if len(all.ids) == 0 {
		return texts{}, &benchmark.InputError{File: file, Problem: "holds no text", Mend: textForm}
	}
	return all, nil
}

const textForm = `write one JSON object a line: {"id":"…","text":"…"}`

// parseText reads a line. Fields other than id and text are passed over.
func parseText(file string, line int, data []byte) (id, text string, err error) {
	bad := func(field, problem, mend string) (string, string, error) {
		return "", "", &benchmark.InputError{File: file, Line: line, Field: field, Problem: problem, Mend: mend}
	}
	if data[0] != '{' {
		return bad("", "the line is not a JSON object", textForm)
	}
	var row struct {
		ID   *string `json:"id"`
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(data, &row); err != nil {
		if t, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return bad(t.Field, "is a JSON "+t.Value, "write a string")
		}
		return bad("", "the line is not valid JSON: "+err.Error(), textForm)
	}
	switch {
	case row.ID == nil:
		return bad("id", "is missing", textForm)
	case *row.ID == "":
		return bad("id", "is empty", "give every text an id of its own")
	case row.Text == nil:
		return bad("text", "is missing", textForm+"; an empty text is \"\"")
	}
	return *row.ID, *row.Text, nil
}
