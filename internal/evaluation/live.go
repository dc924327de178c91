package evaluation

import (
	"context"
	"sync"
	"time"

	"touchstone/internal/dispatch"
	"touchstone/internal/store"
)

// pace is how many samples are executed in a second, by what was recorded of late.
type pace struct {
	mu     sync.Mutex
	marks  []mark
	begins time.Time // the first record of all
}

type mark struct {
	at      time.Time
	samples int
}

// paceWindow is how far back it looks.
const paceWindow = 5 * time.Minute

func (p *pace) add(samples int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.begins.IsZero() {
		p.begins = now
	}
	p.marks = append(p.marks, mark{now, samples})
	for len(p.marks) > 0 && now.Sub(p.marks[0].at) > paceWindow {
		p.marks = p.marks[1:]
	}
}

// perSecond is 0 while nothing is known.
func (p *pace) perSecond() float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.marks) < 2 {
		return 0
	}
	total := 0
	for _, m := range p.marks[1:] {
		total += m.samples
	}
	span := p.marks[len(p.marks)-1].at.Sub(p.marks[0].at).Seconds()
	if span <= 0 {
		return 0
	}
	return float64(total) / span
}

// A Place is where an open submission stands in the queue.
type Place struct {
	Position  int           // 1 is done next
	Remaining int           // samples without a verdict
	Left      time.Duration // estimated; 0 when nothing is known of the pace
}

// Places says where every open submission stands. Predictions are scored beside
// what is evaluated, one after the other. Of the rest: submitters share the machine,
// so one is done when as much as it has left was done for each of the others:
// Σ min(its rest, their rest) samples from now.
func (e *Engine) Places(ctx context.Context) (map[uint64]Place, error) {
	open, err := e.Store.OpenEvaluations(ctx)
	if err != nil {
		return nil, err
	}
	rest := map[uint64]int{}
	var order []uint64
	for _, o := range open {
		if _, known := rest[o.SubmissionID]; !known {
			order = append(order, o.SubmissionID)
		}
		rest[o.SubmissionID] += o.Remaining
	}
	pace := e.pace.perSecond()
	places := make(map[uint64]Place, len(order))
	for i, id := range order {
		p := Place{Position: 1, Remaining: rest[id]}
		ahead := 0
		for j, other := range order {
			ahead += min(rest[id], rest[other])
			if rest[other] < rest[id] || rest[other] == rest[id] && j < i {
				p.Position++
			}
		}
		if pace > 0 {
			p.Left = time.Duration(float64(ahead) / pace * float64(time.Second))
		}
		places[id] = p
	}
	unscored, err := e.Store.Unscored(ctx)
	for i, sub := range unscored {
		places[sub.ID] = Place{Position: i + 1}
	}
	return places, err
}

// Listen returns a channel that gets a message after each change of a
// submission, or of any with Everything, and what ends it.
func (e *Engine) Listen(topic string) (<-chan []byte, func()) { return e.Queue.Listen(topic) }

// Judge is the evaluator of this process with an id of the database.
func (e *Engine) Judge(evaluatorID uint64) (Judge, bool) {
	j, ok := e.judges[evaluatorID]
	return j, ok
}

// Enabled are the evaluators that the next submission of a track will be judged by.
func (e *Engine) Enabled(all []store.Evaluator) []Judge {
	var judges []Judge
	for _, row := range all {
		if j, here := e.judges[row.ID]; here && row.Enabled {
			judges = append(judges, j)
		}
	}
	return judges
}

// A Load is how much there is to do.
type Load struct {
	Waiting, Running map[dispatch.Kind]int // units in the queue
	SamplesLeft      int                   // of open evaluations
	PerSecond        float64               // samples executed, of late; 0 when unknown
}

// Load looks at the queue and the database.
func (e *Engine) Load() (Load, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	l := Load{Waiting: map[dispatch.Kind]int{}, Running: map[dispatch.Kind]int{}, PerSecond: e.pace.perSecond()}
	for _, kind := range dispatch.Kinds {
		waiting, running, err := e.Queue.Depth(ctx, kind)
		if err != nil {
			return l, err
		}
		l.Waiting[kind], l.Running[kind] = waiting, running
	}
	open, err := e.Store.OpenEvaluations(ctx)
	for _, o := range open {
		l.SamplesLeft += o.Remaining
	}
	return l, err
}
