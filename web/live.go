package web

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"time"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// A rhythm is how often live pages do what.
type rhythm struct {
	pace   time.Duration // the shortest time between two pictures of a page
	glance time.Duration // a page is looked at so often without an announcement: an estimate changes with the work of others
	beat   time.Duration // keeps proxies from taking a quiet connection for a dead one
}

var calm = rhythm{pace: 500 * time.Millisecond, glance: 5 * time.Second, beat: 15 * time.Second}

// liveWrite is how long a client may take to read an event.
const liveWrite = 10 * time.Second

// A livePart is a part of a page that the browser replaces.
type livePart struct {
	event string
	view  templ.Component
}

// A liveView is what a page shows now. over says that it will not change any more.
type liveView struct {
	parts []livePart
	over  bool
}

// live sends parts of a page as server-sent events whenever they have changed,
// until nothing will change any more, the client leaves or the site stops. Who
// looks at the same key is sent the same picture, drawn once.
func (s *Site) live(c echo.Context, key, topic string, draw func(context.Context) (liveView, error)) error {
	ctx := c.Request().Context()
	changes, stop := s.Engine.Listen(topic)
	defer stop()
	picture := s.pictures.take(key)
	defer s.pictures.leave(key, picture)
	out := newLiveStream(c)
	defer out.end()
	glance, beat := time.NewTicker(s.rhythm.glance), time.NewTicker(s.rhythm.beat)
	defer glance.Stop()
	defer beat.Stop()
	for {
		drawn, over, err := picture.since(ctx, time.Now(), s.rhythm.pace, draw)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !c.Response().Committed:
			return err
		case err != nil: // the client connects again
			s.Log.Error("a live page could not be drawn", "request", requestID(c), "path", c.Request().URL.Path, "error", err)
			return nil
		}
		if err := out.send(drawn, over); err != nil || over {
			return nil // an error here is a reader who went away
		}
		for waiting := true; waiting; {
			select {
			case <-ctx.Done():
				return nil
			case <-s.stopping:
				return nil
			case _, open := <-changes:
				if !open {
					return nil
				}
				for len(changes) > 0 { // what else was announced shows in the same picture
					<-changes
				}
				waiting = false
			case <-glance.C:
				waiting = false
			case <-beat.C:
				if err := out.beat(); err != nil {
					return nil
				}
			}
		}
	}
}

// A drawnPart is a part as HTML.
type drawnPart struct {
	event string
	html  []byte
}

// A picture is what everyone who looks at a page sees at a moment.
type picture struct {
	users int // under the lock of pictures

	mu    sync.Mutex
	at    time.Time
	parts []drawnPart
	over  bool
}

// since gives a picture that is not older than a time. It is drawn at most
// once within the pace, however many ask.
func (p *picture) since(ctx context.Context, wanted time.Time, pace time.Duration, draw func(context.Context) (liveView, error)) ([]drawnPart, bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.at.Before(wanted) {
		return p.parts, p.over, nil
	}
	if early := pace - time.Since(p.at); early > 0 {
		select {
		case <-time.After(early):
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
	}
	at := time.Now()
	view, err := draw(ctx)
	if err != nil {
		return nil, false, err
	}
	var parts []drawnPart
	for _, part := range view.parts {
		var html bytes.Buffer
		if err := part.view.Render(ctx, &html); err != nil {
			return nil, false, err
		}
		parts = append(parts, drawnPart{part.event, html.Bytes()})
	}
	p.at, p.parts, p.over = at, parts, view.over
	return parts, view.over, nil
}

// pictures are those that somebody looks at.
type pictures struct {
	mu  sync.Mutex
	all map[string]*picture
}

func (p *pictures) take(key string) *picture {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[string]*picture{}
	}
	found := p.all[key]
	if found == nil {
		found = &picture{}
		p.all[key] = found
	}
	found.users++
	return found
}

func (p *pictures) leave(key string, found *picture) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if found.users--; found.users == 0 {
		delete(p.all, key)
	}
}

// A liveStream writes server-sent events.
type liveStream struct {
	c       echo.Context
	control *http.ResponseController
	sent    map[string][]byte
}

func newLiveStream(c echo.Context) *liveStream {
	return &liveStream{c: c, control: http.NewResponseController(c.Response()), sent: map[string][]byte{}}
}

// begin sends the head, once the first picture is there.
func (l *liveStream) begin() {
	h := l.c.Response().Header()
	h.Set(echo.HeaderContentType, "text/event-stream")
	h.Set(echo.HeaderCacheControl, "no-store")
	h.Set("X-Accel-Buffering", "no") // a proxy in front must not collect events
	// The server's limit is for requests that end; where it cannot be lifted the browser connects again.
	_ = l.control.SetReadDeadline(time.Time{})
	l.c.Response().WriteHeader(http.StatusOK)
}

// send writes the parts that have changed, and at the end that it is the end.
func (l *liveStream) send(parts []drawnPart, over bool) error {
	if !l.c.Response().Committed {
		l.begin()
	}
	var text bytes.Buffer
	for _, part := range parts {
		if before, known := l.sent[part.event]; known && bytes.Equal(before, part.html) {
			continue
		}
		l.sent[part.event] = part.html
		writeEvent(&text, part.event, part.html)
	}
	if over {
		writeEvent(&text, "over", nil)
	}
	return l.write(text.Bytes())
}

func (l *liveStream) beat() error { return l.write([]byte(": still here\n\n")) }

func (l *liveStream) write(text []byte) error {
	_ = l.control.SetWriteDeadline(time.Now().Add(liveWrite))
	if _, err := l.c.Response().Write(text); err != nil {
		return err
	}
	return l.control.Flush()
}

// end lets the connection serve further requests.
func (l *liveStream) end() { _ = l.control.SetWriteDeadline(time.Time{}) }

// writeEvent writes an event; every line of its data needs a field of its own.
func writeEvent(text *bytes.Buffer, event string, data []byte) {
	text.WriteString("event: " + event + "\n")
	for line := range bytes.Lines(lineFeeds(data)) {
		text.WriteString("data: ")
		text.Write(bytes.TrimSuffix(line, []byte("\n")))
		text.WriteByte('\n')
	}
	if len(data) == 0 {
		text.WriteString("data:\n")
	}
	text.WriteByte('\n')
}

// lineFeeds replaces the other line ends that a stream of events knows.
func lineFeeds(data []byte) []byte {
	return bytes.ReplaceAll(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\r"), []byte("\n"))
}
