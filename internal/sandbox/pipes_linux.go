package sandbox

import "os"

// pipes collects the ends of several pipes, so that a failure halfway leaves
// none open. Its zero value is ready to use.
type pipes struct {
	open map[*os.File]bool
	err  error // the first failure of make
}

func (p *pipes) make() (r, w *os.File) {
	if p.err != nil {
		return nil, nil
	}
	r, w, p.err = os.Pipe()
	if p.err != nil {
		return nil, nil
	}
	if p.open == nil {
		p.open = map[*os.File]bool{}
	}
	p.open[r], p.open[w] = true, true
	return r, w
}

// keep takes files out of the collection.
func (p *pipes) keep(files ...*os.File) {
	for _, f := range files {
		delete(p.open, f)
	}
}

func (p *pipes) close(files ...*os.File) {
	for _, f := range files {
		f.Close()
		delete(p.open, f)
	}
}

func (p *pipes) closeAll() {
	for f := range p.open {
		f.Close()
	}
}
