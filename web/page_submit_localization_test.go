package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/localization"
	"touchstone/internal/store"
)

// histories gives the desk a release of the localization track: two pull
// requests of one repository, one of another, with prompts.
func (d *desk) histories() {
	d.Helper()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	repository := func(name string, tasks, gold int) localization.Repository {
		return localization.Repository{Name: name, Source: "https://example.org/" + name, T0: at, T1: at.AddDate(0, 1, 0), Snapshot: "0123abc", Head: "9", Files: localization.FilesPath(name),
			Counts: localization.Counts{Commits: 4, PullRequests: tasks, Tasks: tasks, Gold: gold, Files: 3, Dropped: map[string]int{}}}
	}
	task := func(name string, number int, gold ...localization.GoldFile) localization.Task {
		prompts := map[localization.Level]string{}
		for _, level := range localization.Levels {
			prompts[level] = "Mend <it>, " + string(level)
		}
		return localization.Task{ID: localization.TaskID(name, number), Repository: name, Number: number, Commit: "c", Base: "b", MergedAt: at.AddDate(0, 0, number), Gold: gold, Prompts: prompts}
	}
	files := []string{"secret/gold.go", "secret/gold_test.go", "other.go"}
	source, test := localization.GoldFile{Path: files[0], Label: localization.Source}, localization.GoldFile{Path: files[1], Label: localization.Test}
	c := localization.Contents{Release: localization.Release{Name: "pulls", Version: "1", ToolVersion: "test", Policy: localization.Policy{MaxGold: 30}, Prompts: localization.Prompts{Writer: "extractive-v1"}},
		Repositories: []localization.Repository{repository("acme/one", 2, 3), repository("acme/two", 1, 1)},
		Tasks:        []localization.Task{task("acme/one", 1, source, test), task("acme/one", 2, source), task("acme/two", 3, source)},
		Files:        map[string][]string{"acme/one": {"other.go", files[0], files[1]}, "acme/two": {"other.go", files[0], files[1]}}}
	dir := filepath.Join(d.TempDir(), "pulls")
	_, err := c.Write(dir)
	d.check(err)
	_, err = evaluation.Import(d.Context(), d.db, d.engine.Config.Releases, dir)
	d.check(err)
}

func foundFields(token string) map[string]string {
	return map[string]string{"token": token, "system": "Finder", "version": "2", "model": "some-model", "release": "pulls@1", "prompt": "guided", "condition": "baseline"}
}

const found = `{"instance_id":"acme__one-1","found_files":["secret/gold.go","other.go"]}` + "\n"

// scored waits until a submission is over.
func (d *desk) scored(id string) store.Submission {
	d.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if now := d.stored(id); now.State.Over() {
			return now
		}
		if time.Now().After(deadline) {
			d.Fatal("it is not scored")
		}
	}
}

func TestPredictionsThroughTheFormAreScored(t *testing.T) {
	d := newDesk(t, false)
	d.histories()
	b := d.browser()
	b.get(predictPath).is(http.StatusOK).page().has("Submit predictions", "every line names its own", "Tasks of pulls@1", "3 tasks of 2 repositories.")
	file := found + `{"instance_id":"acme__one-2","found_files":["./secret\\gold.go"],"condition":"augmented"}` + "\n" + found + "{}\n" + `{"instance_id":"acme__one-11","found_files":[]}` + "\n"
	a := b.upload(predictPath, foundFields(d.token("Ada", account.Submitter)), "found.jsonl", []byte(file)).is(http.StatusSeeOther)
	preflight := b.get(a.location()).is(http.StatusOK)
	page := preflight.page()
	page.has("2 of 3 tasks have a prediction.", "1 have none, and count as empty predictions.", "Finder · some-model, version 2", "found.jsonl", "Confirm and queue", "taken as guided")
	for table, want := range map[string]string{
		"rejected-table":     "[4 instance_id is missing",
		"unmatched-table":    "[5 acme__one-11 acme__one-1 acme__one-2 acme__two-3]",
		"superseded-table":   "[1 acme__one-1 guided baseline 3]",
		"normalised-table":   `[2 ./secret\gold.go secret/gold.go]`,
		"arms-table":         "[guided baseline 1 0 2 0.333]",
		"repositories-table": "[acme/one 2 1 1]",
		"missing-table":      "[acme__two-3]",
	} {
		if got := fmt.Sprint(page.table(table)[1]); !strings.HasPrefix(got, want) {
			t.Errorf("%s: %s, want %s", table, got, want)
		}
	}
	if strings.Contains(preflight.body, "gold_test.go") {
		t.Error("the preflight shows what has to be found")
	}
	id := strings.TrimPrefix(strings.TrimSuffix(a.location(), "/preflight"), "/submissions/")
	d.browser().get("/submissions/" + id + "/file").is(http.StatusNotFound) // a draft is its owner's
	b.post("/submissions/" + id + "/confirm").is(http.StatusSeeOther)
	rows := b.get("/submissions").page().table("queue-table")
	if len(rows) != 2 || rows[1][4] != "Localization" || rows[1][1] != "1" {
		t.Errorf("the queue: %q", rows)
	}
	b.get("/submissions/"+id).is(http.StatusOK).page().has("queued", "Cancel")
	d.run()
	if now := d.scored(id); now.State != store.Finished || now.Documented != 2 {
		t.Fatalf("%+v", now)
	}
	page = d.browser().get("/submissions/" + id).is(http.StatusOK).page()
	page.has("2 tasks of 3 answered", "Both conditions of the system are known", "The file as it was uploaded")
	if rows := page.table("scores-all"); len(rows) != 3 || !strings.HasPrefix(fmt.Sprint(rows[1]), "[Guided Baseline 0.167") || rows[2][1] != "Augmented" || rows[2][9] != "1" {
		t.Errorf("%q", rows)
	}
	if rows := page.table("scores-source"); len(rows) != 3 || !strings.HasPrefix(rows[1][2], "0.222") {
		t.Errorf("%q", rows)
	}
	if rows := page.table("repositories-table"); len(rows) != 3 || rows[1][0] != "acme/one" {
		t.Errorf("%q", rows)
	}
	if got := d.browser().get("/submissions/" + id + "/file").is(http.StatusOK); got.body != file || got.header.Get("Content-Disposition") != `attachment; filename="found.jsonl"` {
		t.Errorf("%q, %v", got.body, got.header)
	}
	system := d.browser().get(page.links()["Finder"]).is(http.StatusOK).page()
	system.has("1 submission on the localization track.")
	if rows := system.table("located-table"); len(rows) != 2 || rows[1][0] != "version 2" || !strings.HasPrefix(rows[1][3], "—") {
		t.Errorf("%q", rows)
	}
	ended := d.browser().get("/submissions").page().table("ended-table")
	if len(ended) != 2 || ended[1][3] != "0.667" || ended[1][4] != "Localization" {
		t.Errorf("%q", ended)
	}
	d.browser().get("/submissions/" + id + "/tasks").is(http.StatusNotFound)
	d.browser().get("/submissions/" + id + "/measures.csv").is(http.StatusNotFound)

	scores := rowsOf(t, d.browser().get("/submissions/"+id+"/scores.csv").is(http.StatusOK).body)
	if len(scores) != 12 || scores[0]["repository"] != "" || scores[0]["prompt"] != "guided" || scores[0]["exact"] != "0" || scores[0]["answered"] != "1" || scores[0]["low"] == "" {
		t.Errorf("%d, %v", len(scores), scores)
	}
	predictions := rowsOf(t, d.browser().get("/submissions/"+id+"/predictions.csv?gold=source").is(http.StatusOK).body)
	if len(predictions) != 6 || predictions[1]["files"] != `["secret/gold.go","other.go"]` || predictions[0]["answered"] != "false" || predictions[0]["files"] != "[]" || predictions[1]["recall"] != "1" {
		t.Errorf("%d, %v", len(predictions), predictions)
	}
	d.browser().get("/submissions/" + id + "/predictions.csv?gold=x").is(http.StatusUnprocessableEntity)
}

func TestAProgramSubmitsBothArmsOneAfterTheOther(t *testing.T) {
	d := newDesk(t, false)
	d.histories()
	d.run()
	p := d.program(d.token("Ada", account.Submitter))
	var ids []string
	for _, condition := range localization.Conditions {
		a := p.send(http.MethodPost, "/api/v1/submissions?track=localization&system=Finder&prompt=minimal&confirm=1&condition="+string(condition), "application/jsonl", strings.NewReader(found)).is(http.StatusCreated)
		var j submissionJSON
		d.check(json.Unmarshal([]byte(a.body), &j))
		if j.Track != benchmark.Localization || j.PredictionReport == nil || j.PredictionReport.Answered != 1 || j.Report != nil {
			t.Fatalf("%s", a.body)
		}
		d.scored(j.ID)
		ids = append(ids, j.ID)
	}
	var j submissionJSON
	d.check(json.Unmarshal([]byte(d.browser().get("/api/v1/submissions/"+ids[1]).is(http.StatusOK).body), &j))
	if len(j.FileScores) != 6 || j.FileScores[0].Condition != "augmented" || j.FileScores[1].Repository != "acme/one" || j.PredictionReport != nil {
		t.Errorf("%+v", j)
	}
	first := d.browser().get("/submissions/" + ids[0]).page()
	first.has("Both conditions of the system are known")
	if got := first.links()["The other part of the pair: "+ids[1]]; got != "/submissions/"+ids[1] {
		t.Errorf("the pair leads to %q", got)
	}
	for query, want := range map[string]string{
		"":                         "is not said by 1 line of the file",
		"&prompt=none":             `"none" is none`,
		"&condition=none":          `"none" is none`,
		"&release=starter@1":       "choose one of pulls@1",
		"&prompt=guided&docs=none": "controls are submitted by operators of the site",
	} {
		var got problem
		p.send(http.MethodPost, "/api/v1/submissions?track=localization&system=A"+query, "application/jsonl", strings.NewReader(found)).is(http.StatusUnprocessableEntity).into(&got)
		if !strings.Contains(got.What+got.Do, want) {
			t.Errorf("%s: %+v", query, got)
		}
	}
}

// Every file of predictions that somebody may upload is either explained on the
// preflight page, or refused on the form with what is wrong.
func TestHostilePredictions(t *testing.T) {
	d := newDesk(t, false)
	d.histories()
	b := d.browser()
	token := d.token("Ada", account.Submitter)
	long := []byte(`{"instance_id":"acme__one-1","found_files":["` + strings.Repeat("x", 17<<20) + "\"]}\n")
	many := bytes.NewBufferString(found)
	for i := range 199_999 {
		fmt.Fprintf(many, "{\"instance_id\":\"acme__one-%d\",\"found_files\":[]}\n", i+100)
	}
	for _, c := range []struct {
		name string
		file []byte
		as   string
		says []string
		ok   bool
	}{
		{"HTML", []byte(found + "<script>alert(1)</script>\n"), "<img src=x>.jsonl", []string{"<img src=x>.jsonl", "the line is not a JSON object", "1 of 3 tasks"}, true},
		{"a script as an id", []byte(found + `{"instance_id":"<script>alert(1)</script>","found_files":[]}`), "p.jsonl", []string{"<script>alert(1)</script>"}, true},
		{"a path that leads out", []byte(`{"instance_id":"acme__one-1","found_files":["../../etc/passwd"]}` + "\n"), "p.jsonl", []string{"leads out of the repository", "has no prediction for any task"}, true},
		{"right to left", []byte(found + "{\"instance_id\":\"\u202egpj\",\"found_files\":[]}\n"), "\u202egpj.jsonl", []string{"‹U+202E›gpj"}, true},
		{"a line over the limit", append(long, found...), "p.jsonl", []string{"the line is longer than 16 MiB", "1 of 3 tasks"}, true},
		{"a line of 10 MB", append([]byte(`{"instance_id":"acme__one-1","found_files":["`+strings.Repeat("x", 10<<20)+"\"]}\n"), found...), "p.jsonl", []string{"a path of 10485760 bytes", "1 of 3 tasks"}, true},
		{"invalid UTF-8", append([]byte("{\"instance_id\":\"\xff\xfe\",\"found_files\":[]}\n"), found...), "p.jsonl", []string{"the line is not valid UTF-8", "1 of 3 tasks"}, true},
		{"a BOM", append([]byte("\xef\xbb\xbf"), found...), "p.jsonl", []string{"1 of 3 tasks"}, true},
		{"CRLF", []byte(strings.ReplaceAll(found, "\n", "\r\n")), "p.jsonl", []string{"1 of 3 tasks"}, true},
		{"gzip", packed(t, []byte(found)), "p.jsonl.gz", []string{"1 of 3 tasks", "gzip, unpacked 74 bytes"}, true},
		{"a truncated gzip", packed(t, []byte(found))[:40], "p.jsonl.gz", []string{"the gzip data breaks off after", "Pack and upload it again, whole."}, false},
		{"a duplicate key", []byte(`{"instance_id":"acme__one-1","found_files":[],"found_files":["a"]}` + "\n"), "p.jsonl", []string{"found_files", "is given twice", "give it once"}, true},
		{"an empty file", nil, "p.jsonl", []string{"p.jsonl: is empty."}, false},
		{"200,000 lines", many.Bytes(), "p.jsonl", []string{"200,000; 200,000 could be read", "The first 1,000 of 199,999."}, true},
		{"an archive", []byte("PK\x03\x04rest"), "p.zip", []string{"p.zip: is a zip archive. Upload a predictions.jsonl"}, false},
		{"docstrings", oneLine("Words."), "docs.jsonl", []string{"instance_id", "is missing"}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := &caller{desk: &desk{T: t, server: d.server, db: d.db}, client: b.client, header: http.Header{}}
			a := b.upload(predictPath, foundFields(token), c.as, c.file)
			if c.ok {
				a = b.get(a.is(http.StatusSeeOther).location()).is(http.StatusOK)
			} else {
				a.is(http.StatusUnprocessableEntity).page().part("field-file-error")
			}
			a.page().has(c.says...)
			safe(t, a)
		})
	}
}

func TestEverythingThatIsWrongWithPredictionsIsSaidAtOnce(t *testing.T) {
	d := newDesk(t, false)
	d.histories()
	b := d.browser()
	a := b.upload(predictPath, map[string]string{"token": "ts_wrong", "system": "", "release": "starter@1"}, "", nil).is(http.StatusUnprocessableEntity)
	a.page().has("There is a problem", "System is empty.", `Release "starter@1" is no release of this track on this site. Choose one of pulls@1.`, "Choose the file with the predictions.")
	fields := foundFields(d.token("Ada", account.Submitter))
	fields["prompt"] = ""
	a = b.upload(predictPath, fields, "p.jsonl", []byte(found)).is(http.StatusUnprocessableEntity)
	a.page().has("Level is not said by 1 line of the file", "Choose the level of these lines")
	a.page().part("field-prompt-error")
}

func TestPromptsAreAFileToAskAnAgentWith(t *testing.T) {
	d := newDesk(t, false)
	d.histories()
	a := d.browser().get(predictPath + "/tasks.jsonl?release=pulls%401").is(http.StatusOK)
	var line promptLine
	d.check(json.Unmarshal([]byte(a.body[:strings.IndexByte(a.body, '\n')]), &line))
	if line.Task != "acme__one-1" || line.Snapshot != "0123abc" || line.Prompts["guided"] != "Mend <it>, guided" || line.Source == "" || strings.Contains(a.body, "gold") {
		t.Errorf("%s", a.body)
	}
}

func TestAReleaseOfHistoriesSaysWhatItIsMadeOf(t *testing.T) {
	d := newDesk(t, false)
	d.histories()
	b := d.browser()
	page := b.get("/releases").is(http.StatusOK).page()
	page.part("pulls-1").has("3 tasks of 2 repositories: pull requests that changed 4 files of the snapshots.", "extractive-v1", "Nothing: every pull request of the windows is a task.")
	if rows := page.table("release-pulls-1"); len(rows) != 3 || fmt.Sprint(rows[1][:5]) != "[acme/one 2026-01-01 2026-02-01 0123abc 3]" {
		t.Errorf("%q", rows)
	}
	b.get("/releases?release=pulls%401").is(http.StatusOK).page().part("pulls-1")
	if rows := rowsOf(t, b.get("/releases/histories.csv").is(http.StatusOK).body); len(rows) != 2 || rows[1]["repository"] != "acme/two" || rows[1]["t1"] != "2026-02-01T00:00:00Z" || rows[0]["gold"] != "3" {
		t.Errorf("%v", rows)
	}
	if rows := rowsOf(t, b.get("/releases.csv").is(http.StatusOK).body); len(rows) != 3 {
		t.Errorf("%d repositories of the other track", len(rows))
	}
}

func TestSubmitLeadsToBothTracks(t *testing.T) {
	d := newDesk(t, false)
	d.histories()
	page := d.browser().get("/submit").is(http.StatusOK).page()
	page.has("The newest release is starter@1: 83 tasks of 3 repositories.", "The newest release is pulls@1: 3 tasks of 2 repositories.")
	if links := page.links(); links["Submit docstrings"] != submitPath || links["Submit predictions"] != predictPath {
		t.Errorf("%v", links)
	}
	empty := emptyReference(t)
	empty.site.Accounts = account.New(empty.db)
	empty.page("/submit").has("No release is imported yet.")
	empty.page(predictPath).has("No release of this track is imported yet.")
}
