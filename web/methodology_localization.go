package web

import (
	"strings"

	"touchstone/internal/localization"
	"touchstone/internal/localization/prompts"
	"touchstone/internal/published"
	"touchstone/views"
)

// localizationRules are the rules of the track that the program's own tables hold.
func localizationRules(tables *published.Tables) views.LocalizationRules {
	rules := views.LocalizationRules{
		Levels:  views.Table{ID: "prompt-levels", Caption: "What each level tells.", Columns: []views.Column{{Label: "Level"}, {Label: "The paper’s words"}, {Label: "Words", Note: "at most", Align: views.Decimals}}},
		Filters: views.Table{ID: "prompt-rules", Caption: "Rules that every prompt keeps.", Columns: []views.Column{{Label: "Rule"}, {Label: "What it asks"}}},
		Drops:   views.Table{ID: "history-drop-meanings", Caption: "Why a pull request of the window is no task. The first reason that holds is given.", Columns: []views.Column{{Label: "Reason"}, {Label: "Meaning"}}},
	}
	levels, filters, drops := views.Group{}, views.Group{}, views.Group{}
	for _, level := range localization.Levels {
		levels.Rows = append(levels.Rows, views.Row{Cells: []views.Cell{views.TextCell(string(level)), views.TextCell(capital(meaning(tables, "level", string(level))) + "."), views.CountCell(prompts.Limits[level])}})
	}
	for _, rule := range prompts.Rules {
		filters.Rows = append(filters.Rows, views.Row{Cells: []views.Cell{views.CodeCell(rule.Name, ""), views.TextCell(capital(rule.Says) + ".")}})
	}
	for _, reason := range localization.Reasons {
		drops.Rows = append(drops.Rows, views.Row{Cells: []views.Cell{views.TextCell(strings.ReplaceAll(reason, "_", " ")), views.TextCell(views.HistoryDropMeaning(reason))}})
	}
	rules.Levels.Groups, rules.Filters.Groups, rules.Drops.Groups = []views.Group{levels}, []views.Group{filters}, []views.Group{drops}
	return rules
}
