package environment

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"touchstone/internal/sandbox"
	"touchstone/internal/sandbox/sandboxtest"
)

func lockOf(t *testing.T, p Python, texts ...string) Lock {
	t.Helper()
	var requirements []Requirement
	for _, text := range texts {
		requirements = append(requirements, Requirement{Text: text})
	}
	l, err := Resolve(t.Context(), p, requirements, LockOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestCreateOnceForAll(t *testing.T) {
	p := needIndex(t)
	l := lockOf(t, p, "iniconfig==2.0.0")
	cache := t.TempDir()
	var wait sync.WaitGroup
	made := make([]Environment, 4)
	for i := range made {
		wait.Go(func() {
			e, err := Create(t.Context(), p, l, cache, CreateOptions{})
			if err != nil {
				t.Error(err)
			}
			made[i] = e
		})
	}
	wait.Wait()
	for _, e := range made {
		if e.Dir != made[0].Dir || e.Key != Key(p, l) {
			t.Errorf("there are several environments: %s and %s", e.Dir, made[0].Dir)
		}
	}
	// What is there needs no index, and no pip either.
	broken := p
	broken.Pip.Dir = "/nowhere"
	if e, err := Create(t.Context(), broken, l, cache, CreateOptions{}); err != nil || e.Dir != made[0].Dir {
		t.Errorf("the environment is not used again: %v", err)
	}
	filepath.WalkDir(made[0].Dir, func(name string, d os.DirEntry, err error) error {
		if info, _ := d.Info(); info != nil && info.Mode()&os.ModeSymlink == 0 && info.Mode().Perm()&0o444 != 0o444 {
			t.Errorf("%s is %v: the sandbox's user cannot read it", name, info.Mode())
		}
		return err
	})
}

func TestCreateRemovesWhatAKilledProcessLeft(t *testing.T) {
	p := findPython(t)
	cache := t.TempDir()
	left := filepath.Join(cache, "0123-abcd"+buildingSuffix)
	busy := filepath.Join(cache, "4567-abcd"+buildingSuffix)
	for _, dir := range []string{left, busy} {
		if err := os.MkdirAll(filepath.Join(dir, "lib"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	held, err := tryLock(filepath.Join(cache, "4567-abcd"+lockSuffix))
	if err != nil {
		t.Fatal(err)
	}
	defer held.release()
	if _, err := Create(t.Context(), p, Lock{}, cache, CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if exists(left) || !exists(busy) {
		t.Errorf("left behind: %v, being made: %v; want only the second", exists(left), exists(busy))
	}
}

func TestCreateRefusesWrongHashes(t *testing.T) {
	p := needIndex(t)
	cache := t.TempDir()
	l := Lock{Packages: []Package{{"iniconfig", "2.0.0", []string{someHash}}}}
	if _, err := Create(t.Context(), p, l, cache, CreateOptions{}); err == nil {
		t.Error("a wheel with another SHA-256 was installed")
	}
	if found, _ := filepath.Glob(filepath.Join(cache, "*"+buildingSuffix)); len(found) > 0 {
		t.Errorf("a failed environment was left: %v", found)
	}
}

func TestEnvironmentWorksInsideTheSandbox(t *testing.T) {
	p := needIndex(t)
	box := sandboxtest.Local(t)
	e, err := Create(t.Context(), p, lockOf(t, p, "pytest==8.0.0"), t.TempDir(), CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	tree := t.TempDir()
	if err := os.Chmod(tree, 0o755); err != nil {
		t.Fatal(err)
	}
	inside := func(argv ...string) string {
		process, err := box.Start(t.Context(), sandbox.Spec{Argv: argv, Env: e.Environ([]string{"src", "."}), Mounts: append(e.Mounts(), sandbox.Mount{Source: tree, Target: RepositoryDir})})
		if err != nil {
			t.Fatal(err)
		}
		process.Stdin().Close()
		var out bytes.Buffer
		io.Copy(&out, process.Stdout())
		if exit := process.Wait(); exit.Code != 0 {
			t.Fatalf("%v: %+v", argv, exit)
		}
		return strings.TrimSpace(out.String())
	}
	got := inside(e.Interpreter(), "-c", "import sys, pytest; print(sys.prefix, sys.base_prefix, pytest.__file__, pytest.__cached__, ':'.join(sys.path[1:4]))")
	site := "/env/lib/python" + p.Minor() + "/site-packages/"
	want := "/env " + p.Prefix + " " + site + "pytest/__init__.py " + site + "pytest/__pycache__/__init__.cpython-" + strings.ReplaceAll(p.Minor(), ".", "") + ".pyc /repo/src:/repo:/meta"
	if got != want {
		t.Errorf("inside it is\n%s\nwant\n%s", got, want)
	}
	if got := inside("/env/bin/pytest", "--version"); got != "pytest 8.0.0" {
		t.Errorf("the console script says %q", got)
	}
}

func TestBuildWheelInsideTheSandbox(t *testing.T) {
	p := needIndex(t)
	cache := t.TempDir()
	b := WheelBuilder{Sandbox: sandboxtest.Local(t), Python: p, Dir: t.TempDir(), CacheDir: cache}
	name, err := b.Build(t.Context(), "docopt==0.6.2")
	if err != nil {
		t.Fatal(err)
	}
	if name != "docopt-0.6.2-py2.py3-none-any.whl" {
		t.Errorf("the wheel is called %s", name)
	}
	first, err := Resolve(t.Context(), p, []Requirement{{Text: "docopt==0.6.2"}}, LockOptions{Wheels: b.Folder()})
	if err != nil {
		t.Fatal(err)
	}
	again := WheelBuilder{Sandbox: b.Sandbox, Python: p, Dir: t.TempDir(), CacheDir: t.TempDir()}
	if _, err := again.Build(t.Context(), "docopt==0.6.2"); err != nil {
		t.Fatal(err)
	}
	second, err := Resolve(t.Context(), p, []Requirement{{Text: "docopt==0.6.2"}}, LockOptions{Wheels: again.Folder()})
	if err != nil || first.String() != second.String() {
		t.Errorf("two builds differ: %s and %s (%v)", first, second, err)
	}
	if _, err := Create(t.Context(), p, first, cache, CreateOptions{Wheels: b.Folder()}); err != nil {
		t.Error(err)
	}
}
