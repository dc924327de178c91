package prompts

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"touchstone/internal/llm"
	"touchstone/internal/localization"
)

// An Asker is a language model that answers one request at a time: an
// *llm.Client.
type Asker interface {
	Name() string
	Complete(ctx context.Context, r llm.Request) (llm.Completion, error)
}

var (
	modelSystem    = loadTemplate("model-system-v1")
	modelTemplates = loadTemplates("model-%s-v1", modelSystem, loadTemplate("model-again-v1"))
)

// A Model writes prompts through a language model. It gives the model what
// each level is made of and no more: below guided the diff stays unseen.
type Model struct{ asker Asker }

// NewModel makes a writer of a model.
func NewModel(a Asker) Model { return Model{a} }

// Name implements Writer.
func (m Model) Name() string { return m.asker.Name() }

// Templates is the SHA-256 of each level's template together with the system
// message.
func (m Model) Templates() map[localization.Level]string { return hashesOf(modelTemplates) }

// Bounds of what a model is shown.
const (
	maxBodyWords = 600
	maxDiffBytes = 6000
)

// question fills the model's templates.
type question struct {
	Words    int
	Title    string
	Area     string
	Body     string
	Nature   string
	Diff     string
	Previous string
	Wrong    []string
}

// Write implements Writer. A draft after a rejected one is asked for with the
// rejected text and with what of it offends.
func (m Model) Write(ctx context.Context, d Draft) (string, error) {
	asked, err := modelTemplates[d.Level].fill(questionFor(d))
	if err != nil {
		return "", err
	}
	reply, err := m.asker.Complete(ctx, llm.Request{ID: fmt.Sprintf("%s prompt, draft %d", d.Level, d.Attempt+1),
		System: modelSystem.Text, Prompt: strings.TrimSpace(asked), Sample: d.Attempt})
	if err != nil {
		return "", err
	}
	return answer(reply.Text), nil
}

func questionFor(d Draft) question {
	q := question{Words: Limits[d.Level], Title: d.Facts.title.Text, Previous: d.Previous}
	for _, r := range d.Rejections {
		if said := r.String(); !slices.Contains(q.Wrong, said) {
			q.Wrong = append(q.Wrong, said)
		}
	}
	if d.Level == localization.Minimal {
		return q
	}
	areas := d.Facts.areas
	q.Area = enumerate(areas[:min(len(areas), 3)])
	if d.Level == localization.Concise {
		return q
	}
	words := 0
	var told []sentence
	for _, s := range d.Facts.body {
		if words += s.words; words <= maxBodyWords {
			told = append(told, s)
		}
	}
	q.Body = joined(told)
	if d.Level == localization.Contextual {
		return q
	}
	n := d.Facts.nature
	q.Nature = strings.Join(n.sentences(""), " ")
	if len(n.Functions) > 0 {
		q.Nature += " Existing functions that it changes: " + strings.Join(n.Functions, ", ") + "."
	}
	q.Diff = d.Facts.abridged()
	return q
}

// abridged is the beginning of each file's changed lines.
func (f *Facts) abridged() string {
	var b strings.Builder
	for _, c := range f.changes {
		for _, side := range []struct {
			mark  string
			lines []string
		}{{"-", c.Removed}, {"+", c.Added}} {
			for i, line := range side.lines {
				if i == 40 || b.Len()+len(line) > maxDiffBytes {
					break
				}
				b.WriteString(side.mark + line + "\n")
			}
		}
	}
	return strings.TrimSuffix(strings.ToValidUTF8(b.String(), "?"), "\n")
}

var thinking = regexp.MustCompile(`(?s)^.*</think>`)

// answer takes away what models put around an answer.
func answer(reply string) string {
	text := strings.TrimSpace(thinking.ReplaceAllString(reply, ""))
	if n := len(text); n > 1 && text[0] == '"' && strings.Count(text, `"`) == 2 && text[n-1] == '"' {
		text = text[1 : n-1]
	}
	return strings.TrimSpace(text)
}
