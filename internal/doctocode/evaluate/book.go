package evaluate

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/execute"
	"touchstone/internal/release"
)

// Names of the files of an evaluation.
const (
	ManifestFile    = "evaluation.json"
	VerdictsFile    = "verdicts.jsonl"
	CompletionsFile = "completions.jsonl"
	ScoresFile      = "scores.csv"
)

// book keeps the verdicts of an evaluation: in memory, and in the output
// folder as they come.
type book struct {
	options Options
	mu      sync.Mutex
	samples map[string]Sample
	replies map[string]Reply
	files   [2]*os.File // verdicts and completions; nil without a folder
	// unproved says that the folder was written with another file of recorded
	// completions: see adopt.
	unproved bool
}

func key(task string, sample int) string { return task + "\x00" + strconv.Itoa(sample) }

// openBook opens the book of an evaluation and reads what its folder holds of
// it. The error is an *benchmark.InputError when that is something else.
func openBook(o Options) (*book, error) {
	b := &book{options: o, samples: map[string]Sample{}, replies: map[string]Reply{}}
	if o.Out == "" {
		return b, nil
	}
	var err error
	if b.unproved, err = claim(o); err != nil {
		return nil, err
	}
	for i, name := range []string{VerdictsFile, CompletionsFile} {
		path := filepath.Join(o.Out, name)
		var err error
		if b.files[i], err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o644); err == nil {
			err = lock(b.files[i], o.Out)
		}
		if err == nil {
			err = b.load(path, i == 0)
		}
		if err != nil {
			b.close()
			return nil, err
		}
	}
	// A verdict whose reply was not written is done again; so is a sample that the machine failed.
	for k, s := range b.samples {
		if _, ok := b.replies[k]; s.Verdict == benchmark.InfraError || !ok {
			delete(b.samples, k)
		}
	}
	return b, nil
}

// lock keeps other processes out until the file is closed.
func lock(file *os.File, out string) error {
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return &benchmark.InputError{Field: "out", Problem: "another process is writing into " + out, Mend: "wait for its end, or choose another folder"}
	}
	return nil
}

// load reads whole lines and cuts off the one that was being written when the
// process ended.
func (b *book) load(path string, verdicts bool) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	whole := 0
	for line := range bytes.Lines(data) {
		if line[len(line)-1] != '\n' {
			break
		}
		if verdicts {
			var s Sample
			if json.Unmarshal(line, &s) != nil || s.Task == "" {
				break
			}
			b.samples[key(s.Task, s.Sample)] = s
		} else {
			var r Reply
			if json.Unmarshal(line, &r) != nil || r.Task == "" {
				break
			}
			b.replies[key(r.Task, r.Sample)] = r
		}
		whole += len(line)
	}
	if whole < len(data) {
		return os.Truncate(path, int64(whole))
	}
	return nil
}

func (b *book) has(task string, sample int) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	_, ok := b.samples[key(task, sample)]
	return ok
}

// found is how many samples of the evaluation have a verdict.
func (b *book) found() int {
	n := 0
	for _, t := range b.options.Dataset.Tasks {
		for j := range b.options.Samples {
			if b.has(t.ID, j) {
				n++
			}
		}
	}
	return n
}

// put keeps a verdict, and before it the reply that it is about.
func (b *book) put(s Sample, r Reply, replied bool) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	k := key(s.Task, s.Sample)
	if replied {
		b.replies[k] = r
		if err := appendLine(b.files[1], r); err != nil {
			return err
		}
	}
	b.samples[k] = s
	return appendLine(b.files[0], s)
}

func appendLine(file *os.File, value any) error {
	if file == nil {
		return nil
	}
	data, err := marshal(value)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return err
}

func marshal(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return b.Bytes(), err
}

func (b *book) close() {
	for _, f := range b.files {
		if f != nil {
			f.Close()
		}
	}
}

// finish scores what there is and writes the files in the release's order.
func (b *book) finish(documented map[string]bool) (Result, error) {
	o := b.options
	var r Result
	for _, s := range b.samples {
		if s.Recheck == execute.Suspicious {
			r.Flagged++
		}
		r.Samples = append(r.Samples, s)
	}
	r.Samples = sorted(o.Dataset, r.Samples)
	byTask := map[string][]benchmark.Verdict{}
	for _, s := range r.Samples {
		byTask[s.Task] = append(byTask[s.Task], s.Verdict)
		reply := b.replies[key(s.Task, s.Sample)]
		r.Tokens.Prompt += reply.PromptTokens
		r.Tokens.Completion += reply.CompletionTokens
		r.Tokens.Reasoning += reply.ReasoningTokens
	}
	var results []doctocode.TaskResult
	for _, t := range o.Dataset.Tasks {
		id, err := benchmark.ParseTaskID(t.ID)
		if err != nil {
			return r, err
		}
		results = append(results, doctocode.TaskResult{Task: id, Verdicts: byTask[t.ID], Documented: documented[t.ID]})
	}
	r.Score = doctocode.ScoreOf(results, o.Samples)
	r.Missing = b.missing()
	if o.Out == "" {
		return r, nil
	}
	return r, b.write(r)
}

// missing are the samples without a verdict. One that the machine failed has
// its reply kept.
func (b *book) missing() Missing {
	var m Missing
	for _, t := range b.options.Dataset.Tasks {
		replies := b.options.Samples
		for j := range b.options.Samples {
			k := key(t.ID, j)
			if b.samples[k].Verdict != benchmark.InfraError {
				continue
			}
			m.Samples++
			if _, ok := b.replies[k]; !ok {
				m.Replies++
				replies--
			}
		}
		if replies == 0 {
			m.Tasks = append(m.Tasks, t.ID)
		}
	}
	return m
}

func (b *book) write(r Result) error {
	var verdicts, replies bytes.Buffer
	for _, s := range r.Samples {
		line, err := marshal(s)
		if err != nil {
			return err
		}
		verdicts.Write(line)
		if reply, ok := b.replies[key(s.Task, s.Sample)]; ok {
			if line, err = marshal(reply); err != nil {
				return err
			}
			replies.Write(line)
		}
	}
	var scores bytes.Buffer
	if err := WriteScores(&scores, r.Score); err != nil {
		return err
	}
	for name, data := range map[string][]byte{VerdictsFile: verdicts.Bytes(), CompletionsFile: replies.Bytes(), ScoresFile: scores.Bytes()} {
		if err := release.WriteFile(filepath.Join(b.options.Out, name), data); err != nil {
			return err
		}
	}
	return nil
}

// WriteScores writes scores.csv: a row for each repository and one, named
// "mean", for the mean over repositories. judged is how many of the tasks have
// a pass@1, samples how many samples count. A pass@k that does not exist,
// because no task has k samples that count, is an empty cell.
func WriteScores(w *bytes.Buffer, score doctocode.Score) error {
	out := csv.NewWriter(w)
	header := []string{"repository", "tasks", "judged", "documented", "samples"}
	for _, p := range score.PassAt {
		header = append(header, fmt.Sprintf("pass@%d", p.K))
	}
	if err := out.Write(header); err != nil {
		return err
	}
	row := func(name string, tasks, documented, samples int, at []doctocode.PassAt) error {
		cells := []string{name, strconv.Itoa(tasks), strconv.Itoa(Judged(at)), strconv.Itoa(documented), strconv.Itoa(samples)}
		for _, p := range at {
			cell := ""
			if p.Tasks > 0 {
				cell = strconv.FormatFloat(p.Value, 'f', 6, 64)
			}
			cells = append(cells, cell)
		}
		return out.Write(cells)
	}
	for _, r := range score.Repositories {
		if err := row(r.Repository, r.Tasks, r.Documented, r.Samples, r.PassAt); err != nil {
			return err
		}
	}
	if err := row("mean", score.Tasks, score.Documented, score.Samples, score.PassAt); err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// Judged is how many tasks have a pass@1: at least one sample that counts.
func Judged(at []doctocode.PassAt) int {
	for _, p := range at {
		if p.K == 1 {
			return p.Tasks
		}
	}
	return 0
}
