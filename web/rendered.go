package web

import (
	"bytes"
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/a-h/templ"
	"github.com/klauspost/compress/gzip"
	"github.com/labstack/echo/v4"

	"touchstone/internal/leaderboard"
)

// renderedMost is how many bytes of pages are kept.
const renderedMost = 64 << 20

// rendered keeps pages that depend on nothing but the results and the address,
// until the results change.
type rendered struct {
	boards *leaderboard.Boards

	mu      sync.Mutex
	version uint64
	bytes   int
	entries map[string]*list.Element
	recent  *list.List // of *entry, the latest in front
}

type entry struct {
	key        string
	body, gzip []byte
	tag        string
}

func newRendered(b *leaderboard.Boards) *rendered {
	return &rendered{boards: b, entries: map[string]*list.Element{}, recent: list.New()}
}

// get finds a page of the current results.
func (r *rendered) get(ctx context.Context, key string) (*entry, uint64, error) {
	board, err := r.boards.Current(ctx)
	if err != nil {
		return nil, 0, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if board.Version > r.version {
		r.version, r.bytes = board.Version, 0
		clear(r.entries)
		r.recent.Init()
	}
	if at, ok := r.entries[key]; ok {
		r.recent.MoveToFront(at)
		return at.Value.(*entry), r.version, nil
	}
	return nil, r.version, nil
}

// put keeps a page that was drawn of a version of the results.
func (r *rendered) put(e *entry, version uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if version != r.version || r.entries[e.key] != nil || e.size() > renderedMost/8 {
		return
	}
	r.entries[e.key] = r.recent.PushFront(e)
	r.bytes += e.size()
	for r.bytes > renderedMost {
		last := r.recent.Back()
		old := r.recent.Remove(last).(*entry)
		delete(r.entries, old.key)
		r.bytes -= old.size()
	}
}

func (e *entry) size() int { return len(e.body) + len(e.gzip) + len(e.key) }

// cached answers with a page that depends on nothing but the results and the
// address: it is drawn once for each version of the results.
func (s *Site) cached(draw func(c echo.Context) (templ.Component, error)) echo.HandlerFunc {
	return func(c echo.Context) error {
		key := c.Request().URL.RequestURI()
		found, version, err := s.rendered.get(c.Request().Context(), key)
		if err != nil {
			return err
		}
		if found == nil {
			component, err := draw(c)
			if err != nil {
				return err
			}
			if found, err = newEntry(c.Request().Context(), key, component); err != nil {
				return err
			}
			s.rendered.put(found, version)
		}
		return found.send(c)
	}
}

func newEntry(ctx context.Context, key string, component templ.Component) (*entry, error) {
	var body, packed bytes.Buffer
	if err := component.Render(ctx, &body); err != nil {
		return nil, err
	}
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(body.Bytes()); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body.Bytes())
	return &entry{key: key, body: body.Bytes(), gzip: packed.Bytes(), tag: `"` + hex.EncodeToString(sum[:12]) + `"`}, nil
}

// send answers, with nothing but a status when the client has the page already.
func (e *entry) send(c echo.Context) error {
	h := c.Response().Header()
	h["Etag"] = []string{e.tag}
	h["Cache-Control"] = []string{"no-cache"}
	h["Vary"] = []string{"Accept-Encoding"}
	if strings.Contains(c.Request().Header.Get("If-None-Match"), e.tag) {
		return c.NoContent(http.StatusNotModified)
	}
	body := e.body
	if strings.Contains(c.Request().Header.Get("Accept-Encoding"), "gzip") {
		body = e.gzip
		h["Content-Encoding"] = []string{"gzip"}
	}
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	return c.Blob(http.StatusOK, echo.MIMETextHTMLCharsetUTF8, body)
}
