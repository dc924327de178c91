// Package execute turns candidate bodies into verdicts: it splices a body into
// its file, runs the task's tests in the sandbox by the task's strategy, and
// has suspicious passes judged a second time from outside.
package execute

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/pyharness"
	"touchstone/internal/release"
	"touchstone/internal/sandbox"
)

// mtime is every file's modification time, so that cached bytecode stays valid
// wherever the tree is written.
var mtime = time.Unix(1_000_000_000, 0)

// Workspace is a repository made ready to run on this machine.
type Workspace struct {
	Name        string
	Interpreter string   // inside the sandbox
	Environ     []string // of every process
	Mounts      []sandbox.Mount
	PytestArgs  []string
	Index       []*doctocode.SourceFile

	harness string
	cache   *cache.Folder
	files   []pyharness.File // the tree, with cached bytecode once warm
	preload []string
	byPath  map[string]*doctocode.SourceFile
	key     string
}

// Recipe is what a workspace is made of.
type Recipe struct {
	Name        string
	Tree        string // folder on the host with the unchanged repository
	Interpreter string
	Environ     []string
	Mounts      []sandbox.Mount
	PytestArgs  []string
	Index       []*doctocode.SourceFile
	Cache       *cache.Folder // for derived files
	Key         string        // names everything else that the cached files depend on: environment, sandbox
}

// Open reads the tree into memory and installs the harness.
func Open(recipe Recipe) (*Workspace, error) {
	harness, err := pyharness.Install(recipe.Cache)
	if err != nil {
		return nil, fmt.Errorf("installing the harness: %w", err)
	}
	w := &Workspace{
		Name: recipe.Name, Interpreter: recipe.Interpreter, Environ: recipe.Environ, Mounts: recipe.Mounts,
		PytestArgs: recipe.PytestArgs, Index: recipe.Index,
		harness: harness, cache: recipe.Cache, byPath: map[string]*doctocode.SourceFile{},
	}
	for _, f := range recipe.Index {
		w.byPath[f.Path] = f
	}
	if w.files, err = readTree(recipe.Tree); err != nil {
		return nil, fmt.Errorf("reading the tree of %s: %w", recipe.Name, err)
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%s\n%q\n%q\n%q\n", filepath.Base(harness), recipe.Key, recipe.PytestArgs, recipe.Environ, recipe.Interpreter)
	for _, f := range w.files {
		fmt.Fprintf(sum, "%s %d\n", f.Path, len(f.Data))
		sum.Write(f.Data)
	}
	w.key = hex.EncodeToString(sum.Sum(nil))[:24]
	return w, nil
}

// SetIndex gives the workspace the definitions, when they were not known yet.
func (w *Workspace) SetIndex(index []*doctocode.SourceFile) {
	w.Index, w.byPath = index, map[string]*doctocode.SourceFile{}
	for _, f := range index {
		w.byPath[f.Path] = f
	}
}

// File is the indexed source file at a path, or nil.
func (w *Workspace) File(path string) *doctocode.SourceFile { return w.byPath[path] }

// Find is the file and definition of a task, or an error that names it.
func (w *Workspace) Find(path, qualname string, ordinal int) (*doctocode.SourceFile, *doctocode.Definition, error) {
	file := w.byPath[path]
	if file == nil {
		return nil, nil, fmt.Errorf("%s has no source file %s", w.Name, path)
	}
	for i := range file.Definitions {
		if d := &file.Definitions[i]; d.Qualname == qualname && d.Ordinal == ordinal && d.Kind != "class" {
			return file, d, nil
		}
	}
	return nil, nil, fmt.Errorf("%s has no function %s (definition %d) in %s", w.Name, qualname, ordinal, path)
}

func readTree(root string) ([]pyharness.File, error) {
	var files []pyharness.File
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		file := pyharness.File{Path: filepath.ToSlash(relative)}
		if entry.Type()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			file.Data = []byte(target)
			files = append(files, file)
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		mode := 0o644 | int(info.Mode().Perm()&0o111)
		file.Mode = &mode
		if file.Data, err = os.ReadFile(path); err != nil {
			return err
		}
		files = append(files, file)
		return nil
	})
	sort.Slice(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	return files, err
}

// warmth is what collecting the suite once leaves behind.
type warmth struct {
	Caches  []pyharness.File `json:"caches"`
	Modules []string         `json:"modules"`
}

// Warm collects the suite once, so that later runs find bytecode and know
// which modules to load before forking. Its result is kept in the cache.
func (w *Workspace) Warm(ctx context.Context, box sandbox.Sandbox) error {
	path := w.cache.Path("warm", w.key+".json")
	var warm warmth
	if data, err := os.ReadFile(path); err != nil || json.Unmarshal(data, &warm) != nil {
		server, err := w.Start(ctx, box, pyharness.Private, nil)
		if err != nil {
			return err
		}
		defer server.Close()
		if err := server.Call(ctx, "warm", map[string]any{"wall": 300}, &warm); err != nil {
			return err
		}
		if data, err = json.Marshal(warm); err != nil {
			return err
		}
		if err := release.WriteFile(path, data); err != nil {
			return err
		}
	}
	present := map[string]bool{}
	for _, f := range w.files {
		present[f.Path] = true
	}
	for _, f := range warm.Caches {
		if !present[f.Path] {
			w.files = append(w.files, f)
		}
	}
	w.preload = warm.Modules
	return nil
}

// Start runs a server of a kind. For the kinds over masked files, mask names
// the functions whose bodies are to be found nowhere on disk.
func (w *Workspace) Start(ctx context.Context, box sandbox.Sandbox, kind pyharness.Kind, mask *Mask) (*pyharness.Server, error) {
	config := pyharness.Config{
		Kind: kind, Interpreter: w.Interpreter, Environ: w.Environ, Mounts: w.Mounts, Harness: w.harness,
		PytestArgs: w.PytestArgs, Preload: w.preload, Label: w.Name,
	}
	if kind == pyharness.Private {
		config.Files = w.files
		for _, f := range w.files {
			if _, indexed := w.byPath[f.Path]; indexed {
				config.Sources = append(config.Sources, f)
			}
		}
	} else {
		config.Tree = mask.dir
		for _, f := range w.files {
			if mask.files[f.Path] {
				config.Sources = append(config.Sources, f)
			}
		}
	}
	return pyharness.Start(ctx, box, config)
}

// Mask is a copy of the tree on disk from which the bodies of tasks are gone.
type Mask struct {
	dir   string
	files map[string]bool // those that were changed
}

// Mask writes the masked tree into the cache, unless it is there.
func (w *Workspace) Mask(tasks []doctocode.Task) (*Mask, error) {
	masked := map[string][]*doctocode.Definition{}
	for _, t := range tasks {
		file, d, err := w.target(t.ID)
		if err != nil {
			return nil, err
		}
		masked[file.Path] = append(masked[file.Path], d)
	}
	m := &Mask{files: map[string]bool{}}
	sum := sha256.New()
	fmt.Fprintln(sum, w.key)
	texts := map[string][]byte{}
	for path, definitions := range masked {
		m.files[path] = true
		texts[path] = maskBodies(w.byPath[path], definitions)
	}
	var files []pyharness.File
	for _, f := range w.files {
		if text, ok := texts[f.Path]; ok {
			f.Data = text
		} else if w.cachesMasked(f.Path, m.files) {
			continue
		}
		files = append(files, f)
		fmt.Fprintf(sum, "%s %d\n", f.Path, len(f.Data))
		sum.Write(f.Data)
	}
	var err error
	m.dir, err = w.cache.Once("masked", hex.EncodeToString(sum.Sum(nil))[:24], func(dir string) error { return writeTree(dir, files) })
	return m, err
}

// cachesMasked reports whether a path is the bytecode of a masked file.
func (w *Workspace) cachesMasked(path string, masked map[string]bool) bool {
	folder, name, ok := strings.Cut(path, "__pycache__/")
	if !ok {
		return false
	}
	stem, _, _ := strings.Cut(name, ".")
	return masked[folder+stem+".py"]
}

func (w *Workspace) target(id string) (*doctocode.SourceFile, *doctocode.Definition, error) {
	task, err := parseTask(id)
	if err != nil {
		return nil, nil, err
	}
	return w.Find(task.Path, task.Qualname, task.Ordinal)
}

// writeTree writes the files into an empty folder.
func writeTree(dir string, files []pyharness.File) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		path := filepath.FromSlash(f.Path)
		if err := root.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if f.Mode == nil {
			if err := root.Symlink(string(f.Data), path); err != nil {
				return err
			}
			continue
		}
		if err := root.WriteFile(path, f.Data, fs.FileMode(*f.Mode)); err != nil {
			return err
		}
		if err := root.Chtimes(path, mtime, mtime); err != nil {
			return err
		}
	}
	return nil
}

// maskBodies is the file's text, encoded as ASCII-safe UTF-8, with the bodies
// of the definitions replaced by pass; every line keeps its number.
func maskBodies(file *doctocode.SourceFile, definitions []*doctocode.Definition) []byte {
	sort.Slice(definitions, func(i, j int) bool { return definitions[i].Body[0] < definitions[j].Body[0] })
	var out strings.Builder
	at := 0
	for _, d := range definitions {
		if d.Body[0] < at {
			continue // inside one that is masked already
		}
		out.WriteString(file.Text[at:d.Body[0]])
		body := file.Text[d.Body[0]:d.Body[1]]
		switch {
		case d.Inline && d.HasDoc():
			out.WriteString("; pass\n")
		case d.Inline:
			out.WriteString(" pass\n")
		default:
			out.WriteString(d.Indent + "pass\n")
		}
		if n := strings.Count(body, "\n"); n > 1 {
			out.WriteString(strings.Repeat("\n", n-1))
		}
		at = d.Body[1]
	}
	out.WriteString(file.Text[at:])
	// The disk copy only has to be readable; what runs is served from memory.
	return []byte(out.String())
}
