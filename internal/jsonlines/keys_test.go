package jsonlines

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestAKeyGivenTwiceIsFound(t *testing.T) {
	for _, c := range []struct{ object, want string }{
		{`{}`, ""},
		{`{"a":1,"b":2}`, ""},
		{`{"a":1,"a":2}`, "a"},
		{`{"a":"b","b":"a","c":"c"}`, ""},
		{`{"a":[{"x":1,"x":2},"a","a"],"b":{"a":1,"a":1}}`, ""},
		{`{"a":{"b":{}},"b":[],"a":0}`, "a"},
		{`{"a\"":1,"a":"\\","a\"":2}`, `a"`},
		{`{"":1,"":2}`, ""},
		{`{"x":1,"\u0078":2}`, "x"},
		{`{"x":1,"X":2}`, ""},
		{`{"repo":1,"REPO":2}`, "repo"},
	} {
		key, found := NewKeys("repo").Twice([]byte(c.object))
		if key != c.want || found != (c.want != "" || c.object == `{"":1,"":2}`) {
			t.Errorf("%s: %q, %v", c.object, key, found)
		}
	}
}

// FuzzKeys holds it against the tokens of encoding/json.
func FuzzKeys(f *testing.F) {
	f.Add([]byte(`{"a":[{"x":1,"x":"\\\""}],"b":{"a":"}"},"a":null}`))
	f.Add([]byte(`{"docstring":"","DocString":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.TrimSpace(data)
		if !json.Valid(data) || data[0] != '{' {
			return
		}
		keys := NewKeys("docstring")
		want := false
		seen := map[string]bool{}
		in := json.NewDecoder(bytes.NewReader(data))
		in.Token()
		for in.More() {
			token, err := in.Token()
			if err != nil {
				t.Fatal(err)
			}
			literal, err := json.Marshal(token)
			if err != nil {
				t.Fatal(err)
			}
			key := keys.name(literal)
			want = want || seen[key]
			seen[key] = true
			var value json.RawMessage
			if err := in.Decode(&value); err != nil {
				t.Fatal(err)
			}
		}
		if key, found := keys.Twice(data); found != want || found && !seen[key] {
			t.Fatalf("%s: %q, %v, want %v", data, key, found, want)
		}
	})
}
