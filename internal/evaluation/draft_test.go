package evaluation

import (
	"errors"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"touchstone/internal/blob"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/llm"
	"touchstone/internal/store"
)

const foreignLine = `{"repo":"acme/other","path":"a.py","qualname":"f","docstring":"Adds."}` + "\n"

func TestAFileForSomethingElseIsNotQueued(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	sub, report, err := s.Draft(t.Context(), Upload{Account: s.account(t, "ada"), Release: s.release, System: "a", Docs: store.DocsFile,
		FileName: "docs.jsonl", File: strings.NewReader(foreignLine)})
	if err != nil || report.Unmatched.Count != 1 {
		t.Fatal(err)
	}
	if err := s.Confirm(t.Context(), sub); !errors.Is(err, ErrNothingDocumented) {
		t.Errorf("got %v", err)
	}
}

func TestADiscardedDraftLeavesNothing(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	sub, _, err := s.Draft(t.Context(), Upload{Account: s.account(t, "ada"), Release: s.release, System: "a", Docs: store.DocsFile,
		FileName: "docs.jsonl", File: strings.NewReader(foreignLine)})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Discard(t.Context(), sub); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Submission(t.Context(), sub.ID); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the draft is still there: %v", err)
	}
	for _, key := range []string{uploaded(sub.PublicID), accepted(sub.PublicID)} {
		if _, err := s.Blobs.Get(t.Context(), key); !errors.Is(err, blob.ErrNotFound) {
			t.Errorf("%s is still there: %v", key, err)
		}
	}
	kept := s.submit(t, "ada", "vague")
	if err := s.Discard(t.Context(), kept); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a queued submission: %v", err)
	}
}

func TestEverythingThatIsWrongWithAnUploadIsNamedAtOnce(t *testing.T) {
	var fields []string
	for _, p := range (Upload{Version: strings.Repeat("x", 201), Link: "ftp://x", Notes: "\xff"}).Problems() {
		fields = append(fields, p.Field)
	}
	if got := strings.Join(fields, " "); got != "system version link notes" {
		t.Errorf("got %s", got)
	}
}

func TestAQuestionHoldsTheSubmittedDocstring(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	release, err := s.Release(t.Context(), s.release.ID)
	if err != nil {
		t.Fatal(err)
	}
	key := release.Tasks[0].Key
	sub := s.submit(t, "ada", "", `{"task_id":"`+key+`","docstring":"A sentence that stands nowhere else."}`)
	q, row, err := s.Question(t.Context(), sub, key)
	if err != nil {
		t.Fatal(err)
	}
	if !q.Documented || row.Key != key || !strings.Contains(q.Prompt, "A sentence that stands nowhere else.") {
		t.Errorf("%v %s", q.Documented, q.Prompt)
	}
	if _, _, err := s.Question(t.Context(), sub, key+"#9"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a task of nothing: %v", err)
	}
}

func TestOnlyAModelTakesTokens(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	_, report, err := s.Draft(t.Context(), Upload{Account: s.account(t, "ada"), Release: s.release, System: "a", Docs: store.DocsFile,
		FileName: "docs.jsonl", File: strings.NewReader(foreignLine)})
	if err != nil {
		t.Fatal(err)
	}
	if _, asks := control(evaluator.Stub).Estimate(report); asks {
		t.Error("a control asks no model")
	}
	model, err := evaluator.NewOpenAI(llm.Config{Name: "m", Model: "m", BaseURL: "http://localhost/v1", Samples: 3, ContextTokens: 10,
		Price: llm.Price{Input: 1, Output: 2}}, llm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, asks := Model(model).Estimate(report)
	if !asks || e.Requests != 3*report.Prompts.Tasks || e.InputTokens == 0 || e.Cost == nil || e.Fits {
		t.Errorf("%v %+v", asks, e)
	}
}

func TestADraftThatNobodyConfirmsIsDroppedInTime(t *testing.T) {
	s := newSite(t, false, control(evaluator.Stub))
	draft := func() store.Submission {
		sub, _, err := s.Draft(t.Context(), Upload{Account: s.account(t, "ada"), Release: s.release, System: "a", Docs: store.DocsFile,
			FileName: "docs.jsonl", File: strings.NewReader(foreignLine)})
		if err != nil {
			t.Fatal(err)
		}
		return sub
	}
	old, young := draft(), draft()
	err := s.db.Write(t.Context(), func(tx *gorm.DB) error {
		return tx.Model(&store.Submission{}).Where("id = ?", old.ID).Update("created_at", time.Now().Add(-DraftLife-time.Minute)).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	s.run(t)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		_, err := s.db.Submission(t.Context(), old.ID)
		_, gone := s.Blobs.Get(t.Context(), uploaded(old.PublicID))
		if errors.Is(err, store.ErrNotFound) && errors.Is(gone, blob.ErrNotFound) {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the old draft is still there: %v, %v", err, gone)
		}
	}
	if _, err := s.db.Submission(t.Context(), young.ID); err != nil {
		t.Errorf("the young one: %v", err)
	}
}
