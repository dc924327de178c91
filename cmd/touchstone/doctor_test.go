package main

import (
	"bytes"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"touchstone/data"
	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/sandbox"
)

// Without Python nothing can be built or evaluated; git and Docker's command
// are missed only by some.
func TestDoctorFailsWithoutPython(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	var stdout, stderr bytes.Buffer
	if status := run([]string{"doctor"}, &stdout, &stderr); status != exitFailed {
		t.Errorf("status %d", status)
	}
	for _, words := range []string{"FAIL  python3: python3 is not on the PATH", "mend: install Python 3.9 or later", "note  git: not there", "note  docker: not there"} {
		if !strings.Contains(stdout.String(), words) {
			t.Errorf("%q is not in\n%s", words, stdout.String())
		}
	}
	if stderr.Len() == 0 {
		t.Error("nothing says why it failed")
	}
}

func TestDoctorSaysWhatPythonLacks(t *testing.T) {
	got := unusablePython(&benchmark.InputError{Field: "python", Problem: "it has no pip", Mend: "install pip"})
	if want := (sandbox.Finding{What: "python3", Detail: "it has no pip", Mend: "install pip"}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// A user whom Docker's socket turns away need not install Docker.
func TestAUserWithoutPermissionIsToldOnlyThat(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("connect", syscall.EACCES)}
	for _, c := range []struct {
		what string
		err  error
		want bool
	}{
		{"no permission", refused, true},
		{"nobody listens", &net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}, false},
		{"no socket", &net.OpError{Op: "dial", Net: "unix", Err: os.NewSyscallError("connect", syscall.ENOENT)}, false},
		{"an answer", nil, false},
	} {
		if got := turnedAway(c.err); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	t.Setenv("DOCKER_HOST", "unix://"+filepath.Join(t.TempDir(), "docker.sock"))
	absent := &sandbox.UnavailableError{Sandbox: "docker", Reason: "no socket", Mend: "install and start it"}
	if got := advised(absent); !errors.Is(got, absent) {
		t.Errorf("without a socket the advice is %v", got)
	}
}

// The starter release names the Python that doctor compares with.
func TestStarterPython(t *testing.T) {
	folder, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	dir, err := data.Install(folder, "starter/release")
	if err != nil {
		t.Fatal(err)
	}
	d, err := doctocode.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range d.Repositories {
		if r.Python != starterPython || !r.AnyPython {
			t.Errorf("%s needs Python %s, later ones: %v", r.Name, r.Python, r.AnyPython)
		}
	}
	for _, c := range []struct {
		version string
		want    bool
	}{{"3.9", true}, {"3.10", true}, {"3.11", false}, {"3.12", false}} {
		if olderThan(c.version, starterPython) != c.want {
			t.Errorf("%s: %v", c.version, !c.want)
		}
	}
}
