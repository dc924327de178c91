package build

import (
	"fmt"
	"sort"
	"strings"

	"touchstone/internal/doctocode"
)

// history is what became of a test in all runs.
type history struct {
	id                    string
	seen, passed, skipped int // runs
	several               bool
	renamed               bool // its id holds an address and differs from run to run
	seconds               []float64
	details               []string // of the runs that it did not pass
}

// judge keeps the tests that passed every run, and drops the others with their
// reasons.
func (s *suite) judge(repository string, runs []suiteAnswer) {
	network := 0
	for _, h := range histories(runs) {
		detail := common(h.details)
		switch {
		case h.several:
			s.drop(repository, h.id, doctocode.ReasonAmbiguous, "several tests have this id")
		case h.renamed && h.passed > 0:
			s.drop(repository, h.id, doctocode.ReasonFlaky, "its id is another in every run")
		case h.passed == len(runs):
			s.Passing = append(s.Passing, h.id)
			sort.Float64s(h.seconds)
			s.Seconds[h.id] = h.seconds[len(h.seconds)/2]
		case h.seen != len(runs) && h.passed > 0:
			s.drop(repository, h.id, doctocode.ReasonFlaky, fmt.Sprintf("collected in %d of %d runs", h.seen, len(runs)))
		case h.passed > 0:
			s.drop(repository, h.id, doctocode.ReasonFlaky, fmt.Sprintf("passed %d of %d runs; %s", h.passed, len(runs), detail))
		case h.skipped == h.seen:
			s.drop(repository, h.id, doctocode.ReasonSkipped, detail)
		default:
			if needsNetwork(detail) {
				network++
			}
			s.drop(repository, h.id, doctocode.ReasonFailing, detail)
		}
	}
	if network > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d tests need the network, which the sandbox does not have, and were left out", network))
	}
}

// histories are those of all tests, in the order in which they were first seen.
func histories(runs []suiteAnswer) []*history {
	byID := map[string]*history{}
	var all []*history
	of := func(id string) *history {
		h := byID[id]
		if h == nil {
			h = &history{id: id}
			byID[id] = h
			all = append(all, h)
		}
		return h
	}
	seen := map[string]int{}
	for _, run := range runs {
		for _, t := range run.Tests {
			seen[t.ID]++
		}
	}
	for _, run := range runs {
		inRun := map[string]bool{}
		for _, t := range run.Tests {
			if steady := addresses.ReplaceAllString(t.ID, "…"); steady != t.ID && seen[t.ID] < len(runs) {
				h := of(steady)
				h.renamed = true
				h.add(t)
				continue
			}
			h := of(t.ID)
			if inRun[t.ID] {
				h.several = true
				continue
			}
			inRun[t.ID] = true
			h.add(t)
		}
	}
	return all
}

func (h *history) add(t suiteTest) {
	h.seen++
	if t.passed() {
		h.passed++
		h.seconds = append(h.seconds, t.seconds())
		return
	}
	if t.skipped() {
		h.skipped++
	}
	h.details = append(h.details, t.detail())
}

// common is the first of several texts, with the lines that are not the same
// in all of them left out: they would not be the same the next time, either.
func common(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	lines := strings.Split(texts[0], "\n")
	for _, text := range texts[1:] {
		others := strings.Split(text, "\n")
		for i := range lines {
			if i >= len(others) || steady(lines[i]) != steady(others[i]) {
				lines[i] = "…"
			}
		}
	}
	return strings.Join(lines, "\n")
}

func needsNetwork(detail string) bool {
	for _, sign := range []string{"Name or service not known", "Temporary failure in name resolution", "Network is unreachable",
		"NameResolutionError", "getaddrinfo", "ConnectionRefusedError", "Failed to establish a new connection"} {
		if strings.Contains(detail, sign) {
			return true
		}
	}
	return false
}
