package bertscore

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode/environment"
)

// requirements are what score.py imports. Below the lower bounds wheels for
// current versions of Python end; the upper ones are the next changes of what
// they promise.
var requirements = []environment.Requirement{
	{Text: "numpy>=1.24,<3", From: "bertscore"}, {Text: "onnxruntime>=1.17,<2", From: "bertscore"}, {Text: "tokenizers>=0.19,<1", From: "bertscore"},
}

// environment makes the environment that runs models, or finds it in the cache.
// The index is asked for versions once: the lock stays beside the models.
func (r Registry) environment(ctx context.Context, files *cache.Folder) (environment.Environment, error) {
	python, err := environment.FindPython(ctx, "")
	if err != nil {
		return environment.Environment{}, err
	}
	lock, err := r.lock(ctx, python)
	if err != nil {
		return environment.Environment{}, err
	}
	return environment.Create(ctx, python, lock, filepath.Join(files.Root(), "environments"), environment.CreateOptions{})
}

// Prepare makes the environment, so that the index is not needed later.
func (r Registry) Prepare(ctx context.Context, files *cache.Folder) error {
	_, err := r.environment(ctx, files)
	return err
}

func (r Registry) lock(ctx context.Context, python environment.Python) (environment.Lock, error) {
	file := filepath.Join(r.Dir, "requirements-"+python.ABI+".lock")
	text, err := os.ReadFile(file)
	if err == nil {
		return environment.ParseLock(file, string(text))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return environment.Lock{}, err
	}
	lock, err := environment.Resolve(ctx, python, requirements, environment.LockOptions{})
	if err != nil {
		return lock, err
	}
	if err := os.MkdirAll(r.Dir, 0o755); err != nil {
		return lock, err
	}
	temporary, err := os.CreateTemp(r.Dir, ".lock-")
	if err != nil {
		return lock, err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.WriteString(lock.String())
	if err = errors.Join(err, temporary.Close()); err != nil {
		return lock, err
	}
	return lock, os.Rename(temporary.Name(), file)
}
