package build

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"touchstone/internal/doctocode"
)

// passStub is the minimal body.
const passStub = "pass"

// defaultStub is a body that returns a default of the annotated return type,
// or "" when there is none that differs from pass.
func defaultStub(d *doctocode.Definition) string {
	value := defaultValue(strings.TrimSpace(d.Returns))
	if value == "" {
		return ""
	}
	return "return " + value
}

var simpleDefaults = map[string]string{
	"int": "0", "float": "0.0", "complex": "0j", "bool": "False", "str": "''", "bytes": "b''", "bytearray": "bytearray()",
	"list": "[]", "dict": "{}", "tuple": "()", "set": "set()", "frozenset": "frozenset()", "object": "object()",
	"Text": "''", "List": "[]", "Dict": "{}", "Tuple": "()", "Set": "set()", "FrozenSet": "frozenset()",
	"Sequence": "[]", "MutableSequence": "[]", "Mapping": "{}", "MutableMapping": "{}", "Collection": "[]", "Iterable": "[]",
	"AbstractSet": "set()", "MutableSet": "set()", "Iterator": "iter(())", "Generator": "iter(())",
	"Path": "__import__('pathlib').Path()", "Decimal": "__import__('decimal').Decimal(0)",
	"defaultdict": "{}", "DefaultDict": "{}", "OrderedDict": "__import__('collections').OrderedDict()",
	"Counter": "__import__('collections').Counter()", "deque": "__import__('collections').deque()",
}

// defaultValue is a Python expression for a value of the annotated type that is
// not None, or "" when none is known.
func defaultValue(annotation string) string {
	annotation = unquoted(strings.TrimSpace(annotation))
	if parts := splitUnion(annotation); len(parts) > 1 {
		return firstDefault(parts)
	}
	name, _, _ := strings.Cut(annotation, "[")
	name = strings.TrimSpace(name)
	last := name[strings.LastIndexByte(name, '.')+1:]
	arguments := splitArguments(bracketed(annotation))
	switch last {
	case "Union", "Optional":
		return firstDefault(arguments)
	case "Literal":
		return firstLiteral(arguments)
	case "Annotated", "Final", "ClassVar", "Awaitable":
		if len(arguments) > 0 {
			return defaultValue(arguments[0])
		}
		return ""
	}
	return simpleDefaults[last]
}

// firstDefault is the default of the first member of a union that has one:
// None, which pass returns already, has none.
func firstDefault(parts []string) string {
	for _, p := range parts {
		if v := defaultValue(p); v != "" {
			return v
		}
	}
	return ""
}

// literal is a value that Literal[…] allows: a truth value, an integer, or a
// string without escapes.
var literal = regexp.MustCompile(`^(True|False|-?(0|[1-9][0-9]{0,17})|'[^'\\\pC]*'|"[^"\\\pC]*"|b'[ !#-&(-\[\]-~]*')$`)

func firstLiteral(parts []string) string {
	for _, p := range parts {
		if utf8.ValidString(p) && literal.MatchString(p) {
			return p
		}
	}
	return ""
}

// unquoted is the annotation inside a string.
func unquoted(annotation string) string {
	if n := len(annotation); n > 1 && (annotation[0] == '\'' || annotation[0] == '"') && annotation[n-1] == annotation[0] &&
		!strings.ContainsRune(annotation[1:n-1], rune(annotation[0])) {
		return unquoted(strings.TrimSpace(annotation[1 : n-1]))
	}
	return annotation
}

func bracketed(annotation string) string {
	start, end := strings.IndexByte(annotation, '['), strings.LastIndexByte(annotation, ']')
	if start < 0 || end < start {
		return ""
	}
	return annotation[start+1 : end]
}

func splitUnion(annotation string) []string { return splitOutside(annotation, '|') }

func splitArguments(arguments string) []string { return splitOutside(arguments, ',') }

// splitOutside splits at a separator that stands in no bracket and no string.
// The parts are trimmed; the last one only counts when it is not empty.
func splitOutside(s string, separator byte) []string {
	var parts []string
	depth, start := 0, 0
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0 && c == '\\':
			i++ // whatever follows does not end the string
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == '[' || c == '(' || c == '{':
			depth++
		case c == ']' || c == ')' || c == '}':
			depth--
		case c == separator && depth == 0:
			parts = append(parts, strings.TrimSpace(s[start:i]))
			start = i + 1
		}
	}
	if last := strings.TrimSpace(s[start:]); last != "" {
		parts = append(parts, last)
	}
	return parts
}
