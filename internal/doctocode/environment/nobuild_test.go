package environment

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// evilSource writes a source archive whose setup.py leaves a mark when it runs.
func evilSource(t *testing.T, file, mark string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for name, text := range map[string]string{
		"evil-1.0/setup.py": "open(" + quoted(mark) + ", 'w')\nfrom setuptools import setup\nsetup(name='evil', version='1.0')\n",
		"evil-1.0/PKG-INFO": "Metadata-Version: 1.0\nName: evil\nVersion: 1.0\n",
	} {
		if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(text))}); err != nil {
			t.Fatal(err)
		}
		w.Write([]byte(text))
	}
	w.Close()
	z.Close()
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func quoted(s string) string { return "'" + s + "'" }

// wheelThatNeeds writes a wheel of carrier 1.0 with one requirement.
func wheelThatNeeds(t *testing.T, dir, requirement string) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"carrier.py":                     "",
		"carrier-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: carrier\nVersion: 1.0\nRequires-Dist: " + requirement + "\n",
		"carrier-1.0.dist-info/WHEEL":    "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
		"carrier-1.0.dist-info/RECORD":   "",
	} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(text))
	}
	w.Close()
	if err := os.WriteFile(filepath.Join(dir, "carrier-1.0-py3-none-any.whl"), b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestResolvingNeverRunsAPackage(t *testing.T) {
	p := findPython(t)
	t.Setenv("PIP_NO_INDEX", "1")
	dir, mark := t.TempDir(), filepath.Join(t.TempDir(), "mark")
	source := filepath.Join(dir, "evil-1.0.tar.gz")
	evilSource(t, source, mark)
	wheelThatNeeds(t, dir, "evil @ file://"+source)
	for what, name := range map[string]string{"a source archive": "evil", "a wheel that needs the URL of one": "carrier"} {
		_, err := Resolve(t.Context(), p, []Requirement{{Text: name}}, LockOptions{Wheels: dir})
		if err == nil {
			t.Errorf("%s was resolved", what)
		}
		if exists(mark) {
			t.Fatalf("%s ran its setup.py outside the sandbox (%v)", what, err)
		}
	}
	_, err := Resolve(t.Context(), p, []Requirement{{Text: "carrier"}}, LockOptions{Wheels: dir})
	var unresolved *UnresolvedError
	if !errors.As(err, &unresolved) || unresolved.Kind != NoWheel || unresolved.Requirement != "evil" {
		t.Errorf("the error does not name the package: %v", err)
	}
}

func TestNoIndexIsNotTheRequirementsFault(t *testing.T) {
	p := findPython(t)
	t.Setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
	t.Setenv("PIP_EXTRA_INDEX_URL", "")
	t.Setenv("PIP_FIND_LINKS", "")
	t.Setenv("PIP_RETRIES", "0")
	var index *IndexError
	if _, err := Resolve(t.Context(), p, []Requirement{{Text: "iniconfig"}}, LockOptions{}); !errors.As(err, &index) {
		t.Errorf("resolving: %v", err)
	}
	if _, err := DownloadSource(t.Context(), p, "schema", "0.7.7", t.TempDir()); !errors.As(err, &index) {
		t.Errorf("downloading: %v", err)
	}
	if _, err := Create(t.Context(), p, Lock{Packages: []Package{{"iniconfig", "2.0.0", []string{someHash}}}}, t.TempDir(), CreateOptions{}); !errors.As(err, &index) {
		t.Errorf("installing: %v", err)
	}
}
