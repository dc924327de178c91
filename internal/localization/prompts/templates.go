package prompts

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"strings"
	"text/template"

	"touchstone/internal/localization"
)

//go:embed templates
var templateFiles embed.FS

// A Template is a versioned text. A version's text never changes: its hash is
// part of what a release states.
type Template struct {
	Version string // minimal-v1
	Text    string
	SHA256  string // of Text, in hexadecimal
	parsed  *template.Template
}

func loadTemplate(version string) Template {
	data, err := templateFiles.ReadFile("templates/" + version + ".txt")
	if err != nil {
		panic(err) // it is embedded
	}
	text := strings.TrimSuffix(string(data), "\n")
	sum := sha256.Sum256([]byte(text))
	return Template{version, text, hex.EncodeToString(sum[:]), template.Must(template.New(version).Option("missingkey=error").Parse(text))}
}

func (t Template) fill(data any) (string, error) {
	var b strings.Builder
	if err := t.parsed.Execute(&b, data); err != nil {
		return "", err
	}
	return b.String(), nil
}

// loadTemplates is one template a level, named level-version.
func loadTemplates(suffix string) map[localization.Level]Template {
	m := map[localization.Level]Template{}
	for _, level := range localization.Levels {
		m[level] = loadTemplate(string(level) + suffix)
	}
	return m
}

// hashesOf is the form in which a release states templates.
func hashesOf(templates map[localization.Level]Template) map[localization.Level]string {
	m := map[localization.Level]string{}
	for level, t := range templates {
		m[level] = t.SHA256
	}
	return m
}
