package dispatch

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// Results calls record with one result after the other, until ctx ends (it
// then returns nil) or the queue closes (ErrClosed). A result is done when
// record returns nil; otherwise, and when the process dies, it comes again,
// after a pause that grows from 0.1 to 10 s. A result may come twice, when its
// worker died or lost the server just after sending it, so recording it has to
// be the same as recording it once. Several calls share the results.
func (q *Queue) Results(ctx context.Context, record func(context.Context, Result) error) error {
	ctx, leave, err := q.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	q.pull(ctx, resultsConsumer, func(m jetstream.Msg) { q.record(ctx, m, record) })
	return ended(ctx)
}

func (q *Queue) record(ctx context.Context, m jetstream.Msg, record func(context.Context, Result) error) {
	e, err := unpack(m.Headers())
	if err != nil {
		q.drop(m, err)
		return
	}
	r := e.result()
	r.Data = m.Data()
	stop := q.renew(m, nil)
	err = q.guard(ctx, r, record)
	stop()
	switch {
	case err == nil:
		q.tell("recorded", m.Ack())
	case ctx.Err() != nil:
		q.tell("hand back", m.Nak())
	default:
		again := pauseAfter(m)
		q.log.Error("recording a result", "kind", r.Kind, "unit", r.ID, "group", r.Group, "error", err, "again_in", again)
		q.tell("not recorded", m.NakWithDelay(again))
	}
}

func (q *Queue) guard(ctx context.Context, r Result, record func(context.Context, Result) error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			q.log.Error("recording a result panicked", "kind", r.Kind, "unit", r.ID, "panic", v, "stack", string(debug.Stack()))
			err = fmt.Errorf("panic: %v", v)
		}
	}()
	return record(ctx, r)
}

// pauseAfter doubles with every delivery.
func pauseAfter(m jetstream.Msg) time.Duration {
	const first, longest = 100 * time.Millisecond, 10 * time.Second
	meta, err := m.Metadata()
	if err != nil || meta.NumDelivered > 7 {
		return longest
	}
	return min(first<<(max(meta.NumDelivered, 1)-1), longest)
}
