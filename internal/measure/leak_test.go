package measure_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"touchstone/internal/measure"
)

func TestLeaksAreFoundAsInThePrototype(t *testing.T) {
	for _, v := range vectors[struct {
		ID, Body, Doc string
		Tokens        int `json:"n_body"`
		Run           int `json:"lcs_run"`
		Matched       int
		Coverage      float64
		Flag, Severe  bool
	}](t, "leak.jsonl", 12) {
		got := measure.FindLeak(v.Body, v.Doc)
		near(t, v.ID+" coverage", got.Coverage, v.Coverage)
		got.Coverage = v.Coverage
		if want := (measure.Leak{Tokens: v.Tokens, Matched: v.Matched, Coverage: v.Coverage, Run: v.Run, Flagged: v.Flag, Severe: v.Severe}); got != want {
			t.Errorf("%s: %+v, want %+v", v.ID, got, want)
		}
	}
}

func TestLeaks(t *testing.T) {
	const body = "total = sum(w * v for w, v in zip(ws, vs))\nreturn total / max(sum(ws), 1e-9)"
	for _, c := range []struct {
		why, body, docstring string
		flagged, severe      bool
	}{
		{"a body of three tokens says nothing", "x = y", "It sets x = y.", false, false},
		{"four tokens in one piece", "return self.x", "Does return self.x at once.", true, true},
		{"comments of the body do not hide it", "return self.x  # the value", "return self.x", true, true},
		{"other layout does not hide it", body, "  " + strings.ReplaceAll(body, "\n", ";  "), true, true},
		{"prose with the same names is none", body, "The weighted mean of vs by ws, as zip(ws, vs) pairs them; total / weight.", false, false},
		{"a piece of eleven tokens is too short", "a = b(c, d)\nreturn e.f(g)", "So a = b(c, d) is computed.", false, false},
		{"an empty body", "# nothing\n", "nothing", false, false},
		{"an empty docstring", body, "", false, false},
	} {
		if got := measure.FindLeak(c.body, c.docstring); got.Flagged != c.flagged || got.Severe != c.severe {
			t.Errorf("%s: %+v", c.why, got)
		}
	}
}

func checkLeak(t *testing.T, body, docstring string) {
	t.Helper()
	l := measure.FindLeak(body, docstring)
	switch {
	case !(l.Coverage >= 0 && l.Coverage <= 1), l.Matched < 0 || l.Matched > l.Tokens, l.Run < 0 || l.Run > l.Tokens,
		l.Severe && !l.Flagged, l.Tokens == 0 && l != (measure.Leak{}), l.Matched > 0 && l.Run < 6:
		t.Errorf("%q in %q: %+v", body, docstring, l)
	}
}

func TestLeakBounds(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for range 2000 {
		body := randomText(rng)
		checkLeak(t, body, randomText(rng))
		checkLeak(t, body, randomEdit(rng, body))
	}
}

// Ten thousand tokens a side, also where every piece is like every other.
func TestLeaksOfTenThousandTokens(t *testing.T) {
	long := strings.Repeat("a = b + c\n", 2_000)
	if l := measure.FindLeak(long, long); l.Tokens != 10_000 || l.Run != 10_000 || l.Coverage != 1 || !l.Severe {
		t.Errorf("%+v", l)
	}
	if l := measure.FindLeak(long, strings.Repeat("a ", 10_000)); l.Run != 1 || l.Flagged {
		t.Errorf("%+v", l)
	}
}

func FuzzFindLeak(f *testing.F) {
	f.Add("return f(x)[0]", "`return f(x)[0]`")
	f.Add("s = \"#\" # c", ">>> s = \"#\"")
	f.Add("'''", "\"\"\"\\")
	f.Fuzz(checkLeak)
}
