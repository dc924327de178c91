package build

import (
	"context"
	"sync"
)

// spread does n pieces of work on a number of workers and stops at the first
// error. advance is called after each piece, by one goroutine at a time.
func spread(ctx context.Context, workers, n int, work func(context.Context, int) error, advance func()) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range max(1, workers) {
		wg.Go(func() {
			for i := range next {
				if err := work(ctx, i); err != nil {
					cancel(err)
					continue
				}
				mu.Lock()
				advance()
				mu.Unlock()
			}
		})
	}
	for i := range n {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}
