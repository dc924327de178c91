package main

import (
	"bytes"
	"encoding/json"
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
