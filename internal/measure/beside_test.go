package measure_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchstone/internal/doctocode/environment"
	"touchstone/internal/measure"
	"touchstone/internal/sandbox/sandboxtest"
)

// besidePairs is how many pairs are scored here and by the reference programs.
const besidePairs = 6000

// beside is the Python of an environment with sacrebleu and rouge_score from
// PyPI, which is made once and kept in the tests' cache.
func beside(t testing.TB, ctx context.Context) string {
	t.Helper()
	packages := []string{"sacrebleu==2.6.0", "rouge_score==0.1.2"}
	python, err := environment.FindPython(ctx, os.Getenv("TOUCHSTONE_TEST_PYTHON"))
	if err != nil {
		sandboxtest.Missing(t, err)
	}
	run := func(name string, args ...string) error {
		if out, err := exec.CommandContext(ctx, name, args...).CombinedOutput(); err != nil {
			return fmt.Errorf("%s %s: %w\n%s", name, strings.Join(args, " "), err, out)
		}
		return nil
	}
	key := strings.Join(append([]string{python.ABI, python.Version}, packages...), ",")
	dir, err := sandboxtest.Cache(t).Once("measures", key, func(dir string) error {
		if err := run(python.Executable, "-m", "venv", dir); err != nil {
			return err
		}
		return run(filepath.Join(dir, "bin", "python"), append([]string{"-m", "pip", "install", "--quiet", "--retries", "1"}, packages...)...)
	})
	if err != nil {
		sandboxtest.Missing(t, err)
	}
	return filepath.Join(dir, "bin", "python")
}

// A besidePair is a candidate with one to three references.
type besidePair struct {
	Candidate  string   `json:"candidate"`
	References []string `json:"references"`
}

// besideText is a random text as others are, or of any characters at all.
func besideText(rng *rand.Rand) string {
	if rng.IntN(8) > 0 {
		return randomText(rng)
	}
	limit := []int{0x80, 0x250, 0x3000, 0x1f000, 0x110000}[rng.IntN(5)]
	var b strings.Builder
	for range rng.IntN(80) {
		switch r := rune(rng.IntN(limit)); {
		case rng.IntN(3) == 0:
			b.WriteString(" .,-&1\na"[rng.IntN(8):][:1])
		case r < 0xd800 || r > 0xdfff: // surrogates are no characters
			b.WriteRune(r)
		}
	}
	return b.String()
}

func besidePairsOf(rng *rand.Rand) []besidePair {
	pairs := make([]besidePair, besidePairs)
	for i := range pairs {
		p := &pairs[i]
		for range 1 + max(0, rng.IntN(6)-3) {
			p.References = append(p.References, besideText(rng))
		}
		switch rng.IntN(4) {
		case 0:
			p.Candidate = besideText(rng)
		case 1:
			p.Candidate = p.References[rng.IntN(len(p.References))]
		default:
			p.Candidate = randomEdit(rng, p.References[0])
		}
	}
	// Every kind of empty side, and lines that go on and on.
	for i, texts := range [][2]string{{"", ""}, {"", "a b c d"}, {"a b c d", ""}, {" \n", "\n\t"}, {"!!! ???", "a"}, {"\u0301", "\u0301"}} {
		pairs[i] = besidePair{Candidate: texts[0], References: []string{texts[1]}}
	}
	long := func(words ...string) string {
		var b strings.Builder
		for range 700 {
			b.WriteString(words[rng.IntN(len(words))] + " ")
		}
		return b.String()
	}
	pairs[10] = besidePair{Candidate: strings.Repeat("the ", 900), References: []string{strings.Repeat("the ", 400)}}
	pairs[11] = besidePair{Candidate: long("a", "b"), References: []string{long("a", "b")}}
	pairs[12] = besidePair{Candidate: long("a", "b", "c\n", "d", "e"), References: []string{long("a", "b", "c", "d\n", "e")}}
	return pairs
}

type besideSacre struct {
	Score          float64
	Matched, Total [4]int
	Lengths        [2]int
}

type besideScores struct {
	SacreBLEU         besideSacre
	AllOrders         besideSacre `json:"all_orders"`
	BLEU, Smooth      float64
	ROUGE1, ROUGELsum [3]float64
	Seconds           float64
}

// TestEqualToTheReferencePrograms scores the same pairs here and with sacrebleu
// and rouge_score, in one process of Python.
func TestEqualToTheReferencePrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("asks the package index, and Python takes its time")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	python := beside(t, ctx)
	seed := uint64(20260401)
	pairs := besidePairsOf(rand.New(rand.NewPCG(seed, 1)))
	want := besideScoresOf(t, ctx, python, pairs)
	if len(want) != len(pairs)+1 {
		t.Fatalf("%d lines of scores for %d pairs", len(want), len(pairs))
	}

	corpus, sacreCorpus := measure.BLEUCounts{}, measure.BLEUCounts{}
	took := time.Duration(0)
	for i, p := range pairs {
		start := time.Now()
		sacre := measure.CountSacreBLEU(p.Candidate, p.References...)
		rouge1, lsum := measure.ROUGE1(p.Candidate, p.References[0]), measure.ROUGELsum(p.Candidate, p.References[0])
		took += time.Since(start)
		what := fmt.Sprintf("pair %d of seed %d, %q against %q", i, seed, p.Candidate, p.References)
		checkBeside(t, what, sacre, measure.CountBLEU(p.Candidate, p.References...), want[i])
		checkOverlap(t, what+", ROUGE-1", rouge1, overlapVector{want[i].ROUGE1[0], want[i].ROUGE1[1], want[i].ROUGE1[2]})
		checkOverlap(t, what+", ROUGE-Lsum", lsum, overlapVector{want[i].ROUGELsum[0], want[i].ROUGELsum[1], want[i].ROUGELsum[2]})
		if t.Failed() {
			t.FailNow()
		}
		sacreCorpus.Add(measure.CountSacreBLEU(p.Candidate, p.References[0]))
		corpus.Add(measure.CountBLEU(p.Candidate, p.References[0]))
	}
	checkBeside(t, "the corpus", sacreCorpus, corpus, want[len(pairs)])
	t.Logf("%d pairs: sacrebleu and rouge_score %.2f s, here %.2f s", len(pairs), want[len(pairs)].Seconds, took.Seconds())
}

// besideScoresOf has Python score the pairs; the last scores are of all of them.
func besideScoresOf(t testing.TB, ctx context.Context, python string, pairs []besidePair) (scores []besideScores) {
	t.Helper()
	var in, stderr bytes.Buffer
	lines := json.NewEncoder(&in)
	for _, p := range pairs {
		if err := lines.Encode(p); err != nil {
			t.Fatal(err)
		}
	}
	command := exec.CommandContext(ctx, python, "-I", "testdata/beside.py")
	command.Stdin, command.Stderr = &in, &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.String())
	}
	for line := range bytes.Lines(out) {
		var s besideScores
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatal(err)
		}
		scores = append(scores, s)
	}
	return scores
}

func checkBeside(t *testing.T, what string, sacre, hf measure.BLEUCounts, want besideScores) {
	t.Helper()
	for _, c := range []struct {
		effectiveOrder bool
		want           besideSacre
	}{{true, want.SacreBLEU}, {false, want.AllOrders}} {
		near(t, what+", sacrebleu", sacre.SacreBLEU(c.effectiveOrder), c.want.Score)
		if sacre.Matched != c.want.Matched || sacre.Total != c.want.Total || [2]int{sacre.Candidate, sacre.Reference} != c.want.Lengths {
			t.Errorf("%s: %+v, want %+v", what, sacre, c.want)
		}
	}
	near(t, what+", bleu", hf.BLEU(false), want.BLEU)
	near(t, what+", bleu smoothed", hf.BLEU(true), want.Smooth)
}
