package measure

import "sync"

// A workspace is the memory of one comparison of texts. It is used again for
// others: fresh memory for every pair costs more than comparing most pairs.
type workspace struct {
	words, lines vocabulary
	padded       []byte // of the tokenizer of BLEU
	spare        []byte
	token        []byte // of the tokenizer of ROUGE
	edges        edges
	numbers      arena[int32]
	flags        arena[bool]
	sequences    arena[[]int32]
	marks        arena[[]bool]
	subsequence  subsequence
}

var workspaces = sync.Pool{New: func() any { return new(workspace) }}

func borrow() *workspace { return workspaces.Get().(*workspace) }

// giveBack ends the life of everything that was made in the workspace.
func (w *workspace) giveBack() {
	w.numbers.used, w.flags.used, w.sequences.used, w.marks.used = 0, 0, 0, 0
	workspaces.Put(w)
}

// An arena lends slices that live as long as one another.
type arena[T any] struct {
	all  []T
	used int
}

// take lends n zero values.
func (a *arena[T]) take(n int) []T {
	if len(a.all)-a.used < n {
		a.all, a.used = make([]T, 2*len(a.all)+n), 0
	}
	taken := a.all[a.used : a.used+n : a.used+n]
	a.used += n
	clear(taken)
	return taken
}

// sized is a slice of n values, of the same memory where that is enough. Its
// values are any.
func sized[T any](slice []T, n int) []T {
	if cap(slice) < n {
		return make([]T, n)
	}
	return slice[:n]
}
