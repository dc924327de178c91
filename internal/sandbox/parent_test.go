package sandbox_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"touchstone/internal/sandbox"
)

// parentVariable makes the test binary a parent that starts a sleep of the
// given name in the given sandbox, and waits to be killed.
const parentVariable = "TOUCHSTONE_TEST_PARENT"

func TestMain(m *testing.M) {
	sandbox.Init()
	if role := os.Getenv(parentVariable); role != "" {
		beParent(role)
	}
	os.Exit(m.Run())
}

func beParent(role string) {
	kind, sleep, _ := strings.Cut(role, " ")
	s, err := sandbox.Open(context.Background(), kind, sandbox.DockerConfig{Image: testImage()})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	script := fmt.Sprintf("setsid sleep %s & echo ready; exec sleep %s", sleep, sleep)
	p, err := s.Start(context.Background(), shell(script, sandbox.Spec{}))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_, _ = io.ReadFull(p.Stdout(), make([]byte, len("ready\n")))
	fmt.Println("ready")
	p.Wait()
	os.Exit(0)
}

// ruleNoNesting shows that a machine which forbids namespaces is recognised.
func ruleNoNesting(t *testing.T, b box) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := b.run(t, sandbox.Spec{
		Argv:   []string{"/opt/parent"},
		Env:    []string{parentVariable + "=local 1"},
		Mounts: []sandbox.Mount{{Source: self, Target: "/opt/parent"}},
	})
	if o.Code != 1 || !strings.HasPrefix(o.stdout, "the local sandbox cannot be used: ") {
		t.Fatalf("%+v", o)
	}
	t.Log(o.stdout)
}

func ruleParentKilled(t *testing.T, b box) {
	name := unique()
	parent := exec.Command("/proc/self/exe")
	parent.Env = append(os.Environ(), parentVariable+"="+b.Name()+" "+name)
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = parent.Process.Kill()
		_ = parent.Wait()
	}()
	line := make([]byte, len("ready\n"))
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "ready\n" {
		rest, _ := io.ReadAll(out)
		t.Fatalf("%s%s %v", line, rest, err)
	}
	eventually(t, "the sandboxed program is not seen", func() bool { return running(t, name) })
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the sandboxed program lives on", func() bool { return !running(t, name) })
}

// eventually fails the test with complaint unless holds does within ten seconds.
func eventually(t *testing.T, complaint string, holds func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !holds(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal(complaint)
		}
	}
}

// unique returns a length for sleep that nobody else sleeps.
func unique() string {
	n := make([]byte, 6)
	_, _ = rand.Read(n)
	return fmt.Sprintf("4%d.%d%d%d", int(n[0])<<8+int(n[1]), int(n[2])<<8+int(n[3]), n[4], n[5])
}

// running reports whether any process of the host has name as its argument.
func running(t *testing.T, name string) bool {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err == nil && bytes.HasPrefix(line, []byte("sleep\x00"+name+"\x00")) {
			return true
		}
	}
	return false
}

func sorted(lines string) string {
	return strings.Join(slices.Sorted(strings.Lines(lines)), "")
}
