package measure

// longestRun is the length of the longest piece that two sequences have in
// common, in time that grows with the sum of their lengths.
func longestRun(a, b []int32) int {
	pieces := newAutomaton(a)
	state, run, longest := int32(0), int32(0), int32(0)
	for _, token := range b {
		next, ok := pieces.next.from(state, token)
		for !ok && state != 0 {
			state = pieces.states[state].link
			run = pieces.states[state].length
			next, ok = pieces.next.from(state, token)
		}
		if ok {
			state, run = next, run+1
			longest = max(longest, run)
		}
	}
	return int(longest)
}

// An automaton reads exactly the pieces of a sequence: its suffix automaton
// (Blumer et al., 1985). A state stands for the pieces that end at the same
// places; link leads to the state of their longest suffix that ends at more.
type automaton struct {
	states []automatonState
	next   *edges
}

type automatonState struct {
	link, length int32   // length of the longest piece
	tokens       []int32 // that lead on from here
}

func newAutomaton(sequence []int32) *automaton {
	a := &automaton{
		states: make([]automatonState, 1, 2*len(sequence)+1),
		next:   newEdges(2 * len(sequence)),
	}
	a.states[0].link = -1
	last := int32(0)
	for _, token := range sequence {
		last = a.extend(last, token)
	}
	return a
}

// extend adds a token behind the whole sequence, whose state is last.
func (a *automaton) extend(last, token int32) int32 {
	whole := a.add(automatonState{length: a.states[last].length + 1})
	from := last
	for ; from >= 0; from = a.states[from].link {
		if _, ok := a.next.from(from, token); ok {
			break
		}
		a.lead(from, token, whole)
	}
	if from < 0 {
		return whole
	}
	to, _ := a.next.from(from, token)
	if a.states[from].length+1 == a.states[to].length {
		a.states[whole].link = to
		return whole
	}
	// The shorter pieces of that state now end at one place more: they get a
	// state of their own.
	split := a.add(automatonState{link: a.states[to].link, length: a.states[from].length + 1})
	for _, t := range a.states[to].tokens {
		next, _ := a.next.from(to, t)
		a.lead(split, t, next)
	}
	for ; from >= 0; from = a.states[from].link {
		if next, _ := a.next.from(from, token); next != to {
			break
		}
		a.next.lead(from, token, split)
	}
	a.states[to].link, a.states[whole].link = split, split
	return whole
}

func (a *automaton) add(s automatonState) int32 {
	a.states = append(a.states, s)
	return int32(len(a.states) - 1)
}

func (a *automaton) lead(from, token, to int32) {
	a.next.lead(from, token, to)
	a.states[from].tokens = append(a.states[from].tokens, token)
}
