package doctocode

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/klauspost/compress/zstd"
)

// PackTree writes the folder dir as a tar.zst archive. Equal trees make equal
// bytes: entries in the order of their names, no owner, modes 0644 or 0755,
// times TreeTime. Anything but files, folders and symbolic links is a
// *TreeError.
func PackTree(dir string, w io.Writer) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedBetterCompression))
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	// fs.WalkDir goes in lexical order.
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		return packEntry(root, t, name, d)
	})
	if err != nil {
		z.Close()
		return err
	}
	if err := t.Close(); err != nil {
		z.Close()
		return err
	}
	return z.Close()
}

func packEntry(root *os.Root, t *tar.Writer, name string, d fs.DirEntry) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	h := &tar.Header{Name: name, Mode: 0o644, ModTime: TreeTime}
	switch {
	case info.IsDir():
		h.Typeflag, h.Name, h.Mode = tar.TypeDir, name+"/", 0o755
		return t.WriteHeader(h)
	case info.Mode()&fs.ModeSymlink != 0:
		h.Typeflag, h.Mode = tar.TypeSymlink, 0o777
		if h.Linkname, err = root.Readlink(name); err != nil {
			return err
		}
		return t.WriteHeader(h)
	case !info.Mode().IsRegular():
		return &TreeError{name, "is neither a file, a folder nor a symbolic link"}
	}
	h.Typeflag, h.Size = tar.TypeReg, info.Size()
	if info.Mode()&0o111 != 0 {
		h.Mode = 0o755
	}
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := t.WriteHeader(h); err != nil {
		return err
	}
	_, err = io.Copy(t, f)
	return err
}

// UnpackTree writes the tree of an archive that PackTree made below the folder
// dir, which must be absent or empty. An archive that holds more than
// DefaultTreeLimits allow, or anything that would reach outside dir, is a
// *TreeError; what was written until then is left for the caller to remove.
func UnpackTree(r io.Reader, dir string) error {
	counted := &CountingReader{R: r}
	z, err := zstd.NewReader(counted, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(128<<20))
	if err != nil {
		return err
	}
	defer z.Close()
	w, err := NewTreeWriter(dir, DefaultTreeLimits, func() int64 { return counted.N })
	if err != nil {
		return err
	}
	if err := UntarTree(z, w, admitAll); err != nil {
		w.Abort()
		return err
	}
	dropped, err := w.Close()
	if err == nil && len(dropped) > 0 {
		err = &TreeError{dropped[0], "is a link that leads out of the tree or nowhere"}
	}
	return err
}

// An Admit says under which name an entry of an archive is written and with
// which content; an empty name leaves it out. The target of a hard link is
// asked for likewise, without content.
type Admit func(h *tar.Header, content io.Reader) (string, io.Reader, error)

func admitAll(h *tar.Header, content io.Reader) (string, io.Reader, error) {
	return h.Name, content, nil
}

// UntarTree writes the entries of a tar stream that admit lets in. Devices,
// pipes and other special entries are a *TreeError.
func UntarTree(r io.Reader, w *TreeWriter, admit Admit) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return archiveError(err)
		}
		name, content, err := admit(h, t)
		if err != nil {
			return err
		}
		if name == "" {
			continue
		}
		if err := untarEntry(h, name, content, w, admit); err != nil {
			return archiveError(err)
		}
	}
}

func untarEntry(h *tar.Header, name string, content io.Reader, w *TreeWriter, admit Admit) error {
	switch h.Typeflag {
	case tar.TypeReg:
		return w.File(name, h.Mode&0o111 != 0, content)
	case tar.TypeDir:
		return w.Folder(name)
	case tar.TypeSymlink:
		return w.Link(name, h.Linkname)
	case tar.TypeLink:
		from, _, err := admit(&tar.Header{Name: h.Linkname, Typeflag: tar.TypeLink}, nil)
		if err != nil || from == "" {
			return err
		}
		return w.Copy(name, path.Clean(from))
	case tar.TypeXGlobalHeader:
		return nil
	}
	return &TreeError{h.Name, "is neither a file, a folder nor a link"}
}

func archiveError(err error) error {
	var tree *TreeError
	var pathErr *fs.PathError
	if errors.As(err, &tree) || errors.As(err, &pathErr) {
		return err
	}
	return &TreeError{Problem: fmt.Sprintf("the archive cannot be read: %v", err)}
}
