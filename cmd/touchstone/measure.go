package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"

	"touchstone/internal/measure"
	"touchstone/internal/measure/pystr"
)

// measureCommand compares texts with their references.
type measureCommand struct {
	Reference string   `help:"The reference texts: one JSON object a line, with id and text; or a folder of documented Python code." required:"" type:"path" placeholder:"FILE|DIR"`
	Candidate string   `help:"The texts to be measured, of the same ids in any order; or the same code, documented anew." required:"" type:"path" placeholder:"FILE|DIR"`
	Measure   []string `help:"Which measures, with commas between; see below." default:"bleu,sacrebleu,rouge1,rougeLsum" placeholder:"NAME,…"`
	Means     bool     `help:"Print the means over all texts instead, and BLEU of them as one corpus."`
	Dedent    bool     `help:"The texts are docstrings as they stand in the source: take out their indentation first."`
	workshopFlags
}

// Help is shown by measure --help.
func (measureCommand) Help() string {
	var b strings.Builder
	b.WriteString(`Examples:

    touchstone measure --reference original.jsonl --candidate generated.jsonl
    touchstone measure --reference original.jsonl --candidate generated.jsonl --measure bleu,rougeLsum --means
    touchstone measure --reference ./schema --candidate ./schema-documented

Prints one JSON object for each text of the reference file, in its order: the id
and the numbers of each measure. Of two folders it prints a line for each
function of either, paired by path and qualified name, and a summary at the end;
tests are left out. The code is parsed in the sandbox and never run. The measures:

`)
	for _, m := range measure.Measures {
		fmt.Fprintf(&b, "    %-10s %s\n", m.Name, m.About)
	}
	return b.String()
}

// Run prints the scores.
func (c measureCommand) Run(ctx context.Context, p *place) error {
	measures, err := namedMeasures(c.Measure)
	if err != nil {
		return err
	}
	switch folders, err := c.folders(); {
	case err != nil:
		return err
	case folders:
		return c.measureTrees(ctx, p, measures)
	}
	pairs, err := readPairs(p, c.Reference, c.Candidate)
	if err != nil {
		return err
	}
	if c.Dedent {
		for i := range pairs {
			pairs[i].candidate, pairs[i].reference = pystr.Dedent(pairs[i].candidate), pystr.Dedent(pairs[i].reference)
		}
	}
	rows, err := scorePairs(ctx, pairs, measures)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.stdout)
	if c.Means {
		err = writeMeans(out, pairs, rows, measures)
	} else {
		err = writeScores(out, pairs, rows, measures)
	}
	if err != nil {
		return err
	}
	return out.Flush()
}

func namedMeasures(names []string) ([]measure.Measure, error) {
	var known []string
	for _, m := range measure.Measures {
		known = append(known, m.Name)
	}
	var chosen []measure.Measure
	given := map[string]bool{}
	for _, name := range names {
		m, ok := measure.Named(strings.TrimSpace(name))
		switch {
		case !ok:
			return nil, usageError(fmt.Sprintf("--measure: there is no measure %q; there are %s", name, strings.Join(known, ", ")))
		case given[m.Name]:
			return nil, usageError(fmt.Sprintf("--measure: %s is given twice", m.Name))
		}
		given[m.Name] = true
		chosen = append(chosen, m)
	}
	if len(chosen) == 0 {
		return nil, usageError("--measure: names none; there are " + strings.Join(known, ", "))
	}
	return chosen, nil
}

// scorePairs gives the numbers of all measures for each pair.
func scorePairs(ctx context.Context, pairs []textPair, measures []measure.Measure) ([][]float64, error) {
	rows := make([][]float64, len(pairs))
	next := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := range next {
				for _, m := range measures {
					rows[i] = append(rows[i], m.Compare(pairs[i].candidate, pairs[i].reference)...)
				}
			}
		})
	}
	for i := range pairs {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	workers.Wait()
	return rows, ctx.Err()
}

func writeScores(w io.Writer, pairs []textPair, rows [][]float64, measures []measure.Measure) error {
	for i, pair := range pairs {
		line := object{}
		line.add("id", pair.id)
		line.addNumbers(measures, rows[i])
		if err := line.write(w); err != nil {
			return err
		}
	}
	return nil
}

// writeMeans prints the plain means, and BLEU of all pairs as one corpus where
// BLEU was asked for.
func writeMeans(w io.Writer, pairs []textPair, rows [][]float64, measures []measure.Measure) error {
	line := object{}
	line.add("texts", len(pairs))
	line.addNumbers(measures, meansOf(rows))
	for _, m := range measures {
		switch m.Name {
		case "bleu":
			line.add("bleu_corpus", corpus(pairs, measure.CountBLEU).BLEU(false))
		case "sacrebleu":
			line.add("sacrebleu_corpus", corpus(pairs, measure.CountSacreBLEU).SacreBLEU(false))
		}
	}
	return line.write(w)
}

// meansOf are the plain means of rows, of which there is at least one.
func meansOf(rows [][]float64) []float64 {
	means := make([]float64, len(rows[0]))
	for _, row := range rows {
		for i, x := range row {
			means[i] += x
		}
	}
	for i := range means {
		means[i] /= float64(len(rows))
	}
	return means
}

func corpus(pairs []textPair, count func(candidate string, references ...string) measure.BLEUCounts) (sum measure.BLEUCounts) {
	for _, pair := range pairs {
		sum.Add(count(pair.candidate, pair.reference))
	}
	return sum
}

// An object is a line of JSON whose fields keep their order.
type object struct {
	fields []string
	err    error
}

func (o *object) add(name string, value any) {
	key, err := json.Marshal(name)
	if err == nil {
		var data []byte
		data, err = json.Marshal(value)
		o.fields = append(o.fields, string(key)+":"+string(data))
	}
	if o.err == nil {
		o.err = err
	}
}

func (o *object) addNumbers(measures []measure.Measure, values []float64) {
	i := 0
	for _, m := range measures {
		for _, name := range m.Numbers {
			o.add(name, values[i])
			i++
		}
	}
}

// MarshalJSON lets an object stand in another.
func (o object) MarshalJSON() ([]byte, error) {
	return []byte("{" + strings.Join(o.fields, ",") + "}"), o.err
}

func (o *object) write(w io.Writer) error {
	if o.err != nil {
		return o.err
	}
	_, err := fmt.Fprintf(w, "{%s}\n", strings.Join(o.fields, ","))
	return err
}
