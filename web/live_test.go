package web

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/a-h/templ"

	"touchstone/internal/account"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/store"
)

// A sentEvent is one server-sent event; a comment is one without a name.
type sentEvent struct{ name, data string }

// listen reads a stream of events until it ends or the test does.
func (c *caller) listen(address string) <-chan sentEvent {
	c.Helper()
	ctx, stop := context.WithCancel(c.Context())
	c.Cleanup(stop)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.server.URL+address, nil)
	c.check(err)
	if c.token != "" {
		r.Header.Set("Authorization", "Bearer "+c.token)
	}
	response, err := (&http.Client{}).Do(r)
	c.check(err)
	if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != "text/event-stream" || response.Header.Get("Cache-Control") != "no-store" {
		c.Fatalf("%d %v", response.StatusCode, response.Header)
	}
	events := make(chan sentEvent, 1000)
	go func() {
		defer response.Body.Close()
		defer close(events)
		var now sentEvent
		lines := bufio.NewReader(response.Body)
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return
			}
			switch line = strings.TrimSuffix(line, "\n"); {
			case line == "":
				events <- now
				now = sentEvent{}
			case strings.HasPrefix(line, "event: "):
				now.name = line[len("event: "):]
			case strings.HasPrefix(line, "data:"):
				now.data += strings.TrimPrefix(line[len("data:"):], " ") + "\n"
			}
		}
	}()
	return events
}

// next waits for an event of a name.
func next(t *testing.T, events <-chan sentEvent, name string) sentEvent {
	t.Helper()
	for limit := time.After(20 * time.Second); ; {
		select {
		case e, open := <-events:
			if !open {
				t.Fatalf("the stream ended before %q", name)
			}
			if e.name == name {
				return e
			}
		case <-limit:
			t.Fatalf("no event %q came", name)
		}
	}
}

// ends waits for the end of a stream and returns what came before.
func ends(t *testing.T, events <-chan sentEvent) (last sentEvent) {
	t.Helper()
	for limit := time.After(20 * time.Second); ; {
		select {
		case e, open := <-events:
			if !open {
				return last
			}
			last = e
		case <-limit:
			t.Fatal("the stream does not end")
		}
	}
}

func TestALivePageIsToldOfChangesUntilItIsOver(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	d.site.rhythm = rhythm{pace: 20 * time.Millisecond, glance: time.Hour, beat: 50 * time.Millisecond}
	d.server = httptest.NewUnstartedServer(d.site.Handler())
	d.server.Config = d.site.Server("")
	d.server.Config.ReadTimeout = 200 * time.Millisecond // far shorter than the page is live
	d.server.Start()
	t.Cleanup(d.server.Close)
	owner := d.program(d.token("Ada", account.Submitter))
	sub := owner.queued("Agent", oneLine("Words."))
	events, queue := owner.listen(submissionPath(sub)+"/events"), d.browser().listen("/submissions/events")
	for _, part := range []string{"standing", "actions", "evaluations", "repositories", "log"} {
		if e := next(t, events, part); part == "actions" && !strings.Contains(e.data, submissionPath(sub)+"/cancel") || part == "standing" && !strings.Contains(e.data, "Place 1 in the queue") {
			t.Errorf("%s: %s", part, e.data)
		}
	}
	if e := next(t, queue, "queue"); !strings.Contains(e.data, "Agent") {
		t.Errorf("the queue is %s", e.data)
	}
	for range 12 { // 600 ms of heartbeats
		next(t, events, "")
	}
	owner.post(submissionPath(sub) + "/cancel").is(http.StatusSeeOther)
	if e := next(t, events, "standing"); !strings.Contains(e.data, "cancelled") {
		t.Errorf("then it is %s", e.data)
	}
	if last := ends(t, events); last.name != "over" {
		t.Errorf("the last event is %q", last.name)
	}
	if e := next(t, queue, "queue"); !strings.Contains(e.data, "Nothing is waiting.") {
		t.Errorf("the queue is %s", e.data)
	}
	if e := next(t, queue, "ended"); !strings.Contains(e.data, "Agent") {
		t.Errorf("what is over is %s", e.data)
	}
	if last := ends(t, owner.listen(submissionPath(sub)+"/events")); last.name != "over" {
		t.Errorf("of what is over already the last event is %q", last.name)
	}
	d.site.pictures.mu.Lock()
	defer d.site.pictures.mu.Unlock()
	if n := len(d.site.pictures.all); n > 1 {
		t.Errorf("%d pictures are kept for nobody", n-1)
	}
}

func TestAStrangerIsOfferedNoButton(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent", oneLine("Words."))
	stranger := d.program(d.token("Bob", account.Submitter))
	if e := next(t, stranger.listen(submissionPath(sub)+"/events"), "actions"); strings.TrimSpace(e.data) != "" {
		t.Errorf("it is offered %s", e.data)
	}
	stranger.get(submissionPath(sub)).is(http.StatusOK).page().hasNot("Cancel")
}

func TestALivePageEndsWhenTheSiteStops(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	sub := d.program(d.token("Ada", account.Submitter)).queued("Agent", oneLine("Words."))
	events := d.browser().listen(submissionPath(sub) + "/events")
	next(t, events, "log")
	d.site.Stop()
	ends(t, events)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := d.server.Config.Shutdown(ctx); err != nil {
		t.Errorf("the server does not shut down: %v", err)
	}
}

func TestAConnectionThatWasLiveServesFurtherRequests(t *testing.T) {
	d := newDesk(t, false, evaluator.Stub)
	owner := d.program(d.token("Ada", account.Submitter))
	sub := owner.queued("Agent", oneLine("Words."))
	owner.post(submissionPath(sub) + "/cancel").is(http.StatusSeeOther)
	for range 3 {
		owner.get(submissionPath(sub) + "/events").is(http.StatusOK)
		owner.get(submissionPath(sub)).is(http.StatusOK)
	}
}

// drawing counts how often a page is drawn.
func drawing(n *atomic.Int32, err error) func(context.Context) (liveView, error) {
	return func(context.Context) (liveView, error) {
		count := n.Add(1)
		view := templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
			_, err := io.WriteString(w, strings.Repeat("x", int(count)))
			return err
		})
		return liveView{parts: []livePart{{"part", view}}}, err
	}
}

func TestAThousandViewersShareOnePicture(t *testing.T) {
	var drawn atomic.Int32
	var all pictures
	var viewers sync.WaitGroup
	first := all.take("key")
	for range 1000 {
		viewers.Go(func() {
			p := all.take("key")
			defer all.leave("key", p)
			if _, _, err := p.since(t.Context(), time.Now(), 50*time.Millisecond, drawing(&drawn, nil)); err != nil {
				t.Error(err)
			}
		})
	}
	viewers.Wait()
	all.leave("key", first)
	if n := drawn.Load(); n < 1 || n > 50 {
		t.Errorf("drawn %d times", n)
	}
	if len(all.all) > 0 {
		t.Error("a picture is kept for nobody")
	}
}

func TestAPictureIsNotDrawnFasterThanItsPace(t *testing.T) {
	var drawn atomic.Int32
	p := &picture{}
	begun := time.Now()
	for range 5 {
		if _, _, err := p.since(t.Context(), time.Now(), 40*time.Millisecond, drawing(&drawn, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(begun); drawn.Load() != 5 || took < 160*time.Millisecond {
		t.Errorf("%d pictures in %s", drawn.Load(), took)
	}
	before := p.at
	if parts, _, err := p.since(t.Context(), before, time.Hour, drawing(&drawn, nil)); err != nil || drawn.Load() != 5 || string(parts[0].html) != "xxxxx" {
		t.Errorf("a picture that is young enough is drawn again: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := p.since(ctx, time.Now(), time.Hour, drawing(&drawn, nil)); !errors.Is(err, context.Canceled) {
		t.Errorf("who has left still waits: %v", err)
	}
	if _, _, err := (&picture{}).since(t.Context(), time.Now(), 0, drawing(&drawn, store.ErrNotFound)); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("got %v", err)
	}
}

func TestAnEventHasAFieldForEachLine(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{"one", "event: e\ndata: one\n\n"}, {"one\ntwo\n", "event: e\ndata: one\ndata: two\n\n"}, {"", "event: e\ndata:\n\n"},
		{"one\r\ntwo\rthree", "event: e\ndata: one\ndata: two\ndata: three\n\n"}, {"event: over\n\n", "event: e\ndata: event: over\ndata: \n\n"},
	} {
		var b bytes.Buffer
		writeEvent(&b, "e", []byte(c.data))
		if b.String() != c.want {
			t.Errorf("%q is written as %q, want %q", c.data, b.String(), c.want)
		}
	}
}

func FuzzAnEventStaysOne(f *testing.F) {
	f.Add([]byte("one\n\ndata: x\r\r\nevent: over\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var b bytes.Buffer
		writeEvent(&b, "e", data)
		if text := b.String(); strings.Contains(text[:len(text)-2], "\n\n") || strings.Contains(text, "\r") || strings.Count(text, "\nevent:") > 0 {
			t.Errorf("%q", text)
		}
	})
}
