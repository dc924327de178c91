package bm25

import (
	"unicode"
	"unicode/utf8"
)

// longestToken bounds a token in bytes. What is longer is no name but data:
// encoded bytes, hashes, minified code.
const longestToken = 64

// Tokens calls yield with the words of a text, code or prose, in lower case and
// in order: each identifier whole, and, where it has several, the parts that
// capitals, underscores and digits divide it into (parseHTTPHeader2 gives
// parsehttpheader2, parse, http, header). Parts that are numbers and single
// letters are left out. The bytes are good until yield returns.
func Tokens(text []byte, yield func(token []byte)) {
	var s splitter
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if !isWord[c] {
				i++
				continue
			}
		} else if r, size := utf8.DecodeRune(text[i:]); !unicode.IsLetter(r) {
			i += size
			continue
		}
		end := identifierEnd(text, i)
		if end-i <= longestToken {
			s.split(text[i:end], yield)
		}
		i = end
	}
}

// isWord says which ASCII characters an identifier consists of.
var isWord = func() (is [utf8.RuneSelf]bool) {
	for c := range is {
		is[c] = 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
	}
	return is
}()

func identifierEnd(text []byte, from int) int {
	for from < len(text) {
		if c := text[from]; c < utf8.RuneSelf {
			if !isWord[c] {
				break
			}
			from++
			continue
		}
		r, size := utf8.DecodeRune(text[from:])
		if !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) {
			break
		}
		from += size
	}
	return from
}

// A splitter holds the lower-case copy of an identifier.
type splitter struct {
	lower []byte
	cuts  []int // where parts end in lower
}

func (s *splitter) split(identifier []byte, yield func([]byte)) {
	s.lower, s.cuts = s.lower[:0], s.cuts[:0]
	var last kind
	for i := 0; i < len(identifier); {
		r, size := rune(identifier[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(identifier[i:])
		}
		k := kindOf(r)
		switch {
		case i == 0 || k == last:
		case last == upper && k == lower:
			// The last of several capitals begins the next word: HTTPServer.
			if at := len(s.lower) - 1; at > 0 && (len(s.cuts) == 0 || s.cuts[len(s.cuts)-1] < at) && s.lower[at] < utf8.RuneSelf {
				s.cuts = append(s.cuts, at)
			}
		default:
			s.cuts = append(s.cuts, len(s.lower))
		}
		s.lower = utf8.AppendRune(s.lower, unicode.ToLower(r))
		last = k
		i += size
	}
	if whole := trimUnderscores(s.lower); len(whole) > 1 {
		yield(whole)
		if len(s.cuts) == 0 {
			return
		}
		s.cuts = append(s.cuts, len(s.lower))
		from := 0
		for _, to := range s.cuts {
			part := s.lower[from:to]
			from = to
			if len(part) > 1 && len(part) < len(whole) && part[0] != '_' && (part[0] < '0' || part[0] > '9') {
				yield(part)
			}
		}
	}
}

type kind int

const (
	lower kind = iota
	upper
	digit
	underscore
)

func kindOf(r rune) kind {
	switch {
	case r == '_':
		return underscore
	case '0' <= r && r <= '9':
		return digit
	case unicode.IsUpper(r):
		return upper
	}
	return lower
}

func trimUnderscores(b []byte) []byte {
	for len(b) > 0 && b[0] == '_' {
		b = b[1:]
	}
	for len(b) > 0 && b[len(b)-1] == '_' {
		b = b[:len(b)-1]
	}
	return b
}
