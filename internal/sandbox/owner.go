package sandbox

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// owner identifies a process for longer than its number does: numbers are
// reused, and mean different processes in different PID namespaces.
type owner struct {
	pid   int
	start string // clock ticks since the boot
	boot  string
	space string // PID namespace
}

// thisProcess identifies the running process. Without /proc only its number is
// known, and others will not dare to call it dead.
func thisProcess() owner {
	pid := os.Getpid()
	start, _ := startOf(pid)
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	space, _ := os.Readlink("/proc/self/ns/pid")
	return owner{pid: pid, start: start, boot: strings.TrimSpace(string(boot)), space: space}
}

func (o owner) String() string {
	return fmt.Sprintf("%d/%s/%s/%s", o.pid, o.start, o.boot, o.space)
}

func parseOwner(text string) (owner, bool) {
	parts := strings.Split(text, "/")
	if len(parts) != 4 {
		return owner{}, false
	}
	pid, err := strconv.Atoi(parts[0])
	return owner{pid: pid, start: parts[1], boot: parts[2], space: parts[3]}, err == nil
}

// gone reports whether o has certainly ended, as seen by the process self.
func (o owner) gone(self owner) bool {
	if o.boot == "" || o.start == "" || o.boot != self.boot || o.space != self.space {
		return false // another machine, boot or namespace: we cannot know
	}
	start, alive := startOf(o.pid)
	return !alive || start != o.start
}

// startOf returns when a process started, and false if there is none or only
// its zombie.
func startOf(pid int) (string, bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return "", false
	}
	// The second field, in brackets, may contain anything.
	_, rest, _ := cutLast(string(data), ") ")
	fields := strings.Fields(rest)
	const state, startTime = 0, 19 // counted from the third field of proc_pid_stat(5)
	if len(fields) <= startTime || strings.ContainsAny(fields[state], "ZX") {
		return "", false
	}
	return fields[startTime], true
}

func cutLast(s, separator string) (before, after string, found bool) {
	if i := strings.LastIndex(s, separator); i >= 0 {
		return s[:i], s[i+len(separator):], true
	}
	return s, "", false
}
