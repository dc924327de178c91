package build

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"testing"

	"touchstone/internal/doctocode"
	"touchstone/internal/sandbox/sandboxtest"
)

// defaults are return annotations, as ast.unparse writes them, and the stub
// that is tried beside pass.
var defaults = map[string]string{
	"":                              "",
	"None":                          "",
	"'None'":                        "",
	"int":                           "return 0",
	"float":                         "return 0.0",
	"bool":                          "return False",
	"str":                           "return ''",
	"bytes":                         "return b''",
	"builtins.int":                  "return 0",
	"object":                        "return object()",
	"Any":                           "",
	"Widget":                        "",
	"'Widget'":                      "",
	"list[str]":                     "return []",
	"'list[str]'":                   "return []",
	"\"list['Widget']\"":            "return []",
	"typing.List[int]":              "return []",
	"dict[str, int | None]":         "return {}",
	"dict[str, list[tuple[int]]]":   "return {}",
	"tuple":                         "return ()",
	"tuple[int, ...]":               "return ()",
	"Tuple[()]":                     "return ()",
	"set[int]":                      "return set()",
	"Iterator[int]":                 "return iter(())",
	"Generator[int, None, None]":    "return iter(())",
	"collections.abc.Iterable[str]": "return []",
	"Callable[[int], str]":          "",
	// None is what pass returns: the first other member counts.
	"int | None":                  "return 0",
	"None | int":                  "return 0",
	"'int | None'":                "return 0",
	"'int' | None":                "return 0",
	"Optional[int]":               "return 0",
	"Optional['int']":             "return 0",
	"typing.Optional[List[int]]":  "return []",
	"Optional[Widget]":            "",
	"Union[None, str, int]":       "return ''",
	"Union[Widget, Dict[str, X]]": "return {}",
	"Widget | list[int | str]":    "return []",
	// A literal's default is one of its values.
	"Literal['a', 'b']":              "return 'a'",
	"Literal[None, 'a']":             "return 'a'",
	"Literal[3, 4]":                  "return 3",
	"Literal[-1]":                    "return -1",
	"Literal[True]":                  "return True",
	"Literal[b'x']":                  "return b'x'",
	"Literal[\"it's\", 'b']":         "return \"it's\"",
	"Literal['it\\'s, \"a\"', 'b']":  "return 'b'",
	"Literal['a, b', 'c']":           "return 'a, b'",
	"Literal['|'] | None":            "return '|'",
	"Literal[Color.RED]":             "",
	"Annotated[int, 'of metres, |']": "return 0",
	"Annotated[Optional[str], f(1)]": "return ''",
	"Awaitable[int]":                 "return 0",
	// Nonsense has no default.
	"list[":   "return []",
	"Literal": "",
	"]":       "",
	"Union[]": "",
	"|":       "",
}

func TestDefaultStub(t *testing.T) {
	valid := expressions(t)
	for annotation, want := range defaults {
		got := defaultStub(&doctocode.Definition{Returns: annotation})
		if got != want {
			t.Errorf("%s: %q, want %q", annotation, got, want)
		}
		if got != "" && !valid(strings.TrimPrefix(got, "return ")) {
			t.Errorf("%s: %q is no Python", annotation, got)
		}
	}
	for name, value := range simpleDefaults {
		if !valid(value) {
			t.Errorf("the default of %s is no Python: %s", name, value)
		}
	}
}

// FuzzDefaultStub: whatever the annotation, the stub is Python or there is none.
func FuzzDefaultStub(f *testing.F) {
	for annotation := range defaults {
		f.Add(annotation)
	}
	valid := expressions(f)
	f.Fuzz(func(t *testing.T, annotation string) {
		got := defaultStub(&doctocode.Definition{Returns: annotation})
		value, ok := strings.CutPrefix(got, "return ")
		if got != "" && (!ok || !valid(value)) {
			t.Errorf("%q is no Python", got)
		}
	})
}

// expressions starts one Python that says of each text whether it is an
// expression.
func expressions(t testing.TB) func(string) bool {
	const script = `
import json, sys
for line in sys.stdin:
    try:
        compile(json.loads(line), "stub", "eval")
        print("yes", flush=True)
    except (SyntaxError, ValueError):
        print("no", flush=True)
`
	c := exec.Command("python3", "-I", "-W", "ignore", "-c", script)
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		sandboxtest.Missing(t, err)
	}
	t.Cleanup(func() {
		in.Close()
		io.Copy(io.Discard, out)
		c.Wait()
	})
	answers := bufio.NewReader(out)
	return func(text string) bool {
		line, err := json.Marshal(text)
		if err == nil {
			_, err = in.Write(append(line, '\n'))
		}
		if err != nil {
			t.Fatal(err)
		}
		answer, err := answers.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		return answer == "yes\n"
	}
}
