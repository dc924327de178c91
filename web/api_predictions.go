package web

import (
	"github.com/labstack/echo/v4"

	"touchstone/internal/store"
)

// A fileScoreJSON is one arm's score, over a repository's tasks or over all.
type fileScoreJSON struct {
	Repository     string   `json:"repository"` // "" for all
	Level          string   `json:"prompt"`
	Condition      string   `json:"condition"`
	Gold           string   `json:"gold"` // all or source
	Tasks          int      `json:"tasks"`
	Answered       int      `json:"answered"`
	Precision      float64  `json:"precision"`
	Recall         float64  `json:"recall"`
	F1             float64  `json:"f1"`
	Low            *float64 `json:"low"`
	High           *float64 `json:"high"`
	MicroPrecision float64  `json:"micro_precision"`
	MicroRecall    float64  `json:"micro_recall"`
	MicroF1        float64  `json:"micro_f1"`
	ZeroPrecision  int      `json:"zero_precision"` // tasks, as the three below
	ZeroRecall     int      `json:"zero_recall"`
	FullRecall     int      `json:"full_recall"`
	Exact          int      `json:"exact"`
}

// fileScores are all of a submission's, with the names of its repositories.
func (s *Site) fileScores(c echo.Context, sub store.Submission, repositories map[uint64]string) ([]fileScoreJSON, error) {
	rows, err := s.Store.LocalizationScoresOf(c.Request().Context(), sub.ID)
	var all []fileScoreJSON
	for _, x := range inArms(rows) {
		all = append(all, fileScoreJSON{repositories[x.RepositoryID], x.Level, x.Condition, x.Gold, x.Tasks, x.Answered, x.Precision, x.Recall, x.F1, x.Low, x.High,
			x.MicroPrecision, x.MicroRecall, x.MicroF1, x.ZeroPrecision, x.ZeroRecall, x.FullRecall, x.Exact})
	}
	return all, err
}
