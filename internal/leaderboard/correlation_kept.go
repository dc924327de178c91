package leaderboard

import "sync"

// keptMost is how many tables a set keeps.
const keptMost = 64

// keptCorrelations are the tables of a set that were asked for. Several that ask
// for the same wait for one computation; different ones are computed one after
// the other.
type keptCorrelations struct {
	mu        sync.Mutex
	tables    map[string]func() (*Correlations, error)
	computing sync.Mutex
}

func (k *keptCorrelations) get(key string, compute func() (*Correlations, error)) (*Correlations, error) {
	k.mu.Lock()
	known, ok := k.tables[key]
	if !ok {
		known = sync.OnceValues(func() (*Correlations, error) {
			k.computing.Lock()
			defer k.computing.Unlock()
			return compute()
		})
		if len(k.tables) >= keptMost || k.tables == nil {
			k.tables = map[string]func() (*Correlations, error){}
		}
		k.tables[key] = known
	}
	k.mu.Unlock()
	return known()
}

// prepare computes what pages that take long show unless they are asked for
// anything else, unless a newer board has come.
func (b *Boards) prepare(board *Board) {
	b.preparing.Lock()
	defer b.preparing.Unlock()
	b.mu.Lock()
	newest := b.board == board
	b.mu.Unlock()
	if set := board.CorrelationSet(CorrelationQuery{}); newest && set != nil {
		// Whoever asks for the page is told of an error.
		_, _ = set.Correlations(CorrelationQuery{})
	}
	if newest {
		board.prepareContrasts()
	}
}
