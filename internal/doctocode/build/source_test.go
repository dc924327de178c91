package build

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/sandbox/sandboxtest"
)

func TestParseSource(t *testing.T) {
	plain, repository := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(repository, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		source, commit string
		want           SourceSpec
	}{
		{plain, "", SourceSpec{Kind: FolderSource, Location: plain}},
		{repository, "", SourceSpec{Kind: GitSource, Location: repository}},
		{repository, "v1.2", SourceSpec{Kind: GitSource, Location: repository, Commit: "v1.2"}},
		{"https://host.example/acme/tool.git", "abc123", SourceSpec{Kind: GitSource, Location: "https://host.example/acme/tool.git", Commit: "abc123"}},
		{"git@host.example:acme/tool.git", "", SourceSpec{Kind: GitSource, Location: "git@host.example:acme/tool.git"}},
		{"pypi:schema==0.7.7", "", SourceSpec{Kind: ArchiveSource, Name: "schema", Version: "0.7.7"}},
	} {
		got, err := ParseSource(c.source, c.commit)
		if err != nil || got != c.want {
			t.Errorf("ParseSource(%q, %q) is %+v, %v; want %+v", c.source, c.commit, got, err, c.want)
		}
	}
}

func TestParseSourceSaysWhatIsWrong(t *testing.T) {
	plain := t.TempDir()
	for _, c := range []struct{ source, commit, want string }{
		{"", "", "source: is missing"},
		{"/nowhere/at/all", "", "there is no folder"},
		{"pypi:schema", "", "write it as pypi:NAME==VERSION"},
		{"pypi:schema>=0.7", "", "write it as pypi:NAME==VERSION"},
		{"pypi:../x==1", "", "write it as pypi:NAME==VERSION"},
		{"pypi:schema==0.7.7", "abc", "has no commits"},
		{"ext::sh -c evil", "", "not a URL that git is allowed to read"},
		{"ftp://host.example/x", "", "not a URL that git is allowed to read"},
		{"https://me:secret@host.example/x", "", "holds a password"},
		{plain, "abc", "is not a git repository"},
		{"https://host.example/x", "--upload-pack=evil", "is not a commit"},
		{"https://host.example/x", "a..b", "is not a commit"},
	} {
		_, err := ParseSource(c.source, c.commit)
		var input *benchmark.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("ParseSource(%q, %q): got %v, want %q", c.source, c.commit, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("the error shows the password: %v", err)
		}
	}
}

// writeFiles writes files below dir; a content that begins with -> is the
// target of a symbolic link, one that begins with #! makes a program.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, ok := strings.CutPrefix(content, "->"); ok {
			err = os.Symlink(target, full)
		} else if strings.HasPrefix(content, "#!") {
			err = os.WriteFile(full, []byte(content), 0o700)
		} else {
			err = os.WriteFile(full, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// names lists the files of a tree and checks that it is normalised.
func names(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		if d.Type()&fs.ModeSymlink == 0 {
			if mode := info.Mode().Perm(); mode != 0o755 && (mode != 0o644 || d.IsDir()) {
				t.Errorf("%s has the mode %v", rel, mode)
			}
			if !info.ModTime().Equal(doctocode.TreeTime) {
				t.Errorf("%s has the time %v", rel, info.ModTime())
			}
		}
		if !d.IsDir() {
			found = append(found, filepath.ToSlash(rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	return found
}

func fetch(t *testing.T, source, commit string) (Source, error) {
	t.Helper()
	spec, err := ParseSource(source, commit)
	if err != nil {
		t.Fatal(err)
	}
	return Fetch(t.Context(), spec, filepath.Join(t.TempDir(), "tree"))
}

// messy is a tree as it may lie on somebody's disk; kept is what of it belongs
// to the repository.
var (
	messy = map[string]string{
		"tool.py":                          "x = 1\n",
		"run.sh":                           "#!/bin/sh\n",
		"package/__init__.py":              "",
		"package/data.egg-info/PKG-INFO":   "the repository's own data",
		"package/__pycache__/tool.pyc":     "bytecode",
		"old.pyc":                          "bytecode",
		"inside.py":                        "->tool.py",
		"outside.py":                       "->../../etc/passwd",
		"absolute.py":                      "->/etc/passwd",
		"broken.py":                        "->missing.py",
		"PKG-INFO":                         "Name: tool\n",
		"tool.egg-info/PKG-INFO":           "Name: other\n",
		"tool.egg-info/requires.txt":       "six\n",
		"src/tool.egg-info/requires.txt":   "",
		".mypy_cache/x.json":               "{}",
		"env/pyvenv.cfg":                   "home = /usr/bin\n",
		"env/lib/site-packages/six.py":     "",
		"tests/data/.tox/kept-nowhere.txt": "",
	}
	kept = []string{"PKG-INFO", "inside.py", "package/__init__.py", "package/data.egg-info/PKG-INFO", "run.sh", "tool.py"}
)

func TestFetchFolder(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, messy)
	s, err := fetch(t, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, s.Dir); !slices.Equal(got, kept) {
		t.Errorf("the tree is %q, want %q", got, kept)
	}
	if s.Info["PKG-INFO"] != "Name: tool\n" || s.Info["requires.txt"] != "six\n" {
		t.Errorf("the published metadata is %q", s.Info)
	}
	var noted []string
	for _, n := range s.Notes {
		noted = append(noted, n.Subject)
	}
	slices.Sort(noted)
	if want := []string{"absolute.py", "broken.py", "env", "outside.py"}; !slices.Equal(noted, want) {
		t.Errorf("there are notes on %q, want %q", noted, want)
	}
	if _, err := Fetch(t.Context(), s.Spec, filepath.Join(dir, "out")); err == nil {
		t.Error("a folder was fetched into itself")
	}
	if _, err := Fetch(t.Context(), s.Spec, s.Dir); err == nil {
		t.Error("a tree was written over another")
	}
}

func runGit(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// gitRepository makes a repository with two commits, the first tagged, whose
// hooks and filters would leave a mark if they ran.
func gitRepository(t *testing.T) (dir, first, mark string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		sandboxtest.Missing(t, err)
	}
	dir, mark = t.TempDir(), filepath.Join(t.TempDir(), "mark")
	runGit(t, dir, "init", "-q", "-b", "main")
	writeFiles(t, dir, map[string]string{
		"tool.py": "x = 1\n", "run.sh": "#!/bin/sh\n", "tests/test_tool.py": "def test(): pass\n", "ünï\tcode.py": "", "link.py": "->tool.py", "out.py": "->/etc/passwd",
		// git archive would leave the tests out and rewrite the version.
		".gitattributes": "tests export-ignore\nversion.txt export-subst\n*.py filter=evil\n", "version.txt": "$Format:%H$\n",
		"big.bin": "version https://git-lfs.example/spec/v1\noid sha256:0\n",
	})
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-qm", "first")
	runGit(t, dir, "tag", "v1.2.3")
	first = runGit(t, dir, "rev-parse", "HEAD")
	writeFiles(t, dir, map[string]string{"later.py": ""})
	runGit(t, dir, "add", "-A")
	runGit(t, dir, "commit", "-qm", "second")
	writeFiles(t, dir, map[string]string{"uncommitted.py": "", ".git/hooks/post-checkout": "#!/bin/sh\ntouch " + mark + "\n"})
	runGit(t, dir, "config", "filter.evil.smudge", "touch "+mark)
	runGit(t, dir, "config", "filter.evil.clean", "touch "+mark)
	return dir, first, mark
}

func TestFetchGit(t *testing.T) {
	dir, first, mark := gitRepository(t)
	bare := filepath.Join(t.TempDir(), "bare.git")
	runGit(t, "", "clone", "-q", "--bare", dir, bare)
	mirror := filepath.Join(t.TempDir(), "mirror.git")
	runGit(t, "", "clone", "-q", "--mirror", dir, mirror)
	atFirst := []string{".gitattributes", "big.bin", "link.py", "run.sh", "tests/test_tool.py", "tool.py", "version.txt", "ünï\tcode.py"}
	atHead := slices.Sorted(slices.Values(append([]string{"later.py"}, atFirst...)))
	for _, c := range []struct {
		what, source, commit string
		want                 []string
	}{
		{"a work tree at HEAD", dir, "", atHead},
		{"a work tree at a commit", dir, first, atFirst},
		{"a short SHA", dir, first[:8], atFirst},
		{"a tag", bare, "v1.2.3", atFirst},
		{"a bare repository", bare, first, atFirst},
		{"a mirror", mirror, "", atHead},
		{"a URL at HEAD", "file://" + bare, "", atHead},
		{"a URL at a commit", "file://" + bare, first, atFirst},
		{"a URL at a short SHA", "file://" + bare, first[:8], atFirst},
		{"a URL at a branch", "file://" + bare, "main", atHead},
	} {
		t.Run(c.what, func(t *testing.T) {
			s, err := fetch(t, c.source, c.commit)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(t, s.Dir); !slices.Equal(got, c.want) {
				t.Errorf("the tree is %q, want %q", got, c.want)
			}
			if text, _ := os.ReadFile(filepath.Join(s.Dir, "version.txt")); string(text) != "$Format:%H$\n" {
				t.Errorf("a file was rewritten: %q", text)
			}
			if info, _ := os.Stat(filepath.Join(s.Dir, "run.sh")); info == nil || info.Mode().Perm() != 0o755 {
				t.Error("a program lost its mode")
			}
			if len(s.Commit) != 40 || c.commit == first && s.Commit != first {
				t.Errorf("the commit is %q", s.Commit)
			}
			if s.Version != "1.2.3" && !strings.HasPrefix(c.source, "file:") {
				t.Errorf("the version is %q", s.Version)
			}
			if !slices.ContainsFunc(s.Notes, func(n Note) bool { return n.Subject == "big.bin" }) || !slices.ContainsFunc(s.Notes, func(n Note) bool { return n.Subject == "out.py" }) {
				t.Errorf("the notes are %v", s.Notes)
			}
			if exists(mark) {
				t.Error("a hook or a filter ran")
			}
		})
	}
}

func TestFetchGitSaysWhatIsWrong(t *testing.T) {
	dir, _, _ := gitRepository(t)
	empty := t.TempDir()
	runGit(t, empty, "init", "-q")
	for _, c := range []struct{ what, source, commit, want string }{
		{"an unknown commit", dir, "0123456789012345678901234567890123456789", "has no commit"},
		{"an unknown name", dir, "nothing", "has no commit"},
		{"an unknown commit at a URL", "file://" + dir, "0123456789012345678901234567890123456789", "has no commit"},
		{"no commit at all", empty, "", "has no commit yet"},
		{"a URL that is not there", "file:///nowhere/at/all", "", "git cannot read"},
	} {
		_, err := fetch(t, c.source, c.commit)
		var input *benchmark.InputError
		if !errors.As(err, &input) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.what, err, c.want)
		}
	}
}

func TestUnpackSourceArchives(t *testing.T) {
	dir := t.TempDir()
	tarball, zipped := filepath.Join(dir, "source.tar.gz"), filepath.Join(dir, "source.zip")
	writeTarball(t, tarball, messy)
	writeZip(t, zipped, messy)
	want := slices.Sorted(slices.Values(append([]string{"env/lib/site-packages/six.py", "env/pyvenv.cfg"}, kept...)))
	for _, file := range []string{tarball, zipped} {
		s := Source{Dir: filepath.Join(t.TempDir(), "tree"), Info: map[string]string{}}
		if err := s.unpack(file); err != nil {
			t.Fatal(err)
		}
		if got := names(t, s.Dir); !slices.Equal(got, want) {
			t.Errorf("%s holds %q, want %q", filepath.Base(file), got, want)
		}
		if s.Info["PKG-INFO"] != "Name: tool\n" || s.Info["requires.txt"] != "six\n" {
			t.Errorf("%s: the published metadata is %q", filepath.Base(file), s.Info)
		}
	}
	for what, name := range map[string]string{"above": "../../evil.py", "up and down": "a/../../../evil.py"} {
		files := map[string]string{name: "x"}
		writeTarball(t, tarball, files)
		writeZip(t, zipped, files)
		for _, file := range []string{tarball, zipped} {
			parent := t.TempDir()
			s := Source{Dir: filepath.Join(parent, "tree"), Info: map[string]string{}}
			if err := s.unpack(file); err == nil {
				t.Errorf("%s: a name that goes %s was unpacked", filepath.Base(file), what)
			}
			if others, _ := os.ReadDir(parent); len(others) > 1 {
				t.Errorf("something was written outside the tree: %v", others)
			}
		}
	}
}

func writeTarball(t *testing.T, file string, files map[string]string) {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &tar.Header{Typeflag: tar.TypeReg, Name: "tool-1.0/" + name, Mode: 0o600, Size: int64(len(files[name]))}
		if target, ok := strings.CutPrefix(files[name], "->"); ok {
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, target, 0
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if h.Typeflag == tar.TypeReg {
			w.Write([]byte(files[name]))
		}
	}
	w.Close()
	z.Close()
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeZip(t *testing.T, file string, files map[string]string) {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		h := &zip.FileHeader{Name: "tool-1.0/" + name, Method: zip.Deflate}
		h.SetMode(0o600)
		content := files[name]
		if target, ok := strings.CutPrefix(content, "->"); ok {
			h.SetMode(0o777 | fs.ModeSymlink)
			content = target
		}
		f, err := w.CreateHeader(h)
		if err != nil {
			t.Fatal(err)
		}
		f.Write([]byte(content))
	}
	w.Close()
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
