package dispatch

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
)

// A unit and its result travel as the data and one header, which holds the
// rest as JSON: so the data is never copied into another form.
const header = "Touchstone"

type envelope struct {
	Kind   Kind   `json:"kind"`
	ID     string `json:"id"`
	Group  string `json:"group"`
	Try    int    `json:"try"`
	Err    string `json:"err,omitempty"`
	Retry  bool   `json:"retry,omitempty"`
	Worker string `json:"worker,omitempty"`
}

func (e envelope) unit() Unit { return Unit{Kind: e.Kind, ID: e.ID, Group: e.Group, Try: e.Try} }

func (e envelope) result() Result {
	return Result{Kind: e.Kind, ID: e.ID, Group: e.Group, Try: e.Try, Err: e.Err, Retry: e.Retry, Worker: e.Worker}
}

func (u Unit) message() (*nats.Msg, error) {
	return pack(keyOf(u).unit(), envelope{Kind: u.Kind, ID: u.ID, Group: u.Group, Try: u.Try}, u.Data)
}

func (r Result) unit() Unit { return Unit{Kind: r.Kind, ID: r.ID, Group: r.Group, Try: r.Try} }

func (r Result) message() (*nats.Msg, error) {
	return pack(keyOf(r.unit()).result(), envelope{
		Kind: r.Kind, ID: r.ID, Group: r.Group, Try: r.Try, Err: r.Err, Retry: r.Retry, Worker: r.Worker,
	}, r.Data)
}

func pack(subject string, e envelope, data []byte) (*nats.Msg, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return nil, err
	}
	return &nats.Msg{Subject: subject, Header: nats.Header{header: {string(text)}}, Data: data}, nil
}

// unpack reads the header of a message. Anyone who may write to the server
// can put something else under our subjects, so nothing is taken for granted.
func unpack(h nats.Header) (envelope, error) {
	var e envelope
	text := h.Get(header)
	if text == "" {
		return e, errors.New("the message has no " + header + " header")
	}
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		return e, fmt.Errorf("reading the %s header: %w", header, err)
	}
	return e, e.unit().check()
}
