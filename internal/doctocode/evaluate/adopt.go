package evaluate

import (
	"context"
	"errors"
	"fmt"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/evaluator"
)

// adopt lets a folder that was written with one file of recorded completions
// be gone on with under another: when that holds, for every sample with a
// verdict, the very reply that was judged. Then each verdict is the new file's
// too, and what else it holds may differ: replies that were missing, above all.
// Otherwise the folder stays as it is and the error is an *benchmark.InputError.
func (b *book) adopt(ctx context.Context) error {
	if !b.unproved {
		return nil
	}
	o := b.options
	for _, r := range o.Dataset.Repositories {
		targets, err := Targets(o.Dataset, r, o.Docs)
		if err != nil {
			return err
		}
		for _, t := range targets {
			for j := range o.Samples {
				if err := b.sameReply(ctx, t, j); err != nil {
					return err
				}
			}
		}
	}
	return manifestOf(o).write(o.Out)
}

// sameReply holds a reply that was judged against the evaluator's.
func (b *book) sameReply(ctx context.Context, t evaluator.Target, sample int) error {
	if !b.has(t.ID, sample) {
		return nil
	}
	bad := func(how string) error {
		return &benchmark.InputError{Field: "out", Problem: fmt.Sprintf("%s was written with other completions: these %s sample %d of %s", b.options.Out, how, sample, t.ID),
			Mend: "choose another folder, or only add replies to the file that it was written with"}
	}
	c, err := b.options.Evaluator.Complete(ctx, evaluator.Request{Target: t, Sample: sample})
	if errors.Is(err, evaluator.ErrNoCompletion) {
		return bad("have no reply to")
	}
	if err != nil {
		return err
	}
	if judged := b.replies[key(t.ID, sample)]; c.Text != judged.Completion || c.Model != judged.Model {
		return bad("have another reply to")
	}
	return nil
}
