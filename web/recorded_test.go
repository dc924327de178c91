package web

import (
	"testing"

	"touchstone/internal/leaderboard"
	"touchstone/internal/store"
	"touchstone/views"
)

func TestScoresOfRecordedRepliesAreSaidToBeThat(t *testing.T) {
	r := newReference(t)
	r.judge(judgment{system: "A", evaluator: "judge", description: "A model of some kind.", value: 0.9})
	for _, address := range []string{"/", "/doc-to-code"} {
		r.page(address).hasNot("Evaluator judge")
	}
	r.judge(judgment{system: "B", evaluator: "replies", kind: store.KindRecorded, description: "No model: <b>written</b> by hand.", value: 0.5})
	for _, address := range []string{"/", "/doc-to-code"} {
		page := r.page(address)
		page.has("Evaluator replies: No model: <b>written</b> by hand.")
		page.hasNot("Evaluator judge")
	}
	r.page("/doc-to-code?evaluator=judge").hasNot("Evaluator replies")
}

func TestNotesTellWhichEvaluatorsOnlyPlayRepliesBack(t *testing.T) {
	got := recordedNotes([]leaderboard.Evaluator{
		{Name: "model", Description: "A model."},
		{Name: "recorded", Description: "No model.", Recorded: true},
		{Name: "silent", Recorded: true},
		{Name: "stub", Description: "No model.", Control: true},
	})
	if want := (views.Note{Where: "Evaluator recorded", Text: "No model."}); len(got) != 1 || got[0] != want {
		t.Errorf("%+v, want %+v alone", got, want)
	}
}
