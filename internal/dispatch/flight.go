package dispatch

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// settleTime is for what goes with the end of a flight.
const settleTime = 2 * time.Second

// A flight is a unit in the hands of this worker.
type flight struct {
	*Queue
	msg      jetstream.Msg
	unit     Unit
	key      key
	delivery uint64 // how often it was handed out, this time included
	end      context.CancelCauseFunc
}

func (q *Queue) flight(m jetstream.Msg) (*flight, error) {
	e, err := unpack(m.Headers())
	if err != nil {
		return nil, err
	}
	meta, err := m.Metadata()
	if err != nil {
		return nil, err
	}
	u := e.unit()
	u.Data = m.Data()
	return &flight{Queue: q, msg: m, unit: u, key: keyOf(u), delivery: meta.NumDelivered}, nil
}

// run does the unit, and ends with the unit settled or handed back.
func (f *flight) run(ctx context.Context, handler Handler) {
	ctx, f.end = context.WithCancelCause(ctx)
	defer f.end(nil)
	defer f.flights.add(f)()
	stop := f.renew(f.msg, f.lookAfter)
	defer stop()

	if f.delivery > 1 {
		result, done, err := f.history(ctx)
		switch {
		case err != nil:
			f.log.Warn("asking what became of a unit", "kind", f.unit.Kind, "unit", f.unit.ID, "error", err)
			pause(ctx, time.Second)
			f.handBack()
			return
		case done && (result == nil || f.answer(ctx, *result)):
			f.settle()
			return
		case done:
			f.handBack()
			return
		}
	}

	outcome := make(chan Result, 1)
	go f.call(ctx, handler, outcome)
	answered := false
	select {
	case result := <-outcome:
		answered = f.answer(ctx, result)
	case <-ctx.Done():
		defer func() { <-outcome }() // the slot stays taken until the handler has returned
	}
	stop() // no heartbeat after the last word
	if answered || errors.Is(context.Cause(ctx), ErrCancelled) {
		f.settle()
	} else {
		f.handBack()
	}
}

// lookAfter ends the handler of a unit that is no longer in the queue: nobody
// may have heard that it was cancelled, or answered by the worker that got it
// while we had lost the server.
func (f *flight) lookAfter(ctx context.Context) {
	if now, err := f.trace(ctx, f.key); err == nil && !now.unit {
		f.end(ErrCancelled)
	}
}

// history is what a unit that was handed out before has behind it. It is done
// when it is answered or cancelled, or with the result that gives it up.
func (f *flight) history(ctx context.Context) (result *Result, done bool, err error) {
	past, err := f.trace(ctx, f.key)
	if err != nil {
		return nil, false, err
	}
	if past.result || !past.unit {
		return nil, true, nil
	}
	deaths := int(f.delivery) - 1 - past.handedBack
	if deaths < MaxDeaths {
		return nil, false, nil
	}
	r := resultOf(f.unit, f.name)
	r.fail(fmt.Errorf("given up: %d workers took the unit and died or lost the queue before it had an outcome", deaths))
	f.log.Error("giving up a unit over which workers die", "kind", f.unit.Kind, "unit", f.unit.ID, "group", f.unit.Group, "deaths", deaths)
	return &r, true, nil
}

// call runs the handler and says what came of it, whatever the handler does.
func (f *flight) call(ctx context.Context, handler Handler, outcome chan<- Result) {
	result := resultOf(f.unit, f.name)
	result.fail(errors.New("the handler ended its goroutine"))
	defer func() {
		if v := recover(); v != nil {
			f.log.Error("a handler panicked", "kind", f.unit.Kind, "unit", f.unit.ID, "group", f.unit.Group, "panic", v, "stack", string(debug.Stack()))
			result.fail(fmt.Errorf("the handler panicked: %v", v))
		}
		outcome <- result
	}()
	data, err := handler(ctx, f.unit)
	result.Data, result.Err = data, ""
	if err != nil {
		result.fail(err)
	}
}

// answer sends the unit's result, however long the server cannot be reached,
// and reports whether it has arrived. When ctx ends before, the unit is no
// longer ours; an attempt under way is finished.
func (f *flight) answer(ctx context.Context, r Result) bool {
	for wait := 100 * time.Millisecond; ctx.Err() == nil; wait = min(2*wait, 5*time.Second) {
		err := f.send(ctx, r)
		var size *SizeError
		switch {
		case err == nil:
			return true
		case errors.As(err, &size) && r.Data != nil:
			r.Data = nil
			r.fail(fmt.Errorf("the result is too large: %w", size))
			continue
		}
		if err := f.topology.mend(ctx, err); err != nil {
			f.log.Warn("sending a result", "kind", f.unit.Kind, "unit", f.unit.ID, "error", err)
		}
		pause(ctx, wait)
	}
	return false
}

func (f *flight) send(ctx context.Context, r Result) error {
	m, err := r.message()
	if err != nil {
		return err
	}
	return f.put(context.WithoutCancel(ctx), m, f.key.result())
}

// settle takes the unit out of the queue.
func (f *flight) settle() {
	if f.delivery > 1 {
		ctx, cancel := context.WithTimeout(context.Background(), settleTime)
		defer cancel()
		f.tell("forget notes", f.topology.at().Purge(ctx, jetstream.WithPurgeSubject(f.key.notes())))
	}
	f.tell("settle", f.msg.Ack())
}

// handBack gives the unit to another worker. The note tells that one from a
// death.
func (f *flight) handBack() {
	ctx, cancel := context.WithTimeout(context.Background(), settleTime)
	defer cancel()
	_, err := f.js.Publish(ctx, f.key.note(f.delivery), nil)
	f.tell("note", err)
	f.tell("hand back", f.msg.Nak())
}
