package spawn

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain plays the parent that is killed, when it is asked to.
func TestMain(m *testing.M) {
	if os.Getenv("TOUCHSTONE_SPAWN_PARENT") != "" {
		cmd := exec.CommandContext(context.Background(), "sh", "-c", "echo $$; exec sleep 600")
		cmd.Stdout = os.Stdout
		if Run(cmd) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestAProgramDiesWithTheProcessThatStartedIt(t *testing.T) {
	parent := exec.Command(os.Args[0])
	parent.Env = append(os.Environ(), "TOUCHSTONE_SPAWN_PARENT=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	child, err := strconv.Atoi(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := parent.Wait(); err == nil {
		t.Fatal("the parent ended by itself")
	}
	for deadline := time.Now().Add(10 * time.Second); running(t, child); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("process %d still runs", child)
		}
	}
}

func TestAProgramAndItsChildrenEndWithTheContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", "sleep 600 & wait")
	cmd.Stdout = &strings.Builder{}
	begun := time.Now()
	if err := Run(cmd); err == nil {
		t.Error("it ended well")
	}
	if took := time.Since(begun); took > pipePatience {
		t.Errorf("it took %v: a child held the pipe", took)
	}
}

// running tells a process from none and from one that only waits to be reaped.
func running(t *testing.T, pid int) bool {
	t.Helper()
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}
