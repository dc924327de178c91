package environment

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"touchstone/internal/benchmark"
)

// A Python is an interpreter of the host from which environments are made, and
// the pip that fills them.
type Python struct {
	Executable string // the real file, never a shim or a link
	Prefix     string // of the base installation
	Version    string // 3.11.7
	Platform   string // linux-x86_64
	ABI        string // cpython-311-x86_64-linux-gnu
	Pip        Pip
}

// A Pip is the pip package that an interpreter runs. It may belong to another
// interpreter of the host when this one has none.
type Pip struct {
	Dir     string // the folder of the package
	Version string // 23.2.1
}

// Minor is the version without its last part, as environments depend on it: 3.11.
func (p Python) Minor() string {
	major, minor := splitVersion(p.Version)
	return fmt.Sprintf("%d.%d", major, minor)
}

const (
	oldestPython = 9 // of 3.x
	askTimeout   = 30 * time.Second
)

// ask prints what an interpreter knows of itself. It runs with -I: no user
// site and no variable of the environment has a say.
const ask = `
import json, os, sys, sysconfig
try:
    import pip
    pip = {"dir": os.path.dirname(os.path.realpath(pip.__file__)), "version": pip.__version__}
except Exception:
    pip = {}
try:
    import venv
    venv = True
except Exception:
    venv = False
print(json.dumps({
    "executable": os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
    "prefix": os.path.realpath(sys.base_prefix),
    "version": "%d.%d.%d" % sys.version_info[:3],
    "implementation": sys.implementation.name,
    "platform": sysconfig.get_platform(),
    "abi": sysconfig.get_config_var("SOABI") or sys.implementation.cache_tag,
    "pip": pip, "venv": venv,
}))
`

type answer struct {
	Executable, Prefix, Version, Implementation, Platform, ABI string
	Pip                                                        struct{ Dir, Version string }
	Venv                                                       bool
}

// FindPython finds an interpreter: a version such as 3.11, the path of an
// interpreter, or "" for python3. What is found on the PATH is asked what it
// really is, so that shims and links are seen through. It is an
// *benchmark.InputError when there is none, when it is older than 3.9, or when
// it lacks venv or a pip of 22.2 or later.
func FindPython(ctx context.Context, version string) (Python, error) {
	if strings.ContainsRune(version, filepath.Separator) {
		a, err := askPython(ctx, version, nil)
		if err != nil {
			return Python{}, inputError(fmt.Sprintf("%s does not run: %v", version, err), "give the path of a Python interpreter")
		}
		return a.python(ctx)
	}
	if version != "" {
		if major, minor := splitVersion(version); major != 3 || strings.Count(version, ".") != 1 || version != fmt.Sprintf("%d.%d", major, minor) {
			return Python{}, inputError(fmt.Sprintf("%q is not a version", version), "write it as 3.11, or give the path of an interpreter")
		}
	}
	name := "python" + version
	if version == "" {
		name = "python3"
	}
	var broken error
	for _, file := range onPath(name) {
		a, err := askPython(ctx, file, nil)
		if err != nil && version != "" {
			// A pyenv shim refuses a version that is installed but not selected.
			a, err = askPython(ctx, file, []string{"PYENV_VERSION=" + version})
		}
		if err != nil {
			broken = fmt.Errorf("%s does not run: %w", file, err)
			continue
		}
		if version != "" && !strings.HasPrefix(a.Version, version+".") {
			continue
		}
		return a.python(ctx)
	}
	if ctx.Err() != nil {
		return Python{}, ctx.Err()
	}
	problem := name + " is not on the PATH"
	if broken != nil {
		problem = broken.Error()
	}
	return Python{}, inputError(problem, "install Python "+orElse(version, "3.9 or later")+", or give the path of an interpreter")
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// python checks an answer and finds the pip to use.
func (a answer) python(ctx context.Context) (Python, error) {
	p := Python{Executable: a.Executable, Prefix: a.Prefix, Version: a.Version, Platform: a.Platform, ABI: a.ABI,
		Pip: Pip{Dir: a.Pip.Dir, Version: a.Pip.Version}}
	major, minor := splitVersion(a.Version)
	if major != 3 || minor < oldestPython {
		return Python{}, inputError(fmt.Sprintf("%s is Python %s", a.Executable, a.Version), "use Python 3.9 or later")
	}
	if a.Implementation != "cpython" {
		return Python{}, inputError(fmt.Sprintf("%s is %s, not CPython", a.Executable, a.Implementation), "use CPython 3.9 or later")
	}
	if !a.Venv {
		return Python{}, inputError(a.Executable+" has no venv module", "install its venv package")
	}
	if p.Pip.atLeast(22, 2) {
		return p, nil
	}
	// An interpreter without a pip, as distributions package it, may run
	// another's: from 22.3 on pip can be run from outside its interpreter.
	for _, file := range onPath("python3") {
		if other, err := askPython(ctx, file, nil); err == nil {
			if pip := (Pip{other.Pip.Dir, other.Pip.Version}); pip.atLeast(22, 3) {
				p.Pip = pip
				return p, nil
			}
		}
	}
	problem := a.Executable + " has no pip"
	if p.Pip.Version != "" {
		problem = fmt.Sprintf("%s has pip %s, too old to report what it resolves", a.Executable, p.Pip.Version)
	}
	return Python{}, inputError(problem, "install pip 22.2 or later for it: "+a.Executable+" -m ensurepip --upgrade, or your system's python3-pip")
}

func (p Pip) atLeast(major, minor int) bool {
	if p.Version == "" {
		return false
	}
	haveMajor, haveMinor := splitVersion(p.Version)
	return haveMajor > major || haveMajor == major && haveMinor >= minor
}

// askPython lets an interpreter say what it is; then the real one behind it,
// whose prefix does not run through links.
func askPython(ctx context.Context, file string, extra []string) (answer, error) {
	a, err := askOnce(ctx, file, extra)
	if err != nil || a.Executable == file {
		return a, err
	}
	return askOnce(ctx, a.Executable, nil)
}

func askOnce(ctx context.Context, file string, extra []string) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	out, stderr, err := run(ctx, command{argv: []string{file, "-I", "-c", ask}, env: append(os.Environ(), extra...)})
	if err != nil {
		return answer{}, fmt.Errorf("%w%s", err, detail(stderr))
	}
	var a answer
	if err := json.Unmarshal(out, &a); err != nil || a.Executable == "" {
		return answer{}, fmt.Errorf("it does not answer as a Python interpreter")
	}
	return a, nil
}

// onPath is every executable of that name on the PATH: the first may be a shim
// that does not work where a later one does.
func onPath(name string) []string {
	var found []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if file, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			found = append(found, file)
		}
	}
	return found
}

// splitVersion reads the first two numbers of a version; what is not a number is 0.
func splitVersion(v string) (major, minor int) {
	parts := strings.Split(v, ".")
	major, _ = strconv.Atoi(parts[0])
	if len(parts) > 1 {
		minor, _ = strconv.Atoi(parts[1])
	}
	return major, minor
}

func inputError(problem, mend string) error {
	return &benchmark.InputError{Field: "python", Problem: problem, Mend: mend}
}
