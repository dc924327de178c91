package release

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"touchstone/internal/benchmark"
)

const (
	maxRecipe = 1 << 20 // bytes
	// MaxRepositoryName is the greatest length of a repository's name, since
	// files are named after it.
	MaxRepositoryName = 200
)

// ReadRecipe reads a recipe's file. One that is not there or too large is a
// *benchmark.InputError.
func ReadRecipe(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil || info.IsDir() {
		return nil, &benchmark.InputError{Field: "recipe", Problem: fmt.Sprintf("there is no file %q", file), Mend: "give the path of a TOML file"}
	}
	if info.Size() > maxRecipe {
		return nil, &benchmark.InputError{File: file, Problem: "is larger than 1 MiB", Mend: "split it into several releases"}
	}
	return os.ReadFile(file)
}

// DecodeRecipe reads a recipe's TOML; file is its name in errors. Unknown keys
// are errors. Each is a *benchmark.InputError.
func DecodeRecipe(file string, text []byte, into any) error {
	err := toml.NewDecoder(strings.NewReader(string(text))).DisallowUnknownFields().Decode(into)
	if err == nil {
		return nil
	}
	if unknown, ok := errors.AsType[*toml.StrictMissingError](err); ok && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return &benchmark.InputError{File: file, Line: line, Field: strings.Join(first.Key(), "."), Problem: "is no key of a recipe of this track", Mend: "take it out, or check its spelling"}
	}
	if decode, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := decode.Position()
		return &benchmark.InputError{File: file, Line: line, Field: strings.Join(decode.Key(), "."), Problem: strings.TrimPrefix(decode.Error(), "toml: "), Mend: "correct the TOML; versions and dates stand in quotes"}
	}
	return &benchmark.InputError{File: file, Problem: strings.TrimPrefix(err.Error(), "toml: "), Mend: "correct the TOML"}
}

var (
	nameForm    = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*$`)
	nameUnsafe  = regexp.MustCompile(`[^A-Za-z0-9-]+`)
	versionForm = regexp.MustCompile(`^[0-9A-Za-z][0-9A-Za-z.-]*$`)
)

// CheckName says what is wrong with the name and version that a recipe gives a
// release, nil when nothing is.
func CheckName(name, version string) *benchmark.InputError {
	switch {
	case !nameForm.MatchString(name):
		return &benchmark.InputError{Field: "release.name", Problem: fmt.Sprintf("%q is not a name", name), Mend: "use lower-case letters, digits and hyphens"}
	case !versionForm.MatchString(version):
		return &benchmark.InputError{Field: "release.version", Problem: fmt.Sprintf("%q is not a version", version), Mend: `write it as a string, for example "1"`}
	}
	return nil
}

// NameOf makes the name of a release out of a text such as a repository's name.
func NameOf(text string) string {
	return strings.Trim(strings.ToLower(nameUnsafe.ReplaceAllString(text, "-")), "-")
}
