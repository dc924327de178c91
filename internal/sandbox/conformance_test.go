package sandbox_test

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchstone/internal/sandbox"
)

// TestConformance holds both sandboxes to the same rules.
func TestConformance(t *testing.T) {
	rules := []struct {
		name string
		hold func(*testing.T, box)
	}{
		{"no TCP, UDP or DNS reaches anything", ruleNoNetwork},
		{"a listener on the host is out of reach", ruleNoHostListener},
		{"an abstract unix socket of the host is out of reach", ruleNoAbstractSocket},
		{"a program may talk to itself over loopback", ruleOwnLoopback},
		{"files of the host do not exist inside", ruleNoHostFiles},
		{"nothing outside the given folders can be written", ruleNoWriting},
		{"a read-only mount can be read and not written", ruleReadOnlyMount},
		{"a read-only mount cannot be made writable again", ruleNoRemount},
		{"a writable mount can be written and stays", ruleWritableMount},
		{"a mount below a private folder works", ruleMountBelowPrivate},
		{"a mount inside a mount works", ruleNestedMount},
		{"a mount the program could not use is refused", ruleUnusableMount},
		{"a missing mount is refused", ruleMissingMount},
		{"memory folders are empty, writable and executable", ruleTmpfs},
		{"only processes of the sandbox exist", ruleNoHostProcesses},
		{"the program is nobody, without privileges", ruleNoPrivileges},
		{"namespaces, mounts and raw sockets are refused", ruleNoKernelInterfaces},

		{"allocation beyond the limit fails", ruleMemory},
		{"processes beyond the limit fail", ruleProcesses},
		{"a fork bomb is contained and killed", ruleForkBomb},
		{"one sandbox does not use up another's processes", ruleProcessesApart},
		{"a file beyond the limit fails", ruleFileSize},
		{"filling /tmp stops at the limit", ruleScratch},
		{"only the last bytes of standard error are kept", ruleStderr},
		{"no core is dumped", ruleNoCore},
		{"the wall clock ends the program", ruleWall},
		{"the context ends the program", ruleContext},

		{"exit statuses come back", ruleExitStatus},
		{"signals come back", ruleSignals},
		{"a missing program is an error", ruleMissingProgram},
		{"arguments and environment arrive as given", ruleArguments},
		{"standard input and output carry bytes as they are", ruleBytes},
		{"the working directory is as given, by default /tmp", ruleDirectory},
		{"the program is process 1 and its children cannot kill it", ruleProcessOne},
		{"daemons end with the program", ruleDaemons},
		{"zombies do not keep a program from ending", ruleZombies},
		{"kill ends everything, repeatedly", ruleKill},
		{"an unread program can be killed", ruleKillUnread},
		{"several run at once", ruleSeveral},
		{"python runs", rulePython},
		{"check finds every promise kept", ruleCheck},
		{"a sandbox inside a sandbox is refused with a reason", ruleNoNesting},
		{"everything ends when the parent is killed", ruleParentKilled},
	}
	for _, name := range []string{"local", "docker"} {
		t.Run(name, func(t *testing.T) {
			b := open(t, name)
			for _, rule := range rules {
				t.Run(rule.name, func(t *testing.T) { rule.hold(t, b) })
			}
		})
	}
}

// box is a sandbox under test.
type box struct{ sandbox.Sandbox }

func open(t testing.TB, name string) box {
	t.Helper()
	s, err := sandbox.Open(context.Background(), name, sandbox.DockerConfig{Image: testImage()})
	var unavailable *sandbox.UnavailableError
	if errors.As(err, &unavailable) {
		missing(t, err.Error())
	}
	if err != nil {
		t.Fatal(err)
	}
	return box{s}
}

func testImage() string {
	if image := os.Getenv("TOUCHSTONE_TEST_IMAGE"); image != "" {
		return image
	}
	return sandbox.DefaultImage
}

// missing skips a test that lacks a tool, unless all are required.
func missing(t testing.TB, what string) {
	t.Helper()
	if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
		t.Fatal(what)
	}
	t.Skip(what)
}

// outcome is all that can be seen of a program that has ended.
type outcome struct {
	sandbox.Exit
	stdout string
}

func (b box) start(t *testing.T, spec sandbox.Spec) sandbox.Process {
	t.Helper()
	if spec.Limits.Wall == 0 {
		spec.Limits.Wall = time.Minute
	}
	spec.Label = t.Name()
	p, err := b.Start(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}

func (b box) run(t *testing.T, spec sandbox.Spec) outcome {
	t.Helper()
	p := b.start(t, spec)
	p.Stdin().Close()
	out, err := io.ReadAll(p.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	return outcome{p.Wait(), string(out)}
}

var path = []string{"PATH=/usr/local/bin:/usr/bin:/bin"}

// sh runs a shell script with the rest of spec.
func (b box) sh(t *testing.T, script string, spec sandbox.Spec) outcome {
	t.Helper()
	return b.run(t, shell(script, spec))
}

func shell(script string, spec sandbox.Spec) sandbox.Spec {
	spec.Argv = []string{"/bin/sh", "-c", script}
	if spec.Env == nil {
		spec.Env = path
	}
	return spec
}

// python runs Python code with the rest of spec.
func (b box) python(t *testing.T, code string, spec sandbox.Spec) outcome {
	t.Helper()
	return b.run(t, pythonSpec(t, code, spec))
}

func pythonSpec(t *testing.T, code string, spec sandbox.Spec) sandbox.Spec {
	t.Helper()
	base, executable := findPython(t)
	spec.Argv = []string{executable, "-I", "-c", code}
	spec.Env = path
	if base != "/usr" {
		spec.Mounts = append(spec.Mounts, sandbox.Mount{Source: base, Target: base})
	}
	return spec
}

// findPython returns the folder of an interpreter and its executable.
func findPython(t *testing.T) (base, executable string) {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		out, err := exec.Command(name, "-c", "import sys; print(sys.base_prefix); print(sys.executable)").Output()
		if err != nil {
			continue
		}
		base, executable, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		if executable, err = filepath.EvalSymlinks(executable); err == nil {
			return base, executable
		}
	}
	missing(t, "there is no python3")
	return "", ""
}

// succeeded fails the test unless the program ended with status 0.
func (o outcome) succeeded(t *testing.T) {
	t.Helper()
	if o.Code != 0 || o.TimedOut {
		t.Fatalf("status %d, signal %q, timed out %v\nstdout: %s\nstderr: %s", o.Code, o.Signal, o.TimedOut, o.stdout, o.Stderr)
	}
}

// printed fails the test unless the program succeeded and printed want.
func (o outcome) printed(t *testing.T, want string) {
	t.Helper()
	o.succeeded(t)
	if got := strings.TrimSpace(o.stdout); got != want {
		t.Fatalf("printed %q, not %q\nstderr: %s", got, want, o.Stderr)
	}
}

// publicFolder makes a folder that the sandboxed user may read.
func publicFolder(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}
