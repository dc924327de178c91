// Package blob keeps whole files by key: what was uploaded. They live below a
// folder, or wherever a bucket's address points.
package blob

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/fileblob" // file:// addresses
	"gocloud.dev/gcerrors"
)

// ErrNotFound is returned for a key that is not there.
var ErrNotFound = errors.New("no such blob")

// A Store is safe for concurrent use.
type Store struct{ bucket *blob.Bucket }

// Open opens a bucket by its address, or a folder, which it makes.
func Open(ctx context.Context, address string) (*Store, error) {
	if !strings.Contains(address, "://") {
		folder, err := filepath.Abs(address)
		if err != nil {
			return nil, err
		}
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
		address = (&url.URL{Scheme: "file", Path: filepath.ToSlash(folder), RawQuery: "no_tmp_dir=true&metadata=skip&create_dir=true"}).String()
	}
	bucket, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("opening the blobs: %w", err)
	}
	return &Store{bucket}, nil
}

// Close ends the connection, if there is one.
func (s *Store) Close() error { return s.bucket.Close() }

// Put keeps all of r under a key, whole or not at all.
func (s *Store) Put(ctx context.Context, key string, r io.Reader) (n int64, err error) {
	ctx, abandon := context.WithCancel(ctx)
	defer abandon()
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{ContentType: "application/octet-stream"})
	if err != nil {
		return 0, err
	}
	n, err = io.Copy(w, r)
	if err != nil {
		abandon() // before Close, so that the part is not kept
		_ = w.Close()
		return n, err
	}
	return n, w.Close()
}

// Get opens what is kept under a key.
func (s *Store) Get(ctx context.Context, key string) (io.ReadCloser, error) {
	r, err := s.bucket.NewReader(ctx, key, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, fmt.Errorf("%w: %s", ErrNotFound, key)
	}
	return r, err
}

// Delete removes a key; one that is not there is no error.
func (s *Store) Delete(ctx context.Context, key string) error {
	err := s.bucket.Delete(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil
	}
	return err
}
