package jsonlines

import (
	"encoding/json"
	"iter"
	"strings"
)

// Keys finds a key that an object gives twice: which of the two was meant
// cannot be known.
type Keys struct {
	fields []string
	seen   map[string]bool
}

// NewKeys names the fields whose case does not matter, as it does not to
// encoding/json.
func NewKeys(fields ...string) *Keys { return &Keys{fields, map[string]bool{}} }

// Twice looks at the object's own keys, not at those inside its values. data
// is a valid JSON object.
func (k *Keys) Twice(data []byte) (key string, found bool) {
	clear(k.seen)
	for literal := range literals(data) {
		key := k.name(literal)
		if k.seen[key] {
			return key, true
		}
		k.seen[key] = true
	}
	return "", false
}

// Own are the object's own keys, in its order, as they are written in it. data
// is a valid JSON object.
func Own(data []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		for literal := range literals(data) {
			if !yield(unquoted(literal)) {
				return
			}
		}
	}
}

// literals are the keys with their quotes.
func literals(data []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		depth, expected := 0, false
		for i := 0; i < len(data); i++ {
			switch data[i] {
			case '{', '[':
				depth++
				expected = depth == 1
			case '}', ']':
				depth--
			case ',':
				expected = depth == 1
			case '"':
				end := stringEnd(data, i)
				if expected {
					expected = false
					if !yield(data[i:end]) {
						return
					}
				}
				i = end - 1
			}
		}
	}
}

// stringEnd is the offset behind the string that begins at start.
func stringEnd(data []byte, start int) int {
	for i := start + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// name is a key as the object is read by it.
func (k *Keys) name(literal []byte) string {
	key := unquoted(literal)
	for _, f := range k.fields {
		if strings.EqualFold(f, key) {
			return f
		}
	}
	return key
}

// unquoted is a key without quotes and escapes; as it is where they are wrong.
func unquoted(literal []byte) string {
	key := strings.Trim(string(literal), `"`)
	if strings.Contains(key, `\`) && json.Unmarshal(literal, &key) != nil {
		return string(literal)
	}
	return key
}
