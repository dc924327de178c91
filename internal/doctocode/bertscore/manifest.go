package bertscore

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"touchstone/internal/benchmark"
)

// The files of a model.
const (
	ModelFile     = "model.onnx"
	TokenizerFile = "tokenizer.json"
	ManifestFile  = "manifest.json"
)

// A Manifest says what a registered model is. Everything in it determines the
// scores.
type Manifest struct {
	Kind      Kind   `json:"kind"`
	Name      string `json:"name"`       // as its authors call it, for people
	Layer     int    `json:"layer"`      // whose vectors the output holds
	MaxLength int    `json:"max_length"` // tokens, those around a text included
	Output    string `json:"output"`     // of the model: a vector for each token
	Width     int    `json:"width"`      // of a vector
	Prefix    bool   `json:"prefix_space"`
	Files     []File `json:"files"` // sorted by name
}

// A File is one of a model's.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"`
}

// Bounds of a manifest.
const (
	longestName   = 200
	mostLayers    = 1000
	leastTokens   = 8
	mostTokens    = 1 << 17
	longestOutput = 200
)

// ID names the model and everything about it that scores depend on.
func (m Manifest) ID() string {
	data, _ := json.Marshal(m)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])[:16]
}

// Bytes is the size of the model's files.
func (m Manifest) Bytes() (sum int64) {
	for _, f := range m.Files {
		sum += f.Bytes
	}
	return sum
}

// String is the model in words: roberta-large, layer 17.
func (m Manifest) String() string { return fmt.Sprintf("%s, layer %d", m.Name, m.Layer) }

// ParseManifest reads a manifest. Errors are *benchmark.InputError.
func ParseManifest(file string, data []byte) (Manifest, error) {
	var m Manifest
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	err := decoder.Decode(&m)
	if err == nil {
		if _, more := decoder.Token(); more != io.EOF {
			err = fmt.Errorf("something follows the object")
		}
	}
	if err != nil {
		return m, &benchmark.InputError{File: file, Problem: "is no manifest: " + err.Error(), Mend: registerAgain}
	}
	return m, m.check(file)
}

const registerAgain = "register the model again"

var hexadecimal = regexp.MustCompile(`^[0-9a-f]{64}$`)

// Described checks what a person says of a model before it is tried.
func (m Manifest) Described() error { return m.described("") }

func (m Manifest) described(file string) error {
	bad := func(field, problem, mend string) error {
		return &benchmark.InputError{File: file, Field: field, Problem: problem, Mend: mend}
	}
	if _, err := ParseKind(string(m.Kind)); err != nil {
		return bad("kind", fmt.Sprintf("is %q", m.Kind), registerAgain)
	}
	switch {
	case strings.TrimSpace(m.Name) == "" || len(m.Name) > longestName || !utf8.ValidString(m.Name) || strings.ContainsFunc(m.Name, func(r rune) bool { return r < ' ' }):
		return bad("name", "is empty, longer than 200 bytes, or not text of one line", "give the model's name, such as "+m.Kind.Usual().Model)
	case m.Layer < 0 || m.Layer > mostLayers:
		return bad("layer", fmt.Sprintf("is %d", m.Layer), "give the layer that the export ends at, such as 17")
	case m.MaxLength < leastTokens || m.MaxLength > mostTokens:
		return bad("max_length", fmt.Sprintf("is %d", m.MaxLength), fmt.Sprintf("give %d to %d tokens", leastTokens, mostTokens))
	}
	return nil
}

func (m Manifest) check(file string) error {
	bad := func(field, problem, mend string) error {
		return &benchmark.InputError{File: file, Field: field, Problem: problem, Mend: mend}
	}
	if err := m.described(file); err != nil {
		return err
	}
	if m.Width < 1 || m.Output == "" || len(m.Output) > longestOutput {
		return bad("output", "is missing", registerAgain)
	}
	var names []string
	for _, f := range m.Files {
		if f.Name != filepath.Base(f.Name) || f.Name == ManifestFile || strings.HasPrefix(f.Name, ".") || f.Bytes < 0 || !hexadecimal.MatchString(f.SHA256) {
			return bad("files", fmt.Sprintf("%q is no file of a model", f.Name), registerAgain)
		}
		names = append(names, f.Name)
	}
	if !slices.IsSorted(names) || len(slices.Compact(slices.Clone(names))) != len(names) || !slices.Contains(names, ModelFile) || !slices.Contains(names, TokenizerFile) {
		return bad("files", fmt.Sprintf("are %s", strings.Join(names, ", ")), registerAgain)
	}
	return nil
}
