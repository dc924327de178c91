package evaluation

import (
	"fmt"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/intake"
	"touchstone/internal/llm"
	"touchstone/internal/store"
)

// A Judge is an evaluator of the site and what pages say of it.
type Judge struct {
	evaluator.Evaluator
	Kind        string // one of the store's kinds
	Description string
	Enabled     bool         // when it is new to the database; later the operator decides
	Requests    int          // replies asked for at once; at least 1
	Price       llm.Price    // zero when it costs nothing or is unknown
	Ready       func() error // why it cannot be asked now; nil when it always can
}

// Controls are the evaluators that need no model.
func Controls(enabled bool) []Judge {
	about := map[string]string{
		"reference": "Control, no model: replies with the original body. Must score 1.",
		"stub":      "Control, no model: replies with pass. Must score 0.",
		"verbatim":  "Control, no model: replies with code found in the docstring. Measures how much of the body a docstring gives away.",
	}
	var judges []Judge
	for _, c := range evaluator.Controls {
		judges = append(judges, Judge{Evaluator: c, Kind: store.KindControl, Description: about[c.Name()], Enabled: enabled})
	}
	return judges
}

// Model is the judge of a configured model.
func Model(m *evaluator.OpenAI) Judge {
	c := m.Config()
	return Judge{
		Evaluator: m, Kind: store.KindModel, Requests: c.Concurrency, Price: c.Price, Ready: m.Ready,
		Description: fmt.Sprintf("Model %s, %d samples for each task.", c.Model, m.Samples()),
	}
}

func (j Judge) row(position int) (store.Evaluator, error) {
	if j.Samples() < 1 {
		return store.Evaluator{}, &benchmark.InputError{Field: "samples", Problem: j.Name() + " has none", Mend: "give at least 1 sample for each task"}
	}
	return store.Evaluator{
		Track: benchmark.DocToCode, Name: j.Name(), Kind: j.Kind, Description: j.Description,
		Fingerprint: j.Fingerprint(), Samples: j.Samples(), Enabled: j.Enabled, Position: position,
	}, nil
}

// Estimate is what judging an upload would take, and whether a model is asked
// at all: a control and recorded replies take no tokens.
func (j Judge) Estimate(r *intake.Report) (e intake.Estimate, asks bool) {
	config := llm.Config{Name: j.Name(), Samples: j.Samples(), Price: j.Price}
	if model, ok := j.Evaluator.(*evaluator.OpenAI); ok {
		config.ContextTokens = model.Config().ContextTokens
	}
	return r.Estimate(config), j.Kind == store.KindModel
}

// cost is what a reply costs in the unit of the judge's prices.
func (j Judge) cost(c llm.Completion) float64 {
	if c.Cached {
		return 0
	}
	return j.Price.Of(c.PromptTokens, c.CompletionTokens)
}
