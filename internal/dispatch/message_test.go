package dispatch

import (
	"reflect"
	"testing"

	"github.com/nats-io/nats.go"
)

func TestAMessageIsReadAsItWasWritten(t *testing.T) {
	want := Result{Kind: Generate, ID: "a\r\nb", Group: " g ", Try: 2, Data: []byte{0}, Err: "bad\n", Retry: true, Worker: "w"}
	m, err := want.message()
	if err != nil {
		t.Fatal(err)
	}
	e, err := unpack(m.Header)
	if err != nil {
		t.Fatal(err)
	}
	got := e.result()
	got.Data = m.Data
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v", got)
	}
}

func TestSubjectsTellUnitsApart(t *testing.T) {
	a := unit("a")
	seen := map[string]Unit{}
	for _, change := range []func(*Unit){
		func(*Unit) {},
		func(u *Unit) { u.Kind = Generate },
		func(u *Unit) { u.ID = "A" },
		func(u *Unit) { u.ID = "a." },
		func(u *Unit) { u.Try = 1 },
		func(u *Unit) { u.Group = "g" },
	} {
		u := a
		change(&u)
		k := keyOf(u)
		for _, subject := range []string{k.unit(), k.result(), k.note(1), k.note(2)} {
			if before, taken := seen[subject]; taken {
				t.Errorf("%+v and %+v share %s", before, u, subject)
			}
			seen[subject] = u
		}
	}
}

func FuzzUnpack(f *testing.F) {
	for _, text := range []string{
		`{"kind":"execute","id":"a","group":"g","try":1}`,
		`{"kind":"generate","id":"a","group":"g","err":"e","retry":true,"worker":"w"}`,
		`{"kind":"train","id":"a","group":"g"}`, `{"kind":"execute","id":"","group":"g"}`,
		`{"kind":"execute","id":"a","group":"g","try":-1}`, `{`, `null`, `[]`, ``, "\xff",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		e, err := unpack(nats.Header{header: {text}})
		if err != nil {
			return
		}
		if err := e.unit().check(); err != nil {
			t.Fatalf("%q was read as a unit that is none: %v", text, err)
		}
		m, err := e.result().message()
		if err != nil {
			t.Fatal(err)
		}
		if again, err := unpack(m.Header); err != nil || again.unit().ID != e.ID || again.Group != e.Group {
			t.Fatalf("%q is read as %+v, %v", m.Header.Get(header), again, err)
		}
	})
}
