package sandbox_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/sandbox"
)

func ruleNoNetwork(t *testing.T, b box) {
	b.python(t, `
import socket
for family, kind, address in (
    (socket.AF_INET, socket.SOCK_STREAM, ("192.0.2.1", 80)),
    (socket.AF_INET, socket.SOCK_DGRAM, ("192.0.2.1", 53)),
    (socket.AF_INET6, socket.SOCK_STREAM, ("2001:db8::1", 80)),
    (socket.AF_INET6, socket.SOCK_DGRAM, ("2001:db8::1", 53)),
):
    s = socket.socket(family, kind)
    s.settimeout(3)
    try:
        s.connect(address)
        s.send(b"x")
        print("reached", address)
    except OSError as e:
        assert not isinstance(e, TimeoutError), "it went out and was not answered"
try:
    print(socket.gethostbyname("example.org"))
except OSError:
    pass
print([name for _, name in socket.if_nameindex()])
`, sandbox.Spec{}).printed(t, "['lo']")
}

func ruleNoHostListener(t *testing.T, b box) {
	listener, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	addresses := []string{"127.0.0.1", "172.17.0.1"}
	own, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range own {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.To4() != nil {
			addresses = append(addresses, ip.IP.String())
		}
	}
	b.python(t, fmt.Sprintf(`
import socket
for address in %q.split():
    try:
        socket.create_connection((address, %d), timeout=3)
        print("reached", address)
    except OSError:
        pass
`, strings.Join(addresses, " "), port), sandbox.Spec{}).printed(t, "")
}

func ruleNoAbstractSocket(t *testing.T, b box) {
	name := fmt.Sprintf("touchstone-test-%d", os.Getpid())
	listener, err := net.Listen("unix", "@"+name)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	b.python(t, fmt.Sprintf(`
import socket
try:
    socket.socket(socket.AF_UNIX).connect("\0%s")
    print("reached")
except OSError:
    pass
`, name), sandbox.Spec{}).printed(t, "")
}

func ruleOwnLoopback(t *testing.T, b box) {
	b.python(t, `
import socket
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(("localhost", server.getsockname()[1]), timeout=3)
server.accept()[0].sendall(b"hello")
print(client.recv(5).decode())
`, sandbox.Spec{}).printed(t, "hello")
}

func ruleNoHostFiles(t *testing.T, b box) {
	secret := filepath.Join(publicFolder(t), "secret")
	write(t, secret, "secret")
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	home, _ := os.UserHomeDir()
	b.sh(t, fmt.Sprintf(`
for name in %s; do
	if head -c 1 "$name" 2>/dev/null | grep -q .; then echo read $name; fi
done
for folder in %s; do
	if [ "$(ls -A "$folder" 2>/dev/null)" ]; then echo listed $folder; fi
done
for root in /proc/1/root /proc/1/cwd /proc/self/fd/*; do
	if [ -e $root/%s ]; then echo reached the host by $root; fi
done`,
		quoted(secret, filepath.Join(here, "sandbox.go"), "/etc/shadow", "/proc/kcore", "/dev/mem", "/dev/kmsg", "/var/run/docker.sock", "/run/docker.sock"),
		quoted(filepath.Dir(secret), here, home, "/root", "/sys/kernel/debug", "/sys/kernel/security", "/var/lib/docker", "/boot"),
		quoted(secret)), sandbox.Spec{}).printed(t, "")
}

func ruleNoWriting(t *testing.T, b box) {
	b.sh(t, `
for folder in / /usr /usr/lib /etc /dev /opt /var /home /root /bin /sys /proc /proc/sys/kernel; do
	if (echo x > $folder/touchstone-test) 2>/dev/null; then echo wrote $folder; fi
	if mkdir $folder/touchstone-folder 2>/dev/null; then echo made $folder; fi
done
for file in /etc/passwd /etc/hosts /bin/sh /proc/sys/kernel/hostname /proc/sysrq-trigger /proc/sys/user/max_user_namespaces; do
	if (: >> $file) 2>/dev/null; then echo opened $file; fi
	if chmod 777 $file 2>/dev/null; then echo changed $file; fi
done
chmod 777 / /etc 2>/dev/null && echo changed folders
true`, sandbox.Spec{}).printed(t, "")
}

func ruleReadOnlyMount(t *testing.T, b box) {
	folder := publicFolder(t)
	write(t, filepath.Join(folder, "file"), "content")
	if err := os.Chmod(filepath.Join(folder, "file"), 0o666); err != nil {
		t.Fatal(err)
	}
	b.sh(t, `
cat /given/file
for change in "echo x > /given/file" "echo x > /given/new" "rm /given/file" "mkdir /given/folder" "chmod 600 /given/file" "touch /given/file" "ln /given/file /given/link"; do
	if (eval "$change") 2>/dev/null; then echo "did $change"; fi
done; true`, sandbox.Spec{Mounts: []sandbox.Mount{{Source: folder, Target: "/given"}}}).printed(t, "content")
}

func ruleNoRemount(t *testing.T, b box) {
	folder := publicFolder(t)
	b.python(t, `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
MS_REMOUNT, MS_BIND = 32, 4096
for target in (b"/given", b"/", b"/usr", b"/proc"):
    assert libc.mount(None, target, None, MS_REMOUNT | MS_BIND, None) == -1, target
    assert libc.umount2(target, 2) == -1, target
print("refused")
`, sandbox.Spec{Mounts: []sandbox.Mount{{Source: folder, Target: "/given"}}}).printed(t, "refused")
}

func ruleWritableMount(t *testing.T, b box) {
	folder := publicFolder(t)
	if err := os.Chmod(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	b.sh(t, "cd /given && echo kept > a && mkdir d && mv a d/b && ln d/b c", sandbox.Spec{
		Mounts: []sandbox.Mount{{Source: folder, Target: "/given", Writable: true}},
	}).succeeded(t)
	content, err := os.ReadFile(filepath.Join(folder, "d", "b"))
	if err != nil || string(content) != "kept\n" {
		t.Fatalf("%q, %v", content, err)
	}
}

func ruleMountBelowPrivate(t *testing.T, b box) {
	private := t.TempDir()
	open := filepath.Join(private, "open")
	if err := os.Mkdir(open, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(open, "file"), "content")
	if err := os.Chmod(private, 0o700); err != nil {
		t.Fatal(err)
	}
	b.sh(t, "cat "+filepath.Join(open, "file"), sandbox.Spec{
		Mounts: []sandbox.Mount{{Source: open, Target: open}},
	}).printed(t, "content")
}

func ruleNestedMount(t *testing.T, b box) {
	outer, inner := publicFolder(t), publicFolder(t)
	for _, folder := range []string{"sub", "memory"} {
		if err := os.Mkdir(filepath.Join(outer, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(t, filepath.Join(outer, "file"), "outer ")
	write(t, filepath.Join(inner, "file"), "inner ")
	b.sh(t, "echo new > /given/memory/file; cat /given/file /given/sub/file /tmp/m/file /given/memory/file", sandbox.Spec{
		// The inner ones come first on purpose.
		Mounts: []sandbox.Mount{
			{Source: filepath.Join(inner, "file"), Target: "/tmp/m/file"},
			{Source: inner, Target: "/given/sub"},
			{Source: outer, Target: "/given"},
		},
		Tmpfs: []string{"/given/memory"},
	}).printed(t, "outer inner inner new")
}

func ruleUnusableMount(t *testing.T, b box) {
	if os.Getuid() != 0 && b.Name() == "local" {
		t.Skip("the sandboxed user is the caller, who may use its own files")
	}
	private := t.TempDir()
	if err := os.Chmod(private, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := b.Start(context.Background(), shell("true", sandbox.Spec{Mounts: []sandbox.Mount{{Source: private, Target: "/given"}}}))
	if err == nil || !strings.Contains(err.Error(), private) || !strings.Contains(err.Error(), "chmod") {
		t.Fatalf("the error is %v", err)
	}
}

func ruleMissingMount(t *testing.T, b box) {
	_, err := b.Start(context.Background(), shell("true", sandbox.Spec{Mounts: []sandbox.Mount{{Source: "/does/not/exist", Target: "/given"}}}))
	if err == nil || !strings.Contains(err.Error(), "/does/not/exist") {
		t.Fatalf("the error is %v", err)
	}
}

func ruleTmpfs(t *testing.T, b box) {
	b.sh(t, `
for folder in /tmp /dev/shm /inner/scratch; do
	test -z "$(ls -A $folder)" || echo $folder is not empty
	printf '#!/bin/sh\necho run' > $folder/program && chmod +x $folder/program && $folder/program
done`, sandbox.Spec{Tmpfs: []string{"/inner/scratch"}}).printed(t, "run\nrun\nrun")
}

func ruleNoHostProcesses(t *testing.T, b box) {
	b.python(t, fmt.Sprintf(`
import os
print(sorted(int(p) for p in os.listdir("/proc") if p.isdigit()))
for pid in (%d, -1):
    try:
        os.kill(pid, 0)
        print("could signal", pid)
    except OSError:
        pass
`, os.Getpid()), sandbox.Spec{}).printed(t, "[1]")
}

func ruleNoPrivileges(t *testing.T, b box) {
	b.sh(t, `id -u; id -g; grep -E '^(Cap(Inh|Prm|Eff|Bnd|Amb)|NoNewPrivs|Seccomp):' /proc/self/status | tr '\t' ' '; ls /proc/self/fd | wc -l`,
		sandbox.Spec{}).printed(t, `65534
65534
CapInh: 0000000000000000
CapPrm: 0000000000000000
CapEff: 0000000000000000
CapBnd: 0000000000000000
CapAmb: 0000000000000000
NoNewPrivs: 1
Seccomp: 2
4`)
}

func ruleNoKernelInterfaces(t *testing.T, b box) {
	b.python(t, `
import ctypes, os, socket
libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET = 0x10000000, 0x20000, 0x40000000
for flag in (CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWNET):
    assert libc.unshare(flag) == -1, hex(flag)
assert libc.mount(b"x", b"/tmp", b"tmpfs", 0, None) == -1
assert libc.chroot(b"/tmp") == -1
assert libc.setns(os.open("/proc/1/ns/net", os.O_RDONLY), 0) == -1
assert libc.setuid(0) == -1 and libc.setgid(0) == -1
try:
    socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
    print("raw packets")
except OSError:
    pass
print("refused")
`, sandbox.Spec{}).printed(t, "refused")
}

// quoted writes words for the shell.
func quoted(words ...string) string {
	for i, word := range words {
		words[i] = "'" + word + "'"
	}
	return strings.Join(words, " ")
}
