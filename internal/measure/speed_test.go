package measure_test

import (
	"math/rand/v2"
	"testing"

	"touchstone/internal/measure"
)

// BenchmarkLexical scores a pair of texts of some 60 words by BLEU, ROUGE-1 and
// ROUGE-Lsum.
func BenchmarkLexical(b *testing.B) {
	rng := rand.New(rand.NewPCG(31, 32))
	type pair struct{ candidate, reference string }
	pairs := make([]pair, 500)
	for i := range pairs {
		pairs[i].reference = randomText(rng)
		pairs[i].candidate = randomEdit(rng, pairs[i].reference)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		p := pairs[i%len(pairs)]
		measure.BLEU(p.candidate, p.reference)
		measure.ROUGE1(p.candidate, p.reference)
		measure.ROUGELsum(p.candidate, p.reference)
	}
}
