package sandbox

import (
	"context"
	"io"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"time"

	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/api/types/filters"
	"github.com/docker/docker/client"
)

// Reap removes the containers whose owner has certainly ended, and says how
// many. Those of other machines and boots are removed when they no longer run.
func (d *Docker) Reap(ctx context.Context) (int, error) {
	self := thisProcess()
	removed, err := removeContainers(ctx, d.client, labelSandbox+"=1", func(c container.Summary) bool {
		o, ok := parseOwner(c.Labels[labelOwner])
		if ok && o.gone(self) {
			return true
		}
		ended := c.State == container.StateExited || c.State == container.StateDead
		return ended && (!ok || o.boot != self.boot)
	})
	if err != nil {
		return removed, d.explain(err)
	}
	return removed, nil
}

// removeContainers removes those with a label that are dead to us.
func removeContainers(ctx context.Context, cli *client.Client, label string, dead func(container.Summary) bool) (int, error) {
	list, err := cli.ContainerList(ctx, container.ListOptions{All: true, Filters: filters.NewArgs(filters.Arg("label", label))})
	if err != nil {
		return 0, err
	}
	removed := 0
	for _, c := range list {
		if !dead(c) {
			continue
		}
		err := cli.ContainerRemove(ctx, c.ID, container.RemoveOptions{Force: true, RemoveVolumes: true})
		// An error may mean that it is being removed already.
		if err == nil {
			removed++
		}
	}
	return removed, nil
}

// watcherName is the argv[0] of the process that outlives us to end our
// containers.
const watcherName = "touchstone-sandbox-watcher"

// startWatcher starts a process that removes the containers of owner when this
// process ends, however it ends: the daemon would let them run on.
func startWatcher(host, owner string) error {
	self, err := ownBinary()
	if err != nil {
		return err
	}
	lifeline, ours, err := os.Pipe()
	if err != nil {
		return err
	}
	defer lifeline.Close()
	watcher := exec.Command(self, host, owner)
	watcher.Args[0] = watcherName
	watcher.Dir = "/"
	watcher.Stdin = lifeline
	// An interrupt from the terminal must not end it before us.
	watcher.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := watcher.Start(); err != nil {
		ours.Close()
		return err
	}
	go func() {
		_ = watcher.Wait()
		ours.Close() // not before: it is open as long as we live
	}()
	return nil
}

// ownBinary is a path that starts this program again, on Linux even after its
// file was replaced.
func ownBinary() (string, error) {
	if runtime.GOOS == "linux" {
		return "/proc/self/exe", nil
	}
	return os.Executable()
}

// runWatcher waits for the end of the owner and cleans up after it.
func runWatcher(host, owner string) {
	_, _ = io.Copy(io.Discard, os.Stdin)
	cli, err := dial(host)
	if err != nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	all := func(container.Summary) bool { return true }
	// The second time for a container whose creation was under way.
	for range 2 {
		_, _ = removeContainers(ctx, cli, labelOwner+"="+owner, all)
		time.Sleep(time.Second)
	}
}
