package views

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"touchstone/internal/benchmark"
)

// A sample is a component as the golden files and the gallery show it.
type sample struct {
	name string
	view templ.Component
}

var (
	longName  = strings.Repeat("a-rather-long-name-of-a-system", 10) // 300 characters
	hostile   = `<script>alert("x")</script> & "quotes"`
	rightLeft = "\u202eמערכת\u202c model"
)

// all joins components, as the body of a page does.
func all(views ...templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		for _, v := range views {
			if err := v.Render(ctx, w); err != nil {
				return err
			}
		}
		return nil
	})
}

// within puts children into a component that takes them.
func within(outer, inner templ.Component) templ.Component {
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return outer.Render(templ.WithChildren(ctx, inner), w)
	})
}

func interval(low, high float64) *Interval {
	return &Interval{Low: low, High: high, Level: 0.95, Method: "bootstrap over repositories"}
}

func address(s string) url.URL {
	u, err := url.Parse(s)
	if err != nil {
		panic(err)
	}
	return *u
}

var scoreColumns = []Column{
	{Key: "system", Label: "System", Sortable: true},
	{Key: "pass1", Label: "pass@1", Note: "0–1, higher is better", Definition: "/methodology#pass-at-k", Align: Decimals, Sortable: true, Descends: true},
	{Key: "pass3", Label: "pass@3", Note: "0–1, higher is better", Definition: "/methodology#pass-at-k", Align: Decimals, Sortable: true, Descends: true},
	{Key: "coverage", Label: "Coverage", Note: "% of tasks", Align: Decimals, Sortable: true, Descends: true},
	{Key: "tasks", Label: "Tasks", Note: "count", Align: Decimals},
	{Key: "provenance", Label: "Provenance", Definition: "/methodology#provenance"},
}

func scoreRow(rank, name string, p1, p3 Score, coverage float64, tasks int, p Provenance) Row {
	return Row{Rank: rank, Cells: []Cell{
		NameCell(name, "/systems/x"), ScoreCell(p1), ScoreCell(p3), NumberCell(coverage, 1), CountCell(tasks), ViewCell(p.Badge()),
	}}
}

func scoreTable(groups ...Group) Table {
	return Table{
		ID:      "scores",
		Caption: "pass@k of 6 systems on 28 repositories, evaluator qwen2.5-coder, 5 samples a task.",
		Source:  "Release starter@1, 2026-03-14.",
		CSV:     "/doc-to-code.csv?evaluator=3",
		Address: address("/doc-to-code?evaluator=3&page=4&sort=pass1&order=desc"),
		Sort:    Sort{Key: "pass1", Descending: true},
		Columns: scoreColumns,
		Groups:  groups,
		Empty: Empty{Title: "No system has been evaluated on this release.", Reason: "The first submission opens the table.",
			Command: "touchstone submit docs.jsonl --url https://example.org --track doc-to-code", Next: Link{"Submit an output", "/submit/doc-to-code"}},
	}
}

func fullTable() Table {
	return scoreTable(
		Group{Heading: "Systems", Note: "What agents wrote.", Rows: []Row{
			scoreRow("1", "RepoAgent · gpt-5-mini", Score{Value: .751, Interval: interval(.72, .782), Best: true}, Score{Value: .812, Interval: interval(.788, .838), Best: true}, 98.4, 12345, Verified),
			scoreRow("2=", "DocAgent · qwen2.5-coder-32b", Score{Value: .698, Interval: interval(.66, .731)}, Score{Value: .77}, 100, 12345, Evaluated),
			scoreRow("2=", rightLeft, Score{Value: .698, Interval: interval(.55, .83)}, Score{Unknown: "not computed: fewer than 3 samples a task"}, 9.1, 80, Evaluated),
			scoreRow("4", longName, Score{Value: 0, Interval: interval(0, .012)}, Score{Value: 1, Interval: interval(1, 1)}, 100, 3, Published),
			scoreRow("5", hostile, Score{Value: math.NaN()}, Score{Unknown: "no interval in the paper"}, math.NaN(), 0, Published),
		}},
		Group{Heading: "Controls", Note: "What the measure itself says of known answers.", Rows: []Row{
			scoreRow("", "reference", Score{Value: 1, Interval: interval(1, 1)}, Score{Value: 1, Interval: interval(1, 1)}, 100, 12345, Evaluated),
			scoreRow("", "no-docs", Score{Value: .412, Interval: interval(.38, .44)}, Score{Value: .455, Interval: interval(.42, .48)}, 0, 12345, Evaluated),
		}},
	)
}

func heatTable() Table {
	t := Table{ID: "heat", Caption: "pass@1 by repository and system.", CSV: "/heat.csv", Columns: []Column{{Key: "repository", Label: "Repository"}}}
	systems := []string{"RepoAgent · gpt-5-mini", "DocAgent", "Original", "No docs", "HelpMe", "Another agent"}
	for i, s := range systems {
		t.Columns = append(t.Columns, Column{Key: fmt.Sprint("s", i), Label: s, Align: Centre})
	}
	var rows []Row
	for r, name := range []string{"psf/requests", "pallets/click", "a-very-long-organisation-name/and-a-very-long-repository-name", "tqdm/tqdm"} {
		row := Row{Cells: []Cell{CodeCell(name, "/doc-to-code/repos/"+name)}}
		for i := range systems {
			if r == 3 && i == 4 {
				row.Cells = append(row.Cells, UnknownCell("not computed: the submission does not cover this repository"))
				continue
			}
			row.Cells = append(row.Cells, HeatCell(float64(r*6+i)/23))
		}
		rows = append(rows, row)
	}
	t.Groups = []Group{{Rows: rows}}
	return t
}

// namedTable is a heatmap whose columns are named by people.
func namedTable() Table {
	t := Table{ID: "named", Caption: "pass@1 by repository and system.", Address: address("/doc-to-code/repos?k=1"), Sort: Sort{Key: "s1", Descending: true},
		Columns: []Column{{Key: "repository", Label: "Repository", Sortable: true}}}
	row := Row{Cells: []Cell{CodeCell("psf/requests", "/doc-to-code/repos/psf/requests")}}
	for i, name := range []string{"RepoAgent", longName, hostile, rightLeft} {
		c := Column{Key: fmt.Sprint("s", i), Label: name, Note: name, Align: Centre, Named: true, Sortable: i < 3, Descends: true}
		if i%2 == 0 {
			c.Definition = "/submissions/x"
		}
		t.Columns = append(t.Columns, c)
		row.Cells = append(row.Cells, HeatLinkCell(float64(i)/3, 2, c.Definition))
	}
	t.Groups = []Group{{Rows: []Row{row}}}
	return t
}

func divergingTable() Table {
	t := Table{ID: "correlations", Caption: "Spearman correlation of measures over 168 pairs of system and repository.", Columns: []Column{{Key: "measure", Label: "Measure"}}}
	measures := []string{"pass@1", "BLEU", "ROUGE-L", "coverage"}
	values := [][]float64{{1, .31, .28, -.42}, {.31, 1, .9, -1}, {.28, .9, 1, 0}, {-.42, -1, 0, 1}}
	for i, m := range measures {
		t.Columns = append(t.Columns, Column{Key: fmt.Sprint("m", i), Label: m, Align: Centre})
	}
	var rows []Row
	for i, m := range measures {
		row := Row{Cells: []Cell{TextCell(m)}}
		for _, v := range values[i] {
			row.Cells = append(row.Cells, DivergingCell(v, 1, 2))
		}
		rows = append(rows, row)
	}
	t.Groups = []Group{{Rows: rows}}
	return t
}

// distributionChart has repositories without a score, and names from outside.
func distributionChart(id string, spreads ...Spread) Distribution {
	d := Distribution{
		Chart: Chart{ID: id, Title: "RepoAgent has the highest median pass@1: 0.780", Description: "For each configuration the median, a range and a line for each repository.",
			Note: "pass@1 on each of 3 repositories under gpt-5-mini.", CSV: "/doc-to-code/distribution.csv?k=1", SVG: "/doc-to-code/distribution.svg?k=1",
			Table: Table{ID: id + "-table", Caption: "The same as numbers.", CSV: "/doc-to-code/distribution.csv?k=1", Columns: []Column{{Label: "Configuration"}, {Label: "Median", Align: Decimals}}}},
		Unit: "pass@1, higher is better", Spreads: spreads,
	}
	group := Group{}
	for _, s := range spreads {
		group.Rows = append(group.Rows, Row{Cells: []Cell{TextCell(s.Name), NumberCell(s.Median, 3)}})
	}
	d.Table.Groups = []Group{group}
	for r, name := range []string{"psf/requests", "tqdm/tqdm", hostile} {
		strand := Strand{Name: name, Decimals: r}
		for i := range spreads {
			value := 0.9 - 0.1*float64(i) - 0.2*float64(r)
			if r == 1 && i == 1 {
				value = math.NaN()
			}
			strand.Values = append(strand.Values, value)
		}
		d.Strands = append(d.Strands, strand)
	}
	return d
}

var sampleSpreads = []Spread{
	{Name: "RepoAgent · gpt-5-mini", Series: 0, Low: .55, Median: .78, High: .9, Repositories: 3},
	{Name: longName, Series: 1, Low: 0, Median: .5, High: 1, Repositories: 2},
	{Name: hostile, Series: 2, Low: .3, Median: .3, High: .3, Repositories: 1},
	{Name: rightLeft, Series: 8, Low: .2, Median: .25, High: .4, Repositories: 3},
}

const (
	originalBody = `def parse(line, *, strict=False):
    """Split one line into name and value."""
    name, _, value = line.partition("=")
    name = name.strip()
    if not name:
        raise ValueError("no name before the equals sign")
    value = value.strip()
    if strict and not value:
        raise ValueError(name)
    return name, value


# unchanged 1
# unchanged 2
# unchanged 3
# unchanged 4
# unchanged 5
`
	candidateBody = `def parse(line, *, strict=False):
    """Split one line into name and value."""
    name, value = line.split("=", 1)
    if not name.strip() or "<b>" in name:  # a long comment that goes on and on so that the line is wider than any phone's screen is
        raise ValueError("no name before the equals sign")
    value = value.strip()
    return name.strip(), value


# unchanged 1
# unchanged 2
# unchanged 3
# unchanged 4
# unchanged 5
`
)

func textField(name, label string) Field { return Field{Label: Label{Name: name, Text: label}} }

func submitForm() templ.Component {
	errors := Errors{
		{Field: "file", Message: "Line 12 of docs.jsonl has no field task_id; write it as owner/name:path::qualname"},
		{Message: "The release starter@1 takes no more submissions this hour"},
	}
	system := textField("system", "System")
	system.Hint = "The agent and the model that it ran on, for example RepoAgent · gpt-5-mini."
	system.Value = hostile
	notes := textField("notes", "Notes")
	notes.Optional, notes.Rows = true, 4
	token := textField("token", "Token")
	token.Type, token.Autocomplete, token.Mono = "password", "off", true
	return all(
		templ.Raw(`<form class="form" method="post" enctype="multipart/form-data">`), errors.View(), system.View(), notes.View(), token.View(),
		Select{Label: Label{Name: "release", Text: "Release"}, Value: "starter@1", Options: []Option{{Value: "starter@1", Text: "starter@1 (12 repositories, 310 tasks)"}, {Value: "paper@1"}}}.View(),
		File{Label: Label{Name: "file", Text: "Docstrings", Hint: "JSON Lines or a zip of them, up to 50 MB.", Error: errors.Of("file")}, Accept: ".jsonl,.zip"}.View(),
		Choice{Label: Label{Name: "public", Text: "Show the submission in the table when it is evaluated"}, Checked: true}.View(),
		Hidden{Name: "csrf", Value: "abc"}.View(),
		Button("Upload and check"), templ.Raw("</form>"),
	)
}

func filters() Filters {
	search := textField("q", "System")
	search.Type = "search"
	return Filters{
		Action:  "/doc-to-code",
		Selects: []Select{{Label: Label{Name: "release", Text: "Release"}, Value: "b", Options: []Option{{Value: "a", Text: "starter@1"}, {Value: "b", Text: "paper@1"}}}, {Label: Label{Name: "evaluator", Text: "Evaluator"}, Options: []Option{{Text: "All evaluators"}, {Value: "3", Text: "qwen2.5-coder, temperature 0.2, a2-v1"}}}},
		Fields:  []Field{search},
		Keep:    []Hidden{{"sort", "pass1"}},
		Said:    "Release paper@1, every evaluator, 6 of 9 systems.",
		Clear:   "/doc-to-code",
	}
}

func verdicts() templ.Component {
	var badges []templ.Component
	for _, v := range append(benchmark.Verdicts, "from_the_future") {
		badges = append(badges, VerdictBadge(v))
	}
	return all(badges...)
}

func samples() []sample {
	one := scoreTable(Group{Rows: []Row{scoreRow("1", "RepoAgent", Score{Value: .5}, Score{Value: .5, Plain: true}, 100, 1, Evaluated)}})
	one.ID, one.Groups[0].Rows[0].ID = "one", "system-repoagent"
	none := scoreTable()
	none.ID = "none"
	return append(slices.Concat(submissionSamples(), localizationSamples(), correlationSamples()), []sample{
		{"layout", within(Layout(Page{Title: hostile, Description: hostile, Path: "/doc-to-code/repos/psf/requests", Version: "v1.2.3", Live: true}), isolated("body"))},
		{"layout_home", within(Layout(Page{Path: "/"}), isolated("body"))},
		{"heading", Heading{Trail: []Link{{"Doc-to-code", "/doc-to-code"}, {"Repositories", "/doc-to-code/repos"}}, Title: "psf/requests", Mono: true, Lead: "310 tasks of the release starter@1; how well each system's docstrings let a model write the bodies again."}.View()},
		{"heading_long", Heading{Title: longName}.View()},
		{"filters", filters().View()},
		{"table", fullTable().View()},
		{"table_one_row", one.View()},
		{"table_empty", none.View()},
		{"heat", all(HeatLegend("0", "1, every sample passes"), heatTable().View())},
		{"heat_named", namedTable().View()},
		{"notes", all(Notes(nil), Notes([]Note{{Text: hostile}}), Notes([]Note{{Where: "Table 1", Text: "Each number is a mean."}, {Where: "Table 2", Text: longName}}))},
		{"drops", Drops([]DropGroup{
			{Kind: "task", Reason: "slow", Total: 1234, Items: []DropItem{{Key: "psf/requests:a.py::f", Detail: hostile}, {Key: longName}}},
			{Kind: "test", Reason: "flaky", Total: 1, Items: []DropItem{{Key: rightLeft}}},
			{Kind: "repository", Reason: "of another version", Total: 1, Items: []DropItem{{Key: hostile}}},
		}, "/releases/dropped.csv")},
		{"guide", within(Guide([]Link{{"What is measured", "#sample-guide"}}), isolated("text"))},
		{"diverging", all(DivergingLegend("−1", "+1"), divergingTable().View())},
		{"chart_distribution", distributionChart("spreads", sampleSpreads...).View()},
		{"chart_distribution_one", distributionChart("spread", sampleSpreads[0]).View()},
		{"score", all(
			Score{Value: .751, Interval: interval(.72, .782), Best: true}.View(),
			Score{Value: -.031, Interval: interval(-.08, .012), Signed: true}.View(),
			Score{Value: .2, Plain: true, Interval: interval(.1, .3)}.View(),
			Score{Value: .2, Plain: true}.View(),
			Score{Unknown: "not computed: no judge is configured"}.View(),
		)},
		{"provenance", all(Published.Badge(), Evaluated.Badge(), Verified.Badge(), Provenance("rumour").Badge())},
		{"verdict", verdicts()},
		{"progress", all(
			Progress{Done: 312, Total: 1500, Unit: "samples", Words: "running the tests"}.View(),
			Progress{Done: 9, Total: 3}.View(),
			Progress{Words: "place 3 in the queue"}.View(),
		)},
		{"form", submitForm()},
		{"pagination", Pagination{Page: 7, PerPage: 100, Total: 1234, Unit: "submissions", Address: address("/submissions?track=localization&page=7")}.View()},
		{"pagination_single", Pagination{Page: 1, PerPage: 100, Total: 100}.View()},
		{"diff_unified", Diff{Before: originalBody, After: candidateBody, BeforeName: "original", AfterName: "candidate 3", Context: 2}.View()},
		{"diff_split", Diff{Before: originalBody, After: candidateBody, BeforeName: "original", AfterName: "candidate 3", Split: true}.View()},
		{"code", Code("E   AssertionError: assert ('a', '') == ('a', 'b')\n" + hostile + "\n")},
		{"prose", within(Prose(), templ.Raw("<h2>pass@k</h2><p>The chance that at least one of k samples passes, estimated without bias from m samples of each task, then averaged over the tasks of a repository and over repositories.</p><pre>pass@k = 1 − C(m−c, k) / C(m, k)</pre>"))},
		{"facts", Facts([]Fact{{Name: "Release", Value: "starter@1"}, {Name: "SHA-256", Value: strings.Repeat("0123456789abcdef", 4), Mono: true}, {Name: "System", Value: rightLeft}})},
		{"section", within(Section("method", "Method", "How the numbers come to be."), isolated("…"))},
		{"empty", Empty{}.View()},
		{"problem", Problem{What: "There is no submission 4711.", Where: "/submissions/4711", Do: "Check the number, or look in the list of submissions.", Next: Link{"All submissions", "/submissions"}, Reference: "01J8ZK5"}.View()},
	}...)
}
