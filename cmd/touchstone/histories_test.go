package main

import (
	"context"
	"encoding/json"
	"io"
	"math"
	"path/filepath"
	"testing"
	"time"

	"touchstone/data"
	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/sandbox/sandboxtest"
	"touchstone/internal/store"
)

func TestAFreshSiteScoresTheShippedBaselinesOnce(t *testing.T) {
	s := trySite(t, false)
	c := serveCommand{siteFlags: siteFlags{Data: filepath.Dir(s.engine.Config.Releases)}}
	p := &place{stdout: io.Discard, stderr: newMeter(io.Discard), log: s.engine.Log}
	w := &workshop{cache: sandboxtest.Cache(t)}
	for _, forgotten := range []bool{false, false, true} {
		if forgotten { // it was killed before it noted that the upload is there
			if err := s.db.Set(t.Context(), historiesPrepared, ""); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.histories(t.Context(), p, w, s.db, s.engine); err != nil {
			t.Fatal(err)
		}
	}
	all, _, err := s.db.Submissions(t.Context(), store.SubmissionFilter{Track: benchmark.Localization})
	if err != nil || len(all) != 1 || all[0].System.Name != "BM25" || all[0].State != store.Queued || all[0].Documented != all[0].Tasks {
		t.Fatalf("%+v, %v", all, err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.engine.Run(ctx) }()
	defer func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(50 * time.Millisecond) {
		if now, err := s.db.Submission(t.Context(), all[0].ID); err != nil || now.State == store.Finished {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("it is not scored")
		}
	}
	var shipped struct {
		Arms []struct {
			Level     string  `json:"prompt"`
			Condition string  `json:"condition"`
			F1        float64 `json:"f1"`
		} `json:"arms"`
	}
	text, err := data.HistoryScores()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &shipped); err != nil {
		t.Fatal(err)
	}
	want := map[store.Arm]float64{}
	for _, a := range shipped.Arms {
		want[store.Arm{Level: a.Level, Condition: a.Condition}] = a.F1
	}
	scores, err := s.db.LocalizationScoresOf(t.Context(), all[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	arms := 0
	for _, x := range scores {
		if x.RepositoryID != 0 || x.Gold != string(localization.AllGold) {
			continue
		}
		arms++
		if math.Abs(x.F1-want[x.Arm]) > 1e-9 {
			t.Errorf("%+v: F1 %v, and %v is shipped", x.Arm, x.F1, want[x.Arm])
		}
	}
	if arms != 8 {
		t.Errorf("%d arms", arms)
	}
}
