package measure_test

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/measure"
)

// sacreVector is what sacrebleu says, hfVector what Hugging Face's metric says
// (an error where it divides by zero).
type sacreVector struct {
	Score          float64
	Counts, Totals [4]int
	SysLen         int `json:"sys_len"`
	RefLen         int `json:"ref_len"`
}

type hfVector struct {
	BLEU              float64
	Error             string
	TranslationLength int `json:"translation_length"`
	ReferenceLength   int `json:"reference_length"`
}

func checkSacre(t *testing.T, what string, c measure.BLEUCounts, effectiveOrder bool, want sacreVector) {
	t.Helper()
	near(t, what, 100*c.SacreBLEU(effectiveOrder), want.Score)
	if c.Matched != want.Counts || c.Total != want.Totals || c.Candidate != want.SysLen || c.Reference != want.RefLen {
		t.Errorf("%s: %+v, want %+v", what, c, want)
	}
}

func checkHF(t *testing.T, what string, c measure.BLEUCounts, smooth bool, want hfVector) {
	t.Helper()
	near(t, what, c.BLEU(smooth), want.BLEU)
	if want.Error == "" && (c.Candidate != want.TranslationLength || c.Reference != want.ReferenceLength) {
		t.Errorf("%s: lengths of %+v, want %+v", what, c, want)
	}
}

func TestBLEUOfSentencesIsThatOfBothPrograms(t *testing.T) {
	for _, v := range vectors[struct {
		ID           string
		Hyp          string
		Refs         []string
		Sacre        sacreVector `json:"sacrebleu_sentence_default"`
		SacreAll     sacreVector `json:"sacrebleu_sentence_no_effective_order"`
		HF           hfVector    `json:"hf_bleu"`
		HFSmooth     hfVector    `json:"hf_bleu_smooth"`
		Tokens       []string    `json:"hf_tok13a_hyp"`
		SacreTokens  []string    `json:"tok13a_hyp"`
		SacreRefToks [][]string  `json:"tok13a_refs"`
	}](t, "bleu_sentence.jsonl", 200) {
		if got := measure.Tokens13a(v.Hyp); !slices.Equal(got, v.Tokens) {
			t.Errorf("%s: tokens %q, want %q", v.ID, got, v.Tokens)
		}
		sacre := measure.CountSacreBLEU(v.Hyp, v.Refs...)
		checkSacre(t, v.ID+" sacrebleu", sacre, true, v.Sacre)
		checkSacre(t, v.ID+" sacrebleu, all orders", sacre, false, v.SacreAll)
		near(t, v.ID+" SacreBLEU", measure.SacreBLEU(v.Hyp, v.Refs...), v.Sacre.Score/100)
		hf := measure.CountBLEU(v.Hyp, v.Refs...)
		checkHF(t, v.ID+" bleu", hf, false, v.HF)
		checkHF(t, v.ID+" bleu smoothed", hf, true, v.HFSmooth)
		near(t, v.ID+" BLEU", measure.BLEU(v.Hyp, v.Refs...), v.HF.BLEU)
	}
}

func TestBLEUOfACorpusIsThatOfBothPrograms(t *testing.T) {
	for _, v := range vectors[struct {
		ID            string
		Hyps          []string
		RefsStreams   [][]string  `json:"refs_streams"`
		Sacre         sacreVector `json:"sacrebleu_corpus_default"`
		SacreShortest sacreVector `json:"sacrebleu_corpus_effective_order"`
		HF            hfVector    `json:"hf_bleu"`
		HFSmooth      hfVector    `json:"hf_bleu_smooth"`
	}](t, "bleu_corpus.jsonl", 6) {
		var sacre, hf measure.BLEUCounts
		for i, hyp := range v.Hyps {
			var refs []string
			for _, stream := range v.RefsStreams {
				refs = append(refs, stream[i])
			}
			sacre.Add(measure.CountSacreBLEU(hyp, refs...))
			hf.Add(measure.CountBLEU(hyp, refs...))
		}
		checkSacre(t, v.ID+" sacrebleu", sacre, false, v.Sacre)
		checkSacre(t, v.ID+" sacrebleu, effective order", sacre, true, v.SacreShortest)
		checkHF(t, v.ID+" bleu", hf, false, v.HF)
		checkHF(t, v.ID+" bleu smoothed", hf, true, v.HFSmooth)
	}
}

func TestTokens13a(t *testing.T) {
	for _, c := range []struct {
		why, text, want string
	}{
		{"punctuation stands alone", "f(x)[0]{y}", "f ( x ) [ 0 ] { y }"},
		{"an apostrophe does not", "the user's", "the user's"},
		{"numbers keep their points", "3.14, 1,000", "3.14 , 1,000"},
		{"a match takes two characters", "a..b", "a . . b"},
		{"a dash behind a digit", "1-2 a-b", "1 - 2 a-b"},
		{"a hyphen at a line's end joins", "docu-\nment", "document"},
		{"entities once, in their order", "&amp;lt; &lt;", "< <"},
		{"skipped marks go", "a<skipped>b", "ab"},
		{"Python's separators", "a\x1cb\x1dc\x1ed\x1fe\u00a0f\u2028g", "a b c d e f g"},
		{"a zero width space does not separate", "a\u200bb", "a\u200bb"},
		{"characters of several bytes", "é.ü,ö", "é . ü , ö"},
		{"nothing", " \n\t", ""},
	} {
		if got := strings.Join(measure.Tokens13a(c.text), " "); got != c.want {
			t.Errorf("%s: %q gives %q, want %q", c.why, c.text, got, c.want)
		}
	}
}

func TestBLEUBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		candidate, reference := randomText(rng), randomText(rng)
		for name, score := range map[string]float64{
			"bleu":      measure.BLEU(candidate, reference),
			"smoothed":  measure.CountBLEU(candidate, reference).BLEU(true),
			"sacrebleu": measure.SacreBLEU(candidate, reference),
		} {
			if !(score >= 0 && score <= 1) {
				t.Errorf("%s of %q and %q is %v", name, candidate, reference, score)
			}
		}
		if n := len(measure.Tokens13a(candidate)); n >= 4 && measure.BLEU(candidate, candidate) != 1 {
			t.Errorf("bleu of %q and itself is %v", candidate, measure.BLEU(candidate, candidate))
		}
		if n := len(measure.Tokens13a(candidate)); n > 0 && measure.SacreBLEU(candidate, candidate) != 1 {
			t.Errorf("sacrebleu of %q and itself is %v", candidate, measure.SacreBLEU(candidate, candidate))
		}
	}
}

// A further reference can only match more; which of two comes first is all the
// same.
func TestFurtherReferencesOfBLEU(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		c, a, b := randomText(rng), randomText(rng), randomText(rng)
		one, two, turned := measure.CountSacreBLEU(c, a), measure.CountSacreBLEU(c, a, b), measure.CountSacreBLEU(c, b, a)
		if two != turned {
			t.Errorf("%q against %q and %q: %+v in one order, %+v in the other", c, a, b, two, turned)
		}
		for i := range one.Matched {
			if one.Matched[i] > two.Matched[i] {
				t.Errorf("%q matches %q better than it and %q", c, a, b)
			}
		}
	}
}

func TestBLEUOfACorpusDoesNotDependOnItsOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	counts := make([]measure.BLEUCounts, 200)
	for i := range counts {
		counts[i] = measure.CountBLEU(randomText(rng), randomText(rng))
	}
	sum := func() (c measure.BLEUCounts) {
		for _, x := range counts {
			c.Add(x)
		}
		return c
	}
	want := sum()
	rng.Shuffle(len(counts), func(i, j int) { counts[i], counts[j] = counts[j], counts[i] })
	if got := sum(); got != want {
		t.Errorf("%+v in one order, %+v in another", want, got)
	}
	data, _ := json.Marshal(want)
	if want.Total[0] == 0 {
		t.Errorf("nothing was counted: %s", data)
	}
}

func FuzzTokens13a(f *testing.F) {
	for _, s := range []string{"", "a.b,c 1.2-3", "&amp;quot;", "docu-\nment", "..,,--", "é.\u3000"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, token := range measure.Tokens13a(s) {
			if token == "" || strings.ContainsAny(token, " \t\r\n\x1c\x1f\u00a0") {
				t.Errorf("%q has the token %q", s, token)
			}
		}
		if score := measure.SacreBLEU(s, s); score != 0 && score != 1 {
			t.Errorf("sacrebleu of %q and itself is %v", s, score)
		}
	})
}
