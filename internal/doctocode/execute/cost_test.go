package execute

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/cache"
	"touchstone/internal/doctocode"
	"touchstone/internal/sandbox"
)

// BenchmarkCost measures what a candidate costs: by each task's own strategy
// and by the ways that a simpler harness would take, on the same original
// bodies and tests, one method after the other in one run. The releases are
// named by TOUCHSTONE_COST_RELEASES, folders separated by colons:
//
//	TOUCHSTONE_COST_RELEASES=schema:tabulate go test ./internal/doctocode/execute -run '^$' -bench Cost -benchtime 1x -timeout 1h
//
// It reports, for each candidate, the median milliseconds (ms), the median
// beyond the time inside the test calls (over-ms), and wall time by the number
// of candidates (wall-ms).
func BenchmarkCost(b *testing.B) {
	folders := os.Getenv("TOUCHSTONE_COST_RELEASES")
	if folders == "" {
		b.Skip("TOUCHSTONE_COST_RELEASES names no release")
	}
	box, err := sandbox.NewLocal()
	if err != nil {
		b.Fatal(err)
	}
	for _, folder := range strings.Split(folders, ":") {
		d, err := doctocode.OpenDataset(folder)
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range d.Repositories {
			b.Run(strings.ReplaceAll(r.Name, "/", "-"), func(b *testing.B) { costs(b, box, d, r.Name) })
		}
	}
}

// costTasks is how many tasks of a repository are measured, spread over all.
const costTasks = 6

func costs(b *testing.B, box sandbox.Sandbox, d *doctocode.Dataset, repository string) {
	dir, err := os.UserCacheDir()
	if err != nil {
		b.Fatal(err)
	}
	files, err := cache.Open(filepath.Join(dir, "touchstone"))
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	w, err := PrepareFrom(ctx, d, repository, files)
	if err != nil {
		b.Fatal(err)
	}
	if err := w.Warm(ctx, box); err != nil {
		b.Fatal(err)
	}
	all := d.TasksOf(repository)
	var tasks []doctocode.Task
	for i := range min(costTasks, len(all)) {
		tasks = append(tasks, all[i*len(all)/min(costTasks, len(all))])
	}
	plain, err := w.Mask(nil) // nothing masked: the original tree with its bytecode
	if err != nil {
		b.Fatal(err)
	}
	floor := make([]float64, len(tasks))
	for _, workers := range []int{1, 2} {
		runner, err := w.NewRunner(box, workers, all)
		if err != nil {
			b.Fatal(err)
		}
		engine := func(strategy func(doctocode.Task) doctocode.Strategy) func(int) (float64, error) {
			return func(i int) (float64, error) {
				t := tasks[i]
				file, def, err := w.target(t.ID)
				if err != nil {
					return 0, err
				}
				outcome, err := runner.Run(ctx, Candidate{Task: t.ID, Body: file.OriginalBody(def), Tests: t.Tests, Strategy: strategy(t),
					Wall: time.Minute, NoJudge: true})
				if err == nil && outcome.Verdict != benchmark.Passed {
					err = fmt.Errorf("%s: %s %s", t.ID, outcome.Verdict, outcome.Detail)
				}
				return outcome.CallSeconds, err
			}
		}
		own := func(t doctocode.Task) doctocode.Strategy { return t.Strategy }
		measureCost(b, fmt.Sprintf("own/%d", workers), workers, len(tasks), floor, true, engine(own))
		for _, s := range []doctocode.Strategy{doctocode.Hooked, doctocode.Forked, doctocode.Fresh} {
			usable := slices.IndexFunc(tasks, func(t doctocode.Task) bool {
				return slices.Index(doctocode.Strategies, t.Strategy) > slices.Index(doctocode.Strategies, s)
			}) < 0
			if usable {
				measureCost(b, fmt.Sprintf("%s/%d", s, workers), workers, len(tasks), floor, false, engine(func(doctocode.Task) doctocode.Strategy { return s }))
			}
		}
		runner.Close()
		measureSubprocess(b, w, box, plain.dir, workers, tasks, floor)
		measureDocker(b, w, plain.dir, workers, tasks, floor)
	}
}

// measureCost runs every task once to warm up and then three times. work
// returns the time inside the test calls, when it knows.
func measureCost(b *testing.B, name string, workers, n int, floor []float64, sets bool, work func(int) (float64, error)) {
	b.Run(name, func(b *testing.B) {
		const rounds = 2
		round := func(times int) []float64 {
			next := make(chan int, n*times)
			for range times {
				for i := range n {
					next <- i
				}
			}
			close(next)
			var mu sync.Mutex
			var over, took []float64
			var wg sync.WaitGroup
			for range workers {
				wg.Go(func() {
					for i := range next {
						start := time.Now()
						call, err := work(i)
						if err != nil {
							b.Error(err)
							return
						}
						ms := time.Since(start).Seconds() * 1000
						mu.Lock()
						if sets {
							floor[i] = call
						}
						took = append(took, ms)
						over = append(over, ms-floor[i]*1000)
						mu.Unlock()
					}
				})
			}
			wg.Wait()
			slices.Sort(took)
			slices.Sort(over)
			if len(took) == 0 {
				return []float64{0, 0}
			}
			return []float64{took[len(took)/2], over[len(over)/2]}
		}
		round(1)
		b.ResetTimer()
		for range b.N {
			start := time.Now()
			medians := round(rounds)
			b.ReportMetric(medians[0], "ms")
			b.ReportMetric(medians[1], "over-ms")
			b.ReportMetric(time.Since(start).Seconds()*1000/float64(n*rounds), "wall-ms")
		}
		b.ReportMetric(0, "ns/op")
	})
}

// commandOf is the pytest run that a simple harness starts for a task.
func commandOf(w *Workspace, t doctocode.Task) []string {
	args := []string{w.Interpreter, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "--rootdir=/repo"}
	return append(append(args, w.PytestArgs...), t.Tests...)
}

// driver starts a subprocess for each line that it reads, inside the sandbox.
const driver = `
import json, subprocess, sys
for line in sys.stdin:
    done = subprocess.run(json.loads(line), cwd="/repo", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    print(done.returncode, flush=True)
`

func measureSubprocess(b *testing.B, w *Workspace, box sandbox.Sandbox, tree string, workers int, tasks []doctocode.Task, floor []float64) {
	type end struct {
		process sandbox.Process
		out     *bufio.Reader
	}
	ends := make(chan end, workers)
	for range workers {
		p, err := box.Start(context.Background(), sandbox.Spec{Argv: []string{w.Interpreter, "-c", driver}, Env: w.Environ, Dir: "/repo",
			Mounts: append(slices.Clone(w.Mounts), sandbox.Mount{Source: tree, Target: "/repo"})})
		if err != nil {
			b.Fatal(err)
		}
		defer p.Kill()
		ends <- end{p, bufio.NewReader(p.Stdout())}
	}
	measureCost(b, fmt.Sprintf("subprocess/%d", workers), workers, len(tasks), floor, false, func(i int) (float64, error) {
		e := <-ends
		defer func() { ends <- e }()
		line, err := json.Marshal(commandOf(w, tasks[i]))
		if err != nil {
			return 0, err
		}
		if _, err := e.process.Stdin().Write(append(line, '\n')); err != nil {
			return 0, err
		}
		status, err := e.out.ReadString('\n')
		if err == nil && status != "0\n" {
			err = fmt.Errorf("%s: pytest ended with %s", tasks[i].ID, strings.TrimSpace(status))
		}
		return 0, err
	})
}

func measureDocker(b *testing.B, w *Workspace, tree string, workers int, tasks []doctocode.Task, floor []float64) {
	image := os.Getenv("TOUCHSTONE_TEST_IMAGE")
	if image == "" {
		image = "touchstone-base:bookworm"
	}
	if err := exec.Command("docker", "image", "inspect", image).Run(); err != nil {
		b.Logf("no docker image %s: docker is not measured", image)
		return
	}
	options := []string{"--network", "none", "--workdir", "/repo"}
	for _, m := range append(slices.Clone(w.Mounts), sandbox.Mount{Source: tree, Target: "/repo"}) {
		options = append(options, "--volume", m.Source+":"+m.Target+":ro")
	}
	for _, e := range w.Environ {
		options = append(options, "--env", e)
	}
	docker := func(args ...string) error {
		out, err := exec.Command("docker", args...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("docker %s: %w: %s", args[0], err, out)
		}
		return nil
	}
	container := fmt.Sprintf("touchstone-cost-%d-%d", os.Getpid(), workers)
	if err := docker(slices.Concat([]string{"run", "--detach", "--rm", "--name", container}, options, []string{image, "sleep", "3600"})...); err != nil {
		b.Fatal(err)
	}
	defer docker("kill", container)
	measureCost(b, fmt.Sprintf("docker-exec/%d", workers), workers, len(tasks), floor, false, func(i int) (float64, error) {
		return 0, docker(append([]string{"exec", container}, commandOf(w, tasks[i])...)...)
	})
	measureCost(b, fmt.Sprintf("docker-run/%d", workers), workers, len(tasks), floor, false, func(i int) (float64, error) {
		return 0, docker(slices.Concat([]string{"run", "--rm"}, options, []string{image}, commandOf(w, tasks[i]))...)
	})
}
