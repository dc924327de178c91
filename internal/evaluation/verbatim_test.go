package evaluation

import (
	"encoding/json"
	"testing"

	"touchstone/data"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

// The control verbatim pastes the code that it finds in a docstring. Where that
// passes, the docstring gives the body away, and the flag has to say so. On the
// starter release there is no exception.
func TestVerbatimPassesOnlyWhereTheLeakIsFlagged(t *testing.T) {
	s := newSite(t, true, control(evaluator.Verbatim))
	s.Measures = measures.Texts
	release, err := s.Release(t.Context(), s.release.ID)
	if err != nil {
		t.Fatal(err)
	}
	var leaking []string
	for _, task := range release.Tasks {
		q, _, err := s.Question(t.Context(), store.Submission{ReleaseID: s.release.ID, Docs: store.DocsOriginal}, task.Key)
		if err != nil {
			t.Fatal(err)
		}
		body := q.Target.File.OriginalBody(q.Target.Definition)
		line, err := json.Marshal(map[string]string{"task_id": task.Key, "docstring": "Do it.\n\n```python\n" + body + "\n```"})
		if err != nil {
			t.Fatal(err)
		}
		leaking = append(leaking, string(line))
	}
	const theBody = "docstrings that hold the whole body"
	cases := map[string]store.Submission{theBody: s.submit(t, "eve", "", leaking...)}
	for _, sample := range data.Samples() {
		cases[sample] = s.submit(t, "ada", sample)
	}
	original, _, err := s.Draft(t.Context(), Upload{Account: s.account(t, "ada"), Release: s.release, System: "original", Docs: store.DocsOriginal})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Confirm(t.Context(), original); err != nil {
		t.Fatal(err)
	}
	cases["the repository's own"] = original
	s.run(t)
	for name, sub := range cases {
		s.over(t, sub)
		flags := s.values(t, s.measured(t, store.Subject{SubmissionID: sub.ID}, measures.LeakFlagged)[measures.LeakFlagged])
		scores, err := s.db.TaskScores(t.Context(), s.evaluation(t, sub).ID)
		if err != nil {
			t.Fatal(err)
		}
		passed, flagged := 0, 0
		for i, score := range scores {
			if flags[i] == 1 {
				flagged++
			}
			if score.Passed > 0 {
				passed++
			}
			if score.Passed > 0 && flags[i] != 1 {
				t.Errorf("%s: verbatim passes %s, which is not flagged", name, release.Tasks[i].Key)
			}
		}
		want := 0
		if name == theBody {
			want = len(release.Tasks)
		}
		if passed != want || flagged != want {
			t.Errorf("%s: %d passed and %d are flagged, want %d", name, passed, flagged, want)
		}
	}
}
