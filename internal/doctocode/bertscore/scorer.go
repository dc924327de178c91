package bertscore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"touchstone/internal/cache"
	"touchstone/internal/sandbox"
)

// idle is how long a model stays loaded after its last text.
const idle = time.Minute

// A request has at most so many pairs and, beyond the first pair, so many bytes.
const (
	batchPairs = 64
	batchBytes = 16 << 10
)

// A Scorer scores with the registered model of a kind. The model is loaded when
// it is first needed, serves one caller after another, and is let go when nobody
// has needed it for a minute. It is safe for concurrent use.
type Scorer struct {
	Kind   Kind
	Models Registry
	Box    sandbox.Sandbox // nil: nothing can be scored
	Cache  *cache.Folder   // for the environment

	mu      sync.Mutex
	running *encoder
	model   string // its ID
	ending  *time.Timer
}

// Ready is why nothing can be scored now, with the command that mends it.
func (s *Scorer) Ready(context.Context) error {
	if _, err := s.Models.Find(s.Kind); err != nil {
		return err
	}
	if s.Box == nil {
		return errors.New("this process has no sandbox in which a model could run")
	}
	return nil
}

// Model is the registered model; false when there is none.
func (s *Scorer) Model() (Manifest, bool) {
	m, err := s.Models.Find(s.Kind)
	return m, err == nil
}

// Score gives a score for each pair.
func (s *Scorer) Score(ctx context.Context, pairs []Pair) ([]Score, error) {
	if err := s.Ready(ctx); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var scores []Score
	for len(pairs) > 0 {
		n, size := 0, 0
		for n < min(len(pairs), batchPairs) && (n == 0 || size+pairs[n].bytes() <= batchBytes) {
			size += pairs[n].bytes()
			n++
		}
		some, err := s.batch(ctx, pairs[:n])
		if err != nil {
			return nil, err
		}
		scores, pairs = append(scores, some...), pairs[n:]
	}
	return scores, nil
}

func (p Pair) bytes() int { return len(p.Candidate) + len(p.Reference) }

// batch scores a few pairs. An error ends the process: the next batch gets
// another.
func (s *Scorer) batch(ctx context.Context, pairs []Pair) ([]Score, error) {
	if s.ending != nil {
		s.ending.Stop()
	}
	if err := s.load(ctx); err != nil {
		return nil, err
	}
	scores, err := s.running.score(ctx, pairs)
	if err != nil {
		s.end()
		return nil, err
	}
	used := s.running
	s.ending = time.AfterFunc(idle, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.running == used {
			s.end()
		}
	})
	return scores, nil
}

// load runs the model that is registered now.
func (s *Scorer) load(ctx context.Context) error {
	m, err := s.Models.Find(s.Kind)
	if err != nil {
		return err
	}
	if s.running != nil && s.model == m.ID() {
		return nil
	}
	s.end()
	dir := s.Models.Folder(s.Kind)
	if err := verify(ctx, m, dir); err != nil {
		return err
	}
	e, err := s.Models.environment(ctx, s.Cache)
	if err != nil {
		return err
	}
	if s.running, err = start(ctx, s.Box, e, m, dir); err == nil {
		s.model = m.ID()
	}
	return err
}

func (s *Scorer) end() {
	if s.running != nil {
		s.running.close()
		s.running = nil
	}
}

// Close lets the model go.
func (s *Scorer) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending != nil {
		s.ending.Stop()
	}
	s.end()
}

// Add registers the model in the folder dir, after it has run on a text of its
// greatest length and found a text like itself. m needs no Kind, Width or Files,
// and no Output where the model has but one or a last_hidden_state.
func (s *Scorer) Add(ctx context.Context, m Manifest, dir string) (Manifest, error) {
	if s.Box == nil {
		return m, errors.New("there is no sandbox in which the model could be tried")
	}
	m.Kind = s.Kind
	if err := m.Described(); err != nil {
		return m, err
	}
	return s.Models.add(ctx, m, dir, func(ctx context.Context, m Manifest, dir string) (Manifest, error) {
		e, err := s.Models.environment(ctx, s.Cache)
		if err != nil {
			return m, err
		}
		running, err := start(ctx, s.Box, e, m, dir)
		if err != nil {
			return m, fmt.Errorf("trying the model: %w", err)
		}
		defer running.close()
		m.Output, m.Width = running.output, running.width
		const text = "Return the rows of a table."
		scores, err := running.score(ctx, []Pair{{text, text}})
		if err != nil {
			return m, fmt.Errorf("trying the model: %w", err)
		}
		if like := scores[0]; !like.Defined || like.F1 < 0.999 {
			return m, fmt.Errorf("trying the model: it finds a text %.3f like itself, not 1", like.F1)
		}
		return m, nil
	})
}
