package dispatch

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// flights are the units whose handlers run in this process.
type flights struct {
	mu  sync.Mutex
	all map[*flight]struct{}
}

func (fs *flights) add(f *flight) (remove func()) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.all == nil {
		fs.all = map[*flight]struct{}{}
	}
	fs.all[f] = struct{}{}
	return func() {
		fs.mu.Lock()
		defer fs.mu.Unlock()
		delete(fs.all, f)
	}
}

func (fs *flights) cancel(group string) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	for f := range fs.all {
		if f.unit.Group == group {
			f.end(ErrCancelled)
		}
	}
}

// Cancel drops the units of a group that wait and ends the handlers of those
// that run, here and elsewhere; neither gives a result. Results that are
// already there stay, and what is published later is not concerned. A worker
// that does not hear of it, because it is just taking a unit or has lost the
// server, finds out at its next heartbeat.
func (q *Queue) Cancel(ctx context.Context, group string) error {
	err := q.cancel(ctx, group)
	if errors.Is(err, nats.ErrConnectionClosed) {
		err = ErrClosed
	}
	if err != nil {
		return fmt.Errorf("cancelling %q: %w", group, err)
	}
	return nil
}

func (q *Queue) cancel(ctx context.Context, group string) error {
	if q.life.Err() != nil {
		return ErrClosed
	}
	if err := checkName("group", group); err != nil {
		return err
	}
	// First the queue, so that what a worker drops is not handed out again.
	subjects := []string{noted(group)}
	for _, kind := range Kinds {
		subjects = append(subjects, queued(kind, group))
	}
	for _, subject := range subjects {
		if err := q.topology.at().Purge(ctx, jetstream.WithPurgeSubject(subject)); err != nil {
			return err
		}
	}
	q.flights.cancel(group)
	if err := q.conn.Publish(cancelSubject, []byte(group)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, openTime)
	defer cancel()
	return q.conn.FlushWithContext(ctx)
}

// hearCancels ends handlers here that are cancelled elsewhere.
func (q *Queue) hearCancels() error {
	_, err := q.conn.Subscribe(cancelSubject, func(m *nats.Msg) { q.flights.cancel(string(m.Data)) })
	return err
}
