package dispatch

import (
	"context"
	"fmt"
	"sync"

	"github.com/nats-io/nats.go/jetstream"
)

// Work takes units of a kind and runs handler on up to concurrency of them at
// once, until ctx ends (it then returns nil) or the queue closes (ErrClosed).
// Each outcome travels as a Result. When Work ends, units in flight are handed
// back at once, so that another worker takes them; it returns when their
// handlers have.
func (q *Queue) Work(ctx context.Context, kind Kind, concurrency int, handler Handler) error {
	if err := kind.check(); err != nil {
		return err
	}
	if concurrency < 1 {
		return fmt.Errorf("working on %d units at once; at least 1", concurrency)
	}
	ctx, leave, err := q.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	var slots sync.WaitGroup
	for range concurrency {
		slots.Go(func() {
			q.pull(ctx, string(kind), func(m jetstream.Msg) {
				if f, err := q.flight(m); err != nil {
					q.drop(m, err)
				} else {
					f.run(ctx, handler)
				}
			})
		})
	}
	slots.Wait()
	return ended(ctx)
}

// drop takes out of the stream what somebody else put there.
func (q *Queue) drop(m jetstream.Msg, why error) {
	q.log.Error("dropping a message that is not ours", "subject", m.Subject(), "error", why)
	q.tell("drop", m.Term())
}

// tell logs that the server was not told something. Nothing is lost by that:
// the lease runs out, and the message comes again.
func (q *Queue) tell(what string, err error) {
	if err != nil {
		q.log.Debug("telling the NATS server", "what", what, "error", err)
	}
}
