package baseline

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization/bm25"
	"touchstone/internal/localization/history"
)

const (
	// halfLife is the age at which a commit counts half for churn and for
	// files that change together; for what similar commits changed, a quarter
	// of the rate.
	halfLife     = 180 * 24 * time.Hour
	similarLives = 4
	// sweep is how many files a commit may change before it says nothing of
	// any one of them: a new licence header, a move, a formatter.
	sweep = 30
	// alike is how many of the most similar past commits are asked.
	alike = 50
	// sources is how many of the best files lead to files that change together
	// with them.
	sources = 3
)

// past is what the commits up to the snapshot tell of its files, which go by
// their numbers, whatever they were called when they were changed.
type past struct {
	titles   *bm25.Index // of commits, the last one 0
	commits  []pastCommit
	messages *bm25.Index // per file: titles of the commits that changed it
	changed  [][]int     // file → commits that changed it
	churn    []float64   // file → how often it was changed, old changes counting less
	recent   []float64   // file → how far that favours it, whatever the prompt
}

// A pastCommit changed up to sweep files that the snapshot still has.
type pastCommit struct {
	title string
	age   float64 // in half-lives, at the snapshot
	files []int
}

func readPast(ctx context.Context, repository history.Repository, head string, paths []string, tell func(string, int, int)) (*past, error) {
	tell("reading the past", 0, 0)
	var times []time.Time
	var names tracker
	p := &past{}
	note := func(c history.Commit) error {
		files := names.follow(c.Changes)
		if len(files) > sweep {
			files = nil
		}
		p.commits = append(p.commits, pastCommit{title: title(c.Message), files: files})
		times = append(times, c.Time)
		return nil
	}
	err := repository.Log(ctx, "", head, note)
	if _, lacking := errors.AsType[*benchmark.InputError](err); lacking {
		// A clone without some of its large files can still tell all but
		// renames with changes.
		p, times, names = &past{}, nil, tracker{}
		err = repository.LogExactRenames(ctx, head, note)
	}
	if err != nil {
		return nil, err
	}
	var now time.Time
	if len(times) > 0 {
		now = times[len(times)-1]
	}
	numbers := names.numbers(paths)
	for i := range p.commits {
		c := &p.commits[i]
		c.age = max(float64(now.Sub(times[i]))/float64(halfLife), 0)
		c.files = still(c.files, numbers)
	}
	p.index(paths)
	return p, nil
}

// index makes the indexes and counts out of the commits.
func (p *past) index(paths []string) {
	p.churn, p.changed = make([]float64, len(paths)), make([][]int, len(paths))
	titles := bm25.NewBuilder()
	for i, c := range p.commits {
		// Among equally similar commits the later one comes first.
		titles.Add(fmt.Sprintf("%09d", len(p.commits)-i), bm25.Field{Text: []byte(c.title), Weight: 1})
		for _, file := range c.files {
			p.changed[file] = append(p.changed[file], i)
			p.churn[file] += math.Exp2(-c.age)
		}
	}
	p.recent = make([]float64, len(paths))
	for file, churn := range p.churn {
		p.recent[file] = math.Log1p(churn)
	}
	messages := bm25.NewBuilder()
	var text []byte
	for file, commits := range p.changed {
		text = text[:0]
		for _, i := range commits {
			text = append(append(text, p.commits[i].title...), '\n')
		}
		messages.Add(paths[file], bm25.Field{Text: text, Weight: 1})
	}
	p.titles, p.messages = titles.Index(), messages.Index()
}

// similar has the past commits whose titles are most like the prompt vote for
// the files that they changed: the more alike, the later and the fewer files,
// the more.
func (p *past) similar(prompt string) []float64 {
	votes := make([]float64, len(p.churn))
	hits := p.titles.Rank(prompt, alike)
	for _, hit := range hits {
		c := p.commits[hit.Document]
		likeness := hit.Score / hits[0].Score
		for _, file := range c.files {
			votes[file] += likeness * likeness * math.Exp2(-c.age/similarLives) / math.Sqrt(float64(len(c.files)))
		}
	}
	return votes
}

// spread lets the best files so far raise those that were often changed
// together with them: by the share of a file's changes that were the other's,
// too, a change of many files counting less.
func (p *past) spread(total []float64, paths []string) {
	more := make([]float64, len(total))
	for _, hit := range bm25.Best(total, paths, sources) {
		for _, i := range p.changed[hit.Document] {
			c := p.commits[i]
			for _, file := range c.files {
				if file != hit.Document {
					more[file] += hit.Score * math.Exp2(-c.age) / float64(len(c.files)-1) / (p.churn[hit.Document] + littleChurn)
				}
			}
		}
	}
	for file, score := range more {
		total[file] += togetherWeight * score
	}
}

// littleChurn keeps a file whose few changes are old from leading anywhere.
const littleChurn = 0.1

var (
	pullRequest = regexp.MustCompile(`\s*\(#\d+\)\s*$`)
	mergeCommit = regexp.MustCompile(`^Merge pull request #\d+ `)
)

// title is what a commit's message says first: of a merge commit that a forge
// wrote, the title of the pull request behind its first line.
func title(message string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(message), "\n")
	if mergeCommit.MatchString(first) {
		if second, _, _ := strings.Cut(strings.TrimSpace(rest), "\n"); second != "" {
			first = second
		}
	}
	return pullRequest.ReplaceAllString(first, "")
}
