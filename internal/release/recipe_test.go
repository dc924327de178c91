package release

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
)

type recipe struct {
	Release struct {
		Name    string `toml:"name"`
		Version string `toml:"version"`
	} `toml:"release"`
}

func TestARecipeThatCannotBeReadSaysWhere(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.toml")
	if err := os.WriteFile(large, make([]byte, maxRecipe+1), 0o644); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		filepath.Join(dir, "none.toml"): "recipe: there is no file",
		dir:                             "recipe: there is no file",
		large:                           "is larger than 1 MiB; split it into several releases",
	} {
		_, err := ReadRecipe(file)
		if _, input := errors.AsType[*benchmark.InputError](err); !input || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	for text, want := range map[string]string{
		"[release]\nnam = \"a\"\n":    "r.toml:2: release.nam: is no key of a recipe of this track",
		"[release]\nversion = 1\n":    "r.toml:2: release.version:",
		"[release]\nname = \"a\n":     "r.toml:2:",
		"[release]\nname = \"a\xff\"": "r.toml:2:",
	} {
		err := DecodeRecipe("r.toml", []byte(text), new(recipe))
		if _, input := errors.AsType[*benchmark.InputError](err); !input || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
	var r recipe
	if err := DecodeRecipe("r.toml", []byte("[release]\nname = \"a\"\n"), &r); err != nil || r.Release.Name != "a" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestReleasesHaveNamesThatFilesAndAddressesCanHave(t *testing.T) {
	for _, c := range []struct{ name, version, field string }{
		{"starter", "1", ""}, {"a-2", "1.0-rc.1", ""},
		{"Starter", "1", "release.name"}, {"", "1", "release.name"}, {"-a", "1", "release.name"}, {"a/b", "1", "release.name"},
		{"a", "", "release.version"}, {"a", ".1", "release.version"}, {"a", "1/2", "release.version"},
	} {
		err := CheckName(c.name, c.version)
		if (err == nil) != (c.field == "") || err != nil && err.Field != c.field {
			t.Errorf("%q@%q: %v", c.name, c.version, err)
		}
	}
	for text, want := range map[string]string{"Schema": "schema", "python_tabulate.2": "python-tabulate-2", "_x_": "x"} {
		if got := NameOf(text); got != want || CheckName(got, "1") != nil {
			t.Errorf("%q: %q instead of %q", text, got, want)
		}
	}
}
