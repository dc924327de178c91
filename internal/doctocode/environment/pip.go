package environment

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"touchstone/internal/benchmark"
)

var (
	//go:embed pip_guard.py
	pipGuard string
	//go:embed pip_main.py
	pipMain string
	//go:embed pip_index.py
	pipIndex string
)

const (
	indexTimeout   = 3 * time.Minute
	maxSourceBytes = 256 << 20 // of a source archive
)

// script runs one of the scripts above with the host's interpreter. -I keeps
// the user's site and PYTHON* variables out; pip's own configuration (index,
// proxy, certificates) holds.
func (p Python) script(ctx context.Context, script, dir string, args ...string) (stdout []byte, stderr string, err error) {
	env := append(os.Environ(),
		"PIP_DISABLE_PIP_VERSION_CHECK=1", "PIP_NO_INPUT=1", "PIP_NO_COLOR=1", "PIP_USER=0", "PIP_REQUIRE_VIRTUALENV=0",
		"PIP_QUIET=0", "PIP_VERBOSE=0", "PIP_PROGRESS_BAR=off", "PIP_ROOT_USER_ACTION=ignore", "PYTHONIOENCODING=utf-8")
	argv := append([]string{p.Executable, "-I", "-c", pipGuard + script, p.Pip.Dir}, args...)
	return run(ctx, command{argv: argv, env: env, dir: dir})
}

// An Archive is a source archive that was downloaded.
type Archive struct {
	File     string // on the host, ending as the archive's kind tells: .tar.gz, .zip …
	Name     string // as the index names it: schema-0.7.7.tar.gz
	SHA256   string // of its bytes
	Verified bool   // the index gave the same SHA-256
}

// DownloadSource downloads the source archive of name at version into the
// folder dir from the index that pip is configured with. It only downloads:
// pip's own download command would run the package's build backend. It is an
// *benchmark.InputError when there is no such archive, and an *IndexError when
// the index does not answer or its SHA-256 does not fit.
func DownloadSource(ctx context.Context, p Python, name, version, dir string) (Archive, error) {
	ctx, cancel := context.WithTimeout(ctx, indexTimeout)
	defer cancel()
	out, stderr, err := p.script(ctx, pipIndex, dir, "download", name, version, dir, strconv.Itoa(maxSourceBytes))
	if err != nil {
		return Archive{}, &IndexError{Package: name, Detail: fmt.Sprint(err, detail(stderr))}
	}
	var a struct {
		File, Name, SHA256, Error, Told string
		Verified                        bool
		Versions                        []string
	}
	if err := json.Unmarshal(out, &a); err != nil {
		return Archive{}, &IndexError{Package: name, Detail: "its answer cannot be read: " + err.Error()}
	}
	bad := func(problem, mend string) (Archive, error) {
		return Archive{}, &benchmark.InputError{Field: "source", Problem: problem, Mend: mend}
	}
	wanted := name + "==" + version
	switch a.Error {
	case "":
		return Archive{File: a.File, Name: a.Name, SHA256: a.SHA256, Verified: a.Verified}, nil
	case "version":
		return bad(fmt.Sprintf("%q is not a version", version), "write it as 1.2.3")
	case "wheels":
		return bad(wanted+" has only wheels, no source archive", "give its git repository and a commit instead")
	case "size":
		return bad(fmt.Sprintf("the source archive of %s is larger than %d MiB", wanted, maxSourceBytes>>20), "give its git repository and a commit instead")
	case "hash":
		return Archive{}, &IndexError{Package: name, Detail: fmt.Sprintf("the archive's SHA-256 is %s, the index says %s", a.SHA256, a.Told)}
	}
	if len(a.Versions) > 0 {
		return bad("there is no version "+version+" of "+name, "the latest are "+strings.Join(a.Versions, ", "))
	}
	if unreachable(stderr) {
		return Archive{}, &IndexError{Package: name, Detail: "the index cannot be reached" + detail(stderr)}
	}
	return bad("the index that pip is configured with has no "+name, "check the name and pip's configuration (python3 -m pip config list)")
}

// releases lists the versions of a package that have a wheel for this
// interpreter, and those that have a source archive, from old to new.
func (p Python) releases(ctx context.Context, name string) (wheels, sources []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, indexTimeout)
	defer cancel()
	out, stderr, err := p.script(ctx, pipIndex, os.TempDir(), "list", name)
	if err != nil {
		return nil, nil, &IndexError{Package: name, Detail: fmt.Sprint(err, detail(stderr))}
	}
	var a struct{ Wheels, Sources []string }
	if err := json.Unmarshal(out, &a); err != nil {
		return nil, nil, &IndexError{Package: name, Detail: "its answer cannot be read: " + err.Error()}
	}
	if len(a.Wheels)+len(a.Sources) == 0 && unreachable(stderr) {
		return nil, nil, &IndexError{Package: name, Detail: "the index cannot be reached" + detail(stderr)}
	}
	return a.Wheels, a.Sources, nil
}

// unreachable reports whether pip's words say that no index answered.
func unreachable(stderr string) bool {
	for _, sign := range []string{"connection broken by", "Max retries exceeded", "Failed to establish a new connection", "Temporary failure in name resolution", "Could not fetch URL", "ProxyError"} {
		if strings.Contains(stderr, sign) {
			return true
		}
	}
	return false
}

// An IndexError says that the package index did not give what it should: it
// is the machine's or the network's failure, not the package's.
type IndexError struct {
	Package string
	Detail  string
}

func (e *IndexError) Error() string {
	return "the package index gave nothing for " + e.Package + ": " + e.Detail
}
