package pystr_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"touchstone/internal/doctocode/environment"
	"touchstone/internal/measure/pystr"
	"touchstone/internal/sandbox/sandboxtest"
)

func TestDedent(t *testing.T) {
	for _, c := range []struct{ why, in, want string }{
		{"one line", "  One. ", "One. "},
		{"the common indentation goes", "One.\n\n    Two.\n      Three.\n    ", "One.\n\nTwo.\n  Three."},
		{"a line that stands left decides", "One.\n    Two.\n  Three.", "One.\n  Two.\nThree."},
		{"the first line does not", "      One.\n  Two.", "One.\nTwo."},
		{"blank lines do not", "One.\n \n    Two.", "One.\n\nTwo."},
		{"empty lines at both ends go", "\n\n  One.\n\n\n", "One."},
		{"tabs are eight columns", "One.\n\tTwo.\n        Three.", "One.\nTwo.\nThree."},
		{"characters count, not bytes", "One.\n\u3000\u3000Two.\n\u00a0\u00a0\u00a0Three.", "One.\nTwo.\n\u00a0Three."},
		{"nothing", "", ""},
		{"white space", "   \n\n    ", "    "},
	} {
		if got := pystr.Dedent(c.in); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.why, c.in, got, c.want)
		}
	}
}

// script says what Python makes of texts, and which characters are special.
const script = `
import inspect, json, sys
texts = json.load(sys.stdin)
characters = [chr(c) for c in range(0x110000) if not 0xd800 <= c < 0xe000]
json.dump({
    "texts": [[inspect.cleandoc(t), t.split(), t.strip(), t.rstrip(), t.lower().replace("ς", "σ")] for t in texts],
    "spaces": [ord(c) for c in characters if c.isspace()],
    "lowered": [ord(c) for c in characters if c > "\x7f" and any(l < "\x80" for l in c.lower())],
    "version": sys.version_info[:2],
}, sys.stdout)
`

func TestTheSameAsPython(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	python, err := environment.FindPython(ctx, os.Getenv("TOUCHSTONE_TEST_PYTHON"))
	if err != nil {
		sandboxtest.Missing(t, err)
	}
	rng := rand.New(rand.NewPCG(81, 82))
	from := []string{"\n", "\n", "\n    ", "\n\t", "\n  \t ", "  ", "\t", " ", "a", "É", "返", "İ", "\u212a", "Σ", "Args:", "\r", "\x0b", "\x0c", "\x1c", "\x1f", "\u0085", "\u00a0", "\u2028", "\u3000", "\u200b"}
	var texts []string
	for range 3000 {
		var b strings.Builder
		for range rng.IntN(20) {
			b.WriteString(from[rng.IntN(len(from))])
		}
		texts = append(texts, b.String())
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(ctx, python.Executable, "-I", "-c", script)
	command.Stdin, command.Stderr = bytes.NewReader(in), os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	var said struct {
		Texts   [][5]any
		Spaces  []rune
		Lowered []rune
		Version [2]int
	}
	if err := json.Unmarshal(out, &said); err != nil {
		t.Fatal(err)
	}
	for i, text := range texts {
		words := []any{}
		for _, w := range pystr.Fields(text) {
			words = append(words, w)
		}
		got := [5]any{pystr.Dedent(text), words, pystr.TrimSpace(text), pystr.TrimRight(text), strings.ReplaceAll(pystr.Lower(text), "ς", "σ")}
		want := said.Texts[i]
		if said.Version[1] > 12 {
			got[0] = want[0] // later versions take nothing but spaces to be indentation
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	var spaces, lowered []rune
	for r := rune(0); r <= 0x10ffff; r++ {
		if r >= 0xd800 && r < 0xe000 {
			continue
		}
		if pystr.IsSpace(r) {
			spaces = append(spaces, r)
		}
		if r > 0x7f && strings.IndexFunc(pystr.Lower(string(r)), func(l rune) bool { return l < 0x80 }) >= 0 {
			lowered = append(lowered, r)
		}
	}
	if !slices.Equal(spaces, said.Spaces) {
		t.Errorf("white space is %x, in Python %x", spaces, said.Spaces)
	}
	if !slices.Equal(lowered, said.Lowered) {
		t.Errorf("ASCII in lower case have %x, in Python %x", lowered, said.Lowered)
	}
}

func FuzzDedent(f *testing.F) {
	f.Add("One.\n    Two.\n\tThree.\n")
	f.Fuzz(func(t *testing.T, s string) {
		once := pystr.Dedent(s)
		if got, want := pystr.Fields(once), pystr.Fields(strings.ToValidUTF8(s, "\ufffd")); len(got) != len(want) {
			t.Errorf("%q loses words: %q", s, once)
		}
	})
}
