package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/internal/statistics"
	"touchstone/views"
)

const contrastsPath = localizationPath + "/ab"

// contrastedPerPage is how many systems are shown at once.
const contrastedPerPage = 8

// A contrasts is what the page's address asks for.
type contrasts struct {
	localizationAsk
	set        *leaderboard.LocalizationSet // nil when no system has both arms anywhere
	repository string
	rows       []leaderboard.Contrasted // of the whole family
	family     int
	chosen     *leaderboard.Contrasted // the system whose tasks are asked for
}

// contrastsAsked reads the address. Without a release it is the first on which
// a system has both arms.
func (s *Site) contrastsAsked(c echo.Context) (contrasts, error) {
	a, err := s.localizationAsk(c, "")
	if err != nil {
		return contrasts{}, err
	}
	x := contrasts{localizationAsk: a, set: a.set(func(l *leaderboard.LocalizationSet) bool { return slices.ContainsFunc(l.Entrants, hasBothArms) })}
	if x.set == nil {
		return x, nil
	}
	x.repository = a.narrowed(x.set)
	if x.rows, err = x.set.Contrasts(a.gold(), x.repository); err != nil {
		return x, err
	}
	x.family = leaderboard.Family(x.rows)
	if key := c.QueryParam("system"); key != "" {
		i := slices.IndexFunc(x.rows, func(r leaderboard.Contrasted) bool { return slices.Contains(r.Submissions, key) })
		if i < 0 {
			return x, &benchmark.InputError{Field: "system", Problem: fmt.Sprintf("%.80q has not both arms on %s", key, x.set.Label), Mend: "give the id of a submission that this page lists"}
		}
		x.chosen = &x.rows[i]
	}
	return x, nil
}

func hasBothArms(e *leaderboard.Entrant) bool {
	return slices.ContainsFunc(localization.Levels, func(l localization.Level) bool {
		return e.Arm(l, localization.Baseline) != nil && e.Arm(l, localization.Augmented) != nil
	})
}

func (s *Site) contrastsSheet(c echo.Context) (leaderboard.Sheet, error) {
	x, err := s.contrastsAsked(c)
	if err != nil || x.set == nil {
		return leaderboard.Sheet{Header: leaderboard.ContrastHeader, Rows: slices.Values([][]string(nil))}, err
	}
	return leaderboard.ContrastSheet(x.set, x.rows, x.gold(), x.repository), nil
}

// contrastsFile is the forest as SVG.
func (s *Site) contrastsFile(c echo.Context) error {
	x, err := s.contrastsAsked(c)
	if err != nil {
		return err
	}
	if x.family == 0 {
		return echo.NewHTTPError(http.StatusNotFound, "There is nothing to draw: no system has both arms.")
	}
	shown, _ := x.paged(address(c))
	return sendSVG(c, x.forest(shown, address(c)).File())
}

// paged are the systems of a page.
func (x contrasts) paged(at url.URL) ([]leaderboard.Contrasted, views.Pagination) {
	pages := views.Pagination{Page: views.ReadPage(at.Query(), contrastedPerPage, len(x.rows)), PerPage: contrastedPerPage, Total: len(x.rows), Unit: "systems", Address: at}
	first := (pages.Page - 1) * contrastedPerPage
	return x.rows[first:min(len(x.rows), first+contrastedPerPage)], pages
}

// contrastsPage is what knowledge of the repository changes.
func (s *Site) contrastsPage(c echo.Context) (templ.Component, error) {
	x, err := s.contrastsAsked(c)
	if err != nil {
		return nil, err
	}
	page := views.ContrastsPage{Page: s.page(c, "With and without knowledge"), Links: localizationLinks(contrastsPath), Filters: x.filters()}
	page.Page.Description = "What repository-derived knowledge changes: paired differences of F1 by prompt level with bootstrap intervals, signed-rank, sign-flip and McNemar tests, adjusted for their number."
	if x.set != nil {
		page.Title, page.Provenance = x.set.Label, views.Provenance(x.set.Provenance)
	}
	if x.family == 0 {
		x.explain(&page)
		return views.Contrasts(page), nil
	}
	at := address(c)
	shown, pages := x.paged(at)
	forest := x.forest(shown, at)
	page.Forest, page.Pagination, page.Remarks = &forest, pages, x.remarks()
	page.Table, page.Extremes = x.tests(shown), x.outcomes(shown)
	for _, row := range shown {
		said := views.ContrastSaid{ID: "words-" + elementID(latest(row.Entrant)), Name: systemSaid(row.Entrant), Tasks: views.Link{Text: "Task by task", Address: x.tasksAddress(row.Entrant)}}
		for _, c := range row.Contrasts {
			said.Levels = append(said.Levels, contrastSaid(row.Name(), c, x.family))
		}
		page.Said = append(page.Said, said)
	}
	if x.chosen != nil {
		if page.Tasks, err = x.tasks(at); err != nil {
			return nil, err
		}
	}
	return views.Contrasts(page), nil
}

// systemSaid names a system with its version.
func systemSaid(e *leaderboard.Entrant) string {
	if e.Version == "" {
		return e.Name()
	}
	return e.Name() + ", version " + e.Version
}

func (x contrasts) filters() views.Filters {
	f := views.Filters{Action: contrastsPath}
	key := ""
	if x.set != nil {
		key = x.set.Key
		f.Said = "Showing " + strings.Join([]string{x.set.Label, cmp.Or(x.repository, "all repositories"), x.goldSaid()}, "; ") + "."
	}
	f.Selects = []views.Select{x.releaseSelect(false, key), x.repositorySelect(x.set), x.goldSelect()}
	return f
}

// explain fills the page in when no system has both arms.
func (x contrasts) explain(page *views.ContrastsPage) {
	page.Empty = views.Empty{Title: "No system has both arms yet.", Next: submitLocalization}
	if x.set != nil {
		page.Empty.Title = "No system has both arms on " + x.set.Label + "."
		if x.set.Provenance == leaderboard.Published {
			page.Empty.Reason = "The paper reports the baseline alone."
		}
	}
	page.Reason = []string{
		"A system has both when it answered the same prompts twice: once without and once with knowledge of the repository up to T0. Both may be in one file of predictions, each line with its level and condition, or in two submissions of the same system, version and release.",
		"On a machine with a release, the reference baselines show how:",
	}
	page.Commands = []string{
		"touchstone localization predict --release DIR --agent bm25 --out baseline.jsonl",
		"touchstone localization predict --release DIR --agent bm25+history --out augmented.jsonl",
	}
}

// remarks are what limits the comparison.
func (x contrasts) remarks() []string {
	var remarks []string
	if n := len(x.set.Repositories); n > 1 && x.repository == "" {
		text := fmt.Sprintf("Over several repositories these are what varies at random: intervals and tests are of %d differences, one of each.", n)
		if n < localization.FewestRepositories {
			text += " So few prove nothing: the tests cannot tell them from chance, and the bootstrap of so few is a rough guide. Choose a repository above: then its tasks are what varies."
		}
		remarks = append(remarks, text)
	}
	return append(remarks, fmt.Sprintf("Every p is adjusted by Holm over the %s of this release, a family for each kind of test.", views.Counted(x.family, "comparison", "comparisons")))
}

func (x contrasts) query() url.Values {
	q := url.Values{"release": {x.set.Key}, "gold": {string(x.gold())}}
	if x.repository != "" {
		q.Set("repository", x.repository)
	}
	return q
}

func (x contrasts) csv() string { return fileAddress(contrastsPath+".csv", x.query()) }

func (x contrasts) tasksAddress(e *leaderboard.Entrant) string {
	query := x.query()
	query.Set("system", latest(e))
	return fileAddress(contrastsPath, query) + "#tasks"
}

// forest draws the differences of a page of systems.
func (x contrasts) forest(shown []leaderboard.Contrasted, at url.URL) views.Forest {
	query := x.query()
	if page := at.Query().Get("page"); page != "" {
		query.Set("page", page)
	}
	f := views.Forest{Unit: "ΔF1, augmented minus baseline", Chart: views.Chart{ID: "forest", Title: x.finding(), CSV: x.csv(), SVG: fileAddress(contrastsPath+".svg", query),
		Description: "For each system and prompt level the mean difference of F1 between the augmented and the baseline arm on the same tasks, with its 95 % interval, against the line of no difference.",
		Note: fmt.Sprintf("Paired differences on %s, %s. Intervals are percentiles of %s paired bootstraps, seed %d.", cmp.Or(x.repository, "all repositories"), x.goldSaid(),
			views.Count(statistics.Resamples), localization.Seed)}}
	t := views.Table{ID: "forest-table", CSV: x.csv(), Caption: "Mean F1 of both arms, and the difference.", Columns: []views.Column{{Label: "System"}, {Label: "Prompt"}, {Label: "Baseline", Align: views.Decimals},
		{Label: "Augmented", Align: views.Decimals}, {Label: "Difference", Align: views.Decimals}, {Label: "95 % interval"}}}
	place := localizationColours(x.board)
	group := views.Group{}
	for _, row := range shown {
		for i, c := range row.Contrasts {
			r := views.ForestRow{Name: capital(string(c.Level)), Series: place(row.Name()), Value: c.Difference, Why: c.Interval.Undefined}
			if i == 0 {
				r.Heading = systemSaid(row.Entrant)
			}
			interval := views.UnknownCell(c.Interval.Undefined)
			if c.Interval.Interval != nil {
				r.Interval = forestInterval(c.Interval.Interval, "paired bootstrap over "+contrastUnits(c))
				interval = views.TextCell(fromTo(c.Interval.Interval))
			}
			f.Rows = append(f.Rows, r)
			group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(entrantName(row.Entrant, latest(row.Entrant)))), views.TextCell(string(c.Level)),
				views.NumberCell(c.Baseline, 3), views.NumberCell(c.Augmented, 3), views.TextCell(views.Signed(c.Difference, 3)), interval}})
		}
	}
	t.Groups = []views.Group{group}
	f.Table = t
	return f
}

// finding is what the forest shows in a sentence: of the differences that are
// beyond chance, or, where no test could tell, of all.
func (x contrasts) finding() string {
	better, worse, few := 0, 0, ""
	for _, row := range x.rows {
		for _, c := range row.Contrasts {
			if c.TooFewRepositories() {
				few = contrastUnits(c)
			} else if !c.BeyondChance() {
				continue
			}
			if c.Difference >= 1e-12 {
				better++
			} else if c.Difference <= -1e-12 {
				worse++
			}
		}
	}
	of := views.Counted(x.family, "comparison", "comparisons")
	if few != "" {
		text := fmt.Sprintf("With knowledge mean F1 is higher in %s of %s", views.Count(better), of)
		if worse > 0 {
			text += fmt.Sprintf(" and lower in %s", views.Count(worse))
		}
		return text + fmt.Sprintf("; %s are too few to tell that from chance", few)
	}
	text := fmt.Sprintf("Knowledge raises F1 more than chance would in %s of %s", views.Count(better), of)
	if worse > 0 {
		text += fmt.Sprintf(", and lowers it so in %s", views.Count(worse))
	}
	return text
}

// tests are what tests of significance say of F1.
func (x contrasts) tests(shown []leaderboard.Contrasted) views.Table {
	t := views.Table{ID: "contrast-tests", CSV: x.csv(), Caption: "Augmented minus baseline on the same tasks. Both tests ask how often chance alone would put the arms so far apart; adjusted by Holm.",
		Source: fmt.Sprintf("Wilcoxon’s signed ranks without zeros, normal approximation with ties corrected; flipped signs %s times, seed %d; d_z is the mean difference in standard deviations of the differences.",
			views.Count(statistics.Resamples), localization.Seed),
		Columns: []views.Column{{Label: "System"}, {Label: "Prompt"}, {Label: "ΔF1", Note: "mean", Definition: "/methodology#localization-ab", Align: views.Decimals}, {Label: "Better", Note: "tasks", Align: views.Decimals}, {Label: "Same", Note: "tasks", Align: views.Decimals},
			{Label: "Worse", Note: "tasks", Align: views.Decimals}, {Label: "p", Note: "signed ranks", Align: views.Decimals}, {Label: "adjusted", Align: views.Decimals},
			{Label: "p", Note: "flipped signs", Align: views.Decimals}, {Label: "adjusted", Align: views.Decimals}, {Label: "d_z", Align: views.Decimals}}}
	group := views.Group{}
	for _, row := range shown {
		for _, c := range row.Contrasts {
			effect := views.UnknownCell(c.Effect.Undefined)
			if c.Effect.Value != nil {
				effect = views.TextCell(views.Signed(*c.Effect.Value, 2))
			}
			score := views.Score{Value: c.Difference, Signed: true}
			if c.Interval.Interval != nil {
				score.Interval = forestInterval(c.Interval.Interval, "paired bootstrap over "+contrastUnits(c))
			}
			group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(entrantName(row.Entrant, latest(row.Entrant)))), views.TextCell(string(c.Level)), views.ScoreCell(score),
				views.CountCell(c.Better), views.CountCell(c.Same), views.CountCell(c.Worse), pCell(c.Wilcoxon.P), pCell(c.WilcoxonHolm), pCell(c.SignFlip.P), pCell(c.SignFlipHolm), effect}})
		}
	}
	t.Groups = []views.Group{group}
	return t
}

// outcomes are what McNemar's test says of extreme outcomes.
func (x contrasts) outcomes(shown []leaderboard.Contrasted) views.Table {
	t := views.Table{ID: "contrast-outcomes", CSV: x.csv(), Caption: "Tasks that end in an extreme outcome: how many in each arm, how many knowledge brings to it or takes from it. McNemar’s exact test is of those; tasks of one repository are taken as independent.",
		Columns: []views.Column{{Label: "System"}, {Label: "Prompt"}, {Label: "Outcome"}, {Label: "Baseline", Note: "tasks", Align: views.Decimals}, {Label: "Augmented", Note: "tasks", Align: views.Decimals},
			{Label: "Brought", Note: "tasks", Align: views.Decimals}, {Label: "Taken", Note: "tasks", Align: views.Decimals}, {Label: "p", Note: "McNemar", Align: views.Decimals}, {Label: "adjusted", Align: views.Decimals}}}
	group := views.Group{}
	for _, row := range shown {
		for _, c := range row.Contrasts {
			for _, e := range c.Extremes {
				group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(entrantName(row.Entrant, latest(row.Entrant)))), views.TextCell(string(c.Level)), views.TextCell(outcomeNames[e.Outcome].label),
					views.CountCell(e.Baseline), views.CountCell(e.Augmented), views.CountCell(e.Gained), views.CountCell(e.Lost), pCell(e.McNemar), pCell(e.Holm)}})
			}
		}
	}
	t.Groups = []views.Group{group}
	return t
}
