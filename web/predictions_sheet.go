package web

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// scoredSubmission is a submission of the localization track that an address names.
func (s *Site) scoredSubmission(c echo.Context) (store.Submission, error) {
	sub, _, err := s.submission(c)
	if err == nil && sub.Track != benchmark.Localization {
		err = store.ErrNotFound
	}
	return sub, err
}

// armScoresSheet is every score of a submission: a line for each repository, and
// one for all together, with each kind of gold files in each arm.
func (s *Site) armScoresSheet(c echo.Context) (leaderboard.Sheet, error) {
	sub, err := s.scoredSubmission(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	ctx := c.Request().Context()
	release, err := s.Store.Release(ctx, sub.ReleaseID)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	names := map[uint64]string{}
	for _, r := range release.Repositories {
		names[r.ID] = r.Name
	}
	rows, err := s.Store.LocalizationScoresOf(ctx, sub.ID)
	return leaderboard.Sheet{
		Header: strings.Split(armScoresHeader, ","),
		Rows: func(yield func([]string) bool) {
			for _, x := range inArms(rows) {
				line := []string{sub.PublicID, release.Label(), names[x.RepositoryID], x.Level, x.Condition, x.Gold, strconv.Itoa(x.Tasks), strconv.Itoa(x.Answered),
					decimal(x.Precision), decimal(x.Recall), decimal(x.F1), optional(x.Low), optional(x.High), decimal(x.MicroPrecision), decimal(x.MicroRecall), decimal(x.MicroF1),
					strconv.Itoa(x.ZeroPrecision), strconv.Itoa(x.ZeroRecall), strconv.Itoa(x.FullRecall), strconv.Itoa(x.Exact)}
				if !yield(line) {
					return
				}
			}
		},
	}, err
}

const armScoresHeader = "submission,release,repository,prompt,condition,gold,tasks,answered,precision,recall,f1,low,high,micro_precision,micro_recall,micro_f1,zero_precision,zero_recall,full_recall,exact"

// predictionsSheet is every task of a submission's release in each of its arms,
// answered or not, with what the answer is worth.
func (s *Site) predictionsSheet(c echo.Context) (leaderboard.Sheet, error) {
	sub, err := s.scoredSubmission(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	gold := c.QueryParam("gold")
	switch localization.Gold(gold) {
	case "":
		gold = string(localization.AllGold)
	case localization.AllGold, localization.SourceGold:
	default:
		return leaderboard.Sheet{}, &benchmark.InputError{Field: "gold", Problem: strconv.Quote(gold) + " is none", Mend: "choose all or source"}
	}
	ctx := c.Request().Context()
	release, err := s.Store.Release(ctx, sub.ReleaseID)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	names := map[uint64]string{}
	for _, r := range release.Repositories {
		names[r.ID] = r.Name
	}
	tasks, err := s.Store.LocalizationTasks(ctx, sub.ReleaseID, 0)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	byID := make(map[uint64]store.LocalizationTask, len(tasks))
	for _, t := range tasks {
		byID[t.TaskID] = t
	}
	predictions, err := s.Store.Predictions(ctx, sub.ID)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	type key struct {
		task uint64
		store.Arm
	}
	files := make(map[key][]string, len(predictions))
	for _, p := range predictions {
		files[key{p.TaskID, p.Arm}] = p.Files
	}
	scores, err := s.Store.LocalizationTaskScoresOf(ctx, sub.ID, gold)
	return leaderboard.Sheet{
		Header: strings.Split(predictionsHeader, ","),
		Rows: func(yield func([]string) bool) {
			for _, x := range scores {
				t := byID[x.TaskID]
				named, err := json.Marshal(append([]string{}, files[key{x.TaskID, x.Arm}]...)) // no null
				if err != nil {
					panic(err) // strings always become JSON
				}
				line := []string{sub.PublicID, release.Label(), t.Task.Key, names[x.RepositoryID], strconv.Itoa(t.Number), x.Level, x.Condition, x.Gold, strconv.FormatBool(x.Answered),
					strconv.Itoa(x.TruePositives), strconv.Itoa(x.FalsePositives), strconv.Itoa(x.FalseNegatives), decimal(x.Precision), decimal(x.Recall), decimal(x.F1),
					string(named)}
				if !yield(line) {
					return
				}
			}
		},
	}, err
}

const predictionsHeader = "submission,release,instance_id,repository,number,prompt,condition,gold,answered,true_positives,false_positives,false_negatives,precision,recall,f1,files"

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

func optional(v *float64) string {
	if v == nil {
		return ""
	}
	return decimal(*v)
}
