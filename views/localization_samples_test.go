package views

import "math"

var sampleLevels = []string{"Minimal", "Concise", "Contextual", "Guided"}

// sampleChart is what stands around a chart of the localization track.
func sampleChart(id, title string) Chart {
	return Chart{ID: id, Title: title, Description: "What is drawn, in words.", Note: "Means over 395 tasks of pull-requests@1.", CSV: "/localization.csv", SVG: "/localization.svg",
		Table: Table{ID: id + "-table", Caption: "The same as numbers.", CSV: "/localization.csv", Columns: []Column{{Label: "System"}, {Label: "F1", Align: Decimals}},
			Groups: []Group{{Rows: []Row{{Cells: []Cell{TextCell("bm25"), NumberCell(.315, 3)}}}}}}}
}

// trajectories have lines that end at one place, that break, and that are a point.
func trajectories() Trajectories {
	none := math.NaN()
	return Trajectories{Chart: sampleChart("trajectories", "F1 rises with every level for 2 of 4 systems"), Levels: sampleLevels, Rows: []Trajectory{
		{Name: "SWE agent · Ops-4.6", Series: 0, Decimals: 4, Lines: []TrajectoryLine{{"F1", []float64{.2952, .5464, .7241, .8081}}, {"P", []float64{.3686, .6278, .7964, .8562}}, {"R", []float64{.2977, .5741, .7194, .8071}}}},
		{Name: hostile, Series: 1, Lines: []TrajectoryLine{{"F1", []float64{.2, none, .4, .5}}, {"P", []float64{0, 0, 0, 0}}, {"R", []float64{1, 1, 1, 1}}}},
		{Name: longName, Series: 2, Lines: []TrajectoryLine{{"F1", []float64{0, 0, 0, 0}}, {"P", []float64{0, 0, 0, 0}}, {"R", []float64{0, 0, 0, 0}}}},
		{Name: rightLeft, Series: 3, Lines: []TrajectoryLine{{"F1", []float64{none, none, .5}}, {"P", nil}, {"R", []float64{none, none, none, none}}}},
	}}
}

func histograms() Histograms {
	return Histograms{Chart: sampleChart("histograms", "Guided prompts leave 4 % of tasks at F1 0, minimal ones 60 %"), Unit: "F1", Series: 1, Groups: []Histogram{
		{Name: "Minimal", Tasks: 90, Counts: [HistogramBins]int{54, 3, 8, 6, 5, 2, 12}},
		{Name: longName, Tasks: 1000, Counts: [HistogramBins]int{1, 0, 0, 0, 0, 0, 999}},
		{Name: hostile, Tasks: 1, Counts: [HistogramBins]int{0, 0, 0, 1, 0, 0, 0}},
		{Name: "None"},
	}}
}

func forest() Forest {
	return Forest{Chart: sampleChart("forest", "With knowledge, bm25 is better at every level"), Unit: "ΔF1, augmented minus baseline", Rows: []ForestRow{
		{Heading: "bm25", Name: "Minimal", Series: 0, Value: .074, Interval: &Interval{Low: .041, High: .108, Level: .95, Method: "paired bootstrap over 395 tasks"}},
		{Name: "Guided", Series: 0, Value: -.012, Interval: interval(-.03, .006)},
		{Heading: longName, Name: hostile, Series: 1, Value: 0, Why: "with one task it is unknown how much tasks differ"},
		{Name: rightLeft, Series: 1, Value: -.31, Interval: interval(-.6, .02)},
	}}
}

// localizationSamples are the parts of the localization track's pages.
func localizationSamples() []sample {
	return []sample{
		{"chart_trajectories", trajectories().View()},
		{"chart_histograms", histograms().View()},
		{"chart_forest", forest().View()},
		{"found_files", all(FoundFiles(nil, 0), FoundFiles([]FoundFile{{Path: "src/server/list.cc", Hit: "source"}, {Path: hostile}, {Path: longName}}, 3))},
		{"localization_links", LocalizationLinks([]Link{{"Extreme outcomes", "/localization/extremes"}})},
		{"localization_set", setHead("pull-requests@1", Evaluated)},
	}
}
