package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/store"
)

// admin runs an admin command over a data folder.
func admin(t *testing.T, dir string, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, messages bytes.Buffer
	if got := run(append(append([]string{"admin"}, args...), "--data", dir), &out, &messages); got != status {
		t.Fatalf("%v: status %d, want %d\n%s", args, got, status, messages.String())
	}
	return out.String(), messages.String()
}

func database(t *testing.T, dir string) *store.Store {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(dir, "touchstone.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestATokenIsShownOnce(t *testing.T) {
	dir := t.TempDir()
	accounts := account.New(database(t, dir)) // a site that is served meanwhile
	text, said := admin(t, dir, exitDone, "token", "create", "Ada Lovelace")
	text = strings.TrimSuffix(text, "\n")
	if !strings.HasPrefix(text, "ts_") || strings.ContainsAny(text, " \n") || strings.Contains(said, text) {
		t.Errorf("%q, %q", text, said)
	}
	who, err := accounts.ByToken(t.Context(), text)
	if err != nil || who.Name != "Ada Lovelace" || who.Role != account.Submitter {
		t.Errorf("%+v, %v", who, err)
	}
	listed, _ := admin(t, dir, exitDone, "token", "list")
	if strings.Contains(listed, text) {
		t.Error("the list shows the token")
	}
	var row struct {
		ID      uint64
		Account string
		Revoked *string
	}
	if err := json.Unmarshal([]byte(listed), &row); err != nil || row.Account != "Ada Lovelace" || row.Revoked != nil {
		t.Errorf("%v %s", err, listed)
	}
	admin(t, dir, exitDone, "token", "revoke", "1")
	if _, err := accounts.ByToken(t.Context(), text); err == nil {
		t.Error("the token still works")
	}
	if _, said := admin(t, dir, exitFailed, "token", "revoke", "1"); !strings.Contains(said, "touchstone admin token list") {
		t.Error(said)
	}
	operator, _ := admin(t, dir, exitDone, "token", "create", "Op", "--operator")
	if who, err := accounts.ByToken(t.Context(), operator); err != nil || who.Role != account.Operator {
		t.Errorf("%+v, %v", who, err)
	}
	if _, said := admin(t, dir, exitFailed, "token", "create", "Ada Lovelace", "--operator"); !strings.Contains(said, "is a submitter already") {
		t.Error(said)
	}
	admin(t, dir, exitFailed, "token", "create", " ")
}

func TestAnOperatorChoosesTheEvaluators(t *testing.T) {
	dir := t.TempDir()
	db := database(t, dir)
	if _, said := admin(t, dir, exitFailed, "evaluator", "enable", "stub"); !strings.Contains(said, "touchstone serve") {
		t.Error(said)
	}
	for i, name := range []string{"reference", "stub"} {
		if err := db.SyncEvaluator(t.Context(), &store.Evaluator{Track: benchmark.DocToCode, Name: name, Kind: store.KindControl, Samples: 1, Position: i}); err != nil {
			t.Fatal(err)
		}
	}
	admin(t, dir, exitDone, "evaluator", "enable", "stub")
	listed, _ := admin(t, dir, exitDone, "evaluator", "list")
	if want := `{"name":"reference","kind":"control","samples":1,"enabled":false,"description":""}` + "\n" + `{"name":"stub","kind":"control","samples":1,"enabled":true,"description":""}` + "\n"; listed != want {
		t.Errorf("got %s", listed)
	}
	admin(t, dir, exitDone, "evaluator", "disable", "stub")
	if listed, _ = admin(t, dir, exitDone, "evaluator", "list"); strings.Contains(listed, "true") {
		t.Errorf("got %s", listed)
	}
	if _, said := admin(t, dir, exitFailed, "evaluator", "enable", "gpt"); !strings.Contains(said, `no evaluator "gpt"; the site knows reference, stub`) {
		t.Error(said)
	}
}

func TestAReleaseIsImportedOnce(t *testing.T) {
	dir := t.TempDir()
	if out, _ := admin(t, dir, exitDone, "release", "list"); out != "" {
		t.Errorf("got %s", out)
	}
	for range 2 {
		out, said := admin(t, dir, exitDone, "release", "import", "../../data/starter/release")
		if !strings.Contains(out, `"release":"starter@1"`) || !strings.Contains(said, "83 tasks of 3 repositories") {
			t.Errorf("%s %s", out, said)
		}
	}
	admin(t, dir, exitDone, "release", "import", "starter") // the same, from the program itself
	out, _ := admin(t, dir, exitDone, "release", "list")
	var row releaseRow
	if err := json.Unmarshal([]byte(out), &row); err != nil || row.Tasks != 83 || row.Repositories != 3 || row.Context != "prefix-v1" {
		t.Errorf("%v %s", err, out)
	}
	if _, said := admin(t, dir, exitFailed, "release", "import", t.TempDir()); !strings.Contains(said, "holds no release") {
		t.Error(said)
	}
}

func TestASubmissionIsHiddenAndShownAgain(t *testing.T) {
	dir := t.TempDir()
	db := database(t, dir)
	ctx := t.Context()
	release := store.Release{Track: benchmark.DocToCode, Name: "r", Version: "1", Dir: "d", SHA256: "x"}
	who := store.Account{Name: "Ada", Role: account.Submitter}
	for _, err := range []error{db.AddRelease(ctx, &release, nil, nil), db.AddAccount(ctx, &who)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	system, err := db.SystemNamed(ctx, store.System{Slug: "a", Name: "A"})
	if err != nil {
		t.Fatal(err)
	}
	sub := store.Submission{PublicID: "abc", Track: benchmark.DocToCode, ReleaseID: release.ID, SystemID: system.ID, AccountID: who.ID, State: store.Finished}
	if err := db.AddSubmission(ctx, &sub); err != nil {
		t.Fatal(err)
	}
	listed := func() int {
		all, _, err := db.Submissions(ctx, store.SubmissionFilter{})
		if err != nil {
			t.Fatal(err)
		}
		return len(all)
	}
	admin(t, dir, exitDone, "hide", "abc")
	if listed() != 0 {
		t.Error("it is still listed")
	}
	admin(t, dir, exitDone, "show", "abc")
	if listed() != 1 {
		t.Error("it is still hidden")
	}
	if _, said := admin(t, dir, exitFailed, "hide", "nothing"); !strings.Contains(said, `"nothing"`) {
		t.Error(said)
	}
}

func TestValuesThatWereComputedElsewhereAreImported(t *testing.T) {
	dir := t.TempDir()
	admin(t, dir, exitDone, "release", "import", "starter")
	db := database(t, dir)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	releases, err := db.Releases(t.Context(), benchmark.DocToCode)
	must(err)
	tasks, err := db.Tasks(t.Context(), releases[0].ID)
	must(err)
	owner := store.Account{Name: "Ada", Role: account.Submitter}
	must(db.AddAccount(t.Context(), &owner))
	system, err := db.SystemNamed(t.Context(), store.System{Slug: "agent", Name: "Agent"})
	must(err)
	judge := store.Evaluator{Track: benchmark.DocToCode, Name: "judge", Kind: store.KindRecorded, Samples: 1, Enabled: true}
	must(db.SyncEvaluator(t.Context(), &judge))
	sub := store.Submission{PublicID: "abc", Track: benchmark.DocToCode, ReleaseID: releases[0].ID, SystemID: system.ID, AccountID: owner.ID, Docs: store.DocsNone, State: store.Draft}
	must(db.AddSubmission(t.Context(), &sub))
	must(db.Confirm(t.Context(), sub.ID, nil, []store.Evaluation{{SubmissionID: sub.ID, EvaluatorID: judge.ID, State: store.Queued, Samples: 1, Total: 83}}, [][]store.Unit{nil}))

	file := filepath.Join(dir, "values.jsonl")
	must(os.WriteFile(file, fmt.Appendf(nil, "{\"task_id\":%q,\"value\":0.25}\n{\"task_id\":%q,\"value\":null}\n", tasks[0].Key, tasks[2].Key), 0o600))
	flags := func(measure string, more ...string) []string {
		return append([]string{"--submission", "abc", "--measure", measure}, more...)
	}
	imports := func(status int, args []string) (stdout, stderr string) {
		t.Helper()
		return admin(t, dir, status, append([]string{"measure", "import", file, "--provenance", "bert_score 0.3.13, by <b>Ada</b>"}, args...)...)
	}
	out, said := imports(exitDone, flags("bertscore_f_doc_doc"))
	if out != `{"defined":1,"measure":"imported_bertscore_f_doc_doc","missing":81,"submission":"abc","tasks":83,"undefined":1}`+"\n" || !strings.Contains(said, "no value for 81 tasks of 83") {
		t.Errorf("%s%s", out, said)
	}
	imports(exitDone, flags("imported_bertscore_f_doc_doc")) // the column's own name, in place of the first
	imports(exitDone, flags("codebertscore_f3_code_code", "--evaluator", "judge"))
	heads, err := db.MeasurementHeads(t.Context(), sub.ID)
	must(err)
	if len(heads) != 2 || heads[0].Measure != "imported_bertscore_f_doc_doc" || heads[0].Provenance != "bert_score 0.3.13, by <b>Ada</b>" || heads[1].EvaluationID == 0 {
		t.Errorf("%+v", heads)
	}
	for _, c := range []struct {
		status int
		args   []string
		words  string
	}{
		{exitFailed, flags("bleurt"), "“bleurt” is no measure; choose one of bleu_doc_doc"},
		{exitFailed, []string{"--submission", "xyz", "--measure", "words"}, `there is no submission "xyz"`},
		{exitFailed, flags("helpfulness"), "values.jsonl:1: value: is 0.25; Helpfulness is from 1 to 5"},
		{exitFailed, flags("words", "--provenance", " "), "provenance: is empty"},
		{exitUsage, flags("words", "--evaluator", "judge"), "leave it out"},
		{exitUsage, flags("bleu_code_code"), "--evaluator is missing"},
		{exitFailed, flags("bleu_code_code", "--evaluator", "gpt"), `abc has no evaluation by "gpt"`},
	} {
		if _, said := imports(c.status, c.args); !strings.Contains(said, c.words) {
			t.Errorf("%v: %s", c.args, said)
		}
	}
	admin(t, dir, exitDone, append([]string{"measure", "remove"}, flags("bertscore_f_doc_doc")...)...)
	if _, said := admin(t, dir, exitFailed, append([]string{"measure", "remove"}, flags("bertscore_f_doc_doc")...)...); !strings.Contains(said, "nothing was imported") {
		t.Error(said)
	}
}
