package web

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"touchstone/internal/leaderboard"
	"touchstone/internal/statistics"
	"touchstone/internal/store"
	"touchstone/views"
)

const comparedPerPage = 100

// A comparisonView puts a comparison into words and tables.
type comparisonView struct {
	*leaderboard.Comparison
	a, b string // names of the rows
	at   url.URL
}

func newComparisonView(c *leaderboard.Comparison, at url.URL) *comparisonView {
	v := &comparisonView{Comparison: c, at: at}
	v.a, v.b = sideNames(c.First, c.Second)
	return v
}

func (v *comparisonView) measure() string { return fmt.Sprintf("pass@%d", v.K) }

func (v *comparisonView) csv() string {
	values := url.Values{"a": {v.First.Key()}, "b": {v.Second.Key()}, "evaluator": {v.Evaluator}, "k": {strconv.Itoa(v.K)}}
	return (&url.URL{Path: "/compare.csv", RawQuery: values.Encode()}).String()
}

// finding is the comparison in a sentence.
// It names the better row first, so that it is the same the other way round.
func (v *comparisonView) finding() string {
	if v.First.Row == v.Second.Row {
		return v.a + " stands here beside itself: every difference is 0."
	}
	better, worse, d, i := v.a, v.b, v.Difference.Value, v.Difference.Interval
	if d <= -1e-12 {
		better, worse, d = worse, better, -d
		if i != nil {
			i = &statistics.Interval{Low: -i.High, High: -i.Low}
		}
	}
	text := fmt.Sprintf("%s is %s better than %s", better, views.Decimal(d, 3), worse)
	switch {
	case math.Abs(d) < 1e-12:
		text = fmt.Sprintf("%s and %s are equal on average", v.a, v.b)
	case d < 0.0005:
		text = fmt.Sprintf("%s is less than 0.0005 better than %s", better, worse)
	}
	text += fmt.Sprintf(" by %s under %s", v.measure(), v.Evaluator)
	switch {
	case i == nil:
		return text + "; there is no interval: " + v.Difference.Undefined + "."
	case i.Excludes(0):
		return fmt.Sprintf("%s; the 95 %% interval %s excludes 0: chance alone would seldom put them so far apart.", text, fromTo(i))
	}
	return fmt.Sprintf("%s; the 95 %% interval %s includes 0: chance may have put them apart.", text, fromTo(i))
}

func fromTo(i *statistics.Interval) string {
	return "from " + views.Decimal(i.Low, 3) + " to " + views.Decimal(i.High, 3)
}

// remarks are what limits the comparison.
func (v *comparisonView) remarks() []string {
	var remarks []string
	if text := differentTasks(v.Comparison); text != "" {
		remarks = append(remarks, text)
	}
	for _, x := range []struct {
		n    int
		name string
	}{{v.OnlyFirst, v.a}, {v.OnlySecond, v.b}} {
		if x.n > 0 {
			remarks = append(remarks, fmt.Sprintf("%s left out: only %s has a score there.", views.Counted(x.n, "repository is", "repositories are"), x.name))
		}
	}
	if v.Tasks != nil && v.Tasks.Compared < len(v.Tasks.All) {
		remarks = append(remarks, fmt.Sprintf("%s of %s left out: %s for one of the two. So the means may differ from the leaderboard's.",
			views.Counted(len(v.Tasks.All)-v.Tasks.Compared, "task", "tasks"), views.Count(len(v.Tasks.All)), tooFewSamples(v.K)))
	}
	if text := v.fewSaid(); text != "" {
		remarks = append(remarks, text)
	}
	if v.First.Provenance == leaderboard.Published && v.Second.Provenance == leaderboard.Published && v.First.Set == v.Second.Set {
		remarks = append(remarks, "Computed from the paper's numbers for single repositories, which it rounds; its own means are rounded, too, so that their difference may be another in the last digit.")
	}
	return remarks
}

// decimals is how many a row's scores on repositories have.
func decimals(s leaderboard.Side) int {
	if s.Provenance == leaderboard.Published {
		return 2
	}
	return 3
}

func (v *comparisonView) overall() views.Table {
	t := views.Table{ID: "overall-table", CSV: v.csv(),
		Caption: fmt.Sprintf("Mean %s under %s over %s.", v.measure(), v.Evaluator, v.inCommon()),
		Source:  "Interval: Student's t on the paired differences of repositories. It is not corrected for how many rows could have been compared.",
		Columns: []views.Column{{Label: "Row"}, {Label: "Provenance", Definition: "/methodology#provenance"},
			{Label: v.measure(), Note: "0–1, higher is better", Definition: "/methodology#pass-at-k", Align: views.Decimals}}}
	group := views.Group{}
	for _, x := range []struct {
		side leaderboard.Side
		mean float64
	}{{v.First, v.MeanFirst}, {v.Second, v.MeanSecond}} {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.SystemName(systemName(x.side.Row))),
			views.ViewCell(views.Provenance(x.side.Provenance).Badge()), views.ScoreCell(views.Score{Value: x.mean, Plain: true})}})
	}
	difference := views.Score{Value: v.Difference.Value, Signed: true}
	if i := v.Difference.Interval; i != nil {
		difference.Interval = &views.Interval{Low: i.Low, High: i.High, Level: statistics.Level, Method: "Student's t over repositories"}
	}
	t.Groups = []views.Group{group, {Rows: []views.Row{{Cells: []views.Cell{views.TextCell("Difference, first minus second"), views.TextCell(""), views.ScoreCell(difference)}}}}}
	return t
}

func (v *comparisonView) inCommon() string {
	text := "the " + views.Counted(len(v.Repositories), "repository", "repositories") + " that both have"
	if v.Tasks != nil {
		text += ", " + views.Counted(v.Tasks.Compared, "task", "tasks")
	}
	return text
}

// tests are what tests of significance say.
func (v *comparisonView) tests() views.Table {
	t := views.Table{ID: "tests-table", Caption: "How often chance alone would put two equal rows at least so far apart: p of two-sided tests.",
		Columns: []views.Column{{Label: "Test"}, {Label: "What was tested"}, {Label: "n", Align: views.Decimals}, {Label: "p", Note: "0–1", Align: views.Decimals}}}
	of := "the differences of " + v.measure() + " on repositories"
	group := views.Group{Rows: []views.Row{
		{Cells: []views.Cell{views.TextCell("Sign-flip permutation"), views.ViewCell(views.Passage(fmt.Sprintf("%s: their mean, against that with random signs, %s times, seed %d",
			of, views.Count(v.SignFlip.Permutations), v.SignFlip.Seed), false)), views.CountCell(v.SignFlip.N), pCell(v.SignFlip.P)}},
		{Cells: []views.Cell{views.TextCell("Wilcoxon signed-rank"), views.ViewCell(views.Passage(of+": their ranks by size; "+zeros(v.Wilcoxon.Zeros)+", ties corrected", false)),
			views.CountCell(v.Wilcoxon.N), pCell(v.Wilcoxon.P)}},
	}}
	if v.Tasks != nil {
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.TextCell("McNemar, exact"),
			views.ViewCell(views.Passage(fmt.Sprintf("the first sample of each task: passed or not. It passed for the first row alone on %s, for the second alone on %s; the test is of these. Tasks of one repository are taken as independent",
				views.Counted(v.Tasks.OnlyFirst, "task", "tasks"), views.Counted(v.Tasks.OnlySecond, "task", "tasks")), false)),
			views.CountCell(v.Tasks.OnlyFirst + v.Tasks.OnlySecond), pCell(v.Tasks.McNemar)}})
	}
	t.Groups = []views.Group{group}
	if v.Effect.Value != nil {
		t.Source = "Size of the effect: d_z = " + views.Signed(*v.Effect.Value, 2) + ", the mean difference in standard deviations of the repositories' differences."
	} else {
		t.Source = "Size of the effect (d_z): undefined, " + v.Effect.Undefined + "."
	}
	return t
}

func zeros(n int) string {
	switch n {
	case 0:
		return "none is 0"
	case 1:
		return "one that is 0 is dropped"
	}
	return views.Count(n) + " that are 0 are dropped"
}

// pCell writes p with as many decimals as matter.
func pCell(p float64) views.Cell {
	if p < 0.0005 {
		return views.TextCell("< 0.0005")
	}
	return views.NumberCell(p, 3)
}

func (v *comparisonView) repositoriesSaid() string {
	return fmt.Sprintf("The first row is better on %s of %s, worse on %s, and the same on %s.", views.Count(v.Wins), views.Counted(len(v.Repositories), "repository", "repositories"),
		views.Count(v.Losses), views.Count(v.Equal))
}

func (v *comparisonView) repositories() views.Table {
	t := views.Table{ID: "repositories-table", CSV: v.csv(), Address: v.at,
		Caption: fmt.Sprintf("%s on each repository, and the difference: first minus second.", v.measure()),
		Columns: []views.Column{{Key: "repository", Label: "Repository", Sortable: true}, sideColumn("a", v.First, v.a), sideColumn("b", v.Second, v.b),
			{Key: "difference", Label: "Difference", Note: "above 0: first is better", Align: views.Centre, Sortable: true, Descends: true},
			{Key: "interval", Label: "95 % interval", Note: "over its tasks", Align: views.Decimals}}}
	if v.Tasks != nil {
		t.Source = "Intervals: Student's t on the paired differences of the repository's tasks."
		t.Columns = append(t.Columns, views.Column{Key: "tasks", Label: "Tasks", Align: views.Decimals, Sortable: true, Descends: true},
			views.Column{Key: "wins", Label: "Win / tie / loss", Note: "tasks", Align: views.Decimals},
			views.Column{Key: "alone", Label: "Only first / second", Note: "tasks, first sample", Align: views.Decimals})
	}
	t.Sort = views.ReadSort(v.at.Query(), t.Columns, views.Sort{Key: "difference", Descending: true})
	sorted := slices.Clone(v.Comparison.Repositories)
	slices.SortStableFunc(sorted, func(a, b leaderboard.RepositoryDifference) int {
		c := 0
		switch t.Sort.Key {
		case "repository":
			c = strings.Compare(a.Name, b.Name)
		case "a":
			c = cmp.Compare(a.First.Value, b.First.Value)
		case "b":
			c = cmp.Compare(a.Second.Value, b.Second.Value)
		case "tasks":
			c = cmp.Compare(a.Tasks, b.Tasks)
		default:
			c = cmp.Compare(a.Difference, b.Difference)
		}
		if t.Sort.Descending {
			c = -c
		}
		return c
	})
	extent := 0.0
	for _, r := range sorted {
		extent = max(extent, math.Abs(r.Difference))
	}
	group := views.Group{}
	for _, r := range sorted {
		row := views.Row{Cells: []views.Cell{views.CodeCell(r.Name, repositoryAddress(r.Name)), views.HeatLinkCell(r.First.Value, decimals(v.First), ""),
			views.HeatLinkCell(r.Second.Value, decimals(v.Second), ""), views.DivergingCell(r.Difference, extent, max(decimals(v.First), decimals(v.Second))), v.interval(r)}}
		if v.Tasks != nil {
			row.Cells = append(row.Cells, views.CountCell(r.Tasks), views.TextCell(fmt.Sprintf("%d / %d / %d", r.Wins, r.Equal, r.Losses)),
				views.TextCell(fmt.Sprintf("%d / %d", r.OnlyFirst, r.OnlySecond)))
		}
		group.Rows = append(group.Rows, row)
	}
	t.Groups = []views.Group{group}
	return t
}

func (v *comparisonView) interval(r leaderboard.RepositoryDifference) views.Cell {
	switch {
	case r.Interval != nil:
		return views.TextCell(views.Signed(r.Interval.Low, 3) + " to " + views.Signed(r.Interval.High, 3))
	case v.Tasks != nil:
		return views.UnknownCell("with one task it is unknown how much tasks differ")
	case v.First.Provenance == leaderboard.Published || v.Second.Provenance == leaderboard.Published:
		return views.UnknownCell("the paper prints no number for a single task")
	}
	return views.UnknownCell("the rows have no task in common that is known here")
}

func sideColumn(key string, s leaderboard.Side, name string) views.Column {
	which := map[string]string{"a": "First", "b": "Second"}[key]
	return views.Column{Key: key, Label: which, Note: name, Align: views.Centre, Sortable: true, Descends: true, Named: true, Definition: sideAddress(s)}
}

// tasksSaid is what tasks say beyond repositories.
func (v *comparisonView) tasksSaid() []string {
	if v.Tasks == nil {
		if v.First.Provenance == leaderboard.Published || v.Second.Provenance == leaderboard.Published {
			return []string{"Not computed: the paper prints no number for a single task. Two submissions for one release are compared task by task."}
		}
		return []string{"Not computed: only two submissions for one release, whose single tasks are kept, are compared task by task."}
	}
	t := v.Tasks
	return []string{
		fmt.Sprintf("By %s, %s is better on %s, %s on %s; on %s they are the same.", v.measure(), v.a, views.Counted(t.Wins, "task", "tasks"), v.b,
			views.Counted(t.Losses, "task", "tasks"), views.Count(t.Equal)),
		v.leaksSaid(),
		fmt.Sprintf("The first sample passed for both on %s, for neither on %s, for %s alone on %s, and for %s alone on %s; %s of it for one of them.",
			views.Counted(t.BothPass, "task", "tasks"), views.Count(t.NeitherPass), v.a, views.Count(t.OnlyFirst), v.b, views.Count(t.OnlySecond),
			views.Counted(len(t.All)-t.FirstSamples(), "task has no verdict", "tasks have no verdict")),
	}
}

// tasks are those that only one row passes.
func (v *comparisonView) tasks() (views.Table, views.Pagination) {
	var alone []leaderboard.TaskDifference
	for _, t := range v.Tasks.All {
		if t.PassedAlone() != 0 {
			alone = append(alone, t)
		}
	}
	t := views.Table{ID: "alone-table", CSV: v.csv(), Caption: views.Counted(len(alone), "task", "tasks") + " of which the first sample passed for one row alone.",
		Columns: []views.Column{{Label: "Function"}, {Label: "Passed for"}, {Label: "First", Note: v.a, Align: views.Centre, Named: true}, {Label: "Second", Note: v.b, Align: views.Centre, Named: true}},
		Empty:   views.Empty{Title: "There is no task of which the first sample passed for one row alone."}}
	number := views.ReadPage(v.at.Query(), comparedPerPage, len(alone))
	first := (number - 1) * comparedPerPage
	for _, x := range alone[first:min(len(alone), first+comparedPerPage)] {
		if n := len(t.Groups); n == 0 || t.Groups[n-1].Heading != x.Repository {
			t.Groups = append(t.Groups, views.Group{Heading: x.Repository})
		}
		path, qualname := taskParts(x)
		who := "the first"
		winner := v.First
		if x.PassedAlone() < 0 {
			who, winner = "the second", v.Second
		}
		group := &t.Groups[len(t.Groups)-1]
		group.Rows = append(group.Rows, views.Row{Cells: []views.Cell{views.ViewCell(views.TaskName(x.Key, path, qualname, v.evidence(winner, x.Key))), views.TextCell(who),
			views.ViewCell(views.PassedLink(x.First.Passed, x.First.Samples, v.evidence(v.First, x.Key))),
			views.ViewCell(views.PassedLink(x.Second.Passed, x.Second.Samples, v.evidence(v.Second, x.Key)))}})
	}
	return t, views.Pagination{Address: v.at, Page: number, PerPage: comparedPerPage, Total: len(alone), Unit: "tasks"}
}

// evidence is the page of a task under the comparison's evaluator.
func (v *comparisonView) evidence(s leaderboard.Side, task string) string {
	return taskPath(store.Submission{PublicID: s.Submission}, task, v.Evaluator)
}

// taskParts are the file and the function of a task.
func taskParts(t leaderboard.TaskDifference) (path, qualname string) {
	path, qualname, _ = strings.Cut(strings.TrimPrefix(t.Key, t.Repository+":"), "::")
	return path, qualname
}

// tooFewSamples says why a task has no pass@k.
func tooFewSamples(k int) string {
	if k == 1 {
		return "no sample counts"
	}
	return fmt.Sprintf("fewer than %s samples count", views.Count(k))
}
