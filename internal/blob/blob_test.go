package blob_test

import (
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"touchstone/internal/blob"
)

func open(t *testing.T) (*blob.Store, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := blob.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, dir
}

func TestWhatIsPutIsGot(t *testing.T) {
	s, _ := open(t)
	if n, err := s.Put(t.Context(), "uploads/a.jsonl", strings.NewReader("text")); n != 4 || err != nil {
		t.Fatal(n, err)
	}
	r, err := s.Get(t.Context(), "uploads/a.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if data, err := io.ReadAll(r); string(data) != "text" || err != nil {
		t.Errorf("%q %v", data, err)
	}
}

func TestAnUploadThatBreaksOffLeavesNothing(t *testing.T) {
	s, dir := open(t)
	broken := io.MultiReader(strings.NewReader("half"), iotest.ErrReader(errors.New("connection lost")))
	if _, err := s.Put(t.Context(), "a", broken); err == nil {
		t.Fatal("it was kept")
	}
	if _, err := s.Get(t.Context(), "a"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("got %v", err)
	}
	if left, err := os.ReadDir(dir); len(left) != 0 || err != nil {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestDeletingWhatIsNotThereIsNoError(t *testing.T) {
	s, _ := open(t)
	if err := s.Delete(t.Context(), "nothing"); err != nil {
		t.Error(err)
	}
}
