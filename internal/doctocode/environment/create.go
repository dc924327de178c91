package environment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	// keyFormat changes when the way in which environments are made does.
	keyFormat = "environment-v1"
	// marker is written last: a folder that has it is complete.
	marker         = "touchstone.json"
	buildingSuffix = ".building"
	lockSuffix     = ".lock"
	createTimeout  = 15 * time.Minute
)

// Key names the content of an environment: equal keys, equal packages on equal
// versions of Python.
func Key(p Python, l Lock) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s\n%s", keyFormat, p.Version, p.Platform, p.ABI, l)
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// CreateOptions say how an environment is filled.
type CreateOptions struct {
	Wheels string // a folder of wheels that were built here, "" when there is none
}

// Create returns the environment of a lock, making it in the cache folder when
// it is not there yet; one that is there needs no network. It is safe to be
// called by several processes at once, and a process that is killed leaves
// nothing that a later one would take for an environment. What an interrupted
// process left is removed.
func Create(ctx context.Context, p Python, l Lock, cacheDir string, o CreateOptions) (Environment, error) {
	cacheDir, err := filepath.Abs(cacheDir)
	if err != nil {
		return Environment{}, err
	}
	if err := os.MkdirAll(cacheDir, 0o755); err != nil {
		return Environment{}, err
	}
	removeLeftovers(cacheDir)
	key := Key(p, l)
	// The folder's links lead to one interpreter, so its path is in its name.
	base := sha256.Sum256([]byte(p.Executable))
	dir := filepath.Join(cacheDir, key+"-"+hex.EncodeToString(base[:4]))
	e := Environment{Dir: dir, Python: p, Key: key, Lock: l}
	if complete(dir) {
		return e, nil
	}
	held, err := waitForLock(ctx, dir+lockSuffix)
	if err != nil {
		return Environment{}, err
	}
	defer held.release()
	if complete(dir) { // made by the process that held the lock
		return e, nil
	}
	ctx, cancel := context.WithTimeout(ctx, createTimeout)
	defer cancel()
	building := dir + buildingSuffix
	for _, d := range []string{building, dir} { // interrupted, or incomplete by somebody's hand
		if err := os.RemoveAll(d); err != nil {
			return Environment{}, err
		}
	}
	if err := fill(ctx, p, l, building, o); err != nil {
		os.RemoveAll(building)
		return Environment{}, fmt.Errorf("making the environment: %w", err)
	}
	return e, os.Rename(building, dir)
}

func complete(dir string) bool { return exists(filepath.Join(dir, marker)) }

// fill makes the environment in dir, step by step.
func fill(ctx context.Context, p Python, l Lock, dir string, o CreateOptions) error {
	if err := makeVenv(ctx, p, dir); err != nil {
		return err
	}
	site := sitePackages(dir, p)
	if len(l.Packages) > 0 {
		if err := install(ctx, p, l, site, o); err != nil {
			return err
		}
	}
	if err := moveScripts(site, filepath.Join(dir, "bin"), p); err != nil {
		return err
	}
	if err := compile(ctx, p, site); err != nil {
		return err
	}
	if err := openToAll(dir); err != nil {
		return err
	}
	text, err := json.MarshalIndent(map[string]any{"key": Key(p, l), "python": p, "packages": len(l.Packages)}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, marker), append(text, '\n'), 0o644)
}

// makeVenv makes an empty virtual environment that does not know where it
// stands: the sandbox shows it at /env.
func makeVenv(ctx context.Context, p Python, dir string) error {
	_, stderr, err := run(ctx, command{argv: []string{p.Executable, "-I", "-m", "venv", "--without-pip", "--symlinks", dir}, env: os.Environ()})
	if err != nil {
		return fmt.Errorf("venv: %w%s", err, detail(stderr))
	}
	scripts, err := filepath.Glob(filepath.Join(dir, "bin", "[Aa]ctivate*"))
	if err != nil {
		return err
	}
	for _, s := range scripts {
		if err := os.Remove(s); err != nil {
			return err
		}
	}
	config := fmt.Sprintf("home = %s\ninclude-system-site-packages = false\nversion = %s\n", filepath.Dir(p.Executable), p.Version)
	return os.WriteFile(filepath.Join(dir, "pyvenv.cfg"), []byte(config), 0o644)
}

// install unpacks the lock's wheels with the host's pip. The environment's own
// interpreter must not run here: a .pth file would run a package's code.
func install(ctx context.Context, p Python, l Lock, site string, o CreateOptions) error {
	scratch, err := os.MkdirTemp("", "touchstone-install-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	file := filepath.Join(scratch, "requirements.lock")
	if err := os.WriteFile(file, []byte(l.String()), 0o644); err != nil {
		return err
	}
	args := []string{"install", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--target", site, "--no-compile",
		"--no-warn-script-location", "--quiet", "--retries", "2", "--requirement", file}
	if o.Wheels != "" {
		args = append(args, "--find-links", o.Wheels)
	}
	_, stderr, err := p.script(ctx, pipMain, scratch, args...)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return err
	case unreachable(stderr):
		return &IndexError{Package: "the locked requirements", Detail: "it cannot be reached" + detail(stderr)}
	}
	return fmt.Errorf("pip: %w%s", err, detail(stderr))
}

// moveScripts puts console scripts, which pip leaves among the packages, where
// a virtual environment has them, with the interpreter that the sandbox shows.
func moveScripts(site, bin string, p Python) error {
	from := filepath.Join(site, "bin")
	entries, err := os.ReadDir(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		if !e.Type().IsRegular() {
			return nil // a package that is called bin
		}
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(from, e.Name()))
		if err != nil {
			return err
		}
		target := filepath.Join(bin, e.Name())
		if exists(target) {
			continue // never over the interpreter
		}
		if first, rest, ok := strings.Cut(string(text), "\n"); ok && strings.HasPrefix(first, "#!") && strings.Contains(first, "python") {
			text = []byte("#!" + mountDir + "/bin/python\n" + rest)
		}
		if err := os.WriteFile(target, text, 0o755); err != nil {
			return err
		}
	}
	return os.RemoveAll(from)
}

// compile writes the packages' bytecode under the paths that the sandbox
// shows. The bytecode does not depend on the files' times. Packages may hold
// files that do not compile (templates, tests of old syntax): that is no error.
func compile(ctx context.Context, p Python, site string) error {
	inside := sitePackages(mountDir, p)
	_, _, err := run(ctx, command{env: os.Environ(), argv: []string{p.Executable, "-I", "-m", "compileall", "-qq", "-f",
		"--invalidation-mode", "unchecked-hash", "-s", site, "-p", inside, site}})
	if ctx.Err() != nil {
		return fmt.Errorf("compiling the packages: %w", err)
	}
	return nil
}

// openToAll makes every file readable by other users: the sandbox's user is
// another one.
func openToAll(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o644)
		if d.IsDir() || info.Mode()&0o111 != 0 {
			mode = 0o755
		}
		return os.Chmod(name, mode)
	})
}
