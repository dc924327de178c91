package web

import (
	"strconv"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/store"
)

// controlSystems name the submissions that are nobody's output.
var controlSystems = map[string]string{store.DocsOriginal: "Original docstrings", store.DocsNone: "No docstrings"}

// asControl turns an upload without a file into a control, when its fields ask
// for one: original, or none, which lifts are measured from. Both cost what any
// submission costs, so that only operators may.
func asControl(u *evaluation.Upload, in *received, who store.Account) error {
	docs := in.fields.Get("docs")
	if docs == "" {
		return nil
	}
	bad := func(problem, mend string) error {
		return &benchmark.InputError{Field: "docs", Problem: problem, Mend: mend}
	}
	name, ok := controlSystems[docs]
	switch {
	case !ok:
		return bad(strconv.Quote(docs)+" is no control", "write original or none, or leave docs out and send a file")
	case who.Role != account.Operator:
		return bad("controls are submitted by operators of the site", "ask one of them")
	case in.file != nil:
		return bad("a control has no file", "leave out the file, or docs")
	}
	u.Docs, u.FileName = docs, ""
	if u.System == "" {
		u.System = name
	}
	return nil
}
