package measure_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"touchstone/internal/measure"
)

// BenchmarkLexical scores a pair of texts of some 60 words by BLEU, ROUGE-1 and
// ROUGE-Lsum.
func BenchmarkLexical(b *testing.B) {
	rng := rand.New(rand.NewPCG(31, 32))
	type pair struct{ candidate, reference string }
	pairs := make([]pair, 500)
	for i := range pairs {
		pairs[i].reference = randomText(rng)
		pairs[i].candidate = randomEdit(rng, pairs[i].reference)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p := pairs[i%len(pairs)]
		measure.BLEU(p.candidate, p.reference)
		measure.ROUGE1(p.candidate, p.reference)
		measure.ROUGELsum(p.candidate, p.reference)
	}
}

// BenchmarkBesidePython scores 3,000 pairs of docstrings of the standard library
// by sacrebleu's BLEU, ROUGE-1 and ROUGE-Lsum, here and with sacrebleu and
// rouge_score in one process of Python, and compares the processor time of both.
func BenchmarkBesidePython(b *testing.B) {
	const count = 3000
	ctx, cancel := context.WithTimeout(b.Context(), 5*time.Minute)
	defer cancel()
	python := beside(b, ctx)
	out, err := exec.CommandContext(ctx, python, "-I", "testdata/docstrings.py", strconv.Itoa(count)).Output()
	if err != nil {
		b.Fatal(err)
	}
	var pairs []besidePair
	for line := range bytes.Lines(out) {
		var p besidePair
		if err := json.Unmarshal(line, &p); err != nil {
			b.Fatal(err)
		}
		pairs = append(pairs, p)
	}
	if len(pairs) != count {
		b.Fatalf("%d pairs", len(pairs))
	}
	scores := besideScoresOf(b, ctx, python, pairs)
	before, rounds := processorTime(b), 0
	for b.Loop() {
		rounds++
		for _, p := range pairs {
			measure.CountSacreBLEU(p.Candidate, p.References...).SacreBLEU(true)
			measure.ROUGE1(p.Candidate, p.References[0])
			measure.ROUGELsum(p.Candidate, p.References[0])
		}
	}
	here := (processorTime(b) - before).Seconds() / float64(rounds)
	there := scores[len(scores)-1].Seconds
	b.ReportMetric(there, "python-s")
	b.ReportMetric(here, "here-s")
	b.ReportMetric(there/here, "times-faster")
}

// processorTime is what this process has used of all processors, its garbage
// collector's share included.
func processorTime(b *testing.B) time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
