package leaderboard_test

import (
	"math"
	"path/filepath"
	"slices"
	"testing"

	"touchstone/data"
	"touchstone/internal/evaluation"
	"touchstone/internal/leaderboard"
	"touchstone/internal/leaderboard/localizationtest"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

func localizationStore(t *testing.T) *store.Store {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "site.db"))
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func localizationBoard(t *testing.T, boards *leaderboard.Boards) *leaderboard.Board {
	t.Helper()
	board, err := boards.Current(t.Context())
	must(t, err)
	return board
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

func TestAnArmHasItsScoresOfTheWholeAndOfEachRepository(t *testing.T) {
	h := localizationtest.New(t, localizationStore(t), 8)
	h.Submit("Agent", "m", "1", localizationtest.Answers{{Level: localization.Contextual, Condition: localization.Baseline}: localizationtest.Every(2)})
	board := localizationBoard(t, leaderboard.NewBoards(h.Store))
	set := board.Localization[0]
	if len(set.Entrants) != 1 || len(set.Entrants[0].Arms) != 1 || set.Tasks != 12 || len(set.AllTasks()) != 12 {
		t.Fatalf("%+v", set)
	}
	arm := set.Entrants[0].Arms[0]
	whole := arm.Whole(localization.AllGold)
	if !near(whole.Macro.F1, 0.5) || whole.Tasks != 12 || whole.Interval == nil || whole.Extremes[localization.Exact] != 6 || whole.Extremes[localization.ZeroRecall] != 6 {
		t.Errorf("%+v", whole)
	}
	if precision, recall, err := set.MeanIntervals(arm, localization.AllGold, "acme/one"); err != nil || precision == nil || recall == nil || precision.Low >= 0.5 || recall.High <= 0.5 {
		t.Errorf("%+v, %+v, %v", precision, recall, err)
	}
	for i, name := range []string{"acme/one", "acme/two"} {
		if at, ok := set.Index(name); !ok || at != i {
			t.Fatalf("%s is at %d", name, at)
		}
		if on := arm.On(i, localization.AllGold); !near(on.Macro.F1, 0.5) || on.Tasks != 8-4*i {
			t.Errorf("%s: %+v", name, on)
		}
	}
	// The last task of each repository has no source: it is not scored.
	if source := arm.Whole(localization.SourceGold); source.Tasks != 10 || !near(source.Macro.F1, 0.6) {
		t.Errorf("%+v", source)
	}
	if share, ok := whole.Share(localization.Exact); !ok || !near(share.Rate, 0.5) || share.Interval.Low < 0.2 || share.Interval.High > 0.8 {
		t.Errorf("%+v", share)
	}
	if found, ok := set.ArmOf(arm.Key()); !ok || found != arm || arm.Key() != "loc1:contextual:baseline" {
		t.Errorf("its key is %s", arm.Key())
	}
}

// The published tables have rows of models, and means that are said to be
// computed.
func TestAPapersModelsAreRowsBesideTheEvaluated(t *testing.T) {
	db := localizationStore(t)
	must(t, evaluation.ImportPublished(t.Context(), db, data.Published()))
	board := localizationBoard(t, leaderboard.NewBoards(db))
	set := board.Localization[0]
	if len(board.Localization) != 1 || set.Provenance != leaderboard.Published || len(set.Entrants) != 3 || len(set.Repositories) != 2 {
		t.Fatalf("%+v", set)
	}
	listings := board.ListLocalization(leaderboard.LocalizationQuery{Level: localization.Contextual})
	best := listings[0].Rows[0]
	dragonfly, react := best.On(0, localization.AllGold), best.On(1, localization.AllGold)
	if best.Model != "Ops-4.6" || dragonfly.Macro.F1 != 0.7241 || dragonfly.Decimals != 4 || react.Macro.F1 != 0.6057 || react.HasMicro || react.Tasks != 0 {
		t.Errorf("%+v, %+v", dragonfly, react)
	}
	if whole := best.Whole(localization.AllGold); !near(whole.Macro.F1, (0.7241+0.6057)/2) || whole.Decimals != 0 || whole.Interval != nil {
		t.Errorf("%+v", whole)
	}
	if best.Whole(localization.SourceGold).Known {
		t.Error("the paper says nothing of source alone")
	}
	if rows, err := set.Contrasts(localization.AllGold, ""); err != nil || len(rows) != 0 {
		t.Errorf("%d contrasts of a paper without the augmented arm, %v", len(rows), err)
	}
	gains := set.Gains(localization.AllGold, "React")
	if len(gains) != 3 || !near(gains[2].Difference(), 0.7229-0.1946) && !near(gains[1].Difference(), 0.7229-0.1946) {
		t.Errorf("%+v", gains)
	}
	if interval, err := set.GainInterval(gains[0], localization.AllGold, "React"); err != nil || interval != nil {
		t.Errorf("%+v, %v", interval, err)
	}
}

func TestRowsStandInTheOrderThatIsAskedFor(t *testing.T) {
	h := localizationtest.New(t, localizationStore(t), 8)
	minimal, guided := localization.Arm{Level: localization.Minimal, Condition: localization.Baseline}, localization.Arm{Level: localization.Guided, Condition: localization.Baseline}
	h.Submit("worse", "", "1", localizationtest.Answers{minimal: localizationtest.Every(4), guided: localizationtest.Every(2)})
	h.Submit("Better", "", "1", localizationtest.Answers{minimal: localizationtest.Every(2), guided: localizationtest.Every(1)})
	board := localizationBoard(t, leaderboard.NewBoards(h.Store))
	for _, c := range []struct {
		query leaderboard.LocalizationQuery
		want  []string
	}{
		{leaderboard.LocalizationQuery{}, []string{"Better guided", "Better minimal", "worse guided", "worse minimal"}},
		{leaderboard.LocalizationQuery{Level: localization.Minimal, Ascending: true}, []string{"worse minimal", "Better minimal"}},
		{leaderboard.LocalizationQuery{Sort: "level", Ascending: true}, []string{"Better minimal", "worse minimal", "Better guided", "worse guided"}},
		{leaderboard.LocalizationQuery{Sort: "system", Text: " WORSE "}, []string{"worse minimal", "worse guided"}},
		{leaderboard.LocalizationQuery{Sort: "repository:acme/two", Condition: localization.Baseline, Level: localization.Guided}, []string{"Better guided", "worse guided"}},
		{leaderboard.LocalizationQuery{Condition: localization.Augmented, Release: "histories@1"}, nil},
	} {
		var got []string
		for _, a := range board.ListLocalization(c.query)[0].Rows {
			got = append(got, a.Name()+" "+string(a.Level))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.query, got, c.want)
		}
	}
	for _, q := range []leaderboard.LocalizationQuery{{Release: "x"}, {Level: "x"}, {Condition: "x"}, {Gold: "x"}, {Mean: "x"}, {Provenance: "x"}} {
		if board.CheckLocalization(q) == nil {
			t.Errorf("%+v is accepted", q)
		}
	}
}

func TestTheTwoArmsAreComparedAsOneFamily(t *testing.T) {
	h := localizationtest.New(t, localizationStore(t), 40)
	h.Submit("Agent", "", "1", localizationtest.Both())
	h.Submit("Other", "", "1", localizationtest.Both())
	h.Submit("Half", "", "1", localizationtest.Answers{{Level: localization.Guided, Condition: localization.Augmented}: localizationtest.Right})
	boards := leaderboard.NewBoards(h.Store)
	set := localizationBoard(t, boards).Localization[0]
	rows, err := set.Contrasts(localization.AllGold, "acme/one")
	must(t, err)
	if len(rows) != 2 || len(rows[0].Contrasts) != 4 || leaderboard.Family(rows) != 8 {
		t.Fatalf("%+v", rows)
	}
	c := rows[0].Contrasts[2] // contextual: every third task against every one
	if c.Level != localization.Contextual || c.Tasks != 40 || c.Repositories != 1 || c.Interval.Interval == nil || c.Difference < 0.6 || c.Worse != 0 {
		t.Errorf("%+v", c)
	}
	// 8 contrasts: the smallest p counts eight times, and this is one of the smallest.
	if c.WilcoxonHolm < 2*c.Wilcoxon.P || c.WilcoxonHolm > 8.001*c.Wilcoxon.P {
		t.Errorf("p %v becomes %v", c.Wilcoxon.P, c.WilcoxonHolm)
	}
	tasks, err := set.TaskContrasts(rows[0].Entrant, localization.Contextual, localization.AllGold, "acme/one")
	must(t, err)
	sum := 0.0
	for _, x := range tasks {
		sum += x.Difference()
	}
	if len(tasks) != 40 || math.Abs(sum/40-c.Difference) > 1e-9 {
		t.Errorf("%d tasks whose differences are %v on average, not %v", len(tasks), sum/40, c.Difference)
	}
	// Reading one family does not adjust another's p again.
	again, err := set.Contrasts(localization.AllGold, "acme/one")
	must(t, err)
	whole, err := set.Contrasts(localization.AllGold, "")
	must(t, err)
	if again[0].Contrasts[2].WilcoxonHolm != c.WilcoxonHolm || whole[0].Contrasts[2].Repositories != 2 {
		t.Error("families are mixed up")
	}
	// A new board has what was computed of arms that did not change.
	h.Submit("Third", "", "1", localizationtest.Both())
	boards = leaderboard.NewBoards(h.Store)
	more, err := localizationBoard(t, boards).Localization[0].Contrasts(localization.AllGold, "acme/one")
	must(t, err)
	if leaderboard.Family(more) != 12 || more[0].Contrasts[2].WilcoxonHolm <= c.WilcoxonHolm {
		t.Errorf("a larger family has p %v, the smaller %v", more[0].Contrasts[2].WilcoxonHolm, c.WilcoxonHolm)
	}
}

func TestTwoArmsAreComparedOnTheirTasks(t *testing.T) {
	h := localizationtest.New(t, localizationStore(t), 40)
	h.Submit("Agent", "", "1", localizationtest.Both())
	set := localizationBoard(t, leaderboard.NewBoards(h.Store)).Localization[0]
	minimal, _ := set.ArmOf("loc1:minimal:baseline")
	guided, _ := set.ArmOf("loc1:guided:baseline")
	c, err := set.CompareArms(guided, minimal, localization.AllGold, "acme/one")
	must(t, err)
	exact := c.Extremes[3]
	// Every second of 40 and every fifth of them.
	if c.Tasks != 40 || exact.First.Count != 20 || exact.Second.Count != 8 || exact.OnlyFirst != 16 || exact.OnlySecond != 4 || exact.McNemar > 0.02 ||
		!near(exact.Proportions.Difference, 0.3) || exact.Proportions.Interval.Low <= 0 || c.Cliff.Value == nil || *c.Cliff.Value <= 0 {
		t.Errorf("%+v", exact)
	}
	gains := set.Gains(localization.AllGold, "acme/one")
	if len(gains) != 2 || !near(gains[0].Difference(), 0.3) {
		t.Errorf("%+v", gains)
	}
	if interval, err := set.GainInterval(gains[0], localization.AllGold, "acme/one"); err != nil || interval == nil || interval.Low <= 0 || interval.High >= 0.6 {
		t.Errorf("%+v, %v", interval, err)
	}
	if f1s, err := set.F1s(minimal, localization.SourceGold, ""); err != nil || len(f1s) != 58 {
		t.Errorf("%d tasks have source, %v", len(f1s), err)
	}
}

func TestABoardReadsOnlyWhatIsNew(t *testing.T) {
	h := localizationtest.New(t, localizationStore(t), 8)
	h.Submit("Agent", "", "1", localizationtest.Both())
	boards := leaderboard.NewBoards(h.Store)
	before := localizationBoard(t, boards).Localization[0]
	h.Submit("Agent", "", "1", localizationtest.Answers{{Level: localization.Minimal, Condition: localization.Baseline}: localizationtest.Right})
	for { // a board at most half a second old may be shown
		set := localizationBoard(t, boards).Localization[0]
		if set == before {
			continue
		}
		arm := set.Entrants[0].Arm(localization.Minimal, localization.Baseline)
		if len(set.Entrants) != 1 || arm.Submission != "loc2" || arm.Whole(localization.AllGold).Macro.F1 != 1 || set.Entrants[0].Arm(localization.Guided, localization.Baseline).Submission != "loc1" {
			t.Errorf("%+v", arm)
		}
		break
	}
}

func TestFilesOfTheTrackHaveALineForEachArmAndRepository(t *testing.T) {
	h := localizationtest.New(t, localizationStore(t), 8)
	h.Submit("Agent", "", "1", localizationtest.Both())
	board := localizationBoard(t, leaderboard.NewBoards(h.Store))
	listings := board.ListLocalization(leaderboard.LocalizationQuery{})
	for _, c := range []struct {
		sheet leaderboard.Sheet
		want  int
	}{
		{leaderboard.LocalizationScores(listings, "", ""), 8 * 2 * 3}, {leaderboard.LocalizationScores(listings, localization.SourceGold, "acme/two"), 8},
		{leaderboard.ExtremeShares(listings, localization.AllGold, ""), 8 * 3 * 4},
	} {
		lines := slices.Collect(c.sheet.Rows)
		if len(lines) != c.want {
			t.Errorf("%d lines, want %d", len(lines), c.want)
		}
		for _, line := range lines {
			if len(line) != len(c.sheet.Header) {
				t.Fatalf("%d fields under %d names: %q", len(line), len(c.sheet.Header), line)
			}
		}
	}
	rows, err := board.Localization[0].Contrasts(localization.AllGold, "")
	must(t, err)
	sheet := leaderboard.ContrastSheet(board.Localization[0], rows, localization.AllGold, "")
	if lines := slices.Collect(sheet.Rows); len(lines) != 4 || len(lines[0]) != len(sheet.Header) || lines[0][len(lines[0])-1] != "4" {
		t.Errorf("%q under %q", lines, sheet.Header)
	}
}
