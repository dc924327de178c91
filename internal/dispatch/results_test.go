package dispatch

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

func TestAResultComesAgainUntilItIsRecorded(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, q *Queue) {
		start(t, q, 1, echo)
		publish(t, q, unit("a"))
		attempts := 0
		recorded := make(chan Result, 10)
		run(t, func(ctx context.Context) error {
			return q.Results(ctx, func(_ context.Context, r Result) error {
				attempts++
				switch attempts {
				case 1:
					return errors.New("the database is away")
				case 2:
					panic("oh")
				}
				recorded <- r
				return nil
			})
		})
		if r := await(t, recorded, "the result"); string(r.Data) != "data of a" {
			t.Errorf("%+v", r)
		}
		none(t, recorded, 2*q.lease, "it came again")
		if attempts != 3 {
			t.Errorf("%d attempts", attempts)
		}
	})
}

func TestAStoppedRecorderGivesItsResultToTheNext(t *testing.T) {
	q := open(t, Config{Lease: time.Minute})
	start(t, q, 1, echo)
	publish(t, q, unit("a"))
	started := make(chan struct{})
	stop := run(t, func(ctx context.Context) error {
		return q.Results(ctx, func(ctx context.Context, r Result) error {
			close(started)
			<-ctx.Done()
			return ctx.Err()
		})
	})
	await(t, started, "the result")
	stop()
	if r := await(t, collect(t, q), "the result again"); r.ID != "a" {
		t.Errorf("%+v", r)
	}
}

func TestSeveralRecordersShareTheResults(t *testing.T) {
	q := open(t, Config{})
	start(t, q, 4, echo)
	first, second := collect(t, q), collect(t, q)
	const units = 100
	for i := range units {
		publish(t, q, unit(fmt.Sprint(i)))
	}
	seen := map[string]bool{}
	for range units {
		select {
		case r := <-first:
			seen[r.ID] = true
		case r := <-second:
			seen[r.ID] = true
		case <-time.After(soon):
			t.Fatalf("%d results", len(seen))
		}
	}
	if len(seen) != units {
		t.Errorf("%d of %d", len(seen), units)
	}
}
