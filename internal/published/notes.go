package published

// A Note says what a reader should know of a table: where the paper's own
// numbers differ from one another, or what they do not show.
type Note struct {
	Source string
	Table  int // where it is shown
	Text   string
}

// Notes are the facts about the papers' own tables. Every number in them
// follows from the tables, but for the 2,924 tasks of the paper's text.
func Notes() []Note {
	return []Note{
		{DocumentationPaper, 1, "Each number is the unweighted mean over the 28 repositories of Table 3, up to rounding: " +
			"19 of the 20 are that mean rounded to two decimals. RepoAgent with qwen3-235b-a22b, judged by qwen3-235b-a22b, has pass@3 0.77 here " +
			"and a mean of 0.7754 there, no further apart than the rounding in both tables allows."},
		{DocumentationPaper, 1, "With gpt-5-mini as documentation model and evaluator, RepoAgent is ahead of OSA by 0.023 at pass@1 (mean of the paired " +
			"differences over the 28 repositories of Table 3). The 95 % confidence interval, −0.016 to 0.062, contains 0: the difference is not significant."},
		{DocumentationPaper, 2, "The column n_tasks sums to 3,094; the text of the paper speaks of 2,924 tasks, 170 fewer."},
		{LocalizationPaper, 4, "The mean F1 of minimal, concise, contextual and guided prompts is 0.242, 0.479, 0.574 and 0.770 here, " +
			"but the mean over the three models of Table 3, on the same repository, is 0.206, 0.419, 0.524 and 0.720."},
		{LocalizationPaper, 4, "By the text each of the three models was given 90 tasks, which makes 270 outcomes at each level. But 7 of the 12 rates that are printed here are no whole number of 270, " +
			"rounded to a tenth of a percent: precision 0 and recall 0 of minimal (60.2 %), concise (28.7 %) and guided prompts (3.5 %), and recall 1 of guided prompts (59.8 %)."},
	}
}
