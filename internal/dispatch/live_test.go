package dispatch

import (
	"fmt"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

func TestWhoListensHears(t *testing.T) {
	s := listen(t, server.Options{})
	q, other := open(t, Config{URL: s.ClientURL()}), open(t, Config{URL: s.ClientURL()})
	const topic = "submission 7 > * . ü"
	here, stopHere := q.Listen(topic)
	there, stopThere := other.Listen(topic)
	defer stopThere()
	elsewhere, stopElsewhere := q.Listen("submission 8")
	defer stopElsewhere()
	q.Announce(topic, []byte("half done"))
	for _, listener := range []<-chan []byte{here, there} {
		if got := await(t, listener, "the message"); string(got) != "half done" {
			t.Errorf("%q", got)
		}
	}
	none(t, elsewhere, 100*time.Millisecond, "another topic's listener heard it")
	stopHere()
	stopHere()
	if _, more := <-here; more {
		t.Error("the channel of a stopped listener is open")
	}
	q.Announce(topic, []byte("done"))
	if got := await(t, there, "the next message"); string(got) != "done" {
		t.Errorf("%q", got)
	}
}

func TestASlowListenerLosesTheOldest(t *testing.T) {
	l := &listener{to: make(chan []byte, heard)}
	for i := range 5 * heard {
		l.hear(&nats.Msg{Data: []byte(fmt.Sprint(i))})
	}
	for i := range heard {
		if got, want := string(<-l.to), fmt.Sprint(4*heard+i); got != want {
			t.Fatalf("message %d is %s; want %s", i, got, want)
		}
	}
	l.close()
	l.hear(&nats.Msg{}) // on its way when the listener stopped
}

func TestASlowListenerBlocksNobody(t *testing.T) {
	q := open(t, Config{})
	_, stopSlow := q.Listen("topic")
	defer stopSlow()
	quick, stopQuick := q.Listen("topic")
	defer stopQuick()
	for i := range 5 * heard {
		q.Announce("topic", []byte(fmt.Sprint(i)))
		if got := await(t, quick, "the message"); string(got) != fmt.Sprint(i) {
			t.Fatalf("%q instead of %d", got, i)
		}
	}
}
