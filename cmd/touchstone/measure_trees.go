package main

import (
	"bufio"
	"context"
	"fmt"
	"os"

	"touchstone/internal/doctocode/documented"
	"touchstone/internal/measure"
)

// folders reports whether both sides are folders; one of each kind makes no
// sense.
func (c measureCommand) folders() (bool, error) {
	var are [2]bool
	for i, side := range []struct{ flag, path string }{{"reference", c.Reference}, {"candidate", c.Candidate}} {
		info, err := os.Stat(side.path)
		if err != nil {
			return false, usageError(fmt.Sprintf("--%s: %v; give a file of texts, or a folder of documented Python code", side.flag, err))
		}
		are[i] = info.IsDir()
	}
	if are[0] != are[1] {
		return false, usageError("--reference and --candidate: one is a folder and the other a file; give two of a kind")
	}
	return are[0], nil
}

// measureTrees compares the docstrings of two trees, function by function.
func (c measureCommand) measureTrees(ctx context.Context, p *place, measures []measure.Measure) error {
	w, err := c.open(ctx, p)
	if err != nil {
		return err
	}
	defer w.close()
	reader := documented.Reader{Box: w.box, Cache: w.cache}
	reference, err := reader.Read(ctx, c.Reference)
	if err != nil {
		return err
	}
	candidate, err := reader.Read(ctx, c.Candidate)
	if err != nil {
		return err
	}
	unreadable := append(reference.Unreadable, candidate.Unreadable...)
	sayFirst(p, unreadable, "files that cannot be read")
	matched := documented.Match(reference, candidate)
	var pairs []textPair
	var unmatched []error
	counts := map[documented.Standing]int{}
	for _, m := range matched {
		counts[m.Standing]++
		switch m.Standing {
		case documented.Paired:
			pairs = append(pairs, textPair{id: m.ID, candidate: m.Candidate, reference: m.Reference})
		case documented.NoCandidate:
			unmatched = append(unmatched, fmt.Errorf("%s is in the reference only", m.ID))
		case documented.NoReference:
			unmatched = append(unmatched, fmt.Errorf("%s is in the candidate only", m.ID))
		}
	}
	sayFirst(p, unmatched, "functions of one folder only")
	rows, err := scorePairs(ctx, pairs, measures)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(p.stdout)
	if !c.Means {
		at := 0
		for _, m := range matched {
			line := object{}
			line.add("id", m.ID)
			line.add("standing", m.Standing)
			if m.Standing == documented.Paired {
				line.addNumbers(measures, rows[at])
				at++
			}
			if err := line.write(out); err != nil {
				return err
			}
		}
	}
	if err := writeSummary(out, matched, counts, len(unreadable), rows, measures); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	if len(pairs) == 0 {
		return fmt.Errorf("no function has a docstring in both folders: %d in the reference, %d in the candidate; are these the same code, from the same folder on?",
			len(reference.Functions), len(candidate.Functions))
	}
	return nil
}

// writeSummary prints how many functions stand how, and the means over those
// that were measured.
func writeSummary(out *bufio.Writer, matched []documented.Pair, counts map[documented.Standing]int, unreadable int, rows [][]float64, measures []measure.Measure) error {
	inner := object{}
	inner.add("functions", len(matched))
	for _, s := range documented.Standings {
		inner.add(string(s), counts[s])
	}
	inner.add("unreadable_files", unreadable)
	if len(rows) > 0 {
		inner.addNumbers(measures, meansOf(rows))
	}
	line := object{}
	line.add("summary", inner)
	return line.write(out)
}

// sayFirst tells a person of the first of some problems, and how many there are.
func sayFirst(p *place, all []error, what string) {
	for _, err := range all[:min(len(all), mostLines)] {
		p.say("%v", err)
	}
	if rest := len(all) - mostLines; rest > 0 {
		p.say("… and %d more %s", rest, what)
	}
}
