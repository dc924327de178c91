package dispatch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Config says where the queue is. The zero Config is an embedded queue.
type Config struct {
	// URL of a NATS server with JetStream, or several with commas between;
	// "" embeds a server in this process.
	URL string
	// Lease is how long after a worker's last sign of life its units are given
	// to others; 0 means 5 s, the least is 100 ms. Workers renew it every
	// third. It has to be longer than twice what the largest unit takes over the
	// wire. All queues on one server need the same: the last opened sets it.
	Lease time.Duration
	// Backlog is how many bytes may wait, units and results together; 0 means
	// 512 MB.
	Backlog int64
	// Name of this process in results and in the server's list of connections;
	// "" means the host's name and the process's number.
	Name string
	Log  *slog.Logger // nil means slog.Default()
}

const (
	defaultLease   = 5 * time.Second
	leastLease     = 100 * time.Millisecond
	defaultBacklog = 512 << 20

	openTime  = 10 * time.Second // for opening, unless the caller's context ends before
	closeTime = 5 * time.Second  // for handing everything back
)

// A Queue is a connection to the queue, for publishing, working or both. Its
// methods may be called at the same time.
type Queue struct {
	name     string
	lease    time.Duration
	log      *slog.Logger
	embedded *server.Server // nil when the server is elsewhere
	conn     *nats.Conn
	js       jetstream.JetStream
	topology topology
	backlog  backlog
	flights  flights

	life   context.Context // ends when the queue closes
	end    context.CancelFunc
	mu     sync.Mutex
	closed bool
	inside sync.WaitGroup // calls of Work and Results
}

// Open connects to the server, or embeds one, and makes the queue there unless
// it exists.
func Open(ctx context.Context, c Config) (*Queue, error) {
	if c.Lease == 0 {
		c.Lease = defaultLease
	}
	if c.Lease < leastLease {
		return nil, fmt.Errorf("opening the queue: a lease of %v is too short; at least %v", c.Lease, leastLease)
	}
	if c.Backlog == 0 {
		c.Backlog = defaultBacklog
	}
	if c.Backlog < 0 {
		return nil, fmt.Errorf("opening the queue: a backlog of %d bytes is negative", c.Backlog)
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Name == "" {
		host, _ := os.Hostname() // without one the number has to do
		c.Name = fmt.Sprintf("%s:%d", host, os.Getpid())
	}
	q := &Queue{name: c.Name, lease: c.Lease, log: c.Log}
	q.backlog.most = c.Backlog
	q.life, q.end = context.WithCancel(context.Background())
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	if err := q.open(ctx, c.URL); err != nil {
		q.disconnect()
		return nil, fmt.Errorf("opening the queue: %w", err)
	}
	return q, nil
}

func (q *Queue) open(ctx context.Context, address string) (err error) {
	storage := jetstream.FileStorage
	options := []nats.Option{
		nats.Name(q.name),
		nats.MaxReconnects(-1),
		nats.IgnoreAuthErrorAbort(), // a password being changed must not end a worker
		nats.ReconnectWait(250 * time.Millisecond),
		nats.ReconnectJitter(250*time.Millisecond, time.Second),
		nats.PingInterval(5 * time.Second), // a server that vanished is noticed within half a minute,
		nats.MaxPingsOutstanding(5),        // and one that is slow in taking 64 MB is not taken for vanished
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				q.log.Warn("lost the NATS server", "error", err)
			}
		}),
		nats.ReconnectHandler(func(c *nats.Conn) { q.log.Info("found the NATS server again", "server", c.ConnectedUrlRedacted()) }),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { q.log.Warn("NATS", "error", err) }),
	}
	if address == "" {
		storage = jetstream.MemoryStorage
		if q.embedded, err = embed(q.log); err != nil {
			return err
		}
		options = append(options, nats.InProcessServer(q.embedded))
	}
	if q.conn, err = nats.Connect(address, options...); err != nil {
		return connecting(address, err)
	}
	if q.js, err = jetstream.New(q.conn); err != nil {
		return err
	}
	q.topology = topology{js: q.js, storage: storage, lease: q.lease}
	if err := q.topology.make(ctx); err != nil {
		if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, nats.ErrNoResponders) {
			return fmt.Errorf("the NATS server at %s has no JetStream; start it with --jetstream: %w", redacted(address), err)
		}
		return err
	}
	return q.hearCancels()
}

// connecting is why the server could not be reached, without passwords.
func connecting(address string, err error) error {
	var parsing *url.Error
	if errors.As(err, &parsing) {
		err = parsing.Err // it repeats the address
	}
	return fmt.Errorf("connecting to NATS at %s: %w", redacted(address), err)
}

// redacted is an address without passwords, and without names, as a token
// stands where a name would.
func redacted(address string) string {
	parts := strings.Split(address, ",")
	for i, part := range parts {
		if at := strings.LastIndex(part, "@"); at >= 0 {
			scheme, _, found := strings.Cut(part, "://")
			if found {
				scheme += "://"
			} else {
				scheme = ""
			}
			parts[i] = scheme + part[at+1:]
		}
	}
	return strings.Join(parts, ",")
}

// enter lets a call work until its context ends or the queue closes. The cause
// of the context's end is then ErrClosed.
func (q *Queue) enter(ctx context.Context) (context.Context, func(), error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return nil, nil, ErrClosed
	}
	q.inside.Add(1)
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(q.life, func() { cancel(ErrClosed) })
	return ctx, func() {
		stop()
		cancel(nil)
		q.inside.Done()
	}, nil
}

// ended is what a call returns that worked until ctx ended.
func ended(ctx context.Context) error {
	if errors.Is(context.Cause(ctx), ErrClosed) {
		return ErrClosed
	}
	return nil
}

// Close hands back what runs here, ends Work, Results and the channels of
// Listen, and disconnects; an embedded server ends, too, with all that it
// holds. A handler that does not heed its context is waited for for 5 s at
// most. Further calls do nothing.
func (q *Queue) Close() error {
	q.mu.Lock()
	was := q.closed
	q.closed = true
	q.mu.Unlock()
	if was {
		return nil
	}
	q.end()
	left := make(chan struct{})
	go func() {
		q.inside.Wait()
		close(left)
	}()
	select {
	case <-left:
	case <-time.After(closeTime):
		q.log.Warn("closing the queue over a handler that goes on")
	}
	var err error
	if q.conn.IsConnected() {
		if err = q.conn.FlushTimeout(closeTime); err != nil {
			err = fmt.Errorf("closing the queue: %w", err)
		}
	}
	q.disconnect()
	return err
}

func (q *Queue) disconnect() {
	q.end()
	if q.conn != nil {
		q.conn.Close()
	}
	if q.embedded != nil {
		stop(q.embedded)
	}
}
