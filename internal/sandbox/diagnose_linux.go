package sandbox

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// obstacles are the known reasons why a machine forbids namespaces, the most
// specific first.
var obstacles = []struct {
	file   string
	value  string
	reason string
	mend   string
}{
	{"/proc/sys/user/max_user_namespaces", "0",
		"user namespaces are switched off", "sysctl -w user.max_user_namespaces=10000"},
	{"/proc/sys/kernel/unprivileged_userns_clone", "0",
		"unprivileged user namespaces are switched off", "sysctl -w kernel.unprivileged_userns_clone=1"},
	{"/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
		"AppArmor restricts unprivileged user namespaces", "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0, or an AppArmor profile with the userns rule for this program"},
}

// diagnose explains a failure to isolate.
func diagnose(cause error) *UnavailableError {
	for _, o := range obstacles {
		data, err := os.ReadFile(o.file)
		if err != nil || strings.TrimSpace(string(data)) != o.value {
			continue
		}
		if os.Geteuid() == 0 && strings.Contains(o.file, "unprivileged") {
			continue
		}
		return &UnavailableError{Sandbox: "local", Reason: fmt.Sprintf("%s: %v", o.reason, cause), Mend: o.mend}
	}
	if errors.Is(cause, unix.ENOSPC) || errors.Is(cause, unix.EUSERS) {
		return &UnavailableError{Sandbox: "local", Reason: fmt.Sprintf("there are too many namespaces: %v", cause),
			Mend: "raise the user.max_*_namespaces sysctls"}
	}
	if inContainer() {
		return &UnavailableError{Sandbox: "local",
			Reason: fmt.Sprintf("this container forbids it: %v", cause),
			Mend:   "run the container with --security-opt seccomp=unconfined --security-opt systempaths=unconfined, or use the docker sandbox"}
	}
	return &UnavailableError{Sandbox: "local", Reason: cause.Error(),
		Mend: "allow user namespaces (Linux 5.12 or later), or use the docker sandbox"}
}

func inContainer() bool {
	for _, mark := range []string{"/.dockerenv", "/run/.containerenv"} {
		if _, err := os.Stat(mark); err == nil {
			return true
		}
	}
	return false
}
