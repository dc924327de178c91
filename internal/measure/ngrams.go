package measure

// maxOrder is the longest n-gram that BLEU counts.
const maxOrder = 4

// An ngramCounter counts the n-grams of references, in a tree whose edges are
// tokens: the node of an n-gram hangs below that of its first n−1 tokens.
// Nodes below the root are the tokens themselves, numbered from 0 on.
type ngramCounter struct {
	*workspace
	most []int32 // by node: how often the n-gram occurs in the reference that has most of it
}

// countNgrams counts the n-grams of up to maxOrder tokens of every reference,
// whose tokens are all those of the vocabulary.
func (w *workspace) countNgrams(references [][]int32) ngramCounter {
	tokens := 0
	for _, r := range references {
		tokens += len(r)
	}
	w.edges.reset((maxOrder - 1) * tokens)
	most := w.numbers.take(maxOrder * tokens)[:w.words.size()]
	here := w.numbers.take(maxOrder * tokens)[:w.words.size()]
	for _, r := range references {
		clear(here)
		for start := range r {
			node := r[start]
			here[node]++
			for _, token := range r[start+1 : min(start+maxOrder, len(r))] {
				next, ok := w.edges.from(node, token)
				if !ok {
					next = int32(len(here))
					w.edges.lead(node, token, next)
					here, most = append(here, 0), append(most, 0)
				}
				node = next
				here[node]++
			}
		}
		for node, n := range here {
			most[node] = max(most[node], n)
		}
	}
	return ngramCounter{w, most}
}

// matches counts by order, from 1 on, the candidate's n-grams that occur in a
// reference, each at most as often as there.
func (c ngramCounter) matches(candidate []int32) (matched [maxOrder]int) {
	left := c.numbers.take(len(c.most))
	copy(left, c.most)
	for start, node := range candidate {
		if node == unknown {
			continue
		}
		for order := 0; ; {
			if left[node] > 0 {
				left[node]--
				matched[order]++
			}
			order++
			if order == maxOrder || start+order == len(candidate) {
				break
			}
			next, ok := c.edges.from(node, candidate[start+order])
			if !ok {
				break
			}
			node = next
		}
	}
	return matched
}
