package measures

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/measure/docagent"
	"touchstone/internal/sandbox"
)

// factsTime bounds the reading of one repository: parsing takes about a
// millisecond for a hundred lines.
const factsTime = 5 * time.Minute

// longestFacts bounds the answer about one file.
const longestFacts = 64 << 20

// A FactFinder asks Python what its ast says of the files that hold tasks. It
// does so in the sandbox, and keeps the answers in the cache, named by the
// content of the files: a repository of a release is read once.
type FactFinder struct {
	Box   sandbox.Sandbox
	Cache *cache.Folder

	mu    sync.Mutex
	found *environment.Python
}

// Facts are what Python says of one file's definitions, or why it cannot.
type Facts struct {
	Definitions []docagent.Facts `json:"definitions"`
	Error       string           `json:"error,omitempty"`
}

// Of is a definition's.
func (f Facts) Of(qualname string, ordinal int) (docagent.Facts, bool) {
	for _, d := range f.Definitions {
		if d.Qualname == qualname && d.Ordinal == ordinal {
			return d, true
		}
	}
	return docagent.Facts{}, false
}

// python is the machine's interpreter. It only parses, so that no repository
// needs its own; what it is too old for, it says.
func (f *FactFinder) python(ctx context.Context) (environment.Python, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.found == nil {
		p, err := environment.FindPython(ctx, "")
		if err != nil {
			return p, err
		}
		f.found = &p
	}
	return *f.found, nil
}

// Ready is why no file can be read on this machine.
func (f *FactFinder) Ready(ctx context.Context) error {
	if f == nil || f.Box == nil {
		return errors.New("this process has no sandbox in which Python could read the code")
	}
	_, err := f.python(ctx)
	return err
}

// Find gives the facts of files by their paths.
func (f *FactFinder) Find(ctx context.Context, repository string, files []*doctocode.SourceFile) (map[string]Facts, error) {
	if err := f.Ready(ctx); err != nil {
		return nil, err
	}
	interpreter, err := f.python(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q\n", docagent.FactsScript, interpreter.Minor())
	for _, file := range files {
		fmt.Fprintf(sum, "%q %q\n", file.Path, file.Text)
	}
	const name = "facts.json"
	dir, err := f.Cache.Once("facts", hex.EncodeToString(sum.Sum(nil))[:24], func(dir string) error {
		found, err := f.read(ctx, interpreter, repository, files)
		if err != nil {
			return err
		}
		data, err := json.Marshal(found)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(dir, name), data, 0o644)
	})
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	var found map[string]Facts
	return found, json.Unmarshal(data, &found)
}

// read asks about every file, one process for all.
func (f *FactFinder) read(ctx context.Context, interpreter environment.Python, repository string, files []*doctocode.SourceFile) (map[string]Facts, error) {
	var requests bytes.Buffer
	for _, file := range files {
		if err := json.NewEncoder(&requests).Encode(docagent.Request{ID: file.Path, Source: file.Text}); err != nil {
			return nil, err
		}
	}
	p, err := f.Box.Start(ctx, sandbox.Spec{
		Argv:   []string{interpreter.Executable, "-I", "-X", "utf8", "-c", docagent.FactsScript},
		Env:    []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "LANG=C.UTF-8", "PYTHONDONTWRITEBYTECODE=1"},
		Mounts: interpreter.Mounts(),
		Limits: sandbox.Limits{Wall: factsTime},
		Label:  "facts of " + repository,
	})
	if err != nil {
		return nil, err
	}
	defer p.Wait()
	defer p.Kill()
	go func() {
		// A process that ends early closes the pipe; its answers say so.
		_, _ = io.Copy(p.Stdin(), &requests)
		p.Stdin().Close()
	}()
	found := make(map[string]Facts, len(files))
	lines := bufio.NewScanner(p.Stdout())
	lines.Buffer(make([]byte, 0, 64<<10), longestFacts)
	for lines.Scan() {
		answer, err := docagent.ParseAnswer(lines.Bytes())
		if err != nil {
			return nil, err
		}
		found[answer.ID] = Facts{answer.Definitions, answer.Error}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("reading the facts of %s: %w", repository, err)
	}
	if len(found) < len(files) {
		p.Kill()
		exit := p.Wait()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fmt.Errorf("python answered about %d of %d files of %s and ended (status %d %s): %s",
			len(found), len(files), repository, exit.Code, exit.Signal, tail(exit.Stderr))
	}
	return found, nil
}

// tail is the end of a text, where a traceback has its reason.
func tail(text string) string {
	const most = 300
	if len(text) > most {
		return "…" + text[len(text)-most:]
	}
	return text
}
