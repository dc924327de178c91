package web

import "testing"

func TestASpreadsheetTakesNoCellForAFormula(t *testing.T) {
	for _, c := range []struct{ cell, want string }{
		{"", ""}, {"text", "text"}, {"0.5", "0.5"}, {"-0.031", "-0.031"}, {"+2", "+2"}, {"-1e-5", "-1e-5"}, {"-", "'-"},
		{"=cmd()|' /C calc'!A0", "'=cmd()|' /C calc'!A0"}, {"+1+1", "'+1+1"}, {"-2+3", "'-2+3"}, {"@SUM(A1)", "'@SUM(A1)"}, {"\t=1", "'\t=1"}, {"\r=1", "'\r=1"},
		{"-Inf", "'-Inf"}, {"-0x10", "'-0x10"}, {"a=b", "a=b"},
	} {
		if got := neutral(c.cell); got != c.want {
			t.Errorf("%q becomes %q, want %q", c.cell, got, c.want)
		}
	}
}
