package dispatch

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// renew keeps the lease of a message until stop is called. After each
// heartbeat it calls also, unless that is nil.
func (q *Queue) renew(m jetstream.Msg, also func(context.Context)) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		beat := time.NewTicker(q.lease / 3)
		defer beat.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-beat.C:
			}
			if err := m.InProgress(); err != nil {
				q.log.Debug("renewing a lease", "error", err)
			}
			if also != nil {
				also(ctx)
			}
		}
	}()
	return func() {
		cancel()
		<-stopped
	}
}

// A trace is what the stream holds of a unit.
type trace struct {
	unit       bool // it waits or runs
	result     bool // it is answered, and the answer not yet recorded
	handedBack int  // how many workers gave it back as they should
}

func (q *Queue) trace(ctx context.Context, k key) (trace, error) {
	info, err := q.topology.at().Info(ctx, jetstream.WithSubjectFilter(k.all()))
	if err != nil {
		return trace{}, err
	}
	var t trace
	for subject := range info.State.Subjects {
		switch subject {
		case k.unit():
			t.unit = true
		case k.result():
			t.result = true
		default:
			t.handedBack++
		}
	}
	return t, nil
}
