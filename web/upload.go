package web

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
)

const (
	fieldMost  = 64 << 10 // bytes of a field that is no file
	fieldsMost = 32
	fieldsRoom = 1 << 20 // bytes of a request beside its file
)

// fileField is the field of a form that holds the upload.
const fileField = "file"

// A received upload: its fields, and its file on disk, where it takes no memory.
type received struct {
	fields url.Values
	file   *os.File // nil when none came
	name   string
}

// receive reads an upload to its end: a form with a file, in any order of its
// parts; or, for programs, the file itself, with the fields in the address.
func (s *Site) receive(c echo.Context) (*received, error) {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, s.Upload+fieldsRoom)
	in := &received{fields: url.Values{}}
	kind, _, _ := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	var err error
	if kind == echo.MIMEMultipartForm {
		err = in.form(r, s.Upload)
	} else {
		in.fields = r.URL.Query()
		in.name = in.fields.Get("filename")
		err = in.keep(r.Body, s.Upload)
	}
	if err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

func (in *received) form(r *http.Request, most int64) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return malformed(err)
	}
	for count := 0; ; count++ {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return malformed(err)
		}
		if count == fieldsMost {
			return &benchmark.InputError{Problem: fmt.Sprintf("the form has more than %d fields", fieldsMost), Mend: "send only those that are documented"}
		}
		if err := in.part(part, most); err != nil {
			return err
		}
	}
}

func (in *received) part(part *multipart.Part, most int64) error {
	name := part.FormName()
	if name == fileField {
		if in.file != nil {
			return &benchmark.InputError{Field: fileField, Problem: "is given twice", Mend: "put both into one file"}
		}
		in.name = part.FileName()
		return in.keep(part, most)
	}
	value, err := io.ReadAll(io.LimitReader(part, fieldMost+1))
	if err != nil {
		return malformed(err)
	}
	if len(value) > fieldMost {
		return &benchmark.InputError{Field: name, Problem: fmt.Sprintf("has more than %d bytes", fieldMost), Mend: "shorten it"}
	}
	in.fields.Add(name, string(value))
	return nil
}

// keep writes the file to disk. It has no name there, so that nothing of it is
// left behind whatever happens.
func (in *received) keep(from io.Reader, most int64) error {
	file, err := os.CreateTemp("", "touchstone-upload-")
	if err != nil {
		return err
	}
	in.file = file
	if err := os.Remove(file.Name()); err != nil {
		return err
	}
	n, err := io.Copy(file, io.LimitReader(from, most+1))
	if err != nil {
		return malformed(err)
	}
	if n > most {
		return &benchmark.InputError{Field: fileField, Problem: "is larger than " + bytesInWords(most), Mend: "pack it with gzip or zstd, or leave out what is not for this release"}
	}
	if n == 0 && in.name == "" { // what a browser sends when no file was chosen
		in.close()
		return nil
	}
	_, err = file.Seek(0, io.SeekStart)
	return err
}

func (in *received) close() {
	if in.file != nil {
		in.file.Close()
		in.file = nil
	}
}

// malformed says of a body that broke off what is wrong with it.
func malformed(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return err
	}
	return &benchmark.InputError{Problem: "the upload broke off or is no form: " + err.Error(), Mend: "send it again, whole"}
}
