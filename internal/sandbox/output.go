package sandbox

import (
	"io"
	"os"
)

// output is a program's standard output. It frees its file as soon as it has
// been read to the end.
type output struct {
	file *os.File
	end  error
}

func (o *output) Read(p []byte) (int, error) {
	if o.end != nil {
		return 0, o.end
	}
	n, err := o.file.Read(p)
	if err != nil {
		o.end = err
		o.file.Close()
	}
	return n, err
}

var _ io.Reader = (*output)(nil)
