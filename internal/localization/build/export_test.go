package build

import (
	"strings"
	"testing"
)

func TestAnExportIsReadByNumber(t *testing.T) {
	text := "\uFEFF" + `{"number":12,"title":"A <b>title</b>","body":null,"merged_at":"2026-01-31T12:00:00Z","base":"main","head":"x"}` + "\r\n\n" + `{"title":"` + strings.Repeat("é", 300) + `","number":3,"body":"text","merged_at":null}`
	pulls, err := ReadExport(strings.NewReader(text), "pulls.jsonl")
	if err != nil || len(pulls) != 2 || pulls[12].Title != "A <b>title</b>" || pulls[12].Head != "x" || pulls[3].Body != "text" || pulls[3].MergedAt != nil {
		t.Errorf("%+v, %v", pulls, err)
	}
}

func TestAnExportNamesWhatIsWrong(t *testing.T) {
	good := `{"number":1,"title":"x"}` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", "pulls.jsonl: holds no pull request"},
		{"\n \n", "pulls.jsonl: holds no pull request"},
		{good + `{"number":"2","title":"x"}`, "pulls.jsonl:2: number: is a JSON string where a whole number is expected; write {"},
		{good + `{"number":2.5,"title":"x"}`, "pulls.jsonl:2: number: is a JSON number 2.5 where a whole number is expected"},
		{good + `{"number":-2,"title":"x"}`, "pulls.jsonl:2: number: is missing or not a number from 1 on"},
		{good + `{"title":"x"}`, "pulls.jsonl:2: number: is missing"},
		{good + `{"number":2}`, "pulls.jsonl:2: title: is missing or blank"},
		{good + `{"number":2,"title":" "}`, "pulls.jsonl:2: title: is missing or blank"},
		{good + `{"number":2,"title":["x"]}`, "pulls.jsonl:2: title: is a JSON array where a string is expected"},
		{good + `{"number":2,"title":"x","mergedAt":"y"}`, "pulls.jsonl:2: mergedAt: is no key of an export; take it out"},
		{good + `{"number":2,"title":"x","merged_at":"yesterday"}`, `pulls.jsonl:2: merged_at: "yesterday" is not an instant`},
		{good + `{"number":2,"title":"x","merged_at":5}`, "pulls.jsonl:2: merged_at: is not"},
		{good + `{"number":2,"title":"x","title":"y"}`, "pulls.jsonl:2: title: is given twice"},
		{good + "\n" + good, "pulls.jsonl:3: number: 1 stands on line 1 already; keep one of them"},
		{good + `{"number":2,"title":"x"} {"number":3,"title":"y"}`, "pulls.jsonl:2: holds more than one JSON object"},
		{good + `[1]`, "pulls.jsonl:2: is not a JSON object"},
		{good + `{"number":2,"tit`, "pulls.jsonl:2: is not a JSON object"},
		{good + "{\"number\":2,\"title\":\"\xff\"}", "pulls.jsonl:2: the line is not valid UTF-8"},
		{good + `{"number":2,"title":"` + strings.Repeat("x", longestExport) + `"}`, "pulls.jsonl:2: "},
	} {
		if _, err := ReadExport(strings.NewReader(c.text), "pulls.jsonl"); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%.80q: got %.200v, want %q", c.text, err, c.want)
		}
	}
}

func FuzzReadExport(f *testing.F) {
	f.Add(`{"number":12,"title":"a","body":null,"merged_at":"2026-01-31T12:00:00Z","base":"main","head":"x"}`)
	f.Add(`{"number":1,"title":"a"}` + "\n" + `{"number":1,"title":"b"}`)
	f.Fuzz(func(t *testing.T, text string) {
		pulls, err := ReadExport(strings.NewReader(text), "pulls.jsonl")
		if (err == nil) != (len(pulls) > 0) {
			t.Fatalf("%q: %v, %v", text, pulls, err)
		}
		for n, p := range pulls {
			if n < 1 || n != p.Number || strings.TrimSpace(p.Title) == "" {
				t.Fatalf("%q: %+v", text, p)
			}
		}
	})
}
