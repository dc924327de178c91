package web

import (
	"touchstone/internal/leaderboard"
	"touchstone/views"
)

// recordedNotes say what evaluators are that only play replies back: scores
// under them, and what goes together with the scores, show what somebody wrote
// into the replies.
func recordedNotes(evaluators []leaderboard.Evaluator) []views.Note {
	var notes []views.Note
	for _, e := range evaluators {
		if e.Recorded && e.Description != "" {
			notes = append(notes, views.Note{Where: "Evaluator " + e.Name, Text: e.Description})
		}
	}
	return notes
}

// recordedSaid are the notes as sentences behind others.
func recordedSaid(evaluators []leaderboard.Evaluator) string {
	text := ""
	for _, n := range recordedNotes(evaluators) {
		text += " " + n.Where + ": " + n.Text
	}
	return text
}
