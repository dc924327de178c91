package prompts

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
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
	SHA256  string // of Text, and of the templates that it is used with, in hexadecimal
	parsed  *template.Template
}

// loadTemplate reads templates/version.txt. Parts are templates that its text
// refers to by name; they belong to its hash.
func loadTemplate(version string, parts ...Template) Template {
	data, err := templateFiles.ReadFile("templates/" + version + ".txt")
	if err != nil {
		panic(err) // it is embedded
	}
	text := strings.TrimSuffix(string(data), "\n")
	parsed := template.Must(template.New(version).Parse(text))
	sum := sha256.New()
	sum.Write([]byte(text))
	for _, part := range parts {
		template.Must(parsed.AddParseTree(part.Version, part.parsed.Tree))
		sum.Write([]byte("\n" + part.SHA256))
	}
	return Template{version, text, hex.EncodeToString(sum.Sum(nil)), parsed}
}

func (t Template) fill(data any) (string, error) {
	var b strings.Builder
	if err := t.parsed.Execute(&b, data); err != nil {
		return "", err
	}
	return b.String(), nil
}

// loadTemplates is one template a level; format has its name for %s.
func loadTemplates(format string, parts ...Template) map[localization.Level]Template {
	m := map[localization.Level]Template{}
	for _, level := range localization.Levels {
		m[level] = loadTemplate(fmt.Sprintf(format, level), parts...)
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
