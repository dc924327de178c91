package build

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox"
)

//go:embed collect.py
var collectScript string

const maxCollection = 64 << 20 // bytes of what collection prints

// A collection is what pytest says when it collects the tests.
type collection struct {
	Status   int               `json:"status"` // pytest's exit status
	Tests    []string          `json:"tests"`  // node ids
	Errors   []collectionError `json:"errors"`
	Warnings []string          `json:"warnings"`
	Fixtures []string          `json:"fixtures"` // names of fixtures that no plugin brings
	output   string            // what pytest and the repository printed last
}

type collectionError struct {
	Path string `json:"path"`
	Text string `json:"text"`
}

// A collector runs pytest over the tree in the sandbox.
type collector struct {
	box        sandbox.Sandbox
	tree       string // on the host
	metadata   string // on the host
	pythonPath []string
	wall       time.Duration // for collecting once
}

// collect lists the tests. With plan it looks fixtures up, too; neither runs a
// test. An *InsideError names the file at which it ended early.
func (c collector) collect(ctx context.Context, e environment.Environment, args []string, plan bool) (collection, error) {
	given, err := json.Marshal(map[string]any{"args": args, "plan": plan})
	if err != nil {
		return collection{}, err
	}
	spec := sandbox.Spec{
		Argv: []string{e.Interpreter(), "-c", collectScript},
		Env:  e.Environ(c.pythonPath),
		Dir:  environment.RepositoryDir,
		Mounts: append(e.Mounts(), sandbox.Mount{Source: c.tree, Target: environment.RepositoryDir},
			sandbox.Mount{Source: c.metadata, Target: environment.MetadataDir}),
		Limits: sandbox.Limits{Wall: c.wall},
		Label:  "collection",
	}
	out, exit, err := runInside(ctx, c.box, spec, given, maxCollection)
	if err != nil {
		return collection{}, fmt.Errorf("collection: %w", err)
	}
	found, at := readCollection(out)
	if exit.TimedOut || exit.Code != 0 || found == nil {
		return collection{}, &InsideError{Step: "collection", At: at, Exit: exit}
	}
	found.output = exit.Stderr
	return *found, nil
}

// readCollection reads what the script printed: its answer, nil when it did
// not come to that, and the test file that it had come to.
func readCollection(out []byte) (found *collection, at string) {
	for line := range bytes.Lines(out) {
		var turn struct {
			Collecting string `json:"collecting"`
		}
		if json.Unmarshal(line, &turn) != nil {
			return nil, at
		}
		if turn.Collecting == "" {
			found = &collection{}
			if json.Unmarshal(line, found) != nil {
				return nil, at
			}
			return found, at
		}
		at = turn.Collecting
	}
	return nil, at
}

// Exit statuses of pytest: it broke, it did not start, it found nothing.
const (
	pytestInternalError = 3
	pytestUsageError    = 4
	pytestNoTests       = 5
)

var (
	missingModule  = regexp.MustCompile(`No module named '?([A-Za-z_][\w.]*)'?`)
	missingPlugin  = regexp.MustCompile(`Error importing plugin "([\w.-]+)"`)
	requiredPlugin = regexp.MustCompile(`Missing required plugins: ([^\n]+)`)
	unknownOption  = regexp.MustCompile(`unrecognized arguments: ([^\n]+)`)
	missingFilter  = regexp.MustCompile(`Failed to import filter module '([\w.]+)'`)
	unknownMark    = regexp.MustCompile(`Unknown pytest\.mark\.(\w+)`)
	missingLibrary = regexp.MustCompile(`ImportError: (lib[\w.+-]+\.so[\w.]*): cannot open shared object file`)
)

// text is everything in which a missing module may be named.
func (c collection) text() string {
	var b strings.Builder
	for _, e := range c.Errors {
		b.WriteString(e.Text + "\n")
	}
	if c.Status >= pytestInternalError || c.Status < 0 {
		b.WriteString(c.output)
	}
	return b.String()
}

// modules are the modules that were not found, without repetition.
func (c collection) modules() []string {
	return append(allMatches(missingModule, c.text()), allMatches(missingFilter, c.text())...)
}

// libraries are the system's shared libraries that a package lacks.
func (c collection) libraries() []string { return allMatches(missingLibrary, c.text()) }

// options are the options that no plugin knows.
func (c collection) options() []string {
	if c.Status != pytestUsageError {
		return nil
	}
	var found []string
	for _, words := range allMatches(unknownOption, c.output) {
		for _, w := range strings.Fields(words) {
			if strings.HasPrefix(w, "-") && !slices.Contains(found, w) {
				found = append(found, w)
			}
		}
	}
	return found
}

// plugins are distributions of pytest plugins that something asks for.
func (c collection) plugins() []string {
	var found []string
	add := func(name string) {
		if name != "" && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	if c.Status >= pytestInternalError {
		for _, name := range allMatches(missingPlugin, c.output) {
			add(distributionOf(name))
		}
		for _, names := range allMatches(requiredPlugin, c.output) {
			for _, name := range strings.Split(names, ",") {
				add(environment.Requirement{Text: strings.TrimSpace(name)}.Name())
			}
		}
	}
	for _, w := range c.Warnings {
		for _, mark := range allMatches(unknownMark, w) {
			add(pluginOfMark[mark])
		}
	}
	for _, f := range c.Fixtures {
		add(pluginOfFixture[f])
	}
	return found
}

func allMatches(form *regexp.Regexp, text string) []string {
	var found []string
	for _, m := range form.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(found, m[1]) {
			found = append(found, m[1])
		}
	}
	return found
}

// ignored are the files that could not be collected, to be left out of every
// run: one of them would end it.
func (c collection) ignored() []string {
	var files []string
	for _, e := range c.Errors {
		file, _, _ := strings.Cut(e.Path, "::")
		if file != "" && file != "." && !path.IsAbs(file) && !slices.Contains(files, file) {
			files = append(files, file)
		}
	}
	return files
}

// reason is the last line of an error's text that says what happened, and the
// place in the repository where it did.
func (e collectionError) reason() string {
	lines := strings.Split(strings.TrimSpace(e.Text), "\n")
	why := strings.TrimSpace(lines[len(lines)-1])
	for _, line := range slices.Backward(lines) {
		if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "E "); ok {
			why = strings.TrimSpace(rest)
			break
		}
	}
	if at := e.place(); at != "" {
		why += " (" + at + ")"
	}
	return why
}

var (
	unparsedFile = regexp.MustCompile(`(?m)^E\s+File "(?:` + environment.RepositoryDir + `/)?([^"/][^"]*)", line (\d+)$`)
	frame        = regexp.MustCompile(`(?m)^([^/<.\s][^:\n]*\.py):(\d+): in `)
)

// place is the file and line of the repository that the error comes from: what
// does not parse, else the innermost frame; "" when neither is known.
func (e collectionError) place() string {
	found := unparsedFile.FindAllStringSubmatch(e.Text, -1)
	if len(found) == 0 {
		found = frame.FindAllStringSubmatch(e.Text, -1)
	}
	if len(found) == 0 {
		return ""
	}
	last := found[len(found)-1]
	return last[1] + ", line " + last[2]
}
