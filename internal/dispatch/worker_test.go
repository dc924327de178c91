package dispatch

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// workerAddress is the environment variable that makes the test binary a
// worker on the server it names.
const workerAddress = "TOUCHSTONE_TEST_WORKER_ON"

// beWorker says which unit it runs, and never ends it.
func beWorker(address string) {
	q, err := Open(context.Background(), Config{URL: address})
	if err == nil {
		err = q.Work(context.Background(), Execute, 4, func(_ context.Context, u Unit) ([]byte, error) {
			fmt.Println(u.ID)
			select {}
		})
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func TestAKilledWorkersUnitRunsElsewhereWithinTenSeconds(t *testing.T) {
	t.Parallel()
	s := listen(t, server.Options{})
	site := open(t, Config{URL: s.ClientURL(), Lease: defaultLease})
	worker := exec.Command(os.Args[0])
	worker.Env = append(os.Environ(), workerAddress+"="+s.ClientURL())
	worker.Stderr = os.Stderr
	out, err := worker.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := worker.Start(); err != nil {
		t.Fatal(err)
	}
	defer worker.Process.Kill()
	publish(t, site, unit("a"))
	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(out).ReadString('\n')
		said <- line
	}()
	if line := await(t, said, "the worker to run the unit"); line != "a\n" {
		t.Fatalf("the worker said %q", line)
	}
	if err := worker.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	worker.Wait()
	redelivered(t, site, killed)
}

func TestALostWorkersUnitRunsElsewhereWithinTenSeconds(t *testing.T) {
	t.Parallel()
	s := listen(t, server.Options{})
	site := open(t, Config{URL: s.ClientURL(), Lease: defaultLease})
	lost := open(t, Config{URL: s.ClientURL(), Lease: defaultLease})
	started := make(chan struct{})
	start(t, lost, 4, func(ctx context.Context, u Unit) ([]byte, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	publish(t, site, unit("a"))
	await(t, started, "the unit to run")
	lost.conn.Close() // no word of farewell
	redelivered(t, site, time.Now())
}

func redelivered(t *testing.T, q *Queue, since time.Time) {
	t.Helper()
	running := make(chan time.Time, 1)
	start(t, q, 1, func(context.Context, Unit) ([]byte, error) {
		running <- time.Now()
		return []byte("saved"), nil
	})
	if took := await(t, running, "the unit to run again").Sub(since); took > 10*time.Second {
		t.Errorf("after %v", took)
	} else {
		t.Logf("running again after %v", took)
	}
	if r := await(t, collect(t, q), "the result"); string(r.Data) != "saved" || r.Err != "" {
		t.Errorf("%+v", r)
	}
}
