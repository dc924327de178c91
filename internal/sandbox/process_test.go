package sandbox_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"touchstone/internal/sandbox"
)

func ruleExitStatus(t *testing.T, b box) {
	for _, status := range []int{0, 1, 42, 127} {
		o := b.sh(t, fmt.Sprintf("exit %d", status), sandbox.Spec{})
		if o.Code != status || o.Signal != "" || o.TimedOut {
			t.Errorf("%d: %+v", status, o)
		}
	}
}

func ruleSignals(t *testing.T, b box) {
	o := b.python(t, "import ctypes; ctypes.string_at(0)", sandbox.Spec{})
	if o.Code != -1 || o.Signal != "segmentation fault" {
		t.Errorf("%+v", o)
	}
}

func ruleMissingProgram(t *testing.T, b box) {
	p, err := b.Start(context.Background(), sandbox.Spec{Argv: []string{"/does/not/exist"}})
	if err == nil {
		p.Kill()
		t.Fatal("started")
	}
}

func ruleArguments(t *testing.T, b box) {
	b.run(t, sandbox.Spec{
		Argv: []string{"/usr/bin/printf", "%s|", "a b", "", "ü\n", "$HOME"},
	}).printed(t, "a b||ü\n|$HOME|")

	// HOME is given, since Docker would add it.
	given := "HOME=/somewhere\nA=b = c\nEMPTY=\nÜBER=straße\n"
	o := b.run(t, sandbox.Spec{Argv: []string{"/usr/bin/env"}, Env: strings.Split(strings.TrimSpace(given), "\n")})
	o.succeeded(t)
	if sorted(o.stdout) != sorted(given) {
		t.Fatalf("got %q, want %q", o.stdout, given)
	}
}

func ruleBytes(t *testing.T, b box) {
	sent := make([]byte, 1<<20)
	source := rand.NewChaCha8([32]byte{1})
	_, _ = source.Read(sent)
	p := b.start(t, sandbox.Spec{Argv: []string{"/bin/cat"}})
	go func() {
		_, _ = p.Stdin().Write(sent)
		p.Stdin().Close()
	}()
	received, err := io.ReadAll(p.Stdout())
	if err != nil || !bytes.Equal(sent, received) {
		t.Fatalf("sent %d bytes, received %d that may differ, %v", len(sent), len(received), err)
	}
	if exit := p.Wait(); exit.Code != 0 {
		t.Fatalf("%+v", exit)
	}
}

func ruleDirectory(t *testing.T, b box) {
	b.sh(t, "pwd", sandbox.Spec{}).printed(t, "/tmp")
	b.sh(t, "pwd", sandbox.Spec{Dir: "/usr/lib"}).printed(t, "/usr/lib")
}

func ruleProcessOne(t *testing.T, b box) {
	b.sh(t, "sh -c 'kill -9 1; kill -TERM 1'; sleep 0.2; echo alive $$", sandbox.Spec{}).printed(t, "alive 1")
}

func ruleDaemons(t *testing.T, b box) {
	name := unique()
	before := time.Now()
	o := b.sh(t, fmt.Sprintf("(setsid sh -c 'setsid sleep %s & setsid sleep %s' &) ; sleep 0.3; echo done", name, name), sandbox.Spec{})
	o.printed(t, "done")
	if took := time.Since(before); took > 10*time.Second {
		t.Fatalf("the daemons were waited for: %v", took)
	}
	if running(t, name) {
		t.Fatal("the daemons live on")
	}
}

func ruleZombies(t *testing.T, b box) {
	b.python(t, `
import os, time
for _ in range(10):
    if os.fork() == 0:
        os._exit(0)
time.sleep(0.2)
print("left", flush=True)
`, sandbox.Spec{}).printed(t, "left")
}

func ruleKill(t *testing.T, b box) {
	name := unique()
	p := b.start(t, shell(fmt.Sprintf("sleep %s & echo begun; sleep %s", name, name), sandbox.Spec{}))
	if _, err := io.ReadFull(p.Stdout(), make([]byte, len("begun\n"))); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			p.Kill()
			if exit := p.Wait(); exit.Signal != "killed" || exit.Code != -1 {
				t.Errorf("%+v", exit)
			}
			p.Kill()
		})
	}
	all.Wait()
	if running(t, name) {
		t.Fatal("something lives on")
	}
}

func ruleKillUnread(t *testing.T, b box) {
	p := b.start(t, sandbox.Spec{Argv: []string{"/bin/cat", "/dev/zero"}})
	time.Sleep(200 * time.Millisecond)
	p.Kill()
	ended := make(chan sandbox.Exit)
	go func() { ended <- p.Wait() }()
	select {
	case exit := <-ended:
		if exit.Signal != "killed" {
			t.Fatalf("%+v", exit)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("Wait does not return")
	}
}

func ruleSeveral(t *testing.T, b box) {
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			p, err := b.Start(context.Background(), shell(fmt.Sprintf("echo %d > /tmp/x; read line; cat /tmp/x", i), sandbox.Spec{}))
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Kill()
			fmt.Fprintln(p.Stdin(), "go on")
			out, _ := io.ReadAll(p.Stdout())
			if exit := p.Wait(); exit.Code != 0 || string(out) != fmt.Sprintln(i) {
				t.Errorf("%d: %q, %+v", i, out, exit)
			}
		})
	}
	all.Wait()
}

func rulePython(t *testing.T, b box) {
	b.python(t, `
import concurrent.futures, json, multiprocessing, sqlite3, ssl, subprocess, tempfile, threading
with tempfile.TemporaryDirectory() as folder:
    assert subprocess.run(["/bin/ls", folder], capture_output=True, check=True).stdout == b""
with concurrent.futures.ThreadPoolExecutor(8) as pool:
    assert sum(pool.map(lambda x: x * x, range(10))) == 285
queue = multiprocessing.get_context("fork").Queue()
worker = multiprocessing.get_context("fork").Process(target=queue.put, args=(1,))
worker.start()
assert queue.get(timeout=5) == 1
worker.join()
print("fine")
`, sandbox.Spec{}).printed(t, "fine")
}

func ruleCheck(t *testing.T, b box) {
	for _, f := range sandbox.Check(context.Background(), b) {
		if !f.OK {
			t.Errorf("%+v", f)
		}
	}
}
