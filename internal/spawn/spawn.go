// Package spawn starts programs of the host that do not outlive this process,
// however it ends.
package spawn

import (
	"os/exec"
	"syscall"
	"time"
)

// pipePatience is how long a stopped program's children may hold its pipes.
const pipePatience = 5 * time.Second

// Run runs a command, made by exec.CommandContext, as exec.Cmd.Run does, in a process group of its own that
// is killed when the command's context ends. On Linux the command is killed,
// too, when this process dies.
func Run(cmd *exec.Cmd) error {
	if err := Start(cmd); err != nil {
		return err
	}
	return cmd.Wait()
}

// Start is exec.Cmd.Start with what Run says.
func Start(cmd *exec.Cmd) error {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = pipePatience
	return start(cmd)
}
