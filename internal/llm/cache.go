package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// A Cache keeps completions on disk, so that none is paid for twice. It is
// keyed by the content that determined them: the whole request and the
// sample's number. It may be shared by goroutines and by processes. A nil
// *Cache keeps nothing.
type Cache struct {
	dir string
}

// OpenCache makes the folder when it is absent.
func OpenCache(dir string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	return &Cache{dir: dir}, nil
}

// CacheKey is the key of a sample of a request, given as the JSON that is sent.
func CacheKey(request []byte, sample int) string {
	sum := sha256.New()
	sum.Write(request)
	sum.Write([]byte("\n" + strconv.Itoa(sample)))
	return hex.EncodeToString(sum.Sum(nil))
}

// entry is the content of a cache file. SHA256 guards the text against a file
// that was cut off or changed.
type entry struct {
	Key        string     `json:"key"`
	SHA256     string     `json:"sha256"`
	Completion Completion `json:"completion"`
}

// Get returns the completion of a key. A file that cannot be read as one
// counts as absent; Put will write it anew.
func (c *Cache) Get(key string) (Completion, bool) {
	if c == nil {
		return Completion{}, false
	}
	data, err := os.ReadFile(c.file(key))
	if err != nil {
		return Completion{}, false
	}
	var e entry
	if json.Unmarshal(data, &e) != nil || e.Key != key || e.SHA256 != textSHA256(e.Completion.Text) {
		return Completion{}, false
	}
	e.Completion.Cached = true
	return e.Completion, true
}

// Put keeps a completion. Readers see it whole or not at all.
func (c *Cache) Put(key string, completion Completion) (err error) {
	if c == nil {
		return nil
	}
	data, err := json.Marshal(entry{key, textSHA256(completion.Text), completion})
	if err != nil {
		return err
	}
	file := c.file(key)
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(file), ".put-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temporary.Name())
		}
	}()
	if _, err = temporary.Write(append(data, '\n')); err == nil {
		err = temporary.Sync()
	}
	if cerr := temporary.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary.Name(), file)
}

func (c *Cache) file(key string) string { return filepath.Join(c.dir, key[:2], key+".json") }

func textSHA256(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
