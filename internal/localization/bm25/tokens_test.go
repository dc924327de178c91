package bm25

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func tokensOf(text string) []string {
	var all []string
	Tokens([]byte(text), func(token []byte) { all = append(all, string(token)) })
	return all
}

func TestIdentifiersAreWordsAndDividedIntoParts(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"plain words, twice: plain", []string{"plain", "words", "twice", "plain"}},
		{"parseHeader", []string{"parseheader", "parse", "header"}},
		{"HTTPServer", []string{"httpserver", "http", "server"}},
		{"parseHTTPHeader2", []string{"parsehttpheader2", "parse", "http", "header"}},
		{"snake_case_name", []string{"snake_case_name", "snake", "case", "name"}},
		{"__init__", []string{"init"}},
		{"_private", []string{"private"}},
		{"MAX_SIZE", []string{"max_size", "max", "size"}},
		{"utf8Decode", []string{"utf8decode", "utf", "decode"}},
		{"resp3 404", []string{"resp3", "resp", "404"}},
		{"a.B-c x", nil},
		{"aB", []string{"ab"}},
		{"IDs", []string{"ids", "ds"}},
		{"src/server/list_family.cc", []string{"src", "server", "list_family", "list", "family", "cc"}},
		{"größeÄndern Ёлка", []string{"größeändern", "größe", "ändern", "ёлка"}},
		{"don't", []string{"don"}},
		{"bad\xffbytes", []string{"bad", "bytes"}},
		{strings.Repeat("x", 64), []string{strings.Repeat("x", 64)}},
		{strings.Repeat("x", 65) + " y2k", []string{"y2k"}},
	} {
		if got := tokensOf(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%.80q: %q, want %q", c.text, got, c.want)
		}
	}
}

// FuzzTokens: whatever the bytes, tokens are lower-case text of the text's own
// letters and digits, between one and longestToken long.
func FuzzTokens(f *testing.F) {
	f.Add([]byte("func (s *HTTPServer2) parse_it() // größe"))
	f.Add([]byte("\xff\xfeA\x00Z_É9"))
	f.Fuzz(func(t *testing.T, text []byte) {
		lower := strings.ToLower(string(text))
		Tokens(text, func(token []byte) {
			s := string(token)
			if len(s) < 2 || utf8.RuneCountInString(s) > longestToken {
				t.Fatalf("%q is a token", s)
			}
			for _, r := range s {
				if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && r != '_' {
					t.Fatalf("%q holds %q", s, r)
				}
			}
			if utf8.Valid(text) && !strings.Contains(lower, s) {
				t.Fatalf("%q is not in %q", s, lower)
			}
		})
	})
}
