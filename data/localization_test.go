package data_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/klauspost/compress/zstd"

	"touchstone/data"
	"touchstone/internal/cache"
	"touchstone/internal/localization"
)

// shippedScore is a line of scores.json, as far as it is looked at.
type shippedScore struct {
	Level     localization.Level     `json:"prompt"`
	Condition localization.Condition `json:"condition"`
	Tasks     int                    `json:"tasks"`
	Answered  int                    `json:"answered"`
	Precision float64                `json:"precision"`
	Recall    float64                `json:"recall"`
	F1        float64                `json:"f1"`
}

func TestTheShippedScoresAreThoseOfTheShippedPredictions(t *testing.T) {
	files, err := cache.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	dir, err := data.Histories(files)
	if err != nil {
		t.Fatal(err)
	}
	release, err := localization.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(release.Repositories) < 2 || len(release.Tasks) < 180 {
		t.Errorf("%d tasks of %d repositories", len(release.Tasks), len(release.Repositories))
	}
	for _, task := range release.Tasks {
		if len(task.Prompts) > 0 {
			t.Fatalf("%s ships with the text of a pull request", task.ID)
		}
	}
	file, err := data.HistoryPredictions()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	plain, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	all := localization.NewPredictions(release.Tasks)
	report, err := all.Read(plain, "predictions.jsonl", localization.Arm{})
	if err != nil {
		t.Fatal(err)
	}
	arms := len(localization.Levels) * len(localization.Conditions)
	if report.Rejected.Count+report.Unmatched.Count+report.Superseded.Count+report.Level+report.Condition > 0 || report.Rows != arms*len(release.Tasks) {
		t.Errorf("%+v", report)
	}
	score, err := localization.ScoreOf(release.Tasks, all.All(), localization.AllGold)
	if err != nil {
		t.Fatal(err)
	}
	text, err := data.HistoryScores()
	if err != nil {
		t.Fatal(err)
	}
	var shipped struct {
		Release string         `json:"release"`
		Arms    []shippedScore `json:"arms"`
	}
	if err := json.Unmarshal(text, &shipped); err != nil {
		t.Fatal(err)
	}
	if shipped.Release != release.Release.ID() || len(shipped.Arms) != arms || len(score.Arms) != arms {
		t.Fatalf("scores of %s in %d arms, and %d arms are scored", shipped.Release, len(shipped.Arms), len(score.Arms))
	}
	for i, a := range score.Arms {
		want := shipped.Arms[i]
		if want.Level != a.Level || want.Condition != a.Condition || want.Tasks != a.Summary.Tasks || want.Answered != a.Answered ||
			math.Abs(want.Precision-a.Mean.Precision)+math.Abs(want.Recall-a.Mean.Recall)+math.Abs(want.F1-a.Mean.F) > 1e-9 {
			t.Errorf("%+v are shipped, and %s %s scores %+v", want, a.Level, a.Condition, a.Mean)
		}
	}
}
