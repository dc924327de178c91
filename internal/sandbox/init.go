package sandbox

import (
	"os"
	"path"
	"sync/atomic"
)

// initialised guards against re-executing a program that would not recognise
// itself and run its main function again instead.
var initialised atomic.Bool

// Init must be the first call of main, and of every TestMain, of a program
// that starts sandboxes: in a process that this package has re-executed it
// does that process's work and never returns. Otherwise it does nothing.
func Init() {
	initialised.Store(true)
	if len(os.Args) == 0 {
		return
	}
	switch path.Base(os.Args[0]) {
	case initName:
		runInit()
	case watcherName:
		if len(os.Args) == 3 {
			runWatcher(os.Args[1], os.Args[2])
		}
	case probeName:
		runProbe()
	default:
		return
	}
	os.Exit(0)
}
