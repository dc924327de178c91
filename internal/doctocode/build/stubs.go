package build

import (
	"strings"

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

func defaultValue(annotation string) string {
	annotation = strings.Trim(annotation, "'\"")
	name, _, _ := strings.Cut(annotation, "[")
	name = strings.TrimSpace(name)
	if parts := splitUnion(annotation); len(parts) > 1 {
		return firstDefault(parts)
	}
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch last {
	case "Union":
		return firstDefault(splitArguments(bracketed(annotation)))
	case "Optional":
		return "" // None, which pass returns already
	case "Literal":
		if parts := splitArguments(bracketed(annotation)); len(parts) > 0 {
			return parts[0]
		}
		return ""
	case "Annotated", "Final", "ClassVar", "Awaitable":
		if parts := splitArguments(bracketed(annotation)); len(parts) > 0 {
			return defaultValue(parts[0])
		}
		return ""
	}
	return simpleDefaults[last]
}

// firstDefault: a union with None has pass's own value, so its default is the
// first member that differs from it.
func firstDefault(parts []string) string {
	for _, p := range parts {
		if v := defaultValue(p); v != "" {
			return v
		}
	}
	return ""
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
func splitOutside(s string, separator byte) []string {
	var parts []string
	depth, start := 0, 0
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
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
