package evaluator

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/indextest"
	"touchstone/internal/sandbox/sandboxtest"
)

var update = flag.Bool("update", false, "write what is found into the golden files")

// unparsable are the cases whose result Python must refuse.
var unparsable = map[string]bool{"broken_code": true}

// A goldenCase is a file of testdata/extract: the rule, then sections.
type goldenCase struct {
	name, rule string
	sections   map[string]string
	options    string // of the source: crlf, latin-1
}

// TestExtract: reply → body → changes → the file with the body in it. In the
// files ␌ stands for a form feed, and each section ends with a line end that
// is no part of it, except source and reply.
func TestExtract(t *testing.T) {
	var parse []map[string]string
	for _, c := range readCases(t) {
		file := indextest.Index("a.py", c.source())
		d := c.target(t, file)
		reply := c.plain("reply")
		if c.name == "crlf_reply" {
			reply = strings.ReplaceAll(reply, "\n", "\r\n")
		}
		e := Extract(reply, file, d)
		var changes strings.Builder
		for _, change := range e.Changes {
			fmt.Fprintf(&changes, "%s: %s\n", change.Code, change.Detail)
		}
		text := file.Text
		if !e.NoCode() {
			text = file.Splice(d, e.Body).Text
			parse = append(parse, map[string]string{"name": c.name, "text": text})
		}
		if strings.Contains(c.options, "crlf") && strings.Count(text, "\n") != strings.Count(text, "\r\n") {
			t.Errorf("%s: the line ends are mixed: %q", c.name, text)
		}
		c.compare(t, "body", e.Body)
		c.compare(t, "changes", changes.String())
		c.compare(t, "spliced", text)
		if again := Extract(e.Body, file, d); again.Body != e.Body {
			t.Errorf("%s: the body extracted again is %q", c.name, again.Body)
		}
		if fenced := Extract(Fence(e.Body), file, d); fenced.Body != e.Body {
			t.Errorf("%s: the body in a fence is %q", c.name, fenced.Body)
		}
		if *update {
			c.write(t)
		}
	}
	checkParse(t, parse)
}

// checkParse has Python read every file; only those named unparsable may fail.
func checkParse(t *testing.T, files []map[string]string) {
	t.Helper()
	python := requirePython(t)
	input, err := json.Marshal(files)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", `
import ast, json, sys
for file in json.load(sys.stdin):
    try:
        ast.parse(file["text"])
    except (SyntaxError, ValueError) as error:
        print(file["name"], error, sep="\t")
`)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	refused := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		name, why, _ := strings.Cut(line, "\t")
		refused[name] = true
		if !unparsable[name] {
			t.Errorf("%s does not parse: %s", name, why)
		}
	}
	for _, file := range files {
		if unparsable[file["name"]] && !refused[file["name"]] {
			t.Errorf("%s parses", file["name"])
		}
	}
}

func requirePython(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		sandboxtest.Missing(t, err)
	}
	return python
}

func readCases(t testing.TB) []*goldenCase {
	t.Helper()
	names, err := filepath.Glob("testdata/extract/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatal("no cases", err)
	}
	var cases []*goldenCase
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		c := &goldenCase{name: strings.TrimSuffix(filepath.Base(name), ".txt"), sections: map[string]string{}}
		section := "rule"
		for line := range strings.Lines(string(data)) {
			if title, ok := strings.CutPrefix(line, "-- "); ok && strings.HasSuffix(line, " --\n") {
				section, c.options, _ = cutOptions(strings.TrimSuffix(title, " --\n"), c.options)
				continue
			}
			c.sections[section] += line
		}
		c.rule = c.sections["rule"]
		cases = append(cases, c)
	}
	return cases
}

// cutOptions splits "source crlf"; other sections keep the options read before.
func cutOptions(title, before string) (section, options string, ok bool) {
	section, options, ok = strings.Cut(title, " ")
	if !ok {
		options = before
	}
	return section, options, ok
}

func (c *goldenCase) plain(section string) string {
	return strings.ReplaceAll(c.sections[section], "␌", "\f")
}

func (c *goldenCase) source() string {
	text := c.plain("source")
	if c.name == "no_final_line_end" {
		text = strings.TrimSuffix(text, "\n")
	}
	if strings.Contains(c.options, "crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

func (c *goldenCase) target(t testing.TB, file *doctocode.SourceFile) *doctocode.Definition {
	t.Helper()
	name, number, _ := strings.Cut(strings.TrimSpace(c.sections["target"]), "#")
	ordinal, _ := strconv.Atoi(number)
	d, ok := file.Lookup(name, ordinal)
	if !ok {
		t.Fatalf("%s: no %s#%d", c.name, name, ordinal)
	}
	return d
}

func (c *goldenCase) compare(t *testing.T, section, got string) {
	t.Helper()
	got = strings.ReplaceAll(strings.ReplaceAll(got, "\r\n", "\n"), "\f", "␌")
	if got != "" {
		got = strings.TrimSuffix(got, "\n") + "\n"
	}
	if *update {
		c.sections[section] = got
	} else if got != c.sections[section] {
		t.Errorf("%s: %s%s is\n%s\nwant\n%s", c.name, c.rule, section, got, c.sections[section])
	}
}

func (c *goldenCase) write(t *testing.T) {
	t.Helper()
	var b strings.Builder
	b.WriteString(c.rule)
	for _, section := range []string{"target", "source", "reply", "body", "changes", "spliced"} {
		title := section
		if section == "source" && c.options != "" {
			title += " " + c.options
		}
		text := c.sections[section]
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		fmt.Fprintf(&b, "-- %s --\n%s", title, text)
	}
	if err := os.WriteFile("testdata/extract/"+c.name+".txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// FuzzExtract: whatever the reply, there is no panic, the same reply gives the
// same body, and a body is extracted unchanged.
func FuzzExtract(f *testing.F) {
	cases := readCases(f)
	for i, c := range cases {
		f.Add(c.plain("reply"), i)
	}
	files := make([]*doctocode.SourceFile, len(cases))
	for i, c := range cases {
		files[i] = indextest.Index("a.py", c.source())
	}
	f.Fuzz(func(t *testing.T, reply string, n int) {
		i := int(uint(n) % uint(len(cases)))
		d := cases[i].target(t, files[i])
		e := Extract(reply, files[i], d)
		if again := Extract(reply, files[i], d); again.Body != e.Body {
			t.Fatalf("%q gives %q and %q", reply, e.Body, again.Body)
		}
		if again := Extract(e.Body, files[i], d); again.Body != e.Body {
			t.Fatalf("%q gives %q, which gives %q", reply, e.Body, again.Body)
		}
		files[i].Splice(d, e.Body)
	})
}
