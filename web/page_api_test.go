package web

import (
	"net/http"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/leaderboard/localizationtest"
)

func TestEveryAddressAnswersWithTheHeaderThatThePageGives(t *testing.T) {
	r := newReference(t)
	sub := r.judge(judgment{system: "Agent", evaluator: "judge", value: 0.5})
	h := localizationtest.New(t, r.db, 8)
	answered := h.Submit("Agent", "", "1", localizationtest.Both())
	r.restart()
	page := r.page("/api")
	for _, d := range documented {
		page.has(d.Path+".csv", "/api/v1"+d.Path, d.Text, strings.ReplaceAll(d.Header, ",", ", "))
		path := strings.NewReplacer("{owner}", "psf", "{name}", "requests", "{id}", sub.PublicID, "{slug}", benchmark.Slug("Agent", "")).Replace(d.Path)
		if strings.HasPrefix(d.Path, localizationPath+"/") {
			path = strings.NewReplacer("{owner}", "acme", "{name}", "one", "{instance}", h.Tasks[0].ID).Replace(d.Path)
		}
		if d.Path == "/submissions/{id}/scores" || d.Path == "/submissions/{id}/predictions" {
			path = strings.ReplaceAll(d.Path, "{id}", answered.PublicID)
		}
		query := ""
		if d.Path == "/compare" {
			query = "?a=paper:RepoAgent/gpt-5-mini&b=paper:default"
		}
		if header, _, _ := strings.Cut(r.ask(path+".csv"+query, http.StatusOK), "\n"); header != d.Header {
			t.Errorf("%s.csv begins with %s, the page says %s", path, header, d.Header)
		}
		for _, row := range r.rows("/api/v1" + path + query) {
			for _, name := range strings.Split(d.Header, ",") {
				if _, ok := row[name]; !ok {
					t.Fatalf("/api/v1%s has no %s: %v", path, name, row)
				}
			}
		}
	}
}

// What is not on the page nobody finds.
func TestWhatProgramsCanAskIsOnThePage(t *testing.T) {
	r := newReference(t)
	known := map[string]bool{}
	for _, d := range documented {
		known["GET "+d.Path] = true
	}
	for _, call := range calls {
		known[call.Method+" "+strings.TrimPrefix(call.Path, "/api/v1")] = true
		r.page("/api").has(call.Method+" "+call.Path, call.Text)
	}
	for _, route := range r.site.echo.Routes() {
		path, isCSV := strings.CutSuffix(route.Path, ".csv")
		path, isJSON := strings.CutPrefix(path, "/api/v1")
		if !isCSV && !isJSON {
			continue
		}
		var parts []string
		for _, part := range strings.Split(path, "/") {
			if name, ok := strings.CutPrefix(part, ":"); ok {
				part = "{" + name + "}"
			}
			parts = append(parts, part)
		}
		if !known[route.Method+" "+strings.Join(parts, "/")] {
			t.Errorf("%s %s is not documented in page_api.go", route.Method, route.Path)
		}
	}
}

func TestExamplesNameTheReadersOwnAddressAndTheNewestRelease(t *testing.T) {
	page := newReference(t).page("/api")
	page.has("curl -o scores.csv 'http://example.com/doc-to-code.csv?release=starter%401'", "--release starter@1")
	emptyReference(t).page("/api").has("touchstone submit docs.jsonl --url http://example.com")
}
