package measure

// maxOrder is the longest n-gram that BLEU counts.
const maxOrder = 4

// An ngramCounter counts the n-grams of references, in a tree whose edges are
// tokens: the node of an n-gram hangs below that of its first n−1 tokens.
// Nodes below the root are the tokens themselves.
type ngramCounter struct {
	words vocabulary
	edges *edges
	most  []int32 // by node: how often the n-gram occurs in the reference that has most of it
}

// countNgrams counts the n-grams of up to maxOrder tokens of every reference.
func countNgrams(references [][]string) *ngramCounter {
	tokens := 0
	for _, r := range references {
		tokens += len(r)
	}
	c := &ngramCounter{words: newVocabulary(tokens)}
	ids := make([][]int32, len(references))
	for i, r := range references {
		ids[i] = numbered(r, c.words.add)
	}
	c.edges = newEdges((maxOrder - 1) * tokens)
	c.most = make([]int32, len(c.words), maxOrder*tokens)
	here := make([]int32, len(c.words), maxOrder*tokens)
	for _, r := range ids {
		clear(here)
		for start := range r {
			node := r[start]
			here[node]++
			for _, token := range r[start+1 : min(start+maxOrder, len(r))] {
				next, ok := c.edges.from(node, token)
				if !ok {
					next = int32(len(here))
					c.edges.lead(node, token, next)
					here, c.most = append(here, 0), append(c.most, 0)
				}
				node = next
				here[node]++
			}
		}
		for node, n := range here {
			c.most[node] = max(c.most[node], n)
		}
	}
	return c
}

// matches counts by order, from 1 on, the candidate's n-grams that occur in a
// reference, each at most as often as there.
func (c *ngramCounter) matches(candidate []string) (matched [maxOrder]int) {
	ids := numbered(candidate, c.words.find)
	left := append([]int32(nil), c.most...)
	for start, node := range ids {
		if node == unknown {
			continue
		}
		for order := 0; ; {
			if left[node] > 0 {
				left[node]--
				matched[order]++
			}
			order++
			if order == maxOrder || start+order == len(ids) {
				break
			}
			next, ok := c.edges.from(node, ids[start+order])
			if !ok {
				break
			}
			node = next
		}
	}
	return matched
}
