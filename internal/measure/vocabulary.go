package measure

import (
	"hash/maphash"
	"math/bits"
)

// A vocabulary numbers tokens from 0 on, so that they are compared as numbers.
// It is a hash table with open addressing that is emptied and filled for every
// pair of texts.
type vocabulary struct {
	slots  []int32  // by hash: a token's number plus one; 0 is free
	hashes []uint64 // by number
	ends   []int    // by number: where the token ends in text
	text   []byte
}

// unknown is the number of a token that the vocabulary lacks.
const unknown int32 = -1

var vocabularySeed = maphash.MakeSeed()

// reset empties it and makes room for so many tokens.
func (v *vocabulary) reset(tokens int) {
	v.slots = sized(v.slots, 1<<bits.Len(uint(max(2*tokens, 16)-1)))
	clear(v.slots)
	v.hashes, v.ends, v.text = v.hashes[:0], v.ends[:0], v.text[:0]
}

func (v *vocabulary) size() int { return len(v.hashes) }

func (v *vocabulary) token(id int32) []byte {
	start := 0
	if id > 0 {
		start = v.ends[id-1]
	}
	return v.text[start:v.ends[id]]
}

// slot is where a token is, or would be.
func (v *vocabulary) slot(token []byte, hash uint64) uint64 {
	mask := uint64(len(v.slots) - 1)
	at := hash & mask
	for id := v.slots[at]; id != 0; id = v.slots[at] {
		if v.hashes[id-1] == hash && string(v.token(id-1)) == string(token) {
			break
		}
		at = (at + 1) & mask
	}
	return at
}

// add numbers a token, a new one too.
func (v *vocabulary) add(token []byte) int32 {
	hash := maphash.Bytes(vocabularySeed, token)
	at := v.slot(token, hash)
	if id := v.slots[at]; id != 0 {
		return id - 1
	}
	if 2*(len(v.hashes)+1) > len(v.slots) {
		v.grow()
		at = v.slot(token, hash)
	}
	v.hashes = append(v.hashes, hash)
	v.text = append(v.text, token...)
	v.ends = append(v.ends, len(v.text))
	v.slots[at] = int32(len(v.hashes))
	return v.slots[at] - 1
}

// find numbers a token; one that the vocabulary lacks is unknown.
func (v *vocabulary) find(token []byte) int32 {
	return v.slots[v.slot(token, maphash.Bytes(vocabularySeed, token))] - 1
}

func (v *vocabulary) grow() {
	slots := make([]int32, 2*len(v.slots))
	mask := uint64(len(slots) - 1)
	for id, hash := range v.hashes {
		at := hash & mask
		for slots[at] != 0 {
			at = (at + 1) & mask
		}
		slots[at] = int32(id + 1)
	}
	v.slots = slots
}
