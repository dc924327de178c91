package bertscore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"touchstone/internal/benchmark"
)

// A Registry is the folder of a site's registered models, at most one of each
// kind, and of the lock of the environment that runs them.
type Registry struct{ Dir string }

// ErrNotRegistered: there is no model of a kind.
var ErrNotRegistered = errors.New("no model is registered")

// Find is the model of a kind. The error wraps ErrNotRegistered when there is
// none, and says how to mend it.
func (r Registry) Find(kind Kind) (Manifest, error) {
	file := filepath.Join(r.Folder(kind), ManifestFile)
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{}, fmt.Errorf("%w for %s; register one: touchstone models add %s DIR", ErrNotRegistered, kind.Usual().Title, kind)
	}
	if err != nil {
		return Manifest{}, err
	}
	m, err := ParseManifest(file, data)
	if err == nil && m.Kind != kind {
		err = &benchmark.InputError{File: file, Field: "kind", Problem: "is " + string(m.Kind), Mend: registerAgain}
	}
	return m, err
}

// Folder is where the model of a kind is.
func (r Registry) Folder(kind Kind) string { return filepath.Join(r.Dir, string(kind)) }

// List gives all models that are registered.
func (r Registry) List() ([]Manifest, error) {
	var all []Manifest
	for _, u := range Kinds {
		m, err := r.Find(u.Kind)
		if errors.Is(err, ErrNotRegistered) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// Remove forgets the model of a kind. The error wraps ErrNotRegistered when
// there is none.
func (r Registry) Remove(kind Kind) error {
	if _, err := r.Find(kind); errors.Is(err, ErrNotRegistered) {
		return err
	}
	return os.RemoveAll(r.Folder(kind))
}

// add copies a model out of the folder dir, lets try say what its output is,
// and registers it in place of the one before. A model that try refuses is not
// registered.
func (r Registry) add(ctx context.Context, m Manifest, dir string, try func(context.Context, Manifest, string) (Manifest, error)) (Manifest, error) {
	names, err := filesOf(dir)
	if err != nil {
		return m, err
	}
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return m, err
	}
	made, err := os.MkdirTemp(r.Dir, ".new-")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(made)
	if err := os.Chmod(made, 0o755); err != nil { // the sandbox's user reads it
		return m, err
	}
	m.Files = nil
	for _, name := range names {
		f, err := copyFile(ctx, filepath.Join(made, name), filepath.Join(dir, name))
		if err != nil {
			return m, err
		}
		m.Files = append(m.Files, f)
	}
	if m, err = try(ctx, m, made); err != nil {
		return m, err
	}
	if err := m.check(""); err != nil {
		return m, err
	}
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return m, err
	}
	if err := os.WriteFile(filepath.Join(made, ManifestFile), append(data, '\n'), 0o644); err != nil {
		return m, err
	}
	if err := os.RemoveAll(r.Folder(m.Kind)); err != nil {
		return m, err
	}
	return m, os.Rename(made, r.Folder(m.Kind))
}

// filesOf are the files of a model in a folder, sorted: the model, what it
// keeps outside (model.onnx.data, model.onnx_data), and the tokenizer.
func filesOf(dir string) ([]string, error) {
	bad := func(problem, mend string) error {
		return &benchmark.InputError{File: dir, Problem: problem, Mend: mend}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, bad("cannot be read: "+err.Error(), "give the folder of an exported model")
	}
	var names []string
	for _, e := range entries {
		if e.Name() != TokenizerFile && !strings.HasPrefix(e.Name(), ModelFile) {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, e.Name())) // links lead to the files of a download
		if err != nil || !info.Mode().IsRegular() {
			return nil, bad(e.Name()+" is no file", "give the folder of an exported model")
		}
		names = append(names, e.Name())
	}
	for _, need := range []string{ModelFile, TokenizerFile} {
		if !slices.Contains(names, need) {
			return nil, bad("has no "+need, "give the folder that holds "+ModelFile+" and "+TokenizerFile)
		}
	}
	slices.Sort(names)
	return names, nil
}

// copyFile copies and hashes.
func copyFile(ctx context.Context, to, from string) (File, error) {
	in, err := os.Open(from)
	if err != nil {
		return File{}, err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return File{}, err
	}
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(out, sum), &interruptible{ctx, in})
	err = errors.Join(err, out.Close())
	return File{filepath.Base(to), n, hex.EncodeToString(sum.Sum(nil))}, err
}

// interruptible ends with its context: a model may be gigabytes.
type interruptible struct {
	ctx context.Context
	io.Reader
}

func (r *interruptible) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// verify reads a model's files and compares them with its manifest.
func verify(ctx context.Context, m Manifest, dir string) error {
	for _, f := range m.Files {
		in, err := os.Open(filepath.Join(dir, f.Name))
		if err != nil {
			return err
		}
		sum := sha256.New()
		_, err = io.Copy(sum, &interruptible{ctx, in})
		in.Close()
		if err != nil {
			return err
		}
		if hex.EncodeToString(sum.Sum(nil)) != f.SHA256 {
			return &benchmark.InputError{File: filepath.Join(dir, f.Name), Problem: "is not the file that was registered", Mend: registerAgain}
		}
	}
	return nil
}
