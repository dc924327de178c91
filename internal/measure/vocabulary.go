package measure

// A vocabulary numbers tokens from 0 on, so that they are compared as numbers.
type vocabulary map[string]int32

// unknown is the number of a token that the vocabulary lacks.
const unknown int32 = -1

// add numbers tokens, new ones too.
func (v vocabulary) add(tokens []string) []int32 {
	ids := make([]int32, len(tokens))
	for i, t := range tokens {
		id, ok := v[t]
		if !ok {
			id = int32(len(v))
			v[t] = id
		}
		ids[i] = id
	}
	return ids
}

// find numbers tokens; those that the vocabulary lacks are unknown.
func (v vocabulary) find(tokens []string) []int32 {
	ids := make([]int32, len(tokens))
	for i, t := range tokens {
		id, ok := v[t]
		if !ok {
			id = unknown
		}
		ids[i] = id
	}
	return ids
}
