// Package helpfulness asks a language model how much a docstring helps: the
// third of DocAgent's measures (Yang et al. 2025). The model grades summary,
// description and parameters from 1 to 5, those that are there. The prompt is
// in our own words.
package helpfulness

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"strings"
)

// V1 names the prompt. A version's text never changes.
const V1 = "helpfulness-v1"

// Temperature that the judge samples with.
const Temperature = 0.1

//go:embed prompts/helpfulness-v1.txt
var v1 string

// PromptSHA256 is the hash of the prompt's text, in hexadecimal.
func PromptSHA256() string {
	sum := sha256.Sum256([]byte(v1))
	return hex.EncodeToString(sum[:])
}

// Bounds of what the judge is shown of one text, in bytes.
const (
	mostCode = 24 << 10
	mostPart = 8 << 10
)

// prompt asks for the grades of some parts.
func prompt(code string, parts Parts) string {
	var shown, form []string
	for _, name := range Names {
		if text := parts.Of(name); text != "" {
			shown = append(shown, fmt.Sprintf("<%s>\n%s\n</%[1]s>", name, begin(text, mostPart)))
			form = append(form, fmt.Sprintf("%q: …", name))
		}
	}
	return strings.NewReplacer("{code}", begin(code, mostCode), "{parts}", strings.Join(shown, "\n\n"),
		"{form}", "{"+strings.Join(form, ", ")+"}").Replace(strings.TrimSpace(v1))
}

// begin is the beginning of a text that is too long to be shown.
func begin(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "\n[… the rest is left out]"
}
