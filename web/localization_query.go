package web

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard"
	"touchstone/internal/localization"
	"touchstone/views"
)

const localizationPath = "/localization"

// everyLevel asks for all levels where a page would show its own.
const everyLevel = "all"

// A localizationAsk is what an address of the track asks for.
type localizationAsk struct {
	leaderboard.LocalizationQuery
	board      *leaderboard.Board
	level      string // as it stands in the address
	repository string
	params     url.Values
}

// localizationAsk reads an address. Without a level it is the one given, or all
// where that is "".
func (s *Site) localizationAsk(c echo.Context, level localization.Level) (localizationAsk, error) {
	a := localizationAsk{level: c.QueryParam("level"), repository: c.QueryParam("repository"), params: c.QueryParams()}
	a.LocalizationQuery = leaderboard.LocalizationQuery{
		Release: c.QueryParam("release"), Provenance: leaderboard.Provenance(c.QueryParam("provenance")), Level: localization.Level(a.level),
		Condition: localization.Condition(c.QueryParam("condition")), Gold: localization.Gold(c.QueryParam("gold")), Mean: leaderboard.Mean(c.QueryParam("mean")),
		Text: c.QueryParam("q"), Sort: c.QueryParam("sort"), Ascending: c.QueryParam("order") == "asc",
	}
	switch a.level {
	case everyLevel:
		a.Level = ""
	case "":
		a.Level, a.level = level, cmp.Or(string(level), everyLevel)
	}
	var err error
	if a.board, err = s.Boards.Current(c.Request().Context()); err != nil {
		return a, err
	}
	if err := a.board.CheckLocalization(a.LocalizationQuery); err != nil {
		return a, err
	}
	return a, a.checkRepository()
}

// checkRepository refuses a repository that no release of the track has. One of
// another release is none of this one's, so that releases can be switched.
func (a localizationAsk) checkRepository() error {
	if a.repository == "" {
		return nil
	}
	var names []string
	for _, set := range a.board.Localization {
		if _, ok := set.Index(a.repository); ok {
			return nil
		}
		for _, r := range set.Repositories {
			names = append(names, r.Name)
		}
	}
	return &benchmark.InputError{Field: "repository", Problem: fmt.Sprintf("no release of the track has %.100q", a.repository), Mend: "choose one of " + strings.Join(names[:min(20, len(names))], ", ")}
}

func (a localizationAsk) gold() localization.Gold { return cmp.Or(a.Gold, localization.AllGold) }
func (a localizationAsk) mean() leaderboard.Mean  { return cmp.Or(a.Mean, leaderboard.MacroFiles) }

// set is the one that is asked for, else the first that suits, else nil.
func (a localizationAsk) set(suits func(*leaderboard.LocalizationSet) bool) *leaderboard.LocalizationSet {
	for _, set := range a.board.Localization {
		if a.Release == set.Key || a.Release == "" && suits(set) {
			return set
		}
	}
	return nil
}

// Selects of the filters above the track's tables.

func (a localizationAsk) releaseSelect(all bool, value string) views.Select {
	s := views.Select{Label: views.Label{Name: "release", Text: "Release"}, Value: value}
	if all {
		s.Options = append(s.Options, views.Option{Value: "", Text: "all"})
	}
	for _, set := range a.board.Localization {
		s.Options = append(s.Options, views.Option{Value: set.Key, Text: set.Label})
	}
	return s
}

func (a localizationAsk) levelSelect(all bool) views.Select {
	s := views.Select{Label: views.Label{Name: "level", Text: "Prompt"}, Value: a.level}
	for _, level := range localization.Levels {
		s.Options = append(s.Options, views.Option{Value: string(level)})
	}
	if all {
		s.Options = append(s.Options, views.Option{Value: everyLevel})
	}
	return s
}

func (a localizationAsk) conditionSelect() views.Select {
	return views.Select{Label: views.Label{Name: "condition", Text: "Condition"}, Value: string(a.Condition), Options: []views.Option{{Value: "", Text: "both"},
		{Value: string(localization.Baseline)}, {Value: string(localization.Augmented)}}}
}

func (a localizationAsk) goldSelect() views.Select {
	return views.Select{Label: views.Label{Name: "gold", Text: "Gold files"}, Value: string(a.gold()), Options: []views.Option{{Value: string(localization.AllGold), Text: "all"},
		{Value: string(localization.SourceGold), Text: "source only"}}}
}

func (a localizationAsk) meanSelect() views.Select {
	return views.Select{Label: views.Label{Name: "mean", Text: "Mean"}, Value: string(a.mean()), Options: []views.Option{{Value: string(leaderboard.MacroFiles), Text: "macro: of tasks"},
		{Value: string(leaderboard.MicroFiles), Text: "micro: of files"}}}
}

// repositorySelect offers the repositories of a set.
func (a localizationAsk) repositorySelect(set *leaderboard.LocalizationSet) views.Select {
	s := views.Select{Label: views.Label{Name: "repository", Text: "Repository"}, Value: a.repository, Options: []views.Option{{Value: "", Text: "all"}}}
	if set != nil {
		for _, r := range set.Repositories {
			s.Options = append(s.Options, views.Option{Value: r.Name})
		}
	}
	return s
}

// narrowed is the repository if the set has it, so that a choice of another
// release is not refused for it.
func (a localizationAsk) narrowed(set *leaderboard.LocalizationSet) string {
	if set != nil {
		if _, ok := set.Index(a.repository); ok {
			return a.repository
		}
	}
	return ""
}

// goldSaid is the kind of gold files in words.
func (a localizationAsk) goldSaid() string {
	if a.gold() == localization.SourceGold {
		return "source files only: tests, documentation and generated files count neither for nor against"
	}
	return "all gold files"
}

// meanSaid is the mean in words.
func (a localizationAsk) meanSaid() string {
	if a.mean() == leaderboard.MicroFiles {
		return "Micro: precision, recall and F1 of the files of all tasks as one set."
	}
	return "Means over tasks. F1 is the mean of each task’s F1, so it lies below the F1 of mean precision and mean recall."
}

// levelSaid is what is shown of levels, in words.
func (a localizationAsk) levelSaid() string {
	if a.Level == "" {
		return "all prompts"
	}
	return string(a.Level) + " prompts"
}

// entrantName names an arm's system in a table.
func entrantName(e *leaderboard.Entrant, submission string) views.SystemLabel {
	label := views.SystemLabel{Name: e.System, Model: e.Model, Version: e.Version, Link: e.Link}
	if submission != "" {
		label.Address = "/submissions/" + submission
	}
	return label
}

// latest is the newest submission of an entrant, "" for a paper's.
func latest(e *leaderboard.Entrant) string {
	if len(e.Submissions) == 0 {
		return ""
	}
	return e.Submissions[len(e.Submissions)-1]
}

// historyAddress is the page of a repository of a set. A paper names no owner:
// its own name stands in that place.
func historyAddress(set *leaderboard.LocalizationSet, name string) string {
	if set.Provenance == leaderboard.Published {
		name = set.Key + "/" + name
	}
	owner, rest, _ := strings.Cut(name, "/")
	return localizationPath + "/repos/" + url.PathEscape(owner) + "/" + url.PathEscape(rest)
}

// taskAddress is the page of a task of the track.
func historyTaskAddress(release, instance string) string {
	return localizationPath + "/tasks/" + url.PathEscape(instance) + "?" + url.Values{"release": {release}}.Encode()
}

// units says what varies at random in an interval over a set or one repository
// of it.
func resampledUnits(set *leaderboard.LocalizationSet, repository string, tasks int) string {
	if repository == "" && len(set.Repositories) > 1 {
		return views.Counted(len(set.Repositories), "repository", "repositories")
	}
	return views.Counted(tasks, "task", "tasks")
}

// localizationSource says where the numbers of a set come from.
func localizationSource(set *leaderboard.LocalizationSet) string {
	if set.Provenance == leaderboard.Published {
		return "Published: " + set.Label + ". Single repositories as printed; means over both computed here."
	}
	return fmt.Sprintf("Evaluated here on release %s (%s, %s).", set.Label, views.Counted(len(set.Repositories), "repository", "repositories"), views.Counted(set.Tasks, "task", "tasks"))
}

// localizationLinks are the other pages of the track.
func localizationLinks(here string) []views.Link {
	var links []views.Link
	for _, l := range []views.Link{{Text: "Leaderboard", Address: localizationPath}, {Text: "By level and repository", Address: levelsPath}, {Text: "Extreme outcomes", Address: extremesPath},
		{Text: "With and without knowledge", Address: contrastsPath}, {Text: "Rules of the track", Address: "/methodology#localization"}} {
		if l.Address != here {
			links = append(links, l)
		}
	}
	return links
}
