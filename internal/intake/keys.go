package intake

import (
	"encoding/json"
	"strings"
)

// fields are those that a row is read from. Their case does not matter.
var fields = []string{"task_id", "repo", "path", "qualname", "ordinal", "docstring"}

// keys finds a key that an object gives twice: which of the two was meant
// cannot be known.
type keys map[string]bool

// twice looks at the object's own keys, not at those inside its values. data
// is a valid JSON object.
func (k keys) twice(data []byte) (key string, found bool) {
	clear(k)
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
				key := keyName(data[i:end])
				if k[key] {
					return key, true
				}
				k[key] = true
			}
			i = end - 1
		}
	}
	return "", false
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

// keyName is a key as the row is read by it.
func keyName(literal []byte) string {
	key := strings.Trim(string(literal), `"`)
	if strings.Contains(key, `\`) && json.Unmarshal(literal, &key) != nil {
		return string(literal)
	}
	for _, f := range fields {
		if strings.EqualFold(f, key) {
			return f
		}
	}
	return key
}
