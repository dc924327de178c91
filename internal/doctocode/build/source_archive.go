package build

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/environment"
)

// fetchArchive downloads a source archive, checks its SHA-256 and unpacks it.
func (s *Source) fetchArchive(ctx context.Context) error {
	python, err := environment.FindPython(ctx, "")
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "touchstone-source-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	a, err := environment.DownloadSource(ctx, python, s.Spec.Name, s.Spec.Version, scratch)
	if err != nil {
		return err
	}
	s.SHA256, s.Version = a.SHA256, s.Spec.Version
	if !a.Verified {
		s.note(a.Name, "the index gave no SHA-256 to compare the archive's with")
	}
	return s.unpack(a.File)
}

// unpack writes the tree of a source archive without the one folder in which
// it keeps everything.
func (s *Source) unpack(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	counted := &doctocode.CountingReader{R: f}
	read := func() int64 { return counted.N }
	isZip := strings.HasSuffix(file, ".zip")
	if isZip {
		read = info.Size // a zip is read here and there
	}
	w, err := doctocode.NewTreeWriter(s.Dir, doctocode.DefaultTreeLimits, read)
	if err != nil {
		return err
	}
	if isZip {
		err = s.unzip(f, info.Size(), w)
	} else {
		err = s.untar(file, counted, w)
	}
	if err != nil {
		w.Abort()
		return err
	}
	dropped, err := w.Close()
	s.noteDropped(dropped)
	return err
}

func (s *Source) untar(file string, r io.Reader, w *doctocode.TreeWriter) error {
	switch {
	case strings.HasSuffix(file, ".gz"), strings.HasSuffix(file, ".tgz"):
		z, err := gzip.NewReader(r)
		if err != nil {
			return &doctocode.TreeError{Problem: "the archive cannot be read: " + err.Error()}
		}
		r = z
	case strings.HasSuffix(file, ".bz2"):
		r = bzip2.NewReader(r)
	case strings.HasSuffix(file, ".tar"):
	default:
		return &benchmark.InputError{Field: "source", Problem: "archives of the kind " + path.Ext(file) + " are not read", Mend: "give the git repository and a commit instead"}
	}
	// The metadata passes by once: it is read while the tree is written.
	return doctocode.UntarTree(r, w, func(h *tar.Header, content io.Reader) (string, io.Reader, error) {
		name := withoutFirst(h.Name)
		if name == "" {
			return "", nil, nil
		}
		if h.Typeflag == tar.TypeReg {
			var err error
			if content, err = s.infoPassing(name, content); err != nil {
				return "", nil, err
			}
		}
		if isDropped(name) {
			return "", nil, nil
		}
		return name, content, nil
	})
}

// infoPassing keeps the published metadata that stands at the root or in built
// metadata, and returns a reader that still has it.
func (s *Source) infoPassing(name string, r io.Reader) (io.Reader, error) {
	if name != "PKG-INFO" && !isBuiltMetadata(name) {
		return r, nil
	}
	text, err := io.ReadAll(io.LimitReader(r, maxInfo))
	if err != nil {
		return nil, err
	}
	if err := s.keepInfo(name, bytes.NewReader(text)); err != nil {
		return nil, err
	}
	return io.MultiReader(bytes.NewReader(text), r), nil
}

func (s *Source) unzip(f io.ReaderAt, size int64, w *doctocode.TreeWriter) error {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return &doctocode.TreeError{Problem: "the archive cannot be read: " + err.Error()}
	}
	for _, e := range z.File {
		name := withoutFirst(e.Name)
		if name == "" {
			continue
		}
		if err := s.unzipEntry(e, name, w); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) unzipEntry(e *zip.File, name string, w *doctocode.TreeWriter) error {
	mode := e.Mode()
	if mode.IsDir() {
		if isDropped(strings.TrimSuffix(name, "/")) {
			return nil
		}
		return w.Folder(name)
	}
	if mode.Type()&^fs.ModeSymlink != 0 {
		return &doctocode.TreeError{Name: name, Problem: "is neither a file, a folder nor a link"}
	}
	r, err := e.Open()
	if err != nil {
		return &doctocode.TreeError{Name: name, Problem: fmt.Sprintf("cannot be read: %v", err)}
	}
	defer r.Close()
	if mode&fs.ModeSymlink != 0 {
		target, err := io.ReadAll(io.LimitReader(r, 4096))
		if err != nil || isDropped(name) {
			return err
		}
		return w.Link(name, string(target))
	}
	content, err := s.infoPassing(name, r)
	if err != nil || isDropped(name) {
		return err
	}
	return w.File(name, mode&0o111 != 0, content)
}

// withoutFirst takes the archive's one folder off a name: schema-0.7.7/a.py
// becomes a.py. It keeps the slash at the end of a folder's name.
func withoutFirst(name string) string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(name, "./"), "/")
	return rest
}
