package evaluation

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"touchstone/internal/dispatch"
	"touchstone/internal/store"
)

const (
	glance = time.Second // how often work is looked for when nothing wakes the engine
	// A unit that has been out so long while the queue holds nothing was lost on the way.
	lostAfter = 10 * time.Second
)

// outstanding is a unit that was handed out.
type outstanding struct {
	kind       dispatch.Kind
	evaluation uint64
	account    uint64
	since      time.Time
}

// handOut keeps a little more work in the queue than the workers can do, so
// that what comes later still gets its fair share.
func (e *Engine) handOut(ctx context.Context) error {
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	for {
		if err := e.round(ctx); err != nil && ctx.Err() == nil {
			e.Log.Error("handing out work", "error", err)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		case <-e.kick:
		}
	}
}

func (e *Engine) round(ctx context.Context) error {
	open, err := e.Store.OpenEvaluations(ctx)
	if err != nil {
		return err
	}
	if err := e.sweep(ctx); err != nil {
		return err
	}
	for _, o := range open {
		if o.Remaining > 0 {
			continue
		}
		// The process ended between the last verdict and the scores.
		if err := e.finish(ctx, o.EvaluationID); err != nil {
			return err
		}
	}
	for kind, room := range map[dispatch.Kind]int{dispatch.Execute: e.window(), dispatch.Generate: 2 * e.Generate} {
		if err := e.fill(ctx, kind, room, slices.Clone(open)); err != nil {
			return err
		}
	}
	return nil
}

// window is how many units wait for execution or are in it.
func (e *Engine) window() int {
	if e.Executor == nil {
		return 16 // workers elsewhere, of unknown number
	}
	return 2 * e.Executor.Workers()
}

// fill hands out units of a kind. Submitters take turns: who has the fewest
// units out comes first; of one submitter's evaluations the one with the
// fewest samples left.
func (e *Engine) fill(ctx context.Context, kind dispatch.Kind, room int, open []store.OpenEvaluation) error {
	for room -= e.count(kind); room > 0 && len(open) > 0; {
		e.mu.Lock()
		load := map[uint64]int{}
		var ids []uint64
		for id, o := range e.out {
			if o.kind == kind {
				load[o.account]++
			}
			ids = append(ids, id)
		}
		slices.SortStableFunc(open, func(a, b store.OpenEvaluation) int {
			if a.AccountID == b.AccountID {
				return cmp.Or(cmp.Compare(a.Remaining, b.Remaining), cmp.Compare(a.EvaluationID, b.EvaluationID))
			}
			return cmp.Or(cmp.Compare(load[a.AccountID], load[b.AccountID]), e.served[a.AccountID].Compare(e.served[b.AccountID]),
				cmp.Compare(a.AccountID, b.AccountID))
		})
		e.mu.Unlock()
		next := open[0]
		units, err := e.Store.ReadyUnits(ctx, next.EvaluationID, stageOf(kind), time.Now(), ids, 1)
		if err != nil {
			return err
		}
		if len(units) == 0 {
			open = open[1:]
			continue
		}
		if err := e.publish(ctx, kind, next, units[0]); errors.Is(err, dispatch.ErrFull) {
			return nil
		} else if err != nil {
			return fmt.Errorf("unit %d: %w", units[0].ID, err)
		}
		room--
	}
	return nil
}

func stageOf(kind dispatch.Kind) store.Stage {
	if kind == dispatch.Generate {
		return store.StageGenerate
	}
	return store.StageExecute
}

func (e *Engine) count(kind dispatch.Kind) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := 0
	for _, o := range e.out {
		if o.kind == kind {
			n++
		}
	}
	return n
}

func (e *Engine) publish(ctx context.Context, kind dispatch.Kind, next store.OpenEvaluation, u store.Unit) error {
	if next.State == store.Queued {
		if err := e.Store.Start(ctx, next.EvaluationID); err != nil {
			return err
		}
		e.announceEvaluation(ctx, next.EvaluationID)
	}
	data, err := json.Marshal(u.ID)
	if kind == dispatch.Execute {
		data, err = e.order(ctx, u)
	}
	if err != nil {
		return err
	}
	// Noted first: its result may be here before Publish returns.
	now := time.Now()
	e.mu.Lock()
	e.out[u.ID] = outstanding{kind, u.EvaluationID, next.AccountID, now}
	e.served[next.AccountID] = now
	e.mu.Unlock()
	if err = e.Queue.Publish(ctx, dispatch.Unit{Kind: kind, ID: unitName(u), Group: group(u.EvaluationID), Try: u.Tries, Data: data}); err != nil {
		e.forget(u.ID)
	}
	return err
}

func unitName(u store.Unit) string { return strconv.FormatUint(u.ID, 10) }

func group(evaluation uint64) string { return strconv.FormatUint(evaluation, 10) }

// forget takes a unit off those that are on their way.
func (e *Engine) forget(unit uint64) {
	e.mu.Lock()
	delete(e.out, unit)
	e.mu.Unlock()
}

// forgetAll takes an evaluation's units off those that are on their way.
func (e *Engine) forgetAll(evaluation uint64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for id, o := range e.out {
		if o.evaluation == evaluation {
			delete(e.out, id)
		}
	}
}

// sweep forgets units that the queue has lost, so that they are handed out again.
func (e *Engine) sweep(ctx context.Context) error {
	for _, kind := range dispatch.Kinds {
		if e.count(kind) == 0 {
			continue
		}
		waiting, running, err := e.Queue.Depth(ctx, kind)
		if err != nil {
			return err
		}
		if waiting+running > 0 {
			continue
		}
		e.mu.Lock()
		for id, o := range e.out {
			if o.kind == kind && time.Since(o.since) > lostAfter {
				e.Log.Warn("a unit was lost on its way and is handed out again", "unit", id)
				delete(e.out, id)
			}
		}
		e.mu.Unlock()
	}
	return nil
}

// announceEvaluation tells live pages that an evaluation has changed.
func (e *Engine) announceEvaluation(ctx context.Context, id uint64) {
	if row, err := e.Store.Evaluation(ctx, id); err == nil {
		e.announce(row.Submission.PublicID)
	}
}
