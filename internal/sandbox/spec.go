package sandbox

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"
)

// The defaults of Limits.
const (
	DefaultMemory      = 4 << 30
	DefaultProcesses   = 256
	DefaultFileSize    = 256 << 20
	DefaultScratch     = 512 << 20
	DefaultStderrBytes = 64 << 10
)

// The user and group every sandboxed program runs as: nobody.
const (
	sandboxUID = 65534
	sandboxGID = 65534
)

// Bounds that no Spec changes.
const (
	openFiles = 1024
	// oomScore (of 1000) makes the sandbox the first to go when the host
	// runs out of memory.
	oomScore = 800
)

// scratchFiles bounds the files in so many bytes of scratch memory: one per
// page, since a file takes kernel memory even when it is empty.
func scratchFiles(bytes int64) int64 { return max(bytes/4096, 1024) }

func (l Limits) withDefaults() Limits {
	if l.Memory <= 0 {
		l.Memory = DefaultMemory
	}
	if l.Processes <= 0 {
		l.Processes = DefaultProcesses
	}
	if l.FileSize <= 0 {
		l.FileSize = DefaultFileSize
	}
	if l.Scratch <= 0 {
		l.Scratch = DefaultScratch
	}
	if l.StderrBytes <= 0 {
		l.StderrBytes = DefaultStderrBytes
	}
	l.Wall = max(l.Wall, time.Duration(0))
	return l
}

// prepared returns spec with its defaults filled in and its paths cleaned,
// or says what is wrong with it.
func (s Spec) prepared() (Spec, error) {
	if len(s.Argv) == 0 || !path.IsAbs(s.Argv[0]) {
		return s, fmt.Errorf("sandbox: the program must be an absolute path inside, not %q", s.Argv)
	}
	for _, text := range append(append([]string{}, s.Argv...), s.Env...) {
		if strings.ContainsRune(text, 0) {
			return s, fmt.Errorf("sandbox: NUL in an argument or variable: %q", text)
		}
	}
	if s.Dir == "" {
		s.Dir = "/tmp"
	}
	if !path.IsAbs(s.Dir) {
		return s, fmt.Errorf("sandbox: the working directory must be absolute, not %q", s.Dir)
	}

	mounts := make([]Mount, len(s.Mounts))
	for i, m := range s.Mounts {
		if !filepath.IsAbs(m.Source) {
			return s, fmt.Errorf("sandbox: the mount source must be absolute, not %q", m.Source)
		}
		target, err := cleanTarget(m.Target)
		if err != nil {
			return s, err
		}
		mounts[i] = Mount{Source: filepath.Clean(m.Source), Target: target, Writable: m.Writable}
	}
	s.Mounts = mounts

	tmpfs := make([]string, len(s.Tmpfs))
	for i, folder := range s.Tmpfs {
		target, err := cleanTarget(folder)
		if err != nil {
			return s, err
		}
		tmpfs[i] = target
	}
	s.Tmpfs = tmpfs
	s.Limits = s.Limits.withDefaults()
	return s, nil
}

// cleanTarget refuses the targets that would replace what the sandbox itself
// provides.
func cleanTarget(target string) (string, error) {
	if !path.IsAbs(target) {
		return "", fmt.Errorf("sandbox: the target must be an absolute path inside, not %q", target)
	}
	target = path.Clean(target)
	if target == "/" || isBeneath(target, "/proc") || isBeneath(target, "/dev") {
		return "", fmt.Errorf("sandbox: nothing can be mounted at %s", target)
	}
	return target, nil
}

// isBeneath reports whether a clean path is folder or lies in it.
func isBeneath(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, strings.TrimSuffix(folder, "/")+"/")
}
