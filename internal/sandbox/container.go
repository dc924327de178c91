package sandbox

import (
	"fmt"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/mount"
)

// The labels of our containers.
const (
	labelSandbox = "touchstone.sandbox"
	labelOwner   = "touchstone.owner"
	labelName    = "touchstone.label"
)

// containerOf writes spec down in Docker's terms. Docker's own default profile
// filters the system calls.
func (d *Docker) containerOf(spec Spec) (*container.Config, *container.HostConfig) {
	config := &container.Config{
		Image:        d.image,
		Hostname:     "sandbox",
		User:         fmt.Sprintf("%d:%d", sandboxUID, sandboxGID),
		Entrypoint:   spec.Argv[:1],
		Cmd:          spec.Argv[1:],
		Env:          exactly(spec.Env),
		WorkingDir:   spec.Dir,
		Labels:       map[string]string{labelSandbox: "1", labelOwner: d.owner, labelName: spec.Label},
		OpenStdin:    true,
		StdinOnce:    true,
		AttachStdin:  true,
		AttachStdout: true,
		AttachStderr: true,
		Healthcheck:  &container.HealthConfig{Test: []string{"NONE"}},
	}
	l := spec.Limits
	processes := int64(l.Processes)
	noInit := false
	host := &container.HostConfig{
		AutoRemove:     true,
		NetworkMode:    "none",
		IpcMode:        container.IPCModeNone,
		ReadonlyRootfs: true,
		CapDrop:        []string{"ALL"},
		SecurityOpt:    []string{"no-new-privileges"},
		LogConfig:      container.LogConfig{Type: "none"},
		OomScoreAdj:    oomScore,
		Init:           &noInit,
		Tmpfs:          tmpfsOf(spec),
		Resources: container.Resources{
			Memory:     l.Memory,
			MemorySwap: l.Memory, // no swap
			PidsLimit:  &processes,
			// Not nproc: it would count the processes of all containers
			// together, since they share the user.
			Ulimits: []*container.Ulimit{
				{Name: "core", Soft: 0, Hard: 0},
				{Name: "nofile", Soft: openFiles, Hard: openFiles},
				{Name: "fsize", Soft: l.FileSize, Hard: l.FileSize},
				// Not the address space, which would stop runc itself.
				{Name: "data", Soft: l.Memory, Hard: l.Memory},
			},
		},
	}
	for _, m := range spec.Mounts {
		host.Mounts = append(host.Mounts, mount.Mount{
			Type:     mount.TypeBind,
			Source:   m.Source,
			Target:   m.Target,
			ReadOnly: !m.Writable,
			BindOptions: &mount.BindOptions{
				Propagation: mount.PropagationRPrivate,
				// Engines before 25 leave what is mounted below writable.
				NonRecursive: !m.Writable,
			},
		})
	}
	return config, host
}

// tmpfsOf lists the folders in memory and their mount options.
func tmpfsOf(spec Spec) map[string]string {
	scratch := fmt.Sprintf("rw,nosuid,nodev,exec,mode=1777,uid=%d,gid=%d,size=%d,nr_inodes=%d",
		sandboxUID, sandboxGID, spec.Limits.Scratch, scratchFiles(spec.Limits.Scratch))
	folders := map[string]string{"/tmp": scratch, "/dev/shm": scratch}
	for _, folder := range spec.Tmpfs {
		folders[folder] = scratch
	}
	for _, m := range spec.Mounts {
		delete(folders, m.Target) // Docker refuses two at one place
	}
	// Images keep /root private; cover it, so that an interpreter that the
	// host has there can be reached. The mode stays as it was in the image.
	const private = "/root"
	for _, m := range spec.Mounts {
		if m.Target != private && isBeneath(m.Target, private) && folders[private] == "" {
			folders[private] = fmt.Sprintf("ro,nosuid,nodev,uid=%d,gid=%d,size=1m", sandboxUID, sandboxGID)
		}
	}
	return folders
}

// exactly takes away the variables that Docker and images add; a name without
// a value removes it.
func exactly(env []string) []string {
	return append([]string{"PATH", "HOSTNAME"}, env...)
}
