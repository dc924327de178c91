// Package prompts turns a pull request into a task that is told at four levels
// of detail (the localization paper, sections 3.1 and 3.3): a Writer drafts a
// prompt, the Rules name what in it would give the change away, and the writer
// drafts again, more generally. A pull request whose prompt still gives
// something away after Attempts drafts leaves all levels, so that the levels
// stay a matched design.
package prompts

import (
	"context"
	"fmt"
	"strings"

	"touchstone/internal/localization"
)

// Attempts is how often a writer may draft a prompt of one level.
const Attempts = 3

// A Pull is a pull request as its repository's history tells it.
type Pull struct {
	Title   string
	Body    string
	Changes []Change // from the first parent to the commit that merged it
}

// A Draft is what a writer is asked for.
type Draft struct {
	Facts   *Facts
	Level   localization.Level
	Attempt int // from 0 on
	// Previous is the draft before this one, and Rejections what was wrong with it.
	Previous   string
	Rejections []Rejection
}

// A Writer writes prompts. It is safe for concurrent use.
type Writer interface {
	// Name is what a release calls it: extractive-v1, or the model that writes.
	Name() string
	// Write drafts the prompt of one level. It need not satisfy the rules.
	Write(ctx context.Context, d Draft) (string, error)
}

// Compose writes the prompts of all levels, or none: a level for which every
// draft was rejected is an *Unwritable. The rejections of all drafts are
// returned in either case.
func Compose(ctx context.Context, w Writer, p *Pull, s *Snapshot) (map[localization.Level]string, []Rejection, error) {
	facts := NewFacts(p, s)
	texts := map[localization.Level]string{}
	var all []Rejection
	for _, level := range localization.Levels {
		draft := Draft{Facts: facts, Level: level}
		for ; draft.Attempt < Attempts; draft.Attempt++ {
			text, err := w.Write(ctx, draft)
			if err != nil {
				return nil, all, fmt.Errorf("writing a %s prompt: %w", level, err)
			}
			rejections := facts.Check(level, text)
			if len(rejections) == 0 {
				texts[level] = text
				break
			}
			for i := range rejections {
				rejections[i].Attempt = draft.Attempt
			}
			all = append(all, rejections...)
			draft.Previous, draft.Rejections = text, rejections
		}
		if draft.Attempt == Attempts {
			return nil, all, &Unwritable{Level: level, Rejections: draft.Rejections}
		}
	}
	return texts, all, nil
}

// Unwritable says that no draft of a level satisfied the rules.
type Unwritable struct {
	Level      localization.Level
	Rejections []Rejection // of the last draft
}

func (e *Unwritable) Error() string {
	said := make([]string, len(e.Rejections))
	for i, r := range e.Rejections {
		said[i] = r.String()
	}
	return fmt.Sprintf("no %s prompt satisfies the rules after %d drafts: %s", e.Level, Attempts, strings.Join(said, "; "))
}

// Rejected counts drafts under rule/level, the form in which a release
// publishes them. A draft that breaks a rule in several places counts once.
type Rejected map[string]int

// Add counts the rejections of one pull request.
func (r Rejected) Add(rejections []Rejection) {
	seen := map[string]bool{}
	for _, one := range rejections {
		key := one.Rule + "/" + string(one.Level)
		if draft := fmt.Sprint(key, one.Attempt); !seen[draft] {
			seen[draft] = true
			r[key]++
		}
	}
}
