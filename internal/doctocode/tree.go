package doctocode

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// TreeTime is the modification time of every file of a repository's tree and
// archive, so that equal content makes equal bytes.
var TreeTime = time.Unix(1_000_000_000, 0).UTC() // 2001-09-09T01:46:40Z

// TreeLimits bound what may be written as one repository's tree.
type TreeLimits struct {
	Files int   // files, folders and links
	Bytes int64 // of all files together
	Ratio int64 // written bytes per byte read of a compressed source
}

// DefaultTreeLimits hold for releases and for the sources they are built from.
var DefaultTreeLimits = TreeLimits{Files: 100_000, Bytes: 1 << 30, Ratio: 200}

// ratioFloor is how much may be written before the ratio is looked at: small
// files of one repeated byte are honest.
const ratioFloor = 16 << 20

// A TreeError says why a tree could not be written or read.
type TreeError struct {
	Name    string // of the entry, "" when it is the whole
	Problem string
}

func (e *TreeError) Error() string {
	if e.Name == "" {
		return "tree: " + e.Problem
	}
	return fmt.Sprintf("tree: %q %s", e.Name, e.Problem)
}

// A TreeWriter writes the files of one repository below a folder and nowhere
// else. Files are 0644 or 0755, folders 0755, times are TreeTime. Symbolic
// links are made last, by Close, so that no entry is written through one.
type TreeWriter struct {
	root   *os.Root
	limits TreeLimits
	source func() int64 // compressed bytes read so far, nil when the source is not compressed
	files  int
	bytes  int64
	dirs   map[string]bool
	links  map[string]string
}

// NewTreeWriter makes the folder dir, which must be absent or empty. source,
// when not nil, says how many compressed bytes have been read.
func NewTreeWriter(dir string, limits TreeLimits, source func() int64) (*TreeWriter, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(entries) > 0 {
		return nil, &TreeError{Problem: "the folder " + dir + " is not empty"}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &TreeWriter{root: root, limits: limits, source: source,
		dirs: map[string]bool{".": true}, links: map[string]string{}}, nil
}

// File writes one file. The name is relative, with forward slashes; a name
// that was written before, or that leaves the tree, is a *TreeError.
func (w *TreeWriter) File(name string, executable bool, r io.Reader) error {
	name, err := w.admit(name)
	if err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if executable {
		mode = 0o755
	}
	if err := w.folder(path.Dir(name)); err != nil {
		return err
	}
	f, err := w.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return entryError(name, err)
	}
	_, err = io.Copy(&meteredFile{f, w}, r)
	if err == nil {
		err = f.Chmod(mode) // the umask may have taken bits away
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return entryError(name, err)
	}
	return w.root.Chtimes(name, TreeTime, TreeTime)
}

// Copy writes the file name with the content of the file from, which was
// written before: a hard link of an archive.
func (w *TreeWriter) Copy(name, from string) error {
	if !fs.ValidPath(from) {
		return &TreeError{name, "is a hard link out of the tree"}
	}
	f, err := w.root.Open(from)
	if err != nil {
		return &TreeError{name, "is a hard link to a file that is not before it"}
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return &TreeError{name, "is a hard link to something other than a file"}
	}
	return w.File(name, info.Mode()&0o111 != 0, f)
}

// Folder makes a folder, which may hold nothing.
func (w *TreeWriter) Folder(name string) error {
	name = strings.TrimSuffix(name, "/")
	if name == "" || name == "." {
		return nil
	}
	name, err := w.admit(name)
	if err != nil {
		return err
	}
	return w.folder(name)
}

// Link remembers a symbolic link for Close.
func (w *TreeWriter) Link(name, target string) error {
	name, err := w.admit(name)
	if err != nil {
		return err
	}
	if _, twice := w.links[name]; twice {
		return &TreeError{name, "stands in the tree twice"}
	}
	w.links[name] = target
	return nil
}

// Close makes the links and sets the folders' times. It returns the links
// that it left out, sorted, because they lead out of the tree or nowhere.
func (w *TreeWriter) Close() (dropped []string, err error) {
	defer w.root.Close()
	for name, target := range w.links {
		if target == "" || path.IsAbs(target) || strings.ContainsRune(target, 0) {
			dropped = append(dropped, name)
			delete(w.links, name)
			continue
		}
		if err := w.folder(path.Dir(name)); err != nil {
			return nil, err
		}
		if err := w.root.Symlink(target, name); err != nil {
			return nil, entryError(name, err)
		}
	}
	// A link may lead through another: ask again until none goes.
	for again := true; again; {
		again = false
		for name := range w.links {
			if _, err := w.root.Stat(name); err == nil {
				continue
			}
			if err := w.root.Remove(name); err != nil {
				return nil, entryError(name, err)
			}
			dropped = append(dropped, name)
			delete(w.links, name)
			again = true
		}
	}
	slices.Sort(dropped)
	dirs := make([]string, 0, len(w.dirs))
	for d := range w.dirs {
		dirs = append(dirs, d)
	}
	slices.Sort(dirs)
	slices.Reverse(dirs) // what is inside before what holds it
	for _, d := range dirs {
		if err := w.root.Chmod(d, 0o755); err != nil {
			return nil, err
		}
		if err := w.root.Chtimes(d, TreeTime, TreeTime); err != nil {
			return nil, err
		}
	}
	return dropped, nil
}

// Abort gives the folder's handle back without finishing the tree.
func (w *TreeWriter) Abort() { w.root.Close() }

// admit cleans a name, refuses one that leaves the tree, and counts it.
func (w *TreeWriter) admit(name string) (string, error) {
	if strings.ContainsRune(name, 0) || path.IsAbs(name) || slices.Contains(strings.Split(name, "/"), "..") {
		return "", &TreeError{name, "is not a path inside the tree"}
	}
	clean := path.Clean(name)
	if clean == "." || name == "" || strings.HasSuffix(name, "/") {
		return "", &TreeError{name, "is not the name of a file"}
	}
	return clean, w.count(clean)
}

func (w *TreeWriter) count(name string) error {
	if w.files++; w.files > w.limits.Files {
		return &TreeError{name, fmt.Sprintf("is one file too many: a tree holds at most %d", w.limits.Files)}
	}
	return nil
}

func (w *TreeWriter) folder(name string) error {
	if w.dirs[name] {
		return nil
	}
	if err := w.folder(path.Dir(name)); err != nil {
		return err
	}
	if err := w.root.Mkdir(name, 0o755); err != nil {
		return entryError(name, err)
	}
	w.dirs[name] = true
	return w.count(name)
}

func entryError(name string, err error) error {
	var tree *TreeError
	switch {
	case errors.As(err, &tree):
		return &TreeError{name, tree.Problem}
	case errors.Is(err, fs.ErrExist):
		return &TreeError{name, "stands in the tree twice"}
	}
	return fmt.Errorf("tree: %q: %w", name, err)
}

// meteredFile counts what is written against the writer's limits.
type meteredFile struct {
	f *os.File
	w *TreeWriter
}

func (m *meteredFile) Write(p []byte) (int, error) {
	w := m.w
	w.bytes += int64(len(p))
	if w.bytes > w.limits.Bytes {
		return 0, &TreeError{Problem: fmt.Sprintf("goes over the limit of %d MiB for a tree", w.limits.Bytes>>20)}
	}
	if w.source != nil && w.limits.Ratio > 0 && w.bytes > ratioFloor && w.bytes/w.limits.Ratio > w.source() {
		return 0, &TreeError{Problem: fmt.Sprintf("unpacks to more than %d times its size", w.limits.Ratio)}
	}
	return m.f.Write(p)
}

// A CountingReader counts the bytes read through it.
type CountingReader struct {
	R io.Reader
	N int64
}

func (c *CountingReader) Read(p []byte) (int, error) {
	n, err := c.R.Read(p)
	c.N += int64(n)
	return n, err
}
