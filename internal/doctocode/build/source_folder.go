package build

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
)

// fetchFolder copies a folder as it is, without what belongs to the machine.
func (s *Source) fetchFolder(ctx context.Context) error {
	if inside(s.Spec.Location, s.Dir) {
		return &benchmark.InputError{Field: "source", Problem: "the tree cannot be written into its own source", Mend: "choose another folder for the output"}
	}
	root, err := os.OpenRoot(s.Spec.Location)
	if err != nil {
		return err
	}
	defer root.Close()
	w, err := doctocode.NewTreeWriter(s.Dir, doctocode.DefaultTreeLimits, nil)
	if err != nil {
		return err
	}
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || name == "." {
			return err
		}
		return s.copyEntry(root, w, name, d)
	})
	if err != nil {
		w.Abort()
		return err
	}
	dropped, err := w.Close()
	s.noteDropped(dropped)
	return err
}

func (s *Source) copyEntry(root *os.Root, w *doctocode.TreeWriter, name string, d fs.DirEntry) error {
	if d.IsDir() {
		if _, err := root.Stat(name + "/pyvenv.cfg"); err == nil {
			s.note(name, "a virtual environment was left out")
			return fs.SkipDir
		}
		if isDropped(name) && !isBuiltMetadata(name) {
			return fs.SkipDir
		}
		return nil // made when a file is written into it
	}
	switch {
	case d.Type()&fs.ModeSymlink != 0:
		if isDropped(name) {
			return nil
		}
		target, err := root.Readlink(name)
		if err != nil {
			return err
		}
		return w.Link(name, target)
	case !d.Type().IsRegular():
		s.note(name, "it is neither a file, a folder nor a link, and was left out")
		return nil
	}
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if isBuiltMetadata(name) {
		return s.keepInfo(name, f)
	}
	if isDropped(name) {
		return nil
	}
	if name == "PKG-INFO" {
		if err := s.keepInfo(name, f); err != nil {
			return err
		}
		if _, err := f.Seek(0, 0); err != nil {
			return err
		}
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return w.File(name, info.Mode()&0o111 != 0, f)
}

// inside reports whether dir is folder or below it.
func inside(folder, dir string) bool {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	rel, err := filepath.Rel(folder, abs)
	return err == nil && filepath.IsLocal(rel)
}
