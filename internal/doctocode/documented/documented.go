// Package documented reads the functions and docstrings of a folder of Python
// files, as it stands on disk, and pairs two such trees: the same code
// documented by two hands.
package documented

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/pyharness"
	"touchstone/internal/sandbox"
)

//go:embed read.py
var script string

// A Function is one function or method.
type Function struct {
	Path       string `json:"-"` // in the tree, with slashes
	Qualname   string `json:"qualname"`
	Ordinal    int    `json:"ordinal"` // of those with this name in the file, from 0 on
	Line       int    `json:"line"`
	Documented bool   `json:"documented"`
	Docstring  string `json:"docstring"` // without its margin
}

// ID is what a task of the function would be called within its repository.
func (f Function) ID() string {
	id := f.Path + "::" + f.Qualname
	if f.Ordinal > 0 {
		id += fmt.Sprintf("#%d", f.Ordinal)
	}
	return id
}

// A Tree is what was read of a folder.
type Tree struct {
	Functions  []Function // by path, then as they stand in the file
	Unreadable []error    // files that Python cannot read, *benchmark.InputError each
}

const (
	mostFiles   = 50_000
	longestFile = 4 << 20
	readTime    = 10 * time.Minute
)

// A Reader reads trees with the machine's Python, in the sandbox: the files are
// parsed, never run.
type Reader struct {
	Box   sandbox.Sandbox
	Cache *cache.Folder
}

// Read reads the Python files of a folder that are no tests. Hidden files and
// folders are passed over, links are not followed.
func (r Reader) Read(ctx context.Context, dir string) (Tree, error) {
	paths, err := pythonFiles(dir)
	if err != nil {
		return Tree{}, err
	}
	python, err := environment.FindPython(ctx, "")
	if err != nil {
		return Tree{}, err
	}
	harness, err := pyharness.Install(r.Cache)
	if err != nil {
		return Tree{}, err
	}
	p, err := r.Box.Start(ctx, sandbox.Spec{
		Argv:   []string{python.Executable, "-I", "-B", "-X", "utf8", "-c", script, pyharness.Harness},
		Env:    []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8"},
		Mounts: append(python.Mounts(), sandbox.Mount{Source: harness, Target: pyharness.Harness}),
		Limits: sandbox.Limits{Wall: readTime},
		Label:  "docstrings of " + filepath.Base(dir),
	})
	if err != nil {
		return Tree{}, err
	}
	defer p.Wait()
	defer p.Kill()
	var tree Tree
	answers := bufio.NewReader(p.Stdout())
	for _, path := range paths {
		if err := tree.file(p.Stdin(), answers, dir, path); err != nil {
			if ctx.Err() != nil {
				return Tree{}, ctx.Err()
			}
			p.Kill()
			return Tree{}, fmt.Errorf("reading %s: %w %s", path, err, strings.TrimSpace(p.Wait().Stderr))
		}
	}
	return tree, nil
}

// file asks about one file.
func (t *Tree) file(in io.Writer, out *bufio.Reader, dir, path string) error {
	unreadable := func(problem, mend string) {
		t.Unreadable = append(t.Unreadable, &benchmark.InputError{File: filepath.Join(dir, filepath.FromSlash(path)), Problem: problem, Mend: mend})
	}
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
	if err != nil {
		return err
	}
	if len(data) > longestFile {
		unreadable(fmt.Sprintf("is larger than %d MiB", longestFile>>20), "its functions are left out")
		return nil
	}
	request, err := json.Marshal(map[string]any{"path": path, "data": data})
	if err != nil {
		return err
	}
	if _, err := in.Write(append(request, '\n')); err != nil {
		return err
	}
	line, err := out.ReadBytes('\n')
	if err != nil {
		return err
	}
	var answer struct {
		Path      string
		Functions []Function
		Error     string
	}
	if err := json.Unmarshal(bytes.TrimSpace(line), &answer); err != nil {
		return err
	}
	switch {
	case answer.Path != path:
		return fmt.Errorf("the answer is about %s", answer.Path)
	case answer.Error != "":
		unreadable("cannot be read by Python: "+answer.Error, "its functions are left out")
	}
	for _, f := range answer.Functions {
		f.Path, f.Docstring = path, evaluator.CleanDoc(f.Docstring)
		t.Functions = append(t.Functions, f)
	}
	return nil
}

// pythonFiles are those of a tree that are no tests, sorted.
func pythonFiles(dir string) ([]string, error) {
	var paths []string
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == dir {
			return nil
		}
		switch hidden := strings.HasPrefix(entry.Name(), "."); {
		case entry.IsDir() && (hidden || entry.Name() == "__pycache__" || entry.Name() == "node_modules"):
			return fs.SkipDir
		case hidden || !entry.Type().IsRegular() || !strings.HasSuffix(entry.Name(), ".py"):
			return nil
		}
		path, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if path = filepath.ToSlash(path); !isTest(path) {
			paths = append(paths, path)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	switch {
	case len(paths) == 0:
		return nil, &benchmark.InputError{File: dir, Problem: "holds no Python file but tests", Mend: "give the folder of a documented repository"}
	case len(paths) > mostFiles:
		return nil, &benchmark.InputError{File: dir, Problem: fmt.Sprintf("holds more than %d Python files", mostFiles), Mend: "give the folder of one repository"}
	}
	return paths, nil
}

// isTest reports whether a path is test code by the rules of the track.
func isTest(path string) bool {
	folders := strings.Split(path, "/")
	name := folders[len(folders)-1]
	for _, folder := range folders[:len(folders)-1] {
		if folder == "test" || folder == "tests" {
			return true
		}
	}
	return strings.HasPrefix(name, "test_") || strings.HasSuffix(name, "_test.py") || name == "conftest.py" || name == "setup.py"
}
