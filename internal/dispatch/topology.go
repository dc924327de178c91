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

// One stream holds units and results, so that one question finds out whether a
// unit is still out. What is acknowledged leaves it. It has one copy even in a
// cluster: what is lost is published again.
const (
	streamName      = "TOUCHSTONE"
	resultsConsumer = "results"

	// How many pulls may be open at once: every free slot of every worker has one.
	mostPulls = 1 << 16
)

// topology is what has to exist on the server.
type topology struct {
	js      jetstream.JetStream
	storage jetstream.StorageType
	lease   time.Duration

	mu        sync.Mutex
	made      time.Time
	stream    jetstream.Stream
	consumers map[string]jetstream.Consumer // by kind, and resultsConsumer
}

// make creates stream and consumers unless they exist, and sets the lease.
func (t *topology) make(ctx context.Context) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	stream, err := t.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name:        streamName,
		Description: "work of Touchstone; the database knows what is missing",
		Subjects:    []string{unitSubjects + ">", resultSubjects + ">", noteSubjects + ">"},
		Retention:   jetstream.WorkQueuePolicy,
		Storage:     t.storage,
		Replicas:    1,
	})
	if err != nil {
		return fmt.Errorf("making the stream %s: %w", streamName, err)
	}
	consumers := map[string]jetstream.Consumer{}
	filters := map[string]string{resultsConsumer: resultSubjects + ">"}
	for _, kind := range Kinds {
		filters[string(kind)] = unitSubjects + string(kind) + ".>"
	}
	for name, filter := range filters {
		consumers[name], err = stream.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
			Durable:       name,
			FilterSubject: filter,
			AckPolicy:     jetstream.AckExplicitPolicy,
			AckWait:       t.lease,
			MaxDeliver:    -1, // deaths are counted here: a unit that NATS gives up is never heard of again
			MaxAckPending: -1,
			MaxWaiting:    mostPulls,
		})
		if err != nil {
			return fmt.Errorf("making the consumer %s: %w", name, err)
		}
	}
	t.stream, t.consumers, t.made = stream, consumers, time.Now()
	return nil
}

// mend makes anew what is missing on the server when that can be why err
// happened: an operator may have deleted it, or replaced the server. It returns
// nil when trying again makes sense.
func (t *topology) mend(ctx context.Context, err error) error {
	missing := false
	for _, known := range []error{
		jetstream.ErrStreamNotFound, jetstream.ErrConsumerNotFound, jetstream.ErrConsumerDeleted,
		jetstream.ErrNoStreamResponse, nats.ErrNoResponders,
	} {
		missing = missing || errors.Is(err, known)
	}
	if !missing {
		return err
	}
	t.mu.Lock()
	recent := time.Since(t.made) < time.Second
	t.mu.Unlock()
	if recent {
		return nil
	}
	return t.make(ctx)
}

func (t *topology) at() jetstream.Stream {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.stream
}

func (t *topology) consumer(name string) jetstream.Consumer {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.consumers[name]
}
