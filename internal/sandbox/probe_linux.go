package sandbox

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// probeName is the name under which our binary tries to break the promises of
// the sandbox it is in.
const probeName = "touchstone-sandbox-probe"

// What a probe does, its first argument.
const (
	probeEscape = "escape" // try everything, report
	probeIdle   = "idle"   // sleep
	probeLinger = "linger" // leave a child behind
)

const (
	lingerStatus = 3
	// idleTime is how long an idle probe lives where nothing ends it.
	idleTime = 8 * time.Second
)

// probeRequest names things of the host that must be out of reach.
type probeRequest struct {
	TCP    string // a listener on the host's loopback interface
	Unix   string // a listener on an abstract unix socket
	Secret string // a file that everyone may read
	Limits Limits
}

// probeResult lists how a promise was broken.
type probeResult struct {
	What     string
	Problems []string
}

// probes are the promises, and what breaks them.
var probes = []struct {
	what string
	try  func(probeRequest) []string
}{
	{"no network", reachNetwork},
	{"no file of the host", readHost},
	{"no writing outside the given folders", writeOutside},
	{"no process of the host", seeProcesses},
	{"no privilege", findPrivilege},
	{"bounded memory", exceedMemory},
	{"bounded files", exceedFile},
	{"bounded scratch space", exceedScratch},
	{"bounded processes", exceedProcesses},
}

func runProbe() {
	mode := ""
	if len(os.Args) > 1 {
		mode = os.Args[1]
	}
	switch mode {
	case probeEscape:
		escape()
	case probeLinger:
		child := exec.Command("/proc/self/exe", probeIdle)
		child.Args[0] = probeName
		child.Stdout = os.Stdout
		child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := child.Start(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(lingerStatus)
	default:
		time.Sleep(idleTime)
	}
}

func escape() {
	var request probeRequest
	if err := json.NewDecoder(os.Stdin).Decode(&request); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	signal.Ignore(unix.SIGXFSZ)
	var results []probeResult
	for _, p := range probes {
		results = append(results, probeResult{What: p.what, Problems: p.try(request)})
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		os.Exit(1)
	}
}

func reachNetwork(r probeRequest) (problems []string) {
	interfaces, _ := net.Interfaces()
	for _, i := range interfaces {
		if i.Flags&net.FlagLoopback == 0 && i.Flags&net.FlagUp != 0 {
			problems = append(problems, "interface "+i.Name)
		}
	}
	for network, address := range map[string]string{"tcp": r.TCP, "unix": r.Unix} {
		if connection, err := net.DialTimeout(network, address, time.Second); err == nil {
			connection.Close()
			problems = append(problems, "connected to "+address)
		}
	}
	// Connecting UDP sends nothing; it only looks for a route.
	if connection, err := net.Dial("udp", "192.0.2.1:53"); err == nil {
		connection.Close()
		problems = append(problems, "there is a route to other machines")
	}
	return problems
}

func readHost(r probeRequest) (problems []string) {
	for _, name := range []string{r.Secret, "/etc/shadow", "/var/run/docker.sock", "/run/docker.sock", "/dev/mem", "/proc/kcore"} {
		if file, err := os.Open(name); err == nil {
			// Docker covers what it forbids with something empty.
			if n, _ := file.Read(make([]byte, 1)); n > 0 {
				problems = append(problems, "read "+name)
			}
			file.Close()
		}
	}
	return problems
}

func writeOutside(probeRequest) (problems []string) {
	for _, folder := range []string{"/", "/usr", "/etc", "/dev", "/opt", "/var", "/home"} {
		name := filepath.Join(folder, "touchstone-probe")
		if file, err := os.Create(name); err == nil {
			file.Close()
			os.Remove(name)
			problems = append(problems, "wrote "+name)
		}
	}
	if file, err := os.OpenFile(probePath, os.O_WRONLY, 0); err == nil {
		file.Close()
		problems = append(problems, "opened a read-only mount for writing")
	}
	return problems
}

func seeProcesses(probeRequest) (problems []string) {
	if os.Getpid() != 1 {
		problems = append(problems, fmt.Sprintf("is process %d, not 1", os.Getpid()))
	}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return append(problems, err.Error())
	}
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil && pid != os.Getpid() {
			problems = append(problems, fmt.Sprintf("sees process %d", pid))
		}
	}
	return problems
}

func findPrivilege(probeRequest) (problems []string) {
	if os.Getuid() == 0 || os.Geteuid() == 0 {
		problems = append(problems, "runs as root")
	}
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return append(problems, err.Error())
	}
	defer file.Close()
	want := map[string]string{
		"CapPrm": "0000000000000000", "CapEff": "0000000000000000",
		"CapBnd": "0000000000000000", "CapAmb": "0000000000000000",
		"NoNewPrivs": "1", "Seccomp": "2",
	}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimSpace(value)
		if wanted, ok := want[name]; ok && value != wanted {
			problems = append(problems, name+" is "+value)
		}
	}
	nested := exec.Command("/proc/self/exe", probeIdle)
	nested.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}
	if err := nested.Start(); err == nil {
		_ = nested.Process.Kill()
		_ = nested.Wait()
		problems = append(problems, "made a user namespace")
	}
	return problems
}

func exceedMemory(r probeRequest) []string {
	if memory, err := unix.Mmap(-1, 0, int(r.Limits.Memory)+1, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON); err == nil {
		_ = unix.Munmap(memory)
		return []string{"allocated more than the limit"}
	}
	return nil
}

func exceedFile(r probeRequest) []string {
	const name = "/tmp/large"
	defer os.Remove(name)
	if err := os.WriteFile(name, make([]byte, r.Limits.FileSize+1), 0o600); err == nil {
		return []string{"wrote a file larger than the limit"}
	}
	return nil
}

func exceedScratch(r probeRequest) []string {
	half := make([]byte, r.Limits.FileSize/2)
	for written := int64(0); written <= r.Limits.Scratch; written += int64(len(half)) {
		name := fmt.Sprintf("/tmp/part%d", written)
		err := os.WriteFile(name, half, 0o600)
		defer os.Remove(name)
		if err != nil {
			return nil
		}
	}
	return []string{"wrote more to /tmp than the limit"}
}

func exceedProcesses(r probeRequest) []string {
	for range r.Limits.Processes {
		child := exec.Command("/proc/self/exe", probeIdle)
		child.Args[0] = probeName
		if err := child.Start(); err != nil {
			return nil
		}
		defer func() {
			_ = child.Process.Kill()
			_ = child.Wait()
		}()
	}
	return []string{"started more processes than the limit"}
}
