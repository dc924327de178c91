package build

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox"
)

//go:embed discover/*.py
var discoverSources embed.FS

const (
	discoverTimeout = time.Minute
	maxDiscovery    = 16 << 20 // bytes of what discovery prints
)

// RequirementKind says what a requirement is needed for.
type RequirementKind string

const (
	RuntimeRequirement RequirementKind = "runtime" // by the package itself
	TestRequirement    RequirementKind = "test"    // by its tests
	DevRequirement     RequirementKind = "dev"     // by its developers; used when nothing is said of tests
	HintRequirement    RequirementKind = "hint"    // tells only which version to take when it turns out to be needed
)

// A Wanted is a requirement that the repository states.
type Wanted struct {
	environment.Requirement
	Kind RequirementKind `json:"kind"`
}

// A Discovery is what a repository says of itself, as it says it.
type Discovery struct {
	Name           string                       `json:"name"`
	Version        string                       `json:"version"`
	License        string                       `json:"license"`
	RequiresPython string                       `json:"requires_python"`
	PythonFits     bool                         `json:"python_fits"` // the interpreter satisfies RequiresPython
	PythonPath     []string                     `json:"python_path"`
	Requirements   []Wanted                     `json:"requirements"`
	EntryPoints    map[string]map[string]string `json:"entry_points"`
	Pytest         PytestConfig                 `json:"pytest"`
	VersionFiles   []VersionFile                `json:"version_files"`
	Compiled       string                       `json:"compiled"` // where it says that it has compiled parts; "" for none
	Notes          []Note                       `json:"notes"`
}

// A PytestConfig is the repository's own configuration of pytest.
type PytestConfig struct {
	File            string   `json:"file"`
	Addopts         []string `json:"addopts"`
	Options         []string `json:"options"` // names of the options that are set
	RequiredPlugins []string `json:"required_plugins"`
}

// A VersionFile is a file that the repository's build would write from its
// version control, and that its code imports.
type VersionFile struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// Discover reads a source's metadata, requirements and pytest configuration.
// The reading is done inside the sandbox and only parses: nothing of the
// repository is imported. An error is the sandbox's, or an *InsideError.
func Discover(ctx context.Context, s sandbox.Sandbox, python environment.Python, source Source) (Discovery, error) {
	const program, tree, pip = "/discover", "/repo", "/pip"
	scratch, err := os.MkdirTemp("", "touchstone-discover-")
	if err != nil {
		return Discovery{}, err
	}
	defer os.RemoveAll(scratch)
	sources := filepath.Join(scratch, "discover")
	if err := writeDiscoverSources(sources); err != nil {
		return Discovery{}, err
	}
	given, err := json.Marshal(map[string]any{"info": source.Info, "version": source.Version})
	if err != nil {
		return Discovery{}, err
	}
	spec := sandbox.Spec{
		Argv: []string{python.Executable, "-I", "-B", program, tree, pip},
		Env:  []string{"LANG=C.UTF-8", "HOME=/tmp", "PATH=/usr/bin:/bin", "PYTHONHASHSEED=0"},
		// pip carries the parsers of requirements and versions.
		Mounts: append(python.Mounts(), sandbox.Mount{Source: sources, Target: program}, sandbox.Mount{Source: source.Dir, Target: tree},
			sandbox.Mount{Source: python.Pip.Dir, Target: pip + "/pip"}),
		Limits: sandbox.Limits{Wall: discoverTimeout},
		Label:  "discovery",
	}
	out, exit, err := runInside(ctx, s, spec, given, maxDiscovery)
	if err != nil {
		return Discovery{}, fmt.Errorf("discovery: %w", err)
	}
	var d Discovery
	if exit.Code != 0 || exit.TimedOut || json.Unmarshal(out, &d) != nil {
		return Discovery{}, &InsideError{Step: "discovery", Exit: exit}
	}
	for i := range d.Notes {
		d.Notes[i].Step = "discovery"
	}
	return d, nil
}

// writeDiscoverSources writes the program that reads a repository into a new
// folder, which Python runs as one.
func writeDiscoverSources(dir string) error {
	sources, err := fs.Sub(discoverSources, "discover")
	if err != nil {
		return err
	}
	return os.CopyFS(dir, sources)
}

// Metadata is what importlib.metadata should answer for the repository.
func (d Discovery) Metadata() doctocode.Metadata {
	m := doctocode.Metadata{Name: d.Name, Version: d.Version}
	if len(d.EntryPoints) > 0 {
		m.EntryPoints = d.EntryPoints
	}
	if m.Name != "" && m.Version == "" {
		m.Version = "0"
	}
	return m
}
