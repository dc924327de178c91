package dispatch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

func TestAUnitGivesItsResult(t *testing.T) {
	both(t, func(t *testing.T, q *Queue) {
		var got Unit
		start(t, q, 1, func(_ context.Context, u Unit) ([]byte, error) {
			got = u
			return []byte("done"), nil
		})
		want := Unit{Kind: Execute, ID: "o/n:a/b.py::C.f <b>\r\n ü* >.", Group: strings.Repeat("ü", 300), Try: 3, Data: []byte{0, 1, 255}}
		publish(t, q, want)
		r := await(t, collect(t, q), "the result")
		if got.Kind != want.Kind || got.ID != want.ID || got.Group != want.Group || got.Try != want.Try || !bytes.Equal(got.Data, want.Data) {
			t.Errorf("the handler got %+v", got)
		}
		if r.Kind != want.Kind || r.ID != want.ID || r.Group != want.Group || r.Try != want.Try || string(r.Data) != "done" ||
			r.Err != "" || r.Retry || r.Worker != q.name {
			t.Errorf("result %+v", r)
		}
		depth(t, q, 0, 0)
	})
}

func TestAHandlersErrorTravels(t *testing.T) {
	long := strings.Repeat("ü", maxError)
	for name, test := range map[string]struct {
		handler Handler
		err     string
		data    string
		retry   bool
	}{
		"error":           {func(context.Context, Unit) ([]byte, error) { return nil, errors.New("line 1\r\nline 2") }, "line 1\r\nline 2", "", false},
		"error with data": {func(context.Context, Unit) ([]byte, error) { return []byte("half"), errors.New("late") }, "late", "half", false},
		"worth a try": {func(context.Context, Unit) ([]byte, error) {
			return nil, fmt.Errorf("at f: %w", Retry(errors.New("busy")))
		}, "at f: busy", "", true},
		"empty":            {func(context.Context, Unit) ([]byte, error) { return nil, errors.New("") }, "an error without a text", "", false},
		"not UTF-8":        {func(context.Context, Unit) ([]byte, error) { return nil, errors.New("a\xff") }, "a\uFFFD", "", false},
		"control":          {func(context.Context, Unit) ([]byte, error) { return nil, errors.New(strings.Repeat("\x01", maxError)) }, strings.Repeat("\x01", maxError), "", false},
		"long":             {func(context.Context, Unit) ([]byte, error) { return nil, errors.New(long) }, long[:maxError-len(" …")] + " …", "", false},
		"panic":            {func(context.Context, Unit) ([]byte, error) { panic("oh") }, "the handler panicked: oh", "", false},
		"end of goroutine": {func(context.Context, Unit) ([]byte, error) { runtime.Goexit(); return nil, nil }, "the handler ended its goroutine", "", false},
	} {
		t.Run(name, func(t *testing.T) {
			q := open(t, Config{})
			start(t, q, 1, test.handler)
			u := unit("a")
			u.ID, u.Group = strings.Repeat("\x01", maxName), strings.Repeat("<", maxName) // the longest header
			publish(t, q, u)
			r := await(t, collect(t, q), "the result")
			if r.Err != test.err || r.Retry != test.retry || string(r.Data) != test.data || r.ID != u.ID || r.Group != u.Group {
				t.Errorf("error %q, data %q, retry %v", r.Err, r.Data, r.Retry)
			}
		})
	}
	if Retry(nil) != nil {
		t.Error("no error has become one")
	}
}

func TestAUnitThatIsOutIsNotPublishedAgain(t *testing.T) {
	both(t, func(t *testing.T, q *Queue) {
		u := unit("a")
		publish(t, q, u, u)
		depth(t, q, 1, 0)

		runs := make(chan string, 10)
		finish := make(chan struct{})
		start(t, q, 4, func(_ context.Context, u Unit) ([]byte, error) {
			runs <- fmt.Sprint(u.Kind, u.ID, u.Try)
			<-finish
			return nil, nil
		})
		await(t, runs, "the unit to run")
		u.Group = "another group" // does not make it another unit
		publish(t, q, u)          // while it runs
		close(finish)
		depth(t, q, 0, 0)
		publish(t, q, u) // while its result waits
		none(t, runs, 300*time.Millisecond, "the unit ran again")

		results := collect(t, q)
		await(t, results, "the result")
		none(t, results, 300*time.Millisecond, "a second result")
		publish(t, q, u) // is a new unit
		await(t, runs, "the unit to run again")
		await(t, results, "its result")

		again, other := u, u
		again.Try, other.Kind = 1, Generate
		publish(t, q, again, other) // are others
		await(t, runs, "the further try")
		if waiting, _, err := q.Depth(t.Context(), Generate); err != nil || waiting != 1 {
			t.Errorf("%d units of the other kind, %v", waiting, err)
		}
	})
}

func TestAnImpossibleUnitIsRefused(t *testing.T) {
	q := open(t, Config{})
	for says, change := range map[string]func(*Unit){
		`"train" is not a kind of work; it is "generate" or "execute"`: func(u *Unit) { u.Kind = "train" },
		"try -1 is negative":             func(u *Unit) { u.Try = -1 },
		"the ID is empty":                func(u *Unit) { u.ID = "" },
		"the group is empty":             func(u *Unit) { u.Group = "" },
		"the ID has 2049 bytes; at most": func(u *Unit) { u.ID = strings.Repeat("x", maxName+1) },
		`the group "\xff" is not UTF-8`:  func(u *Unit) { u.Group = "\xff" },
	} {
		u := unit("a")
		change(&u)
		if err := q.Publish(t.Context(), u); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want %s", err, says)
		}
	}
	if err := q.Work(t.Context(), "train", 1, echo); err == nil {
		t.Error("there is work of an unknown kind")
	}
	if err := q.Work(t.Context(), Execute, 0, echo); err == nil {
		t.Error("there is work on no unit at once")
	}
	if _, _, err := q.Depth(t.Context(), "train"); err == nil {
		t.Error("an unknown kind has a depth")
	}
	if err := q.Cancel(t.Context(), ""); err == nil {
		t.Error("a group without a name was cancelled")
	}
}

func TestAUnitTooLargeForTheServerIsRefused(t *testing.T) {
	for name, test := range map[string]struct {
		url   string
		limit int64
	}{
		"embedded": {"", MaxPayload},
		"external": {listen(t, server.Options{}).ClientURL(), 1 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			q := open(t, Config{URL: test.url, Lease: time.Minute})
			u := unit("a")
			u.Data = make([]byte, test.limit)
			err := q.Publish(t.Context(), u)
			var size *SizeError
			if !errors.As(err, &size) || size.Limit != test.limit || size.Size != test.limit {
				t.Fatal(err)
			}
			if text := err.Error(); !strings.Contains(text, fmt.Sprint(test.limit)) || !strings.Contains(text, "max_payload") {
				t.Error(text)
			}

			// A result that is too large says so; what fits in goes both ways.
			if raced {
				u.Data = u.Data[:1<<20]
			}
			u.Data = u.Data[:len(u.Data)-1024]
			start(t, q, 1, func(_ context.Context, u Unit) ([]byte, error) { return u.Data, nil })
			publish(t, q, u)
			results := collect(t, q)
			if r := await(t, results, "the large result"); len(r.Data) != len(u.Data) || r.Err != "" {
				t.Errorf("%d bytes, %q", len(r.Data), r.Err)
			}
			large := make([]byte, test.limit)
			start(t, q, 1, func(context.Context, Unit) ([]byte, error) { return large, nil })
			for i := 0; ; i++ { // until the second worker takes one
				publish(t, q, unit(fmt.Sprint("b", i)))
				r := await(t, results, "a result")
				if r.Err == "" {
					continue
				}
				if len(r.Data) != 0 || !strings.Contains(r.Err, "the result is too large") || !strings.Contains(r.Err, fmt.Sprint(test.limit)) {
					t.Errorf("%q", r.Err)
				}
				return
			}
		})
	}
}

func TestAFullQueueTakesNoUnit(t *testing.T) {
	q := open(t, Config{Backlog: 10_000})
	u := unit("a")
	u.Data = make([]byte, 20_000)
	publish(t, q, u) // larger than the bound, but alone
	if err := q.Publish(t.Context(), unit("b")); !errors.Is(err, ErrFull) {
		t.Fatal(err)
	}
	start(t, q, 1, func(context.Context, Unit) ([]byte, error) { return nil, nil })
	await(t, collect(t, q), "the result")
	depth(t, q, 0, 0)
	publish(t, q, unit("b"))
}

func TestAThousandUnitsAreDoneOnceEach(t *testing.T) {
	s := listen(t, server.Options{})
	site := open(t, Config{URL: s.ClientURL()})
	var mu sync.Mutex
	runs := map[string]int{}
	for range 4 {
		worker := open(t, Config{URL: s.ClientURL()})
		start(t, worker, 2, func(_ context.Context, u Unit) ([]byte, error) {
			mu.Lock()
			defer mu.Unlock()
			runs[u.ID]++
			return u.Data, nil
		})
	}
	results := collect(t, site)
	const units = 1000
	for i := range units {
		publish(t, site, unit(fmt.Sprint(i)))
	}
	got := map[string]int{}
	for range units {
		r := await(t, results, "a result")
		if want := "data of " + r.ID; string(r.Data) != want || r.Err != "" {
			t.Fatalf("%+v", r)
		}
		got[r.ID]++
	}
	none(t, results, 300*time.Millisecond, "one result too many")
	mu.Lock()
	defer mu.Unlock()
	if len(got) != units || len(runs) != units {
		t.Errorf("%d units ran and %d gave results", len(runs), len(got))
	}
	for id, n := range runs {
		if n != 1 || got[id] != 1 {
			t.Errorf("unit %s ran %d times and gave %d results", id, n, got[id])
		}
	}
	depth(t, site, 0, 0)
}

func TestNoMoreUnitsRunThanAsked(t *testing.T) {
	q := open(t, Config{})
	var now, most atomic.Int32
	start(t, q, 3, func(context.Context, Unit) ([]byte, error) {
		most.Store(max(most.Load(), now.Add(1)))
		time.Sleep(20 * time.Millisecond)
		now.Add(-1)
		return nil, nil
	})
	results := collect(t, q)
	for i := range 20 {
		publish(t, q, unit(fmt.Sprint(i)))
	}
	for range 20 {
		await(t, results, "a result")
	}
	if most.Load() != 3 {
		t.Errorf("%d at once", most.Load())
	}
}

func TestHeartbeatsKeepALongUnit(t *testing.T) {
	t.Parallel()
	s := listen(t, server.Options{})
	q, other := open(t, Config{URL: s.ClientURL()}), open(t, Config{URL: s.ClientURL()})
	var runs atomic.Int32
	long := func(context.Context, Unit) ([]byte, error) {
		runs.Add(1)
		time.Sleep(3 * q.lease)
		return nil, nil
	}
	start(t, q, 1, long)
	start(t, other, 1, long)
	publish(t, q, unit("a"))
	results := collect(t, q)
	await(t, results, "the result")
	none(t, results, q.lease, "a second result")
	if runs.Load() != 1 {
		t.Errorf("it ran %d times", runs.Load())
	}
}

func TestHeartbeatsKeepAResultThatIsLongInRecording(t *testing.T) {
	t.Parallel()
	q := open(t, Config{})
	start(t, q, 1, echo)
	recorded := make(chan string, 10)
	for range 2 {
		run(t, func(ctx context.Context) error {
			return q.Results(ctx, func(_ context.Context, r Result) error {
				recorded <- r.ID
				time.Sleep(2 * q.lease)
				return nil
			})
		})
	}
	publish(t, q, unit("a"))
	await(t, recorded, "the result")
	none(t, recorded, 3*q.lease, "it was recorded again")
}

func TestAStoppedWorkerHandsItsUnitsBackAtOnce(t *testing.T) {
	s := listen(t, server.Options{})
	// With this lease nothing but the handing back brings the unit in time.
	q, other := open(t, Config{URL: s.ClientURL(), Lease: time.Minute}), open(t, Config{URL: s.ClientURL(), Lease: time.Minute})
	results := collect(t, other)
	for _, end := range []string{"context", "Close"} {
		started := make(chan struct{})
		causes := make(chan error, 1)
		stopWork := start(t, q, 1, func(ctx context.Context, u Unit) ([]byte, error) {
			close(started)
			<-ctx.Done()
			causes <- context.Cause(ctx)
			return []byte("of the stopped"), nil
		})
		publish(t, other, unit(end))
		await(t, started, "the unit to run")
		stopOther := start(t, other, 1, echo)
		want := context.Canceled
		if end == "Close" {
			want = ErrClosed
			if err := q.Close(); err != nil {
				t.Fatal(err)
			}
		}
		stopWork()
		if r := await(t, results, "the result of the other worker"); string(r.Data) != "data of "+end {
			t.Errorf("%s: %q", end, r.Data)
		}
		if cause := await(t, causes, "the handler's end"); !errors.Is(cause, want) {
			t.Errorf("%s: cause %v", end, cause)
		}
		stopOther()
		depth(t, other, 0, 0)
	}
}

func TestHandingBackIsNoDeath(t *testing.T) {
	q := open(t, Config{})
	publish(t, q, unit("a"))
	for range MaxDeaths + 2 {
		started := make(chan struct{})
		stop := start(t, q, 1, func(ctx context.Context, u Unit) ([]byte, error) {
			close(started)
			<-ctx.Done()
			return nil, ctx.Err()
		})
		await(t, started, "the unit to run")
		stop()
	}
	start(t, q, 1, echo)
	if r := await(t, collect(t, q), "the result"); r.Err != "" {
		t.Errorf("%q", r.Err)
	}
	depth(t, q, 0, 0)
	holds(t, q, 0)
}

// holds waits until the stream holds that many messages, notes included.
func holds(t *testing.T, q *Queue, want uint64) {
	t.Helper()
	var got uint64
	for end := time.Now().Add(soon); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		info, err := q.topology.at().Info(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got = info.State.Msgs; got == want {
			return
		}
	}
	t.Fatalf("the stream holds %d messages; want %d", got, want)
}

// take gets a unit as a worker would that then dies.
func take(t *testing.T, q *Queue) jetstream.Msg {
	t.Helper()
	m, err := q.topology.consumer(string(Execute)).Next(jetstream.FetchMaxWait(soon))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestAUnitThatKillsItsWorkersIsGivenUp(t *testing.T) {
	t.Parallel()
	bothWith(t, Config{Lease: 300 * time.Millisecond}, func(t *testing.T, q *Queue) {
		publish(t, q, unit("a"))
		for range MaxDeaths {
			take(t, q)
		}
		var runs atomic.Int32
		start(t, q, 1, func(context.Context, Unit) ([]byte, error) {
			runs.Add(1)
			return nil, nil
		})
		r := await(t, collect(t, q), "the result")
		if r.ID != "a" || r.Retry || !strings.HasPrefix(r.Err, "given up: 5 workers") {
			t.Errorf("%+v", r)
		}
		if runs.Load() != 0 {
			t.Error("it ran once more")
		}
		holds(t, q, 0)
	})
}

func TestAUnitRunsAfterFourDeaths(t *testing.T) {
	q := open(t, Config{Lease: 300 * time.Millisecond})
	publish(t, q, unit("a"))
	for range MaxDeaths - 1 {
		take(t, q)
	}
	start(t, q, 1, echo)
	if r := await(t, collect(t, q), "the result"); r.Err != "" {
		t.Errorf("%q", r.Err)
	}
}

func TestAnAnsweredUnitDoesNotRunAgain(t *testing.T) {
	q := open(t, Config{Lease: 300 * time.Millisecond})
	publish(t, q, unit("a"))
	take(t, q)
	// This worker dies after sending the result and before settling the unit.
	m, err := Result{Kind: Execute, ID: "a", Group: "evaluation 1", Data: []byte("first")}.message()
	if err != nil {
		t.Fatal(err)
	}
	if err := q.put(t.Context(), m, m.Subject); err != nil {
		t.Fatal(err)
	}
	runs := make(chan Unit, 10)
	start(t, q, 1, func(_ context.Context, u Unit) ([]byte, error) {
		runs <- u
		return nil, nil
	})
	depth(t, q, 0, 0)
	results := collect(t, q)
	if r := await(t, results, "the result"); string(r.Data) != "first" {
		t.Errorf("%+v", r)
	}
	none(t, runs, 2*q.lease, "it ran")
}

func TestWhatIsNotOursIsDropped(t *testing.T) {
	q := open(t, Config{})
	start(t, q, 1, echo)
	results := collect(t, q)
	for _, subject := range []string{keyOf(unit("x")).unit(), keyOf(unit("x")).result()} {
		if _, err := q.js.Publish(t.Context(), subject, []byte("nonsense")); err != nil {
			t.Fatal(err)
		}
	}
	holds(t, q, 0)
	publish(t, q, unit("a"))
	if r := await(t, results, "the result"); r.ID != "a" {
		t.Errorf("%+v", r)
	}
}
