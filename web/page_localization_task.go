package web

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/internal/measure"
	"touchstone/internal/store"
	"touchstone/views"
)

// answersPerPage is how many predictions a task's page shows, filesShown how
// many files of each.
const (
	answersPerPage = 40
	filesShown     = 12
)

// A historyTask is one task of the track with the set that it is of.
type historyTask struct {
	localizationAsk
	set  *leaderboard.LocalizationSet
	task store.LocalizationTask
	repo leaderboard.LocalizationRepository
}

// historyTask finds the task of an address: in the release that is asked for,
// else in the newest that has it.
func (s *Site) historyTask(c echo.Context) (historyTask, error) {
	a, err := s.localizationAsk(c, "")
	t := historyTask{localizationAsk: a}
	if err != nil {
		return t, err
	}
	key := c.Param("instance")
	for _, set := range a.board.Localization {
		if set.Provenance == leaderboard.Published || a.Release != "" && a.Release != set.Key {
			continue
		}
		task, err := s.Store.LocalizationTask(c.Request().Context(), set.Release.ID, key)
		if errors.Is(err, store.ErrNotFound) {
			continue
		}
		if err != nil {
			return t, err
		}
		t.set, t.task = set, task
		for _, r := range set.Repositories {
			if r.RepositoryID == task.RepositoryID {
				t.repo = r
			}
		}
		return t, nil
	}
	return t, echo.NewHTTPError(http.StatusNotFound, fmt.Sprintf("No release of the localization track has the task “%s”.", views.Visible(cutText(key, 100))))
}

// cutText is the beginning of a text.
func cutText(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// A givenAnswer is what a system predicted for the task in one arm.
type givenAnswer struct {
	*leaderboard.Arm
	files    []string
	answered bool
	scores   map[localization.Gold]store.LocalizationTaskScore
}

// answers are those of every system that is shown, by system and arm.
func (s *Site) answers(c echo.Context, t historyTask) ([]givenAnswer, error) {
	ctx := c.Request().Context()
	predictions, err := s.Store.TaskPredictions(ctx, t.task.TaskID)
	if err != nil {
		return nil, err
	}
	scores, err := s.Store.TaskLocalizationScores(ctx, t.task.TaskID)
	if err != nil {
		return nil, err
	}
	public, err := s.publicIDs(c, t.set)
	if err != nil {
		return nil, err
	}
	var found []givenAnswer
	for _, e := range t.set.Entrants {
		for _, arm := range e.Arms {
			if t.Level != "" && arm.Level != t.Level || t.Condition != "" && arm.Condition != t.Condition {
				continue
			}
			own := store.Arm{Level: string(arm.Level), Condition: string(arm.Condition)}
			x := givenAnswer{Arm: arm, scores: map[localization.Gold]store.LocalizationTaskScore{}}
			for _, p := range predictions {
				if public[p.SubmissionID] == arm.Submission && p.Arm == own {
					x.files, x.answered = p.Files, true
				}
			}
			for _, score := range scores {
				if public[score.SubmissionID] == arm.Submission && score.Arm == own {
					x.scores[localization.Gold(score.Gold)] = score
				}
			}
			found = append(found, x)
		}
	}
	return found, nil
}

// publicIDs are the ids in addresses of the set's submissions.
func (s *Site) publicIDs(c echo.Context, set *leaderboard.LocalizationSet) (map[uint64]string, error) {
	pairs, err := s.Store.LocalizationPairs(c.Request().Context())
	found := map[uint64]string{}
	for _, p := range pairs {
		if p.Release.ID == set.Release.ID {
			for _, sub := range p.Submissions {
				found[sub.ID] = sub.PublicID
			}
		}
	}
	return found, err
}

// historyTaskFile answers with the CSV of a task whose id is followed by .csv,
// and otherwise with its page.
func (s *Site) historyTaskFile(page echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		plain, isFile := strings.CutSuffix(c.Param("instance"), ".csv")
		if !isFile {
			return page(c)
		}
		c.SetParamValues(plain)
		sheet, err := s.historyTaskSheet(c)
		if err != nil {
			return err
		}
		return sendCSV(c, sheet)
	}
}

func (s *Site) historyTaskJSON(c echo.Context) error {
	sheet, err := s.historyTaskSheet(c)
	if err != nil {
		return err
	}
	return sendJSON(c, sheet)
}

var historyTaskHeader = []string{"release", "task_id", "system", "model", "version", "level", "condition", "answered", "found_files", "true_positives", "false_positives", "false_negatives", "precision", "recall", "f1", "source_f1", "submission"}

// historyTaskSheet is every answer as a file: a line for each arm; files are
// separated by line feeds.
func (s *Site) historyTaskSheet(c echo.Context) (leaderboard.Sheet, error) {
	t, err := s.historyTask(c)
	if err != nil {
		return leaderboard.Sheet{}, err
	}
	answers, err := s.answers(c, t)
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', 6, 64) }
	var lines [][]string
	for _, x := range answers {
		all := x.scores[localization.AllGold]
		source := ""
		if score, ok := x.scores[localization.SourceGold]; ok {
			source = number(score.F1)
		}
		lines = append(lines, []string{t.set.Key, t.task.Task.Key, x.System, x.Model, x.Version, string(x.Level), string(x.Condition), strconv.FormatBool(x.answered), strings.Join(x.files, "\n"),
			strconv.Itoa(all.TruePositives), strconv.Itoa(all.FalsePositives), strconv.Itoa(all.FalseNegatives), number(all.Precision), number(all.Recall), number(all.F1), source, x.Submission})
	}
	return leaderboard.Sheet{Header: historyTaskHeader, Rows: slices.Values(lines)}, err
}

// historyTaskPage is one task with its prompts, its gold files and what was
// answered.
func (s *Site) historyTaskPage(c echo.Context) (templ.Component, error) {
	t, err := s.historyTask(c)
	if err != nil {
		return nil, err
	}
	answers, err := s.answers(c, t)
	if err != nil {
		return nil, err
	}
	key := t.task.Task.Key
	page := views.HistoryTaskPage{Page: s.page(c, key), Links: localizationLinks(""), Facts: t.facts(), Added: t.task.Added}
	page.Page.Description = fmt.Sprintf("Pull request %d of %s as a task: its prompts, the files to find, and what every system answered.", t.task.Number, t.repo.Name)
	page.Heading = views.Heading{Trail: []views.Link{{Text: "Localization", Address: localizationPath}, {Text: t.repo.Name, Address: historyAddress(t.set, t.repo.Name)}}, Title: key, Mono: true,
		Lead: fmt.Sprintf("Pull request %d of %s, a task of %s.", t.task.Number, t.repo.Name, t.set.Label)}
	for _, level := range localization.Levels {
		if text := t.task.Prompts[string(level)]; text != "" {
			page.Prompts = append(page.Prompts, views.LevelPrompt{Level: capital(string(level)), Text: text, Words: len(strings.Fields(text))})
		}
	}
	page.Rebuild = views.Empty{Title: "This release ships facts alone: no text of pull requests.", Reason: "Whoever has a clone rebuilds the prompts, word for word:", Command: t.rebuild()}
	page.Gold = t.gold(answers)
	page.Answers, page.Pages = t.answersTable(answers, c)
	return views.HistoryTask(page), nil
}

// rebuild is the command that writes the prompts anew.
func (t historyTask) rebuild() string {
	return fmt.Sprintf("touchstone localization build --repo CLONE --name %s --t0 %s --t1 %s --out DIR", t.repo.Name, t.repo.T0.UTC().Format("2006-01-02T15:04:05Z"), t.repo.T1.UTC().Format("2006-01-02T15:04:05Z"))
}

// facts are where the task comes from.
func (t historyTask) facts() []views.Fact {
	pull := views.Fact{Name: "Pull request", Value: "#" + strconv.Itoa(t.task.Number), Address: forgePull(t.repo.Source, t.task.Number)}
	commit := func(name, hash string) views.Fact {
		return views.Fact{Name: name, Value: hash, Mono: true, Address: forgeCommit(t.repo.Source, hash)}
	}
	return []views.Fact{pull, {Name: "Merged", Value: views.Moment(t.task.MergedAt)}, commit("By commit", t.task.Commit), commit("Upon", t.task.Base),
		{Name: "T0", Value: views.Moment(t.repo.T0)}, commit("Snapshot", t.repo.Snapshot), {Name: "Release", Value: t.set.Label, Address: "/releases#" + elementID(t.set.Key)}}
}

// gold are the files to find, and how many of the answers found each.
func (t historyTask) gold(answers []givenAnswer) views.Table {
	table := views.Table{ID: "gold-table", Caption: fmt.Sprintf("%s of the snapshot that the pull request modifies or deletes.", views.Counted(len(t.task.Gold), "file", "files")),
		Columns: []views.Column{{Label: "File"}, {Label: "Kind", Definition: "/methodology#localization-gold"}, {Label: "Found by", Note: "answers", Align: views.Decimals}},
		Empty:   views.Empty{Title: "It has no file to find."}}
	group := views.Group{}
	for _, g := range t.task.Gold {
		found := 0
		for _, x := range answers {
			if slices.Contains(measure.Paths(x.files), g.Path) {
				found++
			}
		}
		by := views.UnknownCell("nobody has answered yet")
		if len(answers) > 0 {
			by = views.TextCell(fmt.Sprintf("%s of %s", views.Count(found), views.Count(len(answers))))
		}
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.Passage(g.Path, true)), views.TextCell(g.Label), by}})
	}
	table.Groups = []views.Group{group}
	return table
}

// answersTable is what every system predicted, its hits marked.
func (t historyTask) answersTable(answers []givenAnswer, c echo.Context) (views.Table, views.Pagination) {
	at := address(c)
	slices.SortStableFunc(answers, func(a, b givenAnswer) int {
		return cmp.Or(cmp.Compare(b.scores[localization.AllGold].F1, a.scores[localization.AllGold].F1), strings.Compare(a.Name(), b.Name()))
	})
	pages := views.Pagination{Page: views.ReadPage(at.Query(), answersPerPage, len(answers)), PerPage: answersPerPage, Total: len(answers), Unit: "answers", Address: at}
	first := (pages.Page - 1) * answersPerPage
	table := views.Table{ID: "answers-table", CSV: strings.Replace(historyTaskAddress(t.set.Key, t.task.Task.Key), "?", ".csv?", 1), Caption: "Best first, by F1 with all gold files.",
		Columns: []views.Column{{Label: "System"}, {Label: "Prompt"}, {Label: "Condition"}, {Label: "F1", Note: "0–1", Align: views.Centre}, {Label: "F1", Note: "source only", Align: views.Centre}, {Label: "Precision", Align: views.Decimals},
			{Label: "Recall", Align: views.Decimals}, {Label: "Files", Note: "hits are marked ✓"}},
		Empty: views.Empty{Title: "No system has answered this task yet.", Next: submitLocalization}}
	group := views.Group{}
	for _, x := range answers[first:min(len(answers), first+answersPerPage)] {
		all := x.scores[localization.AllGold]
		source := views.UnknownCell("the task has no gold file that is source")
		if score, ok := x.scores[localization.SourceGold]; ok {
			source = views.HeatCell(score.F1)
		}
		files := views.UnknownCell("no prediction was given: it counts as an empty one")
		if x.answered {
			files = views.ViewCell(t.marked(x.files))
		}
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(entrantName(x.Entrant, x.Submission))), views.TextCell(string(x.Level)), views.TextCell(string(x.Condition)),
			views.HeatCell(all.F1), source, views.NumberCell(all.Precision, 3), views.NumberCell(all.Recall, 3), files}})
	}
	table.Groups = []views.Group{group}
	return table, pages
}

// marked are predicted files with their hits.
func (t historyTask) marked(files []string) templ.Component {
	labels := map[string]string{}
	for _, g := range t.task.Gold {
		labels[g.Path] = g.Label
	}
	var found []views.FoundFile
	paths := measure.Paths(files)
	for _, path := range paths[:min(len(paths), filesShown)] {
		found = append(found, views.FoundFile{Path: cutText(path, 300), Hit: labels[path]})
	}
	return views.FoundFiles(found, len(paths)-len(found))
}
