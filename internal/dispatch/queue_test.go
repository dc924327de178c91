package dispatch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

const soon = 20 * time.Second // for what happens at once, on a machine that is busy

// TestMain lets the test binary be a worker that can be killed.
func TestMain(m *testing.M) {
	if address := os.Getenv(workerAddress); address != "" {
		beWorker(address)
		return
	}
	os.Exit(m.Run())
}

// listen starts a NATS server on a loopback port.
func listen(t testing.TB, o server.Options) *server.Server {
	t.Helper()
	o.Host, o.NoSigs, o.NoLog, o.JetStream = "127.0.0.1", true, true, true
	if o.Port == 0 {
		o.Port = server.RANDOM_PORT
	}
	if o.StoreDir == "" {
		o.StoreDir = t.TempDir()
	}
	s, err := server.NewServer(&o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { stop(s) })
	if !s.ReadyForConnections(soon) {
		t.Fatal("the NATS server did not start")
	}
	return s
}

// open opens a queue that the test's end closes. Without another lease it has
// one that is short and yet bears a busy machine.
func open(t testing.TB, c Config) *Queue {
	t.Helper()
	if c.Lease == 0 {
		c.Lease = time.Second
	}
	c.Log = slog.New(slog.DiscardHandler)
	q, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
	})
	return q
}

// both runs a test on an embedded queue and on one elsewhere.
func both(t *testing.T, test func(t *testing.T, q *Queue)) { bothWith(t, Config{}, test) }

func bothWith(t *testing.T, c Config, test func(t *testing.T, q *Queue)) {
	t.Run("embedded", func(t *testing.T) { test(t, open(t, c)) })
	t.Run("external", func(t *testing.T) {
		c.URL = listen(t, server.Options{}).ClientURL()
		test(t, open(t, c))
	})
}

func unit(id string) Unit {
	return Unit{Kind: Execute, ID: id, Group: "evaluation 1", Data: []byte("data of " + id)}
}

func publish(t testing.TB, q *Queue, units ...Unit) {
	t.Helper()
	for _, u := range units {
		if err := q.Publish(t.Context(), u); err != nil {
			t.Fatal(err)
		}
	}
}

// start runs Work and returns what stops it and waits for it.
func start(t testing.TB, q *Queue, concurrency int, handler Handler) (stop func()) {
	t.Helper()
	return run(t, func(ctx context.Context) error { return q.Work(ctx, Execute, concurrency, handler) })
}

func run(t testing.TB, call func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := call(ctx); err != nil && !errors.Is(err, ErrClosed) {
			t.Error(err)
		}
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		await(t, ended, "the end of what was stopped")
	})
	t.Cleanup(stop)
	return stop
}

// collect passes recorded results on.
func collect(t testing.TB, q *Queue) <-chan Result {
	t.Helper()
	results := make(chan Result, 10_000)
	run(t, func(ctx context.Context) error {
		return q.Results(ctx, func(_ context.Context, r Result) error {
			results <- r
			return nil
		})
	})
	return results
}

func await[T any](t testing.TB, from <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(soon):
		t.Fatalf("waited in vain for %s", what)
	}
	return v
}

func none[T any](t testing.TB, from <-chan T, within time.Duration, what string) {
	t.Helper()
	select {
	case v := <-from:
		t.Fatalf("%s: %v", what, v)
	case <-time.After(within):
	}
}

// depth waits until as many units wait and run.
func depth(t testing.TB, q *Queue, waiting, running int) {
	t.Helper()
	var w, r int
	for end := time.Now().Add(soon); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		var err error
		if w, r, err = q.Depth(t.Context(), Execute); err != nil {
			t.Fatal(err)
		}
		if w == waiting && r == running {
			return
		}
	}
	t.Fatalf("%d wait and %d run; want %d and %d", w, r, waiting, running)
}

func echo(_ context.Context, u Unit) ([]byte, error) { return u.Data, nil }

func TestAClosedQueueLeavesNoGoroutine(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 3 {
		q, err := Open(t.Context(), Config{Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		started := make(chan struct{})
		var inside sync.WaitGroup
		inside.Go(func() {
			err := q.Work(context.Background(), Execute, 3, func(ctx context.Context, u Unit) ([]byte, error) {
				close(started)
				<-ctx.Done()
				return nil, ctx.Err()
			})
			if !errors.Is(err, ErrClosed) {
				t.Errorf("Work: %v", err)
			}
		})
		inside.Go(func() {
			if err := q.Results(context.Background(), func(context.Context, Result) error { return nil }); !errors.Is(err, ErrClosed) {
				t.Errorf("Results: %v", err)
			}
		})
		messages, _ := q.Listen("topic")
		publish(t, q, unit("a"))
		await(t, started, "the unit to run")
		if err := q.Close(); err != nil {
			t.Fatal(err)
		}
		inside.Wait()
		if _, more := <-messages; more {
			t.Error("a listener hears of something in a closed queue")
		}
		if err := q.Close(); err != nil {
			t.Error("closing again:", err)
		}
	}
	var now int
	for end := time.Now().Add(soon); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if now = runtime.NumGoroutine(); now <= before {
			return
		}
	}
	stacks := make([]byte, 1<<20)
	t.Fatalf("%d goroutines before and %d after:\n%s", before, now, stacks[:runtime.Stack(stacks, true)])
}

func TestAClosedQueueSaysSo(t *testing.T) {
	q := open(t, Config{})
	if err := q.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, depthErr := q.Depth(t.Context(), Execute)
	for call, err := range map[string]error{
		"Publish": q.Publish(t.Context(), unit("a")),
		"Work":    q.Work(t.Context(), Execute, 1, echo),
		"Results": q.Results(t.Context(), func(context.Context, Result) error { return nil }),
		"Cancel":  q.Cancel(t.Context(), "g"),
		"Depth":   depthErr,
	} {
		if !errors.Is(err, ErrClosed) {
			t.Errorf("%s: %v", call, err)
		}
	}
	q.Announce("topic", nil)
	messages, stop := q.Listen("topic")
	defer stop()
	if _, more := <-messages; more {
		t.Error("a closed queue says something")
	}
}

func TestCloseDoesNotWaitForEverForAHandler(t *testing.T) {
	t.Parallel()
	q := open(t, Config{})
	release, started := make(chan struct{}), make(chan struct{})
	start(t, q, 1, func(context.Context, Unit) ([]byte, error) {
		close(started)
		<-release
		return nil, nil
	})
	publish(t, q, unit("a"))
	await(t, started, "the unit to run")
	closed := make(chan error)
	go func() { closed <- q.Close() }()
	if err := await(t, closed, "Close"); err != nil {
		t.Error(err)
	}
	close(release)
}

func TestAnUnusableConfigurationIsRefused(t *testing.T) {
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := free.Addr().String()
	free.Close()
	plain, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, NoSigs: true, NoLog: true})
	if err != nil {
		t.Fatal(err)
	}
	plain.Start()
	t.Cleanup(func() { stop(plain) })
	if !plain.ReadyForConnections(soon) {
		t.Fatal("the NATS server did not start")
	}
	for _, test := range []struct {
		config    Config
		says, not string
	}{
		{Config{Lease: time.Millisecond}, "at least 100ms", ""},
		{Config{Backlog: -1}, "negative", ""},
		{Config{URL: "nats://name:secret@" + nobody}, "connecting to NATS at nats://" + nobody, "secret"},
		{Config{URL: "name:secret@" + nobody}, nobody, "secret"},
		{Config{URL: "nats://secret@\x7f"}, "connecting to NATS", "secret"},
		{Config{URL: plain.ClientURL()}, "no JetStream; start it with --jetstream", ""},
	} {
		q, err := Open(t.Context(), test.config)
		switch {
		case err == nil:
			q.Close()
			t.Errorf("%+v was taken", test.config)
		case !strings.Contains(err.Error(), test.says) || test.not != "" && strings.Contains(err.Error(), test.not):
			t.Errorf("%+v: %v", test.config, err)
		}
	}
}

func TestAnEmbeddedQueueListensOnNothingAndLeavesNoFile(t *testing.T) {
	temporary := t.TempDir()
	t.Setenv("TMPDIR", temporary)
	q := open(t, Config{})
	if address := q.embedded.Addr(); address != nil {
		t.Errorf("it listens on %v", address)
	}
	publish(t, q, unit("a"))
	files, err := os.ReadDir(temporary)
	if err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

func TestWhatTheServerLostIsMadeAnew(t *testing.T) {
	t.Parallel()
	q := open(t, Config{URL: listen(t, server.Options{}).ClientURL()})
	start(t, q, 2, echo)
	results := collect(t, q)
	time.Sleep(1100 * time.Millisecond) // what is missing within a second of being made is not made again
	if err := q.js.DeleteStream(t.Context(), streamName); err != nil {
		t.Fatal(err)
	}
	publish(t, q, unit("a"))
	if r := await(t, results, "the result"); r.ID != "a" {
		t.Errorf("%+v", r)
	}
}

func TestAnExternalServerMayRestart(t *testing.T) {
	t.Parallel()
	store := t.TempDir()
	s := listen(t, server.Options{StoreDir: store})
	port := s.Addr().(*net.TCPAddr).Port
	q := open(t, Config{URL: s.ClientURL()})
	for i := range 20 {
		publish(t, q, unit(fmt.Sprint("before ", i)))
	}
	start(t, q, 2, echo)
	results := collect(t, q)
	seen := map[string]bool{await(t, results, "a result").ID: true}
	stop(s)
	listen(t, server.Options{StoreDir: store, Port: port})
	defer q.Close() // before the second server
	for i := range 20 {
		// A server that is slow to come back may cost a unit its time; whoever publishes tries again.
		err := q.Publish(t.Context(), unit(fmt.Sprint("after ", i)))
		for deadline := time.Now().Add(time.Minute); errors.Is(err, context.DeadlineExceeded) && time.Now().Before(deadline); {
			err = q.Publish(t.Context(), unit(fmt.Sprint("after ", i)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for len(seen) < 40 {
		seen[await(t, results, "the results of all units").ID] = true
	}
}
