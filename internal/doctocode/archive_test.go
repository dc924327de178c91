package doctocode

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

// writeTree writes files below a new folder; a content that begins with -> is
// the target of a symbolic link.
func writeTree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(content, "->"); ok {
			err = os.Symlink(target, full)
		} else {
			err = os.WriteFile(full, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func readTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if d.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(name)
			files[rel] = "->" + target
			return err
		}
		content, err := os.ReadFile(name)
		files[rel] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func pack(t *testing.T, dir string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := PackTree(dir, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestPackUnpackGivesTheTreeBack(t *testing.T) {
	files := map[string]string{
		"a.py":                               "print('a')\n",
		"empty":                              "",
		"package/__init__.py":                "",
		"package/größe ü.py":                 "x = 1\n",
		"package/link.py":                    "->../a.py",
		"folder-link":                        "->package",
		strings.Repeat("d/", 60) + "deep.py": "deep\n",
	}
	dir := writeTree(t, files)
	if err := os.Chmod(filepath.Join(dir, "a.py"), 0o700); err != nil {
		t.Fatal(err)
	}
	first := pack(t, dir)
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(dir, "empty"), later, later); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, pack(t, dir)) {
		t.Error("two archives of equal trees differ")
	}
	out := filepath.Join(t.TempDir(), "tree")
	if err := UnpackTree(bytes.NewReader(first), out); err != nil {
		t.Fatal(err)
	}
	got := readTree(t, out)
	for name, content := range files {
		if got[name] != content {
			t.Errorf("%s is %q, want %q", name, got[name], content)
		}
	}
	if len(got) != len(files) {
		t.Errorf("there are %d files, want %d", len(got), len(files))
	}
	for name, mode := range map[string]fs.FileMode{"a.py": 0o755, "empty": 0o644, "package": 0o755 | fs.ModeDir} {
		info, err := os.Stat(filepath.Join(out, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode() != mode || !info.ModTime().Equal(TreeTime) {
			t.Errorf("%s is %v %v, want %v %v", name, info.Mode(), info.ModTime(), mode, TreeTime)
		}
	}
	if !bytes.Equal(first, pack(t, out)) {
		t.Error("the archive of the unpacked tree differs")
	}
}

type entry struct {
	kind          byte
	name, content string // the content of a link is its target
}

func tarOf(t testing.TB, entries []entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Typeflag: e.kind, Name: e.name, Mode: 0o644}
		if e.kind == tar.TypeReg {
			h.Size = int64(len(e.content))
		} else {
			h.Linkname = e.content
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if e.kind == tar.TypeReg {
			io.WriteString(w, e.content)
		}
	}
	w.Close()
	return b.Bytes()
}

var encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithLowerEncoderMem(true))

func compressed(t testing.TB, data []byte) []byte {
	t.Helper()
	return encoder.EncodeAll(data, nil)
}

func TestUnpackTreeRefuses(t *testing.T) {
	file := func(name string) entry { return entry{tar.TypeReg, name, "x"} }
	for what, entries := range map[string][]entry{
		"a name above the tree":            {file("../evil")},
		"a name that goes up and down":     {file("a/../../evil")},
		"an absolute name":                 {file("/etc/evil")},
		"a link out of the tree":           {{tar.TypeSymlink, "a", "../outside"}},
		"an absolute link":                 {{tar.TypeSymlink, "a", "/etc/passwd"}},
		"a link through a link":            {file("d/e/x"), {tar.TypeSymlink, "d/e/f", "../.."}, {tar.TypeSymlink, "l", "d/e/f/../secret"}},
		"a link to nowhere":                {{tar.TypeSymlink, "a", "b"}},
		"a link to itself":                 {{tar.TypeSymlink, "a", "a"}},
		"a file below a link":              {{tar.TypeSymlink, "a", "/tmp"}, file("a/evil")},
		"a hard link out of the tree":      {{tar.TypeLink, "a", "../outside"}},
		"a hard link to an absolute path":  {{tar.TypeLink, "a", "/etc/passwd"}},
		"a hard link to a later file":      {{tar.TypeLink, "a", "b"}, file("b")},
		"a device":                         {{tar.TypeChar, "null", ""}},
		"a pipe":                           {{tar.TypeFifo, "pipe", ""}},
		"the same name twice":              {file("a"), file("a")},
		"a file where a folder is":         {file("a/b"), file("a")},
		"a folder where a file is":         {file("a"), file("a/b")},
		"something that is no file's name": {file(".")},
	} {
		t.Run(what, func(t *testing.T) {
			parent := t.TempDir()
			err := UnpackTree(bytes.NewReader(compressed(t, tarOf(t, entries))), filepath.Join(parent, "tree"))
			if err == nil {
				t.Error("it was unpacked")
			}
			if others, _ := os.ReadDir(parent); len(others) != 1 {
				t.Errorf("something was written outside the tree: %v", others)
			}
		})
	}
}

func TestUnpackTreeHoldsItsLimits(t *testing.T) {
	bomb := compressed(t, tarOf(t, []entry{{tar.TypeReg, "zeros", strings.Repeat("\x00", 64<<20)}}))
	err := UnpackTree(bytes.NewReader(bomb), filepath.Join(t.TempDir(), "tree"))
	var tree *TreeError
	if !errors.As(err, &tree) || !strings.Contains(tree.Problem, "times its size") {
		t.Errorf("a bomb of %d bytes: %v", len(bomb), err)
	}
	for what, limits := range map[string]TreeLimits{
		"files": {Files: 2, Bytes: 100},
		"bytes": {Files: 10, Bytes: 2},
	} {
		w, err := NewTreeWriter(filepath.Join(t.TempDir(), "tree"), limits, nil)
		if err != nil {
			t.Fatal(err)
		}
		data := tarOf(t, []entry{{tar.TypeReg, "a", "x"}, {tar.TypeReg, "b", "x"}, {tar.TypeReg, "c", "x"}})
		if err := UntarTree(bytes.NewReader(data), w, admitAll); !errors.As(err, &tree) {
			t.Errorf("more %s than allowed: %v", what, err)
		}
		w.Abort()
	}
}

func TestHardLinksBecomeCopies(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tree")
	data := compressed(t, tarOf(t, []entry{{tar.TypeReg, "a", "x"}, {tar.TypeLink, "b", "a"}}))
	if err := UnpackTree(bytes.NewReader(data), dir); err != nil {
		t.Fatal(err)
	}
	if got := readTree(t, dir)["b"]; got != "x" {
		t.Errorf("b is %q", got)
	}
}

func FuzzUnpackTree(f *testing.F) {
	f.Add(tarOf(f, []entry{{tar.TypeReg, "a/b.py", "x = 1"}, {tar.TypeSymlink, "c", "a/b.py"}, {tar.TypeDir, "d/", ""}}))
	f.Add(tarOf(f, []entry{{tar.TypeReg, "../evil", "x"}}))
	f.Add(tarOf(f, []entry{{tar.TypeSymlink, "a", "/tmp"}, {tar.TypeReg, "a/evil", "x"}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		parent := t.TempDir()
		dir := filepath.Join(parent, "tree")
		err := UnpackTree(bytes.NewReader(compressed(t, data)), dir)
		if others, _ := os.ReadDir(parent); len(others) > 1 {
			t.Fatalf("something was written outside the tree: %v", others)
		}
		if err != nil {
			return
		}
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			rel, _ := filepath.Rel(dir, name)
			if _, err := root.Stat(rel); err != nil {
				t.Fatalf("%s leads out of the tree: %v", rel, err)
			}
			return err
		})
		var again bytes.Buffer
		if err := PackTree(dir, &again); err != nil {
			t.Fatalf("what was unpacked cannot be packed: %v", err)
		}
	})
}
