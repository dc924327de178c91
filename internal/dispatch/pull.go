package dispatch

import (
	"context"
	"errors"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// pull takes one message of a consumer after the other until ctx ends.
//
// A pull stays open for half a lease only. The open pulls of a machine that
// vanished without closing its connection are then gone before its units come
// back, and cannot swallow them again.
func (q *Queue) pull(ctx context.Context, consumer string, take func(jetstream.Msg)) {
	for ctx.Err() == nil {
		next, cancel := context.WithTimeout(ctx, q.lease/2)
		m, err := q.topology.consumer(consumer).Next(jetstream.FetchContext(next))
		cancel()
		switch {
		case err == nil:
			take(m)
		case ctx.Err() != nil, errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		default:
			q.log.Debug("pulling", "consumer", consumer, "error", err)
			if err := q.topology.mend(ctx, err); err != nil && ctx.Err() == nil {
				q.log.Warn("the queue gives nothing", "consumer", consumer, "error", err)
			}
			pause(ctx, time.Second)
		}
	}
}

// pause waits, unless ctx ends before.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
