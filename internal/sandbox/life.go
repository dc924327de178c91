package sandbox

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// life bounds a started process: by Kill, by the context, by the wall clock.
// Both sandboxes share it, so that they end their programs by the same rules.
type life struct {
	kill     func() // ends the tree; called at most once
	once     sync.Once
	timedOut atomic.Bool
	done     chan struct{}
	exit     Exit
	release  func()
}

// newLife starts the clock.
func newLife(ctx context.Context, wall time.Duration, kill func()) *life {
	l := &life{kill: kill, done: make(chan struct{})}
	stopContext := context.AfterFunc(ctx, l.Kill)
	stopClock := func() bool { return true }
	if wall > 0 {
		clock := time.AfterFunc(wall, func() {
			l.timedOut.Store(true)
			l.Kill()
		})
		stopClock = clock.Stop
	}
	l.release = func() {
		stopContext()
		stopClock()
	}
	return l
}

// Kill ends the process tree at once; it is safe to call repeatedly.
func (l *life) Kill() { l.once.Do(l.kill) }

// end records how the process ended and wakes every Wait.
func (l *life) end(exit Exit) {
	l.release()
	exit.TimedOut = l.timedOut.Load() && exit.Signal != ""
	l.exit = exit
	close(l.done)
}

// Wait returns when the process and everything it started are gone.
func (l *life) Wait() Exit {
	<-l.done
	return l.exit
}
