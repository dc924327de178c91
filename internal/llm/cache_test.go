package llm

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

func TestCache(t *testing.T) {
	dir := t.TempDir()
	c, err := OpenCache(filepath.Join(dir, "completions"))
	if err != nil {
		t.Fatal(err)
	}
	key := CacheKey([]byte(`{"model":"m"}`), 0)
	if key == CacheKey([]byte(`{"model":"m"}`), 1) || key == CacheKey([]byte(`{"model":"n"}`), 0) {
		t.Fatal("keys do not tell requests and samples apart")
	}
	want := Completion{Text: "x\x00→", Model: "m", PromptTokens: 1, CompletionTokens: 2, ReasoningTokens: 3, FinishReason: "stop"}
	if _, ok := c.Get(key); ok {
		t.Error("an empty cache holds something")
	}
	if err := c.Put(key, want); err != nil {
		t.Fatal(err)
	}
	want.Cached = true
	if got, ok := c.Get(key); !ok || got != want {
		t.Errorf("got %+v, %v", got, ok)
	}
	reopened, err := OpenCache(filepath.Join(dir, "completions"))
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := reopened.Get(key); !ok || got != want {
		t.Errorf("opened again: %+v, %v", got, ok)
	}
}

// TestCacheIgnoresDamage: what cannot be trusted is absent and written anew.
func TestCacheIgnoresDamage(t *testing.T) {
	c, err := OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	key := CacheKey([]byte("{}"), 0)
	put := func() []byte {
		t.Helper()
		if err := c.Put(key, Completion{Text: "reply"}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(c.file(key))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	whole := put()
	other, _ := OpenCache(t.TempDir())
	otherKey := CacheKey([]byte("{}"), 1)
	if err := other.Put(otherKey, Completion{Text: "reply"}); err != nil {
		t.Fatal(err)
	}
	foreign, err := os.ReadFile(other.file(otherKey))
	if err != nil {
		t.Fatal(err)
	}
	for what, data := range map[string][]byte{
		"empty": nil, "cut off": whole[:len(whole)/2], "zeroes": make([]byte, len(whole)), "another key's": foreign,
		"changed text": []byte(fmt.Sprintf(`{"key":%q,"sha256":%q,"completion":{"text":"Reply"}}`, key, textSHA256("reply"))),
	} {
		if err := os.WriteFile(c.file(key), data, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok := c.Get(key); ok {
			t.Errorf("%s: %+v", what, got)
		}
		put()
		if _, ok := c.Get(key); !ok {
			t.Errorf("%s: not written anew", what)
		}
	}
}

// TestCacheIsShared: writers of one key never show a reader half a file, and
// leave no temporary files.
func TestCacheIsShared(t *testing.T) {
	c, err := OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	key := CacheKey([]byte("{}"), 0)
	if err := c.Put(key, Completion{Text: "0"}); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for n := range 4 {
		wg.Go(func() {
			for i := range 20 {
				if err := c.Put(key, Completion{Text: fmt.Sprint(n, i)}); err != nil {
					t.Error(err)
				}
				if _, ok := c.Get(key); !ok {
					t.Error("half a file was read")
				}
			}
		})
	}
	wg.Wait()
	files, err := os.ReadDir(filepath.Dir(c.file(key)))
	if err != nil || len(files) != 1 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestNoCache(t *testing.T) {
	var c *Cache
	if err := c.Put("k", Completion{}); err != nil {
		t.Error(err)
	}
	if _, ok := c.Get("k"); ok {
		t.Error("no cache holds something")
	}
}
