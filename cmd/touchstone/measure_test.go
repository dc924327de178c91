package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// textFile writes a file of texts from ids and texts by turns.
func textFile(t *testing.T, name string, idsAndTexts ...string) string {
	t.Helper()
	var b bytes.Buffer
	for i := 0; i < len(idsAndTexts); i += 2 {
		line, err := json.Marshal(map[string]string{"id": idsAndTexts[i], "text": idsAndTexts[i+1]})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return rawFile(t, name, b.String())
}

func rawFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// measured runs the command and gives its lines.
func measured(t *testing.T, args ...string) []string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(append([]string{"measure"}, args...), &stdout, &stderr); status != exitDone {
		t.Fatalf("status %d: %s", status, stderr.String())
	}
	return strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
}

func TestMeasurePrintsALineForEachText(t *testing.T) {
	reference := textFile(t, "r.jsonl", "b", "the lock is now held", "a<b>", "one two", "empty", "")
	candidate := textFile(t, "c.jsonl", "empty", "", "a<b>", "two one", "b", "the lock is held")
	lines := measured(t, "--reference", reference, "--candidate", candidate)
	// Of its 4, 3, 2 and 1 pieces the first matches 4, 2, 1 and none; of the second's 2 and 1, 2 and none.
	first, second := math.Exp(1-5.0/4)*math.Pow(1*2.0/3*1/2*1/2, 0.25), math.Sqrt(1*1.0/2)
	want := []string{
		fmt.Sprintf(`{"id":"b","bleu":0,"sacrebleu":%v,"rouge1":0.888888888888889,"rouge1_precision":1,"rouge1_recall":0.8,"rougeLsum":0.888888888888889,"rougeLsum_precision":1,"rougeLsum_recall":0.8}`, first),
		fmt.Sprintf(`{"id":"a\u003cb\u003e","bleu":0,"sacrebleu":%v,"rouge1":1,"rouge1_precision":1,"rouge1_recall":1,"rougeLsum":0.5,"rougeLsum_precision":0.5,"rougeLsum_recall":0.5}`, second),
		`{"id":"empty","bleu":0,"sacrebleu":0,"rouge1":0,"rouge1_precision":0,"rouge1_recall":0,"rougeLsum":0,"rougeLsum_precision":0,"rougeLsum_recall":0}`,
	}
	if len(lines) != len(want) {
		t.Fatalf("%q", lines)
	}
	for i := range want {
		sameNumbers(t, lines[i], want[i])
	}
}

// sameNumbers compares two lines, numbers to nine digits and fields in order.
func sameNumbers(t *testing.T, got, want string) {
	t.Helper()
	var a, b map[string]any
	if json.Unmarshal([]byte(got), &a) != nil || json.Unmarshal([]byte(want), &b) != nil || len(a) != len(b) {
		t.Fatalf("%s, want %s", got, want)
	}
	at := -1
	for _, key := range fieldsIn(t, want) {
		x, isNumber := a[key].(float64)
		y, _ := b[key].(float64)
		if place := strings.Index(got, fmt.Sprintf("%q:", key)); place < at || isNumber && math.Abs(x-y) > 1e-9 || !isNumber && a[key] != b[key] {
			t.Errorf("%s: %s, want %s", key, got, want)
		} else {
			at = place
		}
	}
}

func fieldsIn(t *testing.T, line string) (keys []string) {
	t.Helper()
	decoder := json.NewDecoder(strings.NewReader(line))
	for {
		token, err := decoder.Token()
		if err != nil {
			return keys
		}
		if key, ok := token.(string); ok {
			keys = append(keys, key)
			if _, err := decoder.Token(); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestMeasurePrintsMeans(t *testing.T) {
	reference := textFile(t, "r.jsonl", "1", "the lock is now held", "2", "the owner freed the lock at last")
	candidate := textFile(t, "c.jsonl", "1", "the lock is held now", "2", "the owner freed the lock at last")
	lines := measured(t, "--reference", reference, "--candidate", candidate, "--measure", "bleu,rouge1, words", "--means")
	if len(lines) != 1 {
		t.Fatalf("%q", lines)
	}
	// As one corpus 12 of 12 words, 8 of 10 pairs, 6 of 8 and 4 of 6 longer pieces match.
	corpus := math.Pow(12.0/12*8/10*6/8*4/6, 0.25)
	sameNumbers(t, lines[0], fmt.Sprintf(`{"texts":2,"bleu":0.5,"rouge1":1,"rouge1_precision":1,"rouge1_recall":1,"words":6,"reference_words":6,"bleu_corpus":%v}`, corpus))
}

func TestMeasureFindsLeaks(t *testing.T) {
	body := textFile(t, "bodies.jsonl", "1", "return self._n")
	docstring := textFile(t, "docs.jsonl", "1", "Equivalent to `return self._n`.")
	lines := measured(t, "--reference", body, "--candidate", docstring, "--measure", "leak")
	sameNumbers(t, lines[0], `{"id":"1","leak":0,"leak_flagged":1,"leak_severe":1}`)
}

func TestMeasureTakesOutIndentation(t *testing.T) {
	reference := textFile(t, "r.jsonl", "1", "A well-known number of words.")
	candidate := textFile(t, "c.jsonl", "1", "A well--\n        known number of words.\n    ")
	plain := measured(t, "--reference", reference, "--candidate", candidate, "--measure", "bleu")
	dedented := measured(t, "--reference", reference, "--candidate", candidate, "--measure", "bleu", "--dedent")
	if sameNumbers(t, dedented[0], `{"id":"1","bleu":1}`); plain[0] == dedented[0] {
		t.Errorf("indentation made no difference: %s", plain[0])
	}
}

func TestMeasureRefuses(t *testing.T) {
	good := textFile(t, "good.jsonl", "a", "one", "b", "two")
	var many []string
	for i := range 30 {
		many = append(many, fmt.Sprintf("id%02d", i), "text")
	}
	missing := filepath.Join(t.TempDir(), "missing.jsonl")
	for _, c := range []struct {
		why       string
		candidate string
		more      []string
		status    int
		words     []string
	}{
		{"an id that the candidate lacks", textFile(t, "c.jsonl", "a", "one"), nil, exitFailed, []string{"good.jsonl:2: id: \"b\" is not in ", "c.jsonl"}},
		{"an id that the reference lacks", textFile(t, "c.jsonl", "b", "two", "a", "one", "c", "three"), nil, exitFailed, []string{"c.jsonl:3: id: \"c\" is not in ", "good.jsonl"}},
		{"many of them", textFile(t, "c.jsonl", many...), nil, exitFailed, []string{"good.jsonl:1: id: \"a\"", "c.jsonl:1: id: \"id00\"", "… and 12 more of these", "32 ids are in one file only"}},
		{"an id given twice", textFile(t, "c.jsonl", "a", "one", "b", "two", "a", "one"), nil, exitFailed, []string{"c.jsonl:3: id: \"a\" is that of line 1, too"}},
		{"no id", rawFile(t, "c.jsonl", "\n{\"text\":\"x\"}\n"), nil, exitFailed, []string{"c.jsonl:2: id: is missing"}},
		{"an empty id", rawFile(t, "c.jsonl", `{"id":"","text":"x"}`), nil, exitFailed, []string{"c.jsonl:1: id: is empty"}},
		{"no text", rawFile(t, "c.jsonl", `{"id":"a","text":null}`), nil, exitFailed, []string{"c.jsonl:1: text: is missing"}},
		{"a number as id", rawFile(t, "c.jsonl", `{"id":1,"text":"x"}`), nil, exitFailed, []string{"c.jsonl:1: id: is a JSON number", "write a string"}},
		{"no object", rawFile(t, "c.jsonl", `["a"]`), nil, exitFailed, []string{"c.jsonl:1: the line is not a JSON object"}},
		{"half an object", rawFile(t, "c.jsonl", `{"id":"a","te`), nil, exitFailed, []string{"c.jsonl:1: the line is not valid JSON"}},
		{"no UTF-8", rawFile(t, "c.jsonl", "{\"id\":\"a\",\"text\":\"\xff\"}"), nil, exitFailed, []string{"c.jsonl:1: the line is not valid UTF-8"}},
		{"an empty file", rawFile(t, "c.jsonl", "\n\n"), nil, exitFailed, []string{"c.jsonl: holds no text"}},
		{"no file", missing, nil, exitUsage, []string{"--candidate", "missing.jsonl"}},
		{"a folder and a file", t.TempDir(), nil, exitUsage, []string{"--candidate", "give two of a kind"}},
		{"an unknown measure", good, []string{"--measure", "bleu,meteor"}, exitUsage, []string{`"meteor"`, "bleu, sacrebleu, rouge1, rougeLsum, words, leak"}},
		{"no measure", good, []string{"--measure", ""}, exitUsage, []string{"--measure"}},
		{"a measure twice", good, []string{"--measure", "bleu,bleu"}, exitUsage, []string{"bleu is given twice"}},
	} {
		t.Run(c.why, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			args := append([]string{"measure", "--reference", good, "--candidate", c.candidate}, c.more...)
			if status := run(args, &stdout, &stderr); status != c.status {
				t.Errorf("status %d, want %d", status, c.status)
			}
			for _, w := range c.words {
				if !strings.Contains(stderr.String(), w) {
					t.Errorf("%q is not in %q", w, stderr.String())
				}
			}
			if stdout.Len() > 0 {
				t.Errorf("standard output: %q", stdout.String())
			}
		})
	}
}

func FuzzParseText(f *testing.F) {
	f.Add(`{"id":"a","text":"b"}`)
	f.Add(`{"id":1}`)
	f.Add(`[`)
	f.Fuzz(func(t *testing.T, line string) {
		if line == "" {
			return // blank lines are passed over before
		}
		id, _, err := parseText("texts.jsonl", 7, []byte(line))
		switch {
		case err == nil && id == "":
			t.Errorf("%q has no id and no error", line)
		case err != nil && !strings.HasPrefix(err.Error(), "texts.jsonl:7: "):
			t.Errorf("%q: %v does not say where", line, err)
		}
	})
}
