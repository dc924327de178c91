package sandbox

import (
	"os"
	"os/exec"
	"testing"
)

func TestOwnersThatAreGone(t *testing.T) {
	self := thisProcess()
	if self.boot == "" || self.start == "" {
		if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
			t.Fatal("there is no /proc")
		}
		t.Skip("there is no /proc")
	}
	zombie := exec.Command("/bin/true")
	out, err := zombie.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := zombie.Start(); err != nil {
		t.Fatal(err)
	}
	defer zombie.Wait()
	_, _ = out.Read(make([]byte, 1)) // its end

	with := func(change func(*owner)) owner {
		o := self
		change(&o)
		return o
	}
	for name, c := range map[string]struct {
		owner owner
		gone  bool
	}{
		"ourselves":                    {self, false},
		"a number out of use":          {with(func(o *owner) { o.pid = 1 << 30 }), true},
		"a number used again":          {with(func(o *owner) { o.start = "1" }), true},
		"another boot or machine":      {with(func(o *owner) { o.boot, o.pid = "other", 1<<30 }), false},
		"another namespace":            {with(func(o *owner) { o.space, o.pid = "pid:[1]", 1<<30 }), false},
		"an owner nothing is known of": {owner{pid: 1 << 30}, false},
	} {
		parsed, ok := parseOwner(c.owner.String())
		if !ok || parsed != c.owner {
			t.Errorf("%s is written %q", name, c.owner)
		}
		if parsed.gone(self) != c.gone {
			t.Errorf("%s: gone is %v", name, !c.gone)
		}
	}
	if _, ok := parseOwner("rubbish"); ok {
		t.Error("rubbish is an owner")
	}
	if start, alive := startOf(os.Getppid()); !alive || start == "" {
		t.Error("our parent is not alive")
	}
}
