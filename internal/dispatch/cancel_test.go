package dispatch

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

func ofGroup(group, id string) Unit {
	u := unit(id)
	u.Group = group
	return u
}

func TestACancelledGroupIsDropped(t *testing.T) {
	both(t, func(t *testing.T, q *Queue) {
		for i := range 100 {
			publish(t, q, ofGroup("cancelled", fmt.Sprint("c", i)), ofGroup("kept", fmt.Sprint("k", i)))
		}
		generate := ofGroup("cancelled", "g")
		generate.Kind = Generate
		publish(t, q, generate)
		if err := q.Cancel(t.Context(), "cancelled"); err != nil {
			t.Fatal(err)
		}
		depth(t, q, 100, 0)
		if waiting, _, err := q.Depth(t.Context(), Generate); err != nil || waiting != 0 {
			t.Errorf("%d units of the other kind, %v", waiting, err)
		}
		start(t, q, 2, echo)
		results := collect(t, q)
		for range 100 {
			if r := await(t, results, "a result"); r.Group != "kept" {
				t.Fatalf("a result of a cancelled unit: %+v", r)
			}
		}
		none(t, results, 100*time.Millisecond, "one result too many")

		publish(t, q, ofGroup("cancelled", "later")) // is not concerned
		if r := await(t, results, "the later unit's result"); r.ID != "later" {
			t.Errorf("%+v", r)
		}
	})
}

func TestACancelledGroupsHandlersEndEverywhere(t *testing.T) {
	s := listen(t, server.Options{})
	// With this lease no heartbeat can be what ends them.
	config := Config{URL: s.ClientURL(), Lease: time.Minute}
	site := open(t, config)
	started, causes := make(chan string, 10), make(chan error, 10)
	var kept atomic.Int32
	finish := make(chan struct{})
	for range 2 {
		start(t, open(t, config), 2, func(ctx context.Context, u Unit) ([]byte, error) {
			started <- u.ID
			select {
			case <-ctx.Done():
				causes <- context.Cause(ctx)
				return []byte("too late"), nil
			case <-finish:
				kept.Add(1)
				return nil, nil
			}
		})
	}
	publish(t, site, ofGroup("cancelled", "1"), ofGroup("cancelled", "2"), ofGroup("cancelled", "3"), ofGroup("kept", "4"))
	for range 4 {
		await(t, started, "the units to run")
	}
	if err := site.Cancel(t.Context(), "cancelled"); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if cause := await(t, causes, "the handlers to end"); !errors.Is(cause, ErrCancelled) {
			t.Errorf("cause %v", cause)
		}
	}
	close(finish)
	results := collect(t, site)
	if r := await(t, results, "the result of the group that goes on"); r.ID != "4" {
		t.Errorf("%+v", r)
	}
	none(t, results, 300*time.Millisecond, "the result of a cancelled unit")
	if kept.Load() != 1 || len(causes) != 0 {
		t.Errorf("%d units of the other group went on", kept.Load())
	}
	depth(t, site, 0, 0)
	holds(t, site, 0)
}

func TestAWorkerThatDidNotHearOfTheCancelFindsOut(t *testing.T) {
	q := open(t, Config{Lease: 300 * time.Millisecond})
	started, causes := make(chan struct{}), make(chan error, 1)
	start(t, q, 1, func(ctx context.Context, u Unit) ([]byte, error) {
		close(started)
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return nil, ctx.Err()
	})
	publish(t, q, unit("a"))
	await(t, started, "the unit to run")
	if err := q.topology.at().Purge(t.Context(), jetstream.WithPurgeSubject(queued(Execute, "evaluation 1"))); err != nil {
		t.Fatal(err)
	}
	if cause := await(t, causes, "the handler to end"); !errors.Is(cause, ErrCancelled) {
		t.Errorf("cause %v", cause)
	}
	none(t, collect(t, q), 300*time.Millisecond, "a result")
}

func TestACancelledUnitThatWasHandedBackDoesNotComeAgain(t *testing.T) {
	q := open(t, Config{Lease: 300 * time.Millisecond})
	started := make(chan struct{}, 10)
	wait := func(ctx context.Context, u Unit) ([]byte, error) {
		started <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	stop := start(t, q, 1, wait)
	publish(t, q, unit("a"))
	await(t, started, "the unit to run")
	stop()
	if err := q.Cancel(t.Context(), "evaluation 1"); err != nil {
		t.Fatal(err)
	}
	holds(t, q, 0) // its note is gone, too
	start(t, q, 1, wait)
	none(t, started, 3*q.lease, "the unit runs")
	depth(t, q, 0, 0)
}

// Cancel at any moment: while units are published, taken, run and answered.
func TestACancelAmidTheWorkEndsIt(t *testing.T) {
	both(t, func(t *testing.T, q *Queue) {
		start(t, q, 4, func(ctx context.Context, u Unit) ([]byte, error) {
			if len(u.ID)%2 == 0 {
				<-ctx.Done() // for ever, if the cancel misses it
			}
			return nil, ctx.Err()
		})
		collect(t, q)
		for round := range 20 {
			group := fmt.Sprint("group ", round)
			for i := range 6 {
				publish(t, q, ofGroup(group, fmt.Sprint(round%2, i, round)))
			}
			if err := q.Cancel(t.Context(), group); err != nil {
				t.Fatal(err)
			}
		}
		depth(t, q, 0, 0)
		holds(t, q, 0)
	})
}
