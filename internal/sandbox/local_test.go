package sandbox_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"touchstone/internal/sandbox"
)

// TestLocalAsOrdinaryUser holds the local sandbox to all rules again, started
// by a user without any privilege.
func TestLocalAsOrdinaryUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("TestConformance has done it")
	}
	// The test binary lies in a private folder; give the user a copy.
	folder := publicFolder(t)
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(folder, "sandbox.test")
	if err := os.WriteFile(binary, self, 0o755); err != nil {
		t.Fatal(err)
	}
	temporary := filepath.Join(folder, "tmp")
	if err := os.Mkdir(temporary, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(temporary, 0o777); err != nil {
		t.Fatal(err)
	}
	// The folder above must let the user through.
	if err := os.Chmod(filepath.Dir(folder), 0o755); err != nil {
		t.Fatal(err)
	}
	const ordinary = 54321
	run := exec.Command(binary, "-test.run=^TestConformance$/^local$", "-test.v")
	run.Dir = temporary
	run.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + temporary, "HOME=" + temporary,
		"TOUCHSTONE_REQUIRE=" + os.Getenv("TOUCHSTONE_REQUIRE")}
	run.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary}}
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if !strings.Contains(string(out), "--- PASS: TestConformance/local") {
		missing(t, string(out))
	}
}

// TestLocalCallFilter shows what the local sandbox refuses beyond Docker's
// default profile.
func TestLocalCallFilter(t *testing.T) {
	open(t, "local").python(t, `
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
PTRACE_TRACEME, AF_VSOCK, AF_ALG, SOCK_STREAM, SOCK_SEQPACKET = 0, 40, 38, 1, 5
def refused(number, call, *args):
    assert call(*args) == -1 and ctypes.get_errno() == number, (call, args, ctypes.get_errno())
refused(errno.EPERM, libc.ptrace, PTRACE_TRACEME, 0, 0, 0)
refused(errno.EPERM, libc.shmget, 0, 4096, 0o600)
refused(errno.EPERM, libc.memfd_create, b"x", 0)
refused(errno.EAFNOSUPPORT, libc.socket, AF_VSOCK, SOCK_STREAM, 0)
refused(errno.EAFNOSUPPORT, libc.socket, AF_ALG, SOCK_SEQPACKET, 0)
print("refused")
`, sandbox.Spec{}).printed(t, "refused")
}

// BenchmarkLocal measures the whole life of a program that does nothing.
func BenchmarkLocal(b *testing.B) {
	s, err := sandbox.NewLocal()
	if err != nil {
		b.Skip(err)
	}
	benchmarkTrue(b, s)
}

// BenchmarkLocalBesideLargeHeap does so in a process that uses much memory.
func BenchmarkLocalBesideLargeHeap(b *testing.B) {
	s, err := sandbox.NewLocal()
	if err != nil {
		b.Skip(err)
	}
	heap := make([]byte, 512<<20)
	for i := 0; i < len(heap); i += 4096 {
		heap[i] = 1
	}
	benchmarkTrue(b, s)
	heap[0]++
}

func benchmarkTrue(b *testing.B, s sandbox.Sandbox) {
	var started float64
	for b.Loop() {
		before := b.Elapsed()
		p, err := s.Start(context.Background(), sandbox.Spec{Argv: []string{"/bin/true"}})
		if err != nil {
			b.Fatal(err)
		}
		started += float64(b.Elapsed() - before)
		if exit := p.Wait(); exit.Code != 0 {
			b.Fatalf("%+v", exit)
		}
	}
	b.ReportMetric(started/float64(b.N)/1e6, "ms-to-exec/op")
}
