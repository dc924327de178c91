package web

import (
	"slices"
	"strings"
	"testing"
)

func TestTheLocalizationPageIsThePapersTables(t *testing.T) {
	r := newReference(t)
	page := r.page("/localization")
	page.has("This site has evaluated nothing on this track so far.", "arXiv:2603.26137v1", "prompt with guidance on the fix")
	for id, want := range map[string][][]string{
		"localization-2": {{"Minimal", "○ published", "0.2202", "0.2569", "0.2026"}, {"Guided", "○ published", "0.8071", "0.8562", "0.8081"}},
		"localization-3": {{"Minimal", "○ published", "0.1921", "0.2407", "0.1898"}, {"Contextual", "○ published", "0.5106", "0.5909", "0.5062"}},
		"localization-4": {{"Minimal", "○ published", "0.242", "0.602", "0.144", "0.602"}, {"Guided", "○ published", "0.770", "0.035", "0.598", "0.035"}},
	} {
		table := page.table(id)
		for _, line := range want {
			if !slices.ContainsFunc(table, func(got []string) bool { return slices.Equal(got, line) }) {
				t.Errorf("%s does not have %q: %q", id, line, table)
			}
		}
	}
	page.part("table-4").has("Notes Table 4. The mean F1 of minimal", "7 of the 12 rates")
	page.part("table-2").hasNot("Note")
}

func TestThePublishedNumbersOfLocalizationAreAFile(t *testing.T) {
	r := newReference(t)
	lines := r.file("/localization/published.csv")
	if len(lines) != 36+36+16 {
		t.Fatalf("%d lines", len(lines))
	}
	first := lines[0]
	if first["provenance"] != "published" || first["repository"] != "DragonFly" || first["metric"] != "recall" || first["value"] != "0.2202" || first["table"] != "2" {
		t.Errorf("%v", first)
	}
	if rows := r.rows("/api/v1/localization/published"); len(rows) != len(lines) || rows[87]["value"] != lines[87]["value"] {
		t.Errorf("JSON has %d rows", len(rows))
	}
}

func TestTheLocalizationPageUsesNoUnfinishedWords(t *testing.T) {
	text := strings.ToLower(newReference(t).page("/localization").text())
	for _, word := range []string{"coming soon", "placeholder", "not implemented", "under construction"} {
		if strings.Contains(text, word) {
			t.Errorf("the page says %q", word)
		}
	}
}
