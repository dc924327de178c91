package intake

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"touchstone/internal/benchmark"
)

// A Packing is how an upload is compressed, as its first bytes tell.
type Packing string

const (
	Plain Packing = ""
	Gzip  Packing = "gzip"
	Zstd  Packing = "zstd"
)

// A Format is how the unpacked upload is written, as its first bytes tell.
type Format string

const (
	// DocsJSONL is one object a line: see evaluator.ParseDoc.
	DocsJSONL Format = "docs.jsonl"
	// PredictionsJSONL is one object a line: see localization.ParsePrediction.
	PredictionsJSONL Format = "predictions.jsonl"
)

const (
	saveAsLines       = "upload a docs.jsonl: one JSON object a line with repo, path, qualname and docstring; gzip and zstd are read"
	saveAsPredictions = "upload a predictions.jsonl: one JSON object a line with instance_id and found_files, or with model_patch; gzip and zstd are read"
)

// mends say how a format is written.
var mends = map[Format]string{DocsJSONL: saveAsLines, PredictionsJSONL: saveAsPredictions}

// detectHead is how many bytes detection looks at.
const detectHead = 8 << 10

// signatures are what a file may begin with that is neither packing nor text.
var signatures = []struct {
	at          int
	magic, name string
}{
	{0, "PK\x03\x04", "a zip archive"},
	{0, "PK\x05\x06", "a zip archive"},
	{257, "ustar", "a tar archive"},
	{0, "7z\xbc\xaf\x27\x1c", "a 7-Zip archive"},
	{0, "Rar!\x1a\x07", "a RAR archive"},
	{0, "\xfd7zXZ\x00", "packed with xz"},
	{0, "BZh", "packed with bzip2"},
	{0, "\x1f\x8b", "packed twice"},
	{0, "\x28\xb5\x2f\xfd", "packed twice"},
	{0, "PAR1", "a Parquet file"},
	{0, "SQLite format 3\x00", "an SQLite database"},
	{0, "%PDF-", "a PDF"},
}

// packingOf looks at the first bytes of an upload.
func packingOf(head []byte) Packing {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return Gzip
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return Zstd
	}
	return Plain
}

// checkFormat looks at the first bytes of what was unpacked. What cannot be
// rows is a *benchmark.InputError.
func checkFormat(file string, head []byte, wanted Format) error {
	for _, s := range signatures {
		if len(head) > s.at && bytes.HasPrefix(head[s.at:], []byte(s.magic)) {
			return &benchmark.InputError{File: file, Problem: "is " + s.name, Mend: mends[wanted]}
		}
	}
	if bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) {
		return &benchmark.InputError{File: file, Problem: "is UTF-16", Mend: "save it as UTF-8"}
	}
	if !isText(head) {
		return &benchmark.InputError{File: file, Problem: "is not text", Mend: mends[wanted]}
	}
	return nil
}

// isText reports whether less than a tenth of the bytes are such as no UTF-8
// text has. A few are left to the lines they stand in.
func isText(head []byte) bool {
	strange := 0
	for rest := head; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 || r < ' ' && r != '\n' && r != '\r' && r != '\t' {
			strange++
		}
		rest = rest[size:]
	}
	return strange == 0 || strange*10 < len(head)
}

// An opened upload gives its unpacked bytes.
type opened struct {
	io.Reader
	file     string
	packing  Packing
	format   Format
	packed   *meter
	unpacked *meter
	close    func()
}

// open detects packing, and what is not of the wanted format. Errors are
// *benchmark.InputError unless reading failed.
func open(ctx context.Context, r io.Reader, file string, wanted Format, limits Limits) (*opened, error) {
	u := &opened{file: file, format: wanted, close: func() {}}
	u.packed = &meter{in: r, ctx: ctx, limit: limits.packedLimit(file)}
	in := bufio.NewReaderSize(u.packed, 64<<10)
	head, err := in.Peek(4)
	if err != nil && err != io.EOF {
		return nil, u.explain(err, 0)
	}
	u.packing = packingOf(head)
	u.unpacked = &meter{in: in, ctx: ctx, limit: limits.unpackedLimit(file, u.packed)}
	switch u.packing {
	case Plain:
		u.unpacked.limit = func(int64) error { return nil }
	case Gzip:
		unpack, err := gzip.NewReader(in)
		if err != nil {
			return nil, u.explain(err, 0)
		}
		u.unpacked.in = unpack
	case Zstd:
		unpack, err := zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(largestWindow))
		if err != nil {
			return nil, u.explain(err, 0)
		}
		u.unpacked.in, u.close = unpack, unpack.Close
	}
	text := bufio.NewReaderSize(u.unpacked, 64<<10)
	u.Reader = text
	if head, err = text.Peek(detectHead); err != nil && err != io.EOF && len(head) == 0 {
		u.close()
		return nil, u.explain(err, 0)
	}
	if err = checkFormat(file, head, wanted); err != nil {
		u.close()
		return nil, err
	}
	return u, nil
}

// largestWindow is how much zstd may look back: what its levels up to 19 use,
// and more.
const largestWindow = 32 << 20

// explain says why reading broke off after so many whole lines: a limit or
// the sender, which the meters know, or the packing.
func (u *opened) explain(err error, lines int) error {
	if u.packed.err != nil {
		return u.stopped(u.packed.err)
	}
	if input, ok := errors.AsType[*benchmark.InputError](err); ok {
		return input
	}
	if u.packing == Plain || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return u.stopped(err)
	}
	bad := &benchmark.InputError{File: u.file, Line: lines, Mend: "pack and upload it again, whole"}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		bad.Problem = fmt.Sprintf("the %s data breaks off after %s", u.packing, wholeLines(lines))
	case errors.Is(err, zstd.ErrWindowSizeExceeded):
		bad.Problem = "the zstd data looks back further than " + inWords(largestWindow)
		bad.Mend = "pack it without --long and --ultra"
	default:
		bad.Problem = fmt.Sprintf("the %s data is damaged behind %s", u.packing, wholeLines(lines))
	}
	return bad
}

func (u *opened) stopped(err error) error {
	if input, ok := errors.AsType[*benchmark.InputError](err); ok {
		return input
	}
	return fmt.Errorf("reading %s: %w", u.file, err)
}

func wholeLines(n int) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
