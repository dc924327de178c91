package environment

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"touchstone/internal/sandbox"
)

//go:embed build_wheel.py
var buildWheel string

const (
	buildTimeout  = 10 * time.Minute
	maxWheel      = 256 << 20 // bytes
	maxBuildAsks  = 3         // times that a backend may ask for more requirements
	archiveInside = "/source"
)

var wheelName = regexp.MustCompile(`^[A-Za-z0-9_.!+]+-[A-Za-z0-9_.!+-]+\.whl$`)

// A WheelBuilder builds wheels of source archives. Building runs the package's
// code, so it is done inside the sandbox: without the network, and with build
// requirements that themselves have wheels.
type WheelBuilder struct {
	Sandbox  sandbox.Sandbox
	Python   Python
	Dir      string   // where Folder collects the wheels of this builder
	CacheDir string   // where wheels and the environments of their builds are kept
	Built    []string // paths of the built wheels in CacheDir
}

// Folder is where the built wheels are, "" while there is none.
func (b *WheelBuilder) Folder() string {
	if len(b.Built) > 0 {
		return b.Dir
	}
	return ""
}

// Build builds the wheel of the newest version that satisfies a requirement
// and returns its file name. A wheel that was built before from the same
// archive is used again. Errors are *IndexError, *UnresolvedError when the
// build's own requirements cannot be had, or say how the build failed.
func (b *WheelBuilder) Build(ctx context.Context, requirement string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, buildTimeout)
	defer cancel()
	scratch, err := os.MkdirTemp("", "touchstone-wheel-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(scratch)
	if err := os.Chmod(scratch, 0o755); err != nil { // the sandbox's user reads the archive
		return "", err
	}
	archive, err := b.download(ctx, requirement, scratch)
	if err != nil {
		return "", err
	}
	kept := filepath.Join(b.CacheDir, "wheels", archive.SHA256[:16]+"-"+b.Python.ABI)
	found, err := filepath.Glob(filepath.Join(kept, "*.whl"))
	if err != nil {
		return "", err
	}
	if len(found) == 1 {
		return filepath.Base(found[0]), b.take(found[0])
	}
	name, wheel, err := b.build(ctx, archive)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(kept, 0o755); err != nil {
		return "", err
	}
	file := filepath.Join(kept, name)
	if err := writeWhole(file, wheel); err != nil {
		return "", err
	}
	return name, b.take(file)
}

// take puts a wheel where Folder shows it.
func (b *WheelBuilder) take(file string) error {
	if slices.Contains(b.Built, file) {
		return nil
	}
	if err := os.MkdirAll(b.Dir, 0o755); err != nil {
		return err
	}
	b.Built = append(b.Built, file)
	return copyFile(filepath.Join(b.Dir, filepath.Base(file)), file)
}

func (b *WheelBuilder) download(ctx context.Context, requirement, dir string) (Archive, error) {
	name := Requirement{Text: requirement}.Name()
	out, stderr, err := b.Python.script(ctx, pipIndex, dir, "newest", requirement)
	if err != nil {
		return Archive{}, &IndexError{Package: requirement, Detail: fmt.Sprint(err, detail(stderr))}
	}
	var newest struct{ Version string }
	if err := json.Unmarshal(out, &newest); err != nil || newest.Version == "" {
		return Archive{}, &UnresolvedError{Requirement: requirement, Kind: NoVersion}
	}
	return DownloadSource(ctx, b.Python, name, newest.Version, dir)
}

// build asks for the build's requirements, makes their environment and builds
// in it; a backend may ask for more when it is first run.
func (b *WheelBuilder) build(ctx context.Context, a Archive) (string, []byte, error) {
	out, err := b.inside(ctx, a, []string{b.Python.Executable, "-I", "-c", buildWheel, archiveInside + "/" + filepath.Base(a.File), "requires"}, nil)
	if err != nil {
		return "", nil, err
	}
	var asked []string
	if err := json.Unmarshal(out, &asked); err != nil {
		return "", nil, fmt.Errorf("the requirements of the build of %s cannot be read: %w", a.Name, err)
	}
	extra := []string{}
	for range maxBuildAsks {
		e, err := b.environment(ctx, slices.Concat(asked, extra))
		if err != nil {
			return "", nil, fmt.Errorf("the requirements of the build of %s: %w", a.Name, err)
		}
		argv := append([]string{e.Interpreter(), "-c", buildWheel, archiveInside + "/" + filepath.Base(a.File), "build"}, extra...)
		out, err := b.inside(ctx, a, argv, e.Mounts())
		if err != nil {
			return "", nil, err
		}
		head, wheel, _ := bytes.Cut(out, []byte("\n"))
		var answer struct {
			Wheel    string
			Requires []string
		}
		if err := json.Unmarshal(head, &answer); err != nil {
			return "", nil, fmt.Errorf("the build of %s gave no wheel", a.Name)
		}
		if answer.Wheel != "" {
			if !wheelName.MatchString(answer.Wheel) {
				return "", nil, fmt.Errorf("the build of %s gave a wheel called %q", a.Name, answer.Wheel)
			}
			return answer.Wheel, wheel, nil
		}
		extra = append(extra, answer.Requires...)
	}
	return "", nil, fmt.Errorf("the build of %s asks for requirements again and again", a.Name)
}

func (b *WheelBuilder) environment(ctx context.Context, texts []string) (Environment, error) {
	requirements := make([]Requirement, len(texts))
	for i, t := range texts {
		requirements[i] = Requirement{Text: t, From: "build-system"}
	}
	l, err := Resolve(ctx, b.Python, requirements, LockOptions{})
	if err != nil {
		return Environment{}, err
	}
	return Create(ctx, b.Python, l, b.CacheDir, CreateOptions{})
}

// inside runs a step of the build in the sandbox and returns what it wrote.
func (b *WheelBuilder) inside(ctx context.Context, a Archive, argv []string, mounts []sandbox.Mount) ([]byte, error) {
	if mounts == nil {
		mounts = b.Python.Mounts()
	}
	mounts = append(slices.Clone(mounts), sandbox.Mount{Source: filepath.Dir(a.File), Target: archiveInside},
		sandbox.Mount{Source: b.Python.Pip.Dir, Target: "/pip/pip"})
	p, err := b.Sandbox.Start(ctx, sandbox.Spec{
		Argv: argv,
		Env: []string{"PATH=" + mountDir + "/bin:/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "PYTHONHASHSEED=0",
			"SOURCE_DATE_EPOCH=1000000000"}, // equal sources make equal wheels
		Mounts: mounts,
		Limits: sandbox.Limits{Wall: buildTimeout, Scratch: 1 << 30},
		Label:  "wheel of " + a.Name,
	})
	if err != nil {
		return nil, err
	}
	defer p.Kill()
	p.Stdin().Close()
	out, err := io.ReadAll(io.LimitReader(p.Stdout(), maxWheel+1))
	if err != nil || len(out) > maxWheel {
		p.Kill()
	}
	exit := p.Wait()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, err
	case len(out) > maxWheel:
		return nil, fmt.Errorf("the build of %s wrote more than %d MiB", a.Name, maxWheel>>20)
	case exit.TimedOut:
		return nil, fmt.Errorf("the build of %s did not end within %s", a.Name, buildTimeout)
	case exit.Code != 0:
		return nil, fmt.Errorf("the build of %s failed%s", a.Name, detail(exit.Stderr))
	}
	return out, nil
}

// writeWhole writes a file so that it is there whole or not at all.
func writeWhole(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), ".new-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(data)
	if err == nil {
		err = f.Chmod(0o644)
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return writeWhole(to, data)
}
