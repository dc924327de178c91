package build

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"touchstone/internal/release"
)

// journal keeps what a build has found out, so that an interrupted one goes on
// where it was. Everything in it was determined by the key; another key starts
// afresh.
type journal struct {
	dir string
}

func openJournal(dir, key string) (*journal, error) {
	marker := filepath.Join(dir, "key")
	if old, err := os.ReadFile(marker); err != nil || string(old) != key {
		if err := os.RemoveAll(dir); err != nil {
			return nil, err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(marker, []byte(key), 0o644); err != nil {
			return nil, err
		}
	}
	return &journal{dir: dir}, nil
}

// once loads the value of a step, or computes and keeps it. An error is not
// kept.
func once[T any](j *journal, step string, compute func() (T, error)) (T, error) {
	var value T
	path := filepath.Join(j.dir, step+".json")
	if data, err := os.ReadFile(path); err == nil && json.Unmarshal(data, &value) == nil {
		return value, nil
	}
	value, err := compute()
	if err != nil {
		return value, err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return value, err
	}
	return value, release.WriteFile(path, data)
}

// ledger is a step that is made of many results, each kept as soon as it is known.
type ledger[T any] struct {
	mu    sync.Mutex
	file  *os.File
	known map[string]T
}

type ledgerLine[T any] struct {
	ID    string `json:"id"`
	Value T      `json:"value"`
}

// openLedger reads what is known of a step. A line that was cut off, and what
// stands behind it, is done again.
func openLedger[T any](j *journal, step string) (*ledger[T], error) {
	path := filepath.Join(j.dir, step+".jsonl")
	l := &ledger[T]{known: map[string]T{}}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	whole := 0
	for text := range bytes.Lines(data) {
		var line ledgerLine[T]
		if text[len(text)-1] != '\n' || json.Unmarshal(text, &line) != nil {
			break // it was being written when the process ended
		}
		whole += len(text)
		l.known[line.ID] = line.Value
	}
	if whole < len(data) {
		if err := os.Truncate(path, int64(whole)); err != nil {
			return nil, err
		}
	}
	l.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644)
	return l, err
}

func (l *ledger[T]) get(id string) (T, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	value, ok := l.known[id]
	return value, ok
}

func (l *ledger[T]) put(id string, value T) error {
	data, err := json.Marshal(ledgerLine[T]{id, value})
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.known[id] = value
	if _, err := l.file.Write(append(data, '\n')); err != nil {
		return fmt.Errorf("keeping a result: %w", err)
	}
	return nil
}

func (l *ledger[T]) close() error { return l.file.Close() }
