package prompts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/localization"
)

// shop is a snapshot in which some words are ordinary, and a pull request on it.
func shop() (*Pull, *Snapshot) {
	s := NewSnapshot()
	for i := range OrdinaryFiles + 1 {
		s.Add([]byte(fmt.Sprintf("the server parser will retry add copy total basket price expired of for a new in and crash when money err nil name Value%d run_%d", i, i)))
	}
	s.Add([]byte("func OldTotal(b Basket) int\nfunc (s *Server) Retry() {}\nOpenLedger MAX_ITEMS"))
	p := &Pull{Title: "Round totals", Changes: []Change{
		{Kind: Modified, Old: "src/billing/cash_ledger.go", New: "src/billing/cash_ledger.go", Hunks: []string{"func (l *Ledger) OldTotal(b Basket) int {"},
			Kept:    []string{"	keptName := 1"},
			Removed: []string{"	return oldSum(b.items, total)"},
			Added: []string{
				"	roundedSum := money.RoundHalfEven(b.items, total) // half to even, see the new wording",
				`	if err != nil { return fmt.Errorf("cannot round the total: %w", err) }`,
				`	const limit = 1048576; name := "Zürich GmbH"; kind := "expired"; flag("--round-mode")`,
				"	keptName = retryAfterClose(roundedSum)",
			}},
		{Kind: Modified, Old: "src/server/parser.go", New: "src/server/parser.go", Hunks: []string{"func Retry() {"}},
		{Kind: Renamed, Old: "docs/übersicht.md", New: "docs/Uebersicht.md", Added: []string{"proseWord documented here for everybody"}},
		{Kind: Added, New: "src/billing/moneybag.ts", Added: []string{"export class Vatbox {}"}},
		{Kind: Modified, Old: "Makefile", New: "Makefile"},
		{Kind: Modified, Old: "src/a.go", New: "src/a.go"},
	}}
	return p, s
}

// TestEachRuleNamesWhatItForbidsAndNoMore: each rule has prompts that it must
// reject, in every disguise, and near misses that must pass every rule.
func TestEachRuleNamesWhatItForbidsAndNoMore(t *testing.T) {
	words := func(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }
	for _, c := range []struct {
		rule          string
		level         localization.Level // contextual when ""
		rejected, not []string
	}{
		{"words", localization.Minimal, []string{"", "one", " \n ", words(26)}, []string{words(2), words(25)}},
		{"words", localization.Concise, []string{words(51)}, []string{words(50)}},
		{"words", localization.Contextual, []string{words(151)}, []string{words(150)}},
		{"words", localization.Guided, []string{words(251)}, []string{words(250)}},
		{"fence", "", []string{"Do this:\n```go\nx\n```", "so ```x``` so", "Do\n~~~\nx\n~~~", "> ```\n> x"}, []string{"Set `x` to `y` there", "wait ~~ then"}},
		{"url", "", []string{"See https://example.org/x for it", "see HTTP://EXAMPLE.org", "see www.example.org now", "ftp://x/y it is", "on github.com/o/n it is"},
			[]string{"the https scheme fails", "a colon: // and more", "either/or works", "use example.org as a host"}},
		{"reference", "", []string{"Fix it (#12)", "as in o/n#12", "see GH-12 for it", "issue 12 says so", "PR: 123 does", "pull request #4", "＃12 is wide"},
			[]string{"use C# 12 for it", "issue a refund", "number 12 wins", "the first issue", "# 12 headings"}},
		{"hash", "", []string{"since 1a2b3c4d it fails", "since 1A2B3C4 it fails", "at da39a3ee5e6b4b0d3255bfef95601890afd80709"},
			[]string{"the defaced facade", "of 1234567 items", "in a1b2c3 only", "the effaced 2024"}},
		{"handle", "", []string{"thanks @ada for it", "(@ada-l said)", "ask ada@example.org why", "use @vue/shared here", "@scope it"},
			[]string{"ten @ five", "mail at noon", "a user@host login"}},
		{"date", "", []string{"since 2024-01-31 it fails", "since 31.1.2024 it is", "on 1/31/2024 at noon", "since January 31, 2024 it", "on 31 Jan 2024 it", "in March 2024 it", "until May 3rd it"},
			[]string{"version 1.2.3 fails", "in 2024 it began", "it may fail", "a march of 10 days", "10 to 12 days", "RFC 2024-1 says"}},
		{"path", "", []string{"in src/billing/cash_ledger.go it", "in SRC\\Billing\\Cash_Ledger.GO it", "in cash_ledger.go it", "see \"Cash_ledger.go\" first", "the Makefile fails", "the ｍakefile fails", "in src/billing it",
			"in docs/übersicht.md it", "in U\u0308bersicht.md it", "in a.go it", "in сash_ledger.go it", "in cash_\u200bledger.go it"},
			[]string{"in billing it", "in pa.go it", "in a.gone place", "in src it", "either src or billing"}},
		{"stem", "", []string{"the cash_ledger fails", "the CashLedger fails", "the cash-ledger fails", "the cash ledger fails", "the cashledger fails", "the CashLedgerIterator fails", "the makefiles fail", "CASH_LEDGERS fail", "the moneybag is", "two moneybags are", "the Moneybag's sum", "the money bag is", "the übersicht is", "a moneybаg"},
			[]string{"the ledger of cash", "the parser fails", "the parsers fail", "money in a bag", "cash. Ledger it"}},
		{"identifier", "", []string{"add roundedSum to it", "add rounded_sum to it", "add rounded-sums to it", "add ROUNDEDSUM to it", "the Vatbox type", "the vatbox type", "use RoundHalfEven now", "use round half even now", "call retryAfterClose then", "with ro\u00adundedSum it", "the vat box it"},
			[]string{"the rounded total", "keptName stays so", "will retry when it", "a sum is rounded", "prose for everybody", "money is round", "the roundedSums2 it", "a name is kept"}},
		{"function", "", []string{"OldTotal is wrong", "old_total() is wrong", "oldtotals are wrong", "the oldTotal is"}, []string{"the old price total", "will Retry when it", "the total is old"}},
		{"literal", "", []string{"it says \"cannot round the total: %w\" now", "it says Cannot round\nthe  total: %w now", "more than 1048576 items", "for Zürich GmbH it", "for ZU\u0308RICH GMBH it", "with --round-mode it"},
			[]string{"it cannot round the total", "members have expired", "more than 1048 items", "about 10485760 items", "for Zürich it"}},
		{"code", "", []string{"so that if err != nil { return it", "so (b.items, total) it", "if err\n!= nil it", "if  ERR != nil it", "so ＋ if err != nil it"},
			[]string{"if err is not nil", "see the new wording", "if err !="}},
	} {
		level := c.level
		if level == "" {
			level = localization.Contextual
		}
		p, s := shop()
		f := NewFacts(p, s)
		for _, prompt := range c.rejected {
			got := f.Check(level, prompt)
			if !slices.ContainsFunc(got, func(r Rejection) bool { return r.Rule == c.rule && r.Level == level }) {
				t.Errorf("%s must reject %q; rejected by %v", c.rule, prompt, got)
			}
		}
		for _, prompt := range c.not {
			if got := f.Check(level, prompt); len(got) > 0 {
				t.Errorf("%s: %q must pass; rejected by %v", c.rule, prompt, got)
			}
		}
	}
}
