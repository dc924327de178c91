package spawn

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
)

func start(cmd *exec.Cmd) (err error) {
	cmd.SysProcAttr.Pdeathsig = syscall.SIGKILL
	OnThread(func() { err = cmd.Start() })
	return err
}

// thread is one that lives as long as this process. The parent death signal
// goes off when the thread that made the child ends, so no other thread may
// make children.
var thread = sync.OnceValue(func() chan<- func() {
	work := make(chan func())
	go func() {
		runtime.LockOSThread()
		for do := range work {
			do()
		}
	}()
	return work
})

// OnThread does something on the one thread that never ends, and waits for it:
// for a child that is made there, the death of its parent is that of this process.
func OnThread(do func()) {
	done := make(chan struct{})
	thread() <- func() {
		defer close(done)
		do()
	}
	<-done
}
