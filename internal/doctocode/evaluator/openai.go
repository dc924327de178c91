package evaluator

import (
	"context"

	"touchstone/internal/llm"
)

// OpenAI is a judge that asks a model behind an OpenAI-compatible API.
type OpenAI struct{ *llm.Client }

// NewOpenAI makes an evaluator; errors are *benchmark.InputError.
func NewOpenAI(config llm.Config, options llm.Options) (*OpenAI, error) {
	client, err := llm.New(config, options)
	if err != nil {
		return nil, err
	}
	return &OpenAI{client}, nil
}

// Complete asks for one sample, or takes it from the cache.
func (e *OpenAI) Complete(ctx context.Context, r Request) (llm.Completion, error) {
	return e.Client.Complete(ctx, llm.Request{ID: r.ID, Prompt: r.Prompt, Sample: r.Sample})
}
