package dispatch

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Publish puts a unit into the queue. A unit of the same kind, ID and try that
// is still out, which is until its result is recorded, makes it do nothing:
// so whatever is missing can be published again at any time. The errors are
// *SizeError, ErrFull, ErrClosed, or the server's.
func (q *Queue) Publish(ctx context.Context, u Unit) error {
	err := q.publish(ctx, u)
	if errors.Is(err, nats.ErrConnectionClosed) {
		err = ErrClosed
	}
	if err != nil {
		return fmt.Errorf("publishing %s unit %q: %w", u.Kind, u.ID, err)
	}
	return nil
}

func (q *Queue) publish(ctx context.Context, u Unit) error {
	if q.life.Err() != nil {
		return ErrClosed
	}
	if err := u.check(); err != nil {
		return err
	}
	m, err := u.message()
	if err != nil {
		return err
	}
	if err := q.room(ctx, len(u.Data)); err != nil {
		return err
	}
	out := keyOf(u).out()
	err = q.put(ctx, m, out)
	if err != nil && q.topology.mend(ctx, err) == nil {
		err = q.put(ctx, m, out)
	}
	return err
}

// put stores a message unless there is one whose subject matches unless. It
// gives up after 5 s and 1 s more for each megabyte: when the server ends
// before it has answered, nobody says so.
func (q *Queue) put(ctx context.Context, m *nats.Msg, unless string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second+time.Duration(len(m.Data)>>20)*time.Second)
	defer cancel()
	_, err := q.js.PublishMsg(ctx, m, jetstream.WithExpectLastSequenceForSubject(0, unless))
	var refused *jetstream.APIError
	switch {
	case errors.Is(err, nats.ErrMaxPayload):
		return &SizeError{Size: int64(len(m.Data)), Limit: q.conn.MaxPayload()}
	case errors.As(err, &refused) && (refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant):
		return nil // it is there
	}
	return err
}

// backlog bounds the bytes that wait. The bound is for units only: a result
// that found no room would keep its unit, and so the room, for ever.
type backlog struct {
	mu    sync.Mutex
	most  int64
	bytes int64 // as last measured, and what was published since
	at    time.Time
}

// room returns ErrFull when a unit of that size has to wait.
func (q *Queue) room(ctx context.Context, size int) error {
	b := &q.backlog
	b.mu.Lock()
	defer b.mu.Unlock()
	if time.Since(b.at) > time.Second || b.bytes+int64(size) > b.most {
		info, err := q.topology.at().Info(ctx)
		if err != nil {
			return q.topology.mend(ctx, err)
		}
		b.bytes, b.at = int64(info.State.Bytes), time.Now()
	}
	// A unit larger than the bound still passes when nothing else waits.
	if b.bytes > 0 && b.bytes+int64(size) > b.most {
		return ErrFull
	}
	b.bytes += int64(size)
	return nil
}

// Depth is how many units of a kind wait and how many are with workers. A unit
// that was handed back, or whose worker died, counts as running until another
// worker has it.
func (q *Queue) Depth(ctx context.Context, kind Kind) (waiting, running int, err error) {
	if err := kind.check(); err != nil {
		return 0, 0, err
	}
	if q.life.Err() != nil {
		return 0, 0, ErrClosed
	}
	info, err := q.topology.consumer(string(kind)).Info(ctx)
	if err != nil {
		return 0, 0, fmt.Errorf("asking for the depth of the queue: %w", err)
	}
	return int(info.NumPending), info.NumAckPending, nil
}
