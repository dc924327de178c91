package intake

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"touchstone/internal/llm"
)

var update = flag.Bool("update", false, "write testdata/report.json anew")

// TestTheReportOfAMixedUpload is what a page and the API show of an upload
// with one of everything that can be wrong.
func TestTheReportOfAMixedUpload(t *testing.T) {
	in, err := os.ReadFile("testdata/mixed.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	report, _, err := Preflight(t.Context(), bytes.NewReader(in), "mixed.jsonl", starter, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	placed(t, report)
	priced := llm.Config{Name: "priced", Samples: 5, ContextTokens: 400_000, Price: llm.Price{Input: 0.25, Output: 2}}
	got, err := json.MarshalIndent(struct {
		Report    *Report    `json:"report"`
		Estimates []Estimate `json:"estimates"`
	}{report, []Estimate{report.Estimate(priced), report.Estimate(llm.Config{Name: "unpriced", Samples: 1})}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	got = append(got, '\n')
	if *update {
		if err := os.WriteFile("testdata/report.json", got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/report.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the report differs from testdata/report.json; when that is meant, run the test with -update and read the difference\n%s", got)
	}
}
