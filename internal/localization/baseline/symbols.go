package baseline

import "bytes"

// definers are the words that stand before the name that is defined, in most
// languages that have such words: Go, Python, Rust, JavaScript, TypeScript,
// Java, C#, Kotlin, Swift, Ruby, PHP, C and C++ (types and macros; a function
// of C has no word before its name).
var definers = map[string]bool{
	"func": true, "function": true, "fun": true, "def": true, "fn": true,
	"class": true, "struct": true, "enum": true, "union": true, "trait": true, "interface": true, "impl": true, "type": true,
	"namespace": true, "module": true, "mod": true, "package": true, "macro_rules": true, "define": true,
	"const": true, "var": true, "let": true, "static": true, "val": true,
}

// definitions are the names that a text defines, a name a line, each as often
// as it is defined.
func definitions(text []byte) []byte {
	var names bytes.Buffer
	for i := 0; i < len(text); {
		if !isName(text[i]) {
			i++
			continue
		}
		end := nameEnd(text, i)
		if definers[string(text[i:end])] && begins(text, i) {
			if from := nameBehind(text, end); from > 0 {
				names.Write(text[from:nameEnd(text, from)])
				names.WriteByte('\n')
			}
		}
		i = end
	}
	return names.Bytes()
}

// begins reports whether a word at i may introduce a definition: not behind a
// dot, a quote or the like.
func begins(text []byte, i int) bool {
	return i == 0 || bytes.IndexByte([]byte(" \t\r\n;{}(#"), text[i-1]) >= 0
}

// nameBehind is where the defined name begins, on the same line, 0 when none
// does. Between may be the receiver of Go's methods, the star of a generator
// and the exclamation mark of a macro.
func nameBehind(text []byte, i int) int {
	start := i
	for i < len(text) {
		switch c := text[i]; {
		case c == '(' && text[start-1] == 'c': // func (receiver) name
			end := bytes.IndexAny(text[i:min(len(text), i+longestReceiver)], ")\n")
			if end < 0 || text[i+end] == '\n' {
				return 0
			}
			i += end + 1
			continue
		case c == ' ' || c == '\t' || c == '*' || c == '!':
			i++
			continue
		case i > start && isName(c) && (c < '0' || c > '9'):
			return i
		}
		return 0
	}
	return 0
}

const longestReceiver = 200

func nameEnd(text []byte, i int) int {
	for i < len(text) && isName(text[i]) {
		i++
	}
	return i
}

func isName(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$'
}
