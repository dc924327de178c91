package dispatch

import (
	"context"
	"sync"

	"github.com/nats-io/nats.go"
)

// heard is how many messages a listener may be behind.
const heard = 64

// Announce tells everyone who listens to a topic now. It is for progress on
// pages: nothing is kept, and nobody is told that nobody heard it. A topic is
// any text.
func (q *Queue) Announce(topic string, data []byte) {
	if err := q.conn.Publish(liveSubjects+token(topic), data); err != nil {
		q.log.Debug("announcing", "topic", topic, "bytes", len(data), "error", err)
	}
}

// Listen returns what is announced under a topic from now on, here and
// elsewhere. A listener that is more than 64 messages behind loses the oldest.
// The channel is closed by stop, which may be called more than once, and when
// the queue closes.
func (q *Queue) Listen(topic string) (messages <-chan []byte, stop func()) {
	l := &listener{to: make(chan []byte, heard)}
	sub, err := q.conn.Subscribe(liveSubjects+token(topic), l.hear)
	if err == nil {
		err = q.conn.FlushTimeout(settleTime) // so that nothing announced after this is missed
	}
	if err != nil {
		q.log.Warn("listening", "topic", topic, "error", err)
	}
	var once sync.Once
	end := func() {
		once.Do(func() {
			if sub != nil {
				sub.Unsubscribe() // fails only when the connection is closed
			}
			l.close()
		})
	}
	forget := context.AfterFunc(q.life, end)
	return l.to, func() {
		forget()
		end()
	}
}

type listener struct {
	mu     sync.Mutex
	closed bool
	to     chan []byte
}

// hear never waits: when the channel is full, its oldest message goes.
func (l *listener) hear(m *nats.Msg) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for !l.closed {
		select {
		case l.to <- m.Data:
			return
		default:
		}
		select {
		case <-l.to:
		default:
		}
	}
}

func (l *listener) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	close(l.to)
}
