package dispatch

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
)

// BenchmarkUnits measures whole ways: publish, work, result recorded.
func BenchmarkUnits(b *testing.B) {
	b.Run("embedded", func(b *testing.B) { benchmarkUnits(b, Config{}) })
	b.Run("external", func(b *testing.B) { benchmarkUnits(b, Config{URL: listen(b, server.Options{}).ClientURL()}) })
}

func benchmarkUnits(b *testing.B, c Config) {
	q := open(b, c)
	start(b, q, runtime.NumCPU(), echo)
	recorded := make(chan struct{}, 1024)
	run(b, func(ctx context.Context) error {
		return q.Results(ctx, func(context.Context, Result) error {
			recorded <- struct{}{}
			return nil
		})
	})
	b.ResetTimer()
	go func() {
		for i := range b.N {
			u := unit(fmt.Sprint(i))
			u.Data = make([]byte, 10_000)
			if err := q.Publish(context.Background(), u); err != nil {
				b.Error(err)
				return
			}
		}
	}()
	for range b.N {
		await(b, recorded, "a result")
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "units/s")
}
