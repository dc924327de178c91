package bertscore

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox"
)

//go:embed score.py
var script string

const (
	modelDir = "/model" // inside the sandbox
	// startTime bounds loading a model and trying it out.
	startTime = 5 * time.Minute
	// answerTime bounds one request: the texts of batchBytes are a few thousand
	// tokens, which take a large model a minute or two on one slow processor.
	answerTime = 15 * time.Minute
	// mostThreads is how many processors a model uses; the others judge.
	mostThreads = 4
	// memoryFactor: a model stands in memory as a file, as weights and, while
	// they are prepared, once more.
	memoryFactor = 4
)

// A Pair is two texts to be compared.
type Pair struct{ Candidate, Reference string }

// A Score says how like its reference a candidate is, each from −1 to 1, in
// practice from 0 on. A side without tokens that weigh gives 0.
type Score struct {
	Precision, Recall, F1 float64
	F3                    float64 // recall weighs nine times as much, as in METEOR
	Defined               bool    // false when the model gave what is no number
}

// An encoder is a model that runs. Its requests are answered one at a time.
type encoder struct {
	process sandbox.Process
	out     *bufio.Reader
	next    int
	output  string
	width   int
}

// start runs a model that stands in the folder dir. The process outlives ctx;
// close ends it.
func start(ctx context.Context, box sandbox.Sandbox, e environment.Environment, m Manifest, dir string) (*encoder, error) {
	process, err := box.Start(context.WithoutCancel(ctx), sandbox.Spec{
		Argv: []string{e.Interpreter(), "-I", "-B", "-X", "utf8", "-c", script},
		Env: []string{"PATH=/usr/bin:/bin", "HOME=/tmp", "TMPDIR=/tmp", "LANG=C.UTF-8", "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1",
			"TOKENIZERS_PARALLELISM=false", "RAYON_NUM_THREADS=1"},
		Mounts: append(e.Mounts(), sandbox.Mount{Source: dir, Target: modelDir}),
		Limits: sandbox.Limits{Memory: sandbox.DefaultMemory + memoryFactor*m.Bytes()},
		Label:  string(m.Kind) + " " + m.Name,
	})
	if err != nil {
		return nil, err
	}
	r := &encoder{process: process, out: bufio.NewReaderSize(process.Stdout(), 1<<16)}
	ctx, cancel := context.WithTimeoutCause(ctx, startTime, fmt.Errorf("the model was not ready after %s", startTime))
	defer cancel()
	settings := map[string]any{"max_length": m.MaxLength, "output": m.Output, "prefix_space": m.Prefix, "windows": m.Kind.Usual().Windows,
		"threads": min(mostThreads, max(1, runtime.NumCPU()/2))}
	var ready struct {
		Output string
		Width  int
	}
	if err := r.ask(ctx, 0, settings, &ready); err != nil {
		r.close()
		return nil, err
	}
	r.output, r.width = ready.Output, ready.Width
	return r, nil
}

// score compares pairs. After an error the encoder may be gone.
func (r *encoder) score(ctx context.Context, pairs []Pair) ([]Score, error) {
	r.next++
	request := struct {
		ID    int         `json:"id"`
		Pairs [][2]string `json:"pairs"`
	}{ID: r.next}
	for _, p := range pairs {
		request.Pairs = append(request.Pairs, [2]string{p.Candidate, p.Reference})
	}
	ctx, cancel := context.WithTimeoutCause(ctx, answerTime, fmt.Errorf("the model took more than %s for %d pairs", answerTime, len(pairs)))
	defer cancel()
	var answer struct{ Scores []*[4]float64 }
	if err := r.ask(ctx, r.next, request, &answer); err != nil {
		return nil, err
	}
	if len(answer.Scores) != len(pairs) {
		return nil, fmt.Errorf("%d scores came for %d pairs", len(answer.Scores), len(pairs))
	}
	scores := make([]Score, len(pairs))
	for i, s := range answer.Scores {
		if s != nil {
			scores[i] = Score{s[0], s[1], s[2], s[3], true}
		}
	}
	return scores, nil
}

// errRefused is what the script itself says is wrong; it goes on.
var errRefused = errors.New("the model cannot be used")

// ask writes a line and reads the answer. When ctx ends first the process is
// killed, since what it runs may never end.
func (r *encoder) ask(ctx context.Context, id int, request, answer any) error {
	data, err := json.Marshal(request)
	if err != nil {
		return err
	}
	type result struct {
		line []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		// A process that has ended closes the pipe; reading says why.
		_, _ = r.process.Stdin().Write(append(data, '\n'))
		line, err := r.out.ReadBytes('\n')
		done <- result{line, err}
	}()
	var got result
	select {
	case got = <-done:
	case <-ctx.Done():
		r.process.Kill()
		<-done
		return context.Cause(ctx)
	}
	if got.err != nil {
		r.process.Kill()
		exit := r.process.Wait()
		if got.err != io.EOF {
			return got.err
		}
		return fmt.Errorf("the process of the model ended (status %d %s): %s", exit.Code, exit.Signal, lastLines(exit.Stderr))
	}
	var status struct {
		ID    int
		Error string
	}
	if err := json.Unmarshal(got.line, &status); err != nil {
		return err
	}
	switch {
	case status.ID != id:
		return fmt.Errorf("the answer to request %d came for %d", status.ID, id)
	case status.Error != "":
		return fmt.Errorf("%w: %s", errRefused, lastLines(status.Error))
	}
	return json.Unmarshal(got.line, answer)
}

func (r *encoder) close() {
	r.process.Kill()
	r.process.Wait()
}

// lastLines is the end of what a program says, where its reason stands.
func lastLines(text string) string {
	const most = 500
	text = strings.TrimSpace(text)
	if len(text) > most {
		text = "…" + strings.ToValidUTF8(text[len(text)-most:], "")
	}
	return text
}
