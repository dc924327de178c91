package sandbox_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"touchstone/internal/sandbox"
)

func ruleMemory(t *testing.T, b box) {
	b.python(t, `
try:
    bytearray(512 << 20)
    print("allocated")
except MemoryError:
    print("refused")
`, sandbox.Spec{Limits: sandbox.Limits{Memory: 256 << 20}}).printed(t, "refused")
}

func ruleProcesses(t *testing.T, b box) {
	o := b.python(t, `
import os, time
started = 0
try:
    for _ in range(100):
        if os.fork() == 0:
            time.sleep(60)
        started += 1
except BlockingIOError:
    print(started, flush=True)
`, sandbox.Spec{Limits: sandbox.Limits{Processes: 20}})
	o.printed(t, "19") // and the program itself
}

func ruleForkBomb(t *testing.T, b box) {
	before := time.Now()
	p := b.start(t, shell("bomb() { bomb | bomb & }; (bomb); while :; do :; done", sandbox.Spec{
		Limits: sandbox.Limits{Processes: 64, Wall: 1500 * time.Millisecond},
	}))
	// Another sandbox still works meanwhile.
	b.sh(t, "echo fine", sandbox.Spec{}).printed(t, "fine")
	if exit := p.Wait(); !exit.TimedOut {
		t.Fatalf("%+v", exit)
	}
	if took := time.Since(before); took > 20*time.Second {
		t.Fatalf("it took %v", took)
	}
}

func ruleProcessesApart(t *testing.T, b box) {
	const each = 15
	script := fmt.Sprintf("for i in $(seq %d); do sleep 60 & done; echo started; read line", each)
	for range 3 {
		p := b.start(t, shell(script, sandbox.Spec{Limits: sandbox.Limits{Processes: each + 3}}))
		line, err := bufio.NewReader(p.Stdout()).ReadString('\n')
		if line != "started\n" {
			p.Kill()
			t.Fatalf("%q, %v, %+v", line, err, p.Wait())
		}
	}
}

func ruleFileSize(t *testing.T, b box) {
	b.python(t, `
import os
f = open("/tmp/large", "wb", buffering=0)
written = 0
try:
    while written < 4 << 20:
        written += f.write(bytes(65536))
except OSError as e:
    print(written, e.strerror)
`, sandbox.Spec{Limits: sandbox.Limits{FileSize: 1 << 20}}).printed(t, "1048576 File too large")
}

func ruleScratch(t *testing.T, b box) {
	b.python(t, `
written = 0
try:
    for number in range(64):
        with open(f"/tmp/part{number}", "wb", buffering=0) as f:
            written += f.write(bytes(1 << 20))
except OSError as e:
    print(e.strerror, 6 << 20 <= written <= 8 << 20)
files = 0
try:
    for number in range(100000):
        open(f"/tmp/empty{number}", "x").close()
        files += 1
except OSError as e:
    print(e.strerror, files < 3000)
`, sandbox.Spec{Limits: sandbox.Limits{Scratch: 8 << 20}}).printed(t, "No space left on device True\nNo space left on device True")
}

func ruleStderr(t *testing.T, b box) {
	o := b.sh(t, "head -c 20000000 /dev/zero | tr '\\0' x >&2; printf end >&2", sandbox.Spec{
		Limits: sandbox.Limits{StderrBytes: 1000},
	})
	o.succeeded(t)
	if want := strings.Repeat("x", 997) + "end"; o.Stderr != want {
		t.Fatalf("kept %d bytes, ending %q", len(o.Stderr), o.Stderr[max(0, len(o.Stderr)-10):])
	}
}

func ruleNoCore(t *testing.T, b box) {
	b.sh(t, "ulimit -c; ulimit -H -c", sandbox.Spec{}).printed(t, "0\n0")
}

func ruleWall(t *testing.T, b box) {
	before := time.Now()
	o := b.sh(t, "trap '' TERM; echo begun; sleep 60 & while :; do :; done", sandbox.Spec{
		Limits: sandbox.Limits{Wall: time.Second},
	})
	if !o.TimedOut || o.Code != -1 || o.Signal != "killed" || o.stdout != "begun\n" {
		t.Fatalf("%+v", o)
	}
	if took := time.Since(before); took > 10*time.Second {
		t.Fatalf("it took %v", took)
	}
}

func ruleContext(t *testing.T, b box) {
	ctx, cancel := context.WithCancel(context.Background())
	p, err := b.Start(ctx, shell("echo begun; sleep 60", sandbox.Spec{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(p.Stdout(), make([]byte, len("begun\n"))); err != nil {
		t.Fatal(err)
	}
	cancel()
	if exit := p.Wait(); exit.Signal != "killed" || exit.TimedOut {
		t.Fatalf("%+v", exit)
	}
	if _, err := b.Start(ctx, shell("true", sandbox.Spec{})); err == nil {
		t.Fatal("started with an ended context")
	}
}
