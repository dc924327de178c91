package sandbox

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// identity says how the users outside appear inside. The program always sees
// itself as nobody (65534).
type identity struct {
	uids, gids []syscall.SysProcIDMap
	// switchUser: the init begins as root and must become nobody, who is a
	// different user outside, too. Otherwise the init is nobody inside from
	// the start and the caller outside.
	switchUser bool
}

// callerIdentity chooses the maps for whoever runs us. Root's program must not
// stay host root, for whom neither file permissions nor RLIMIT_NPROC hold.
func callerIdentity() (identity, error) {
	uid, gid := os.Geteuid(), os.Getegid()
	single := identity{
		uids: []syscall.SysProcIDMap{{ContainerID: sandboxUID, HostID: uid, Size: 1}},
		gids: []syscall.SysProcIDMap{{ContainerID: sandboxGID, HostID: gid, Size: 1}},
	}
	if uid != 0 {
		return single, nil
	}
	uids, rootIsHost, err := ownIDs("/proc/self/uid_map")
	if err != nil {
		return identity{}, err
	}
	gids, _, err := ownIDs("/proc/self/gid_map")
	if err != nil {
		return identity{}, err
	}
	if covers(uids, sandboxUID) && covers(gids, sandboxGID) {
		return identity{uids: uids, gids: gids, switchUser: true}, nil
	}
	if rootIsHost {
		return identity{}, fmt.Errorf("user %d is not mapped into this namespace", sandboxUID)
	}
	return single, nil
}

// ownIDs reads an ID map of our own namespace and returns the identity map of
// all IDs in it, and whether its root may be root of the host.
func ownIDs(file string) (ids []syscall.SysProcIDMap, rootIsHost bool, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, false, err
	}
	for line := range strings.Lines(string(data)) {
		var inside, outside, size int
		if _, err := fmt.Sscan(line, &inside, &outside, &size); err != nil {
			return nil, false, fmt.Errorf("%s: %w", file, err)
		}
		ids = append(ids, syscall.SysProcIDMap{ContainerID: inside, HostID: inside, Size: size})
		rootIsHost = rootIsHost || inside == 0 && outside == 0
	}
	return ids, rootIsHost, nil
}

func covers(ids []syscall.SysProcIDMap, id int) bool {
	for _, m := range ids {
		if m.ContainerID <= id && id < m.ContainerID+m.Size {
			return true
		}
	}
	return false
}

// setupCapabilities are what the init needs between its start and the
// program's; an init that is not root inside keeps them over execve as ambient
// capabilities. They reach no further than the new namespaces.
var setupCapabilities = []uintptr{
	unix.CAP_SYS_ADMIN,    // mounts, host name
	unix.CAP_NET_ADMIN,    // the loopback interface
	unix.CAP_SETPCAP,      // dropping the bounding set, securebits
	unix.CAP_SYS_RESOURCE, // forbidding nested user namespaces
}
