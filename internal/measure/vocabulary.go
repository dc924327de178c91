package measure

// A vocabulary numbers tokens from 0 on, so that they are compared as numbers.
type vocabulary map[string]int32

// unknown is the number of a token that the vocabulary lacks.
const unknown int32 = -1

// newVocabulary makes room for so many tokens.
func newVocabulary(tokens int) vocabulary { return make(vocabulary, tokens) }

// add numbers a token, a new one too.
func (v vocabulary) add(token string) int32 {
	id, ok := v[token]
	if !ok {
		id = int32(len(v))
		v[token] = id
	}
	return id
}

// find numbers a token; one that the vocabulary lacks is unknown.
func (v vocabulary) find(token string) int32 {
	if id, ok := v[token]; ok {
		return id
	}
	return unknown
}

// numbered numbers all tokens.
func numbered(tokens []string, number func(string) int32) []int32 {
	ids := make([]int32, len(tokens))
	for i, t := range tokens {
		ids[i] = number(t)
	}
	return ids
}
