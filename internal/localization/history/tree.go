package history

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Modes of entries of a tree that are no regular files.
const (
	linkMode      = "120000"
	submoduleMode = "160000"
)

// A File is an entry of a commit's tree: a regular file or a symbolic link.
type File struct {
	Path   string // from the root, with forward slashes
	Link   bool   // its content is the target of a symbolic link
	object string
}

// Files lists the files of a commit in git's order, that of the bytes of their
// paths. Submodules are no files of this repository. Neither are, since no
// line could name them, files whose path is not UTF-8 or holds a control
// character; unnamed counts those.
func (r Repository) Files(ctx context.Context, commit string) (files []File, unnamed int, err error) {
	err = r.stream(ctx, nil, func(out *bufio.Reader) error {
		for {
			record, err := out.ReadString(0)
			if err == io.EOF && record == "" {
				return nil
			}
			if err != nil {
				return short(err)
			}
			about, path, _ := strings.Cut(strings.TrimSuffix(record, "\x00"), "\t")
			fields := strings.Fields(about)
			switch {
			case len(fields) != 3:
				return fmt.Errorf("git ls-tree wrote %q", record)
			case fields[0] == submoduleMode:
			case !Nameable(path):
				unnamed++
			default:
				files = append(files, File{Path: path, Link: fields[0] == linkMode, object: fields[2]})
			}
		}
	}, "ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit)
	return files, unnamed, err
}

// Nameable reports whether a path can stand on a line of a list.
func Nameable(path string) bool {
	return utf8.ValidString(path) && !strings.ContainsFunc(path, unicode.IsControl)
}

// Contents reads the files of a commit one after the other, in the order of
// Files, through one git. content holds size bytes and is valid until read
// returns; read need not read to its end. A file that the clone lacks is
// passed over; lacking counts those.
func (r Repository) Contents(ctx context.Context, files []File, read func(f File, size int64, content io.Reader) error) (lacking int, err error) {
	var wanted bytes.Buffer
	for _, f := range files {
		wanted.WriteString(f.object + "\n")
	}
	err = r.stream(ctx, &wanted, func(out *bufio.Reader) error {
		for _, f := range files {
			header, err := out.ReadString('\n')
			if err != nil {
				return short(err)
			}
			fields := strings.Fields(header)
			if len(fields) == 2 && fields[1] == "missing" {
				lacking++
				continue
			}
			if len(fields) != 3 {
				return fmt.Errorf("git cat-file wrote %q", header)
			}
			size, err := strconv.ParseInt(fields[2], 10, 64)
			if err != nil {
				return fmt.Errorf("git cat-file wrote %q", header)
			}
			content := &io.LimitedReader{R: out, N: size}
			if err := read(f, size, content); err != nil {
				return err
			}
			if _, err := io.CopyN(io.Discard, out, content.N+1); err != nil { // the rest and a newline
				return short(err)
			}
		}
		return nil
	}, "cat-file", "--batch")
	return lacking, err
}

// short is the error of output that ends before it should.
func short(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
