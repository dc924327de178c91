package measure

import "math/bits"

// edges lead from a node of a tree or graph to another by a token. It is a hash
// table with open addressing: one that is made, filled once and thrown away
// for every pair of texts has to be quicker than a map.
type edges struct {
	keys  []uint64 // node, and token plus one; 0 is free
	nodes []int32
	shift int
	count int
}

// newEdges makes room for so many.
func newEdges(n int) *edges {
	e := new(edges)
	e.reset(n)
	return e
}

// reset takes all away and makes room for so many.
func (e *edges) reset(n int) {
	size := bits.Len(uint(max(2*n, 8) - 1))
	e.keys, e.nodes = sized(e.keys, 1<<size), sized(e.nodes, 1<<size)
	clear(e.keys)
	e.shift, e.count = 64-size, 0
}

// slot is where an edge is, or would be.
func (e *edges) slot(key uint64) uint64 {
	mask := uint64(len(e.keys) - 1)
	at := key * 0x9e3779b97f4a7c15 >> e.shift
	for e.keys[at] != key && e.keys[at] != 0 {
		at = (at + 1) & mask
	}
	return at
}

func edgeKey(node, token int32) uint64 { return uint64(node)<<32 | uint64(token+1) }

// from is the node that the edge leads to.
func (e *edges) from(node, token int32) (int32, bool) {
	at := e.slot(edgeKey(node, token))
	return e.nodes[at], e.keys[at] != 0 // the node means nothing where no edge is
}

// lead sets where an edge leads.
func (e *edges) lead(node, token, to int32) {
	key := edgeKey(node, token)
	at := e.slot(key)
	if e.keys[at] == 0 {
		if e.count++; 2*e.count > len(e.keys) {
			e.grow()
			at = e.slot(key)
		}
		e.keys[at] = key
	}
	e.nodes[at] = to
}

func (e *edges) grow() {
	larger := newEdges(len(e.keys))
	for i, key := range e.keys {
		if key != 0 {
			at := larger.slot(key)
			larger.keys[at], larger.nodes[at] = key, e.nodes[i]
		}
	}
	larger.count = e.count
	*e = *larger
}
