package build

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
)

const goodRecipe = `
[release]
name = "small"
version = "1"

[[repository]]
name = "keleshev/schema"
source = "pypi:schema==0.7.7"

[[repository]]
name = "acme/tool"
source = "../tool"
commit = "abc123"
python = "3.11"
requirements = ["pytest<8", "numpy"]
without = ["pandas"]
python_path = ["src", "."]
pytest_args = ["-o", "addopts="]
deselect = ["tests/test_net.py"]
allow_source_builds = true
notes = "why"
`

func TestParseRecipe(t *testing.T) {
	r, err := ParseRecipe("recipe.toml", []byte(goodRecipe))
	if err != nil {
		t.Fatal(err)
	}
	if r.Release.Context != PrefixContext || r.Release.MaxSeconds != DefaultMaxSeconds {
		t.Errorf("the defaults are %+v", r.Release)
	}
	q := r.Repositories[1]
	if len(r.Repositories) != 2 || q.Commit != "abc123" || q.Requirements[1] != "numpy" || q.Without[0] != "pandas" || q.PythonPath[0] != "src" || !q.AllowSourceBuilds {
		t.Errorf("the second repository is %+v", q)
	}
}

func TestLoadRecipeTakesFoldersFromItsOwn(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "recipes", "small.toml")
	writeFiles(t, dir, map[string]string{"recipes/small.toml": goodRecipe})
	r, err := LoadRecipe(file)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Repositories[1].Source; got != filepath.Join(dir, "tool") {
		t.Errorf("the folder is %s", got)
	}
	if got := r.Repositories[0].Source; got != "pypi:schema==0.7.7" {
		t.Errorf("the archive is %s", got)
	}
	var input *benchmark.InputError
	if _, err := LoadRecipe(filepath.Join(dir, "none.toml")); !errors.As(err, &input) {
		t.Errorf("a file that is not there: %v", err)
	}
	if err := os.WriteFile(file, []byte("[release"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadRecipe(file); !errors.As(err, &input) || input.File != file || input.Line != 1 {
		t.Errorf("not TOML: %v", err)
	}
}

func TestParseRecipeSaysWhatIsWrong(t *testing.T) {
	const release = "[release]\nname = \"small\"\nversion = \"1\"\n"
	const repository = "[[repository]]\nname = \"acme/tool\"\nsource = \"pypi:tool==1\"\n"
	for _, c := range []struct {
		what, text, want string
		line             int
	}{
		{"not TOML", release + "[[repository]\n", "recipe.toml:4", 4},
		{"a key that is none", release + repository + "pyhton = \"3.11\"\n", "recipe.toml:7: repository.pyhton: is no key of a recipe", 7},
		{"a table that is none", release + repository + "[options]\n", "is no key of a recipe", 7},
		{"a wrong type", release + repository + "requirements = \"numpy\"\n", "recipe.toml:7", 7},
		{"no release", repository, `release.name: "" is not a name`, 0},
		{"a name with capitals", strings.Replace(release, "small", "Small", 1) + repository, "release.name", 0},
		{"a version that is a number", strings.Replace(release, `"1"`, "1", 1) + repository, "recipe.toml:3", 3},
		{"an unknown policy", release + "context = \"whole\"\n" + repository, "use prefix-v1 or scope-v1", 0},
		{"a negative limit", release + "max_seconds = -1.0\n" + repository, "release.max_seconds", 0},
		{"no repository", release, "repository: there is none", 0},
		{"a repository without owner", release + strings.Replace(repository, "acme/tool", "tool", 1), "write it as owner/name", 0},
		{"a name for no file", release + strings.Replace(repository, "acme/tool", "acme/"+strings.Repeat("x", 300), 1), "repository 1: name: is longer than 200 characters", 0},
		{"two whose files would have the same names", release + strings.Replace(repository, "acme/tool", "acme/my__tool", 1) + strings.Replace(repository, "acme/tool", "acme__my/tool", 1), "its files would have the names of another's", 0},
		{"no source", release + "[[repository]]\nname = \"acme/tool\"\n", "source: is missing", 0},
		{"a repository twice", release + repository + repository, "twice", 0},
		{"a requirement that is an option", release + repository + "requirements = [\"--pre\"]\n", `"--pre" is not a requirement`, 0},
		{"a requirement that is a URL", release + repository + "requirements = [\"x @ https://host.example/x\"]\n", "is not a requirement", 0},
		{"leaving out a version", release + repository + "without = [\"numpy>1\"]\n", "give names without versions", 0},
		{"a path out of the tree", release + repository + "python_path = [\"../other\"]\n", "is not a folder of the repository", 0},
	} {
		_, err := ParseRecipe("recipe.toml", []byte(c.text))
		var input *benchmark.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) || input.Line != c.line || input.Mend == "" {
			t.Errorf("%s: got %v, want %q at line %d", c.what, err, c.want, c.line)
		}
	}
}
