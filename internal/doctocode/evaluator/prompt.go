package evaluator

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"

	"touchstone/internal/benchmark"
)

// A2V1 names the prompt of the paper's appendix A.2 (Listing 1).
//
// The text is the listing's, character by character, without a final line end.
// The listing prints its fences as three quote marks (”'python … ”'). They
// are read as backticks here: LaTeX typesets a backtick as an opening quote,
// the listing asks for "a code block", which in a model's reply is a fence of
// backticks, and three quote marks would be a string literal to Python. The
// unmarked fences around those of the listing in text versions of the paper
// belong to the conversion, not to the prompt.
const A2V1 = "a2-v1"

//go:embed prompts/a2-v1.txt
var a2v1 string

// placeholder is where a prompt takes the context.
const placeholder = "{left_context}"

// A Prompt is a versioned text that asks for a body. A version's text never
// changes: its hash is part of what a result depends on.
type Prompt struct {
	Version string
	Text    string // with {left_context}
	SHA256  string // of Text, in hexadecimal
}

// Prompts lists every prompt version.
var Prompts = []Prompt{newPrompt(A2V1, a2v1)}

func newPrompt(version, text string) Prompt {
	text = strings.TrimSuffix(text, "\n")
	sum := sha256.Sum256([]byte(text))
	return Prompt{Version: version, Text: text, SHA256: hex.EncodeToString(sum[:])}
}

// LookupPrompt finds a prompt by its version; an unknown one is a
// *benchmark.InputError.
func LookupPrompt(version string) (Prompt, error) {
	known := make([]string, len(Prompts))
	for i, p := range Prompts {
		if p.Version == version {
			return p, nil
		}
		known[i] = p.Version
	}
	return Prompt{}, &benchmark.InputError{Field: "prompt", Problem: fmt.Sprintf("%q is not a prompt version", version),
		Mend: "use one of " + strings.Join(known, ", ")}
}

// Fill puts a context into the prompt.
func (p Prompt) Fill(context string) string {
	return strings.Replace(p.Text, placeholder, context, 1)
}
