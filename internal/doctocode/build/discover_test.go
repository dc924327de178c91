package build

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"touchstone/internal/sandbox/sandboxtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestDiscoverGolden reads small repositories, each of one kind. Their
// __init__.py would fail if it were imported.
func TestDiscoverGolden(t *testing.T) {
	box, python := sandboxtest.Local(t), needPython(t)
	const folder = "testdata/discover"
	cases, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		if !c.IsDir() {
			continue
		}
		t.Run(c.Name(), func(t *testing.T) {
			spec, err := ParseSource(filepath.Join(folder, c.Name()), "")
			if err != nil {
				t.Fatal(err)
			}
			source, err := Fetch(t.Context(), spec, filepath.Join(t.TempDir(), "tree"))
			if err != nil {
				t.Fatal(err)
			}
			d, err := Discover(t.Context(), box, python, source)
			if err != nil {
				t.Fatal(err)
			}
			got, err := json.MarshalIndent(d, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, '\n')
			golden := filepath.Join(folder, c.Name()+".json")
			if *update {
				if err := os.WriteFile(golden, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if string(got) != string(want) {
				t.Errorf("discovery gives\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestDiscoverReadsPublishedMetadata(t *testing.T) {
	box, python := sandboxtest.Local(t), needPython(t)
	dir := filepath.Join(t.TempDir(), "tree")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "setup.py"), []byte("from setuptools import setup\nsetup(**read_config())\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := Discover(t.Context(), box, python, Source{Dir: dir, Info: map[string]string{
		"PKG-INFO":         "Metadata-Version: 1.2\nName: kept\nVersion: 4.5\nClassifier: License :: OSI Approved :: MIT License\nRequires-Python: >=3.9\n",
		"requires.txt":     "six\n\n[:python_version < \"3\"]\nenum34\n\n[tests]\npytest-mock\n",
		"entry_points.txt": "[console_scripts]\nkept = kept:main\n",
	}})
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != "kept" || d.Version != "4.5" || d.License != "MIT License" || d.RequiresPython != ">=3.9" || d.EntryPoints["console_scripts"]["kept"] != "kept:main" {
		t.Errorf("the metadata is %+v", d)
	}
	var texts []string
	for _, r := range d.Requirements {
		texts = append(texts, string(r.Kind)+" "+r.Text)
	}
	want := []string{"runtime six", `runtime enum34 ; python_version < "3"`, "test pytest-mock"}
	if !slices.Equal(texts, want) {
		t.Errorf("the requirements are %q, want %q", texts, want)
	}
}
