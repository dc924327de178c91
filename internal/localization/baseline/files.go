package baseline

import (
	"bytes"
	"context"
	"io"

	"touchstone/internal/localization/bm25"
	"touchstone/internal/localization/history"
)

// largestFile is the most bytes of a file whose content is read: what is
// larger is data or was generated. Its path counts all the same.
const largestFile = 1 << 20

// files are indexes over the snapshot's files; a document's number is that of
// its path.
type files struct {
	paths   []string
	content *bm25.Index
	path    *bm25.Index
	symbols *bm25.Index // nil unless asked for
}

// readFiles indexes one file after the other: only the indexes grow.
func readFiles(ctx context.Context, repository history.Repository, commit string, symbols bool, tell func(string, int, int)) (*files, error) {
	listed, _, err := repository.Files(ctx, commit)
	if err != nil {
		return nil, err
	}
	f := &files{}
	content, path, defined := bm25.NewBuilder(), bm25.NewBuilder(), bm25.NewBuilder()
	tell("reading files", 0, len(listed))
	add := func(name string, text []byte) {
		f.paths = append(f.paths, name)
		content.Add(name, bm25.Field{Text: text, Weight: 1})
		path.Add(name, bm25.Field{Text: []byte(name), Weight: 1})
		if symbols {
			defined.Add(name, bm25.Field{Text: definitions(text), Weight: 1})
		}
		tell("reading files", len(f.paths), len(listed))
	}
	var text bytes.Buffer
	// A clone may lack files, as some mirrors lack their largest ones: those
	// are indexed by their paths when the next one comes.
	next := 0
	upTo := func(path string) {
		for ; next < len(listed) && listed[next].Path != path; next++ {
			add(listed[next].Path, nil)
		}
	}
	_, err = repository.Contents(ctx, listed, func(file history.File, size int64, data io.Reader) error {
		upTo(file.Path)
		next++
		text.Reset()
		if size <= largestFile && !file.Link {
			if _, err := text.ReadFrom(data); err != nil {
				return err
			}
		}
		if isBinary(text.Bytes()) {
			text.Reset()
		}
		add(file.Path, text.Bytes())
		return nil
	})
	if err != nil {
		return nil, err
	}
	upTo("")
	f.content, f.path = content.Index(), path.Index()
	if symbols {
		f.symbols = defined.Index()
	}
	return f, nil
}

// isBinary decides as git does.
func isBinary(data []byte) bool { return bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }
