package evaluation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io/fs"

	"touchstone/internal/benchmark"
	"touchstone/internal/published"
	"touchstone/internal/store"
)

// ImportPublished puts the papers' numbers into the database, when they are
// other than those in it.
func ImportPublished(ctx context.Context, s *store.Store, files fs.FS) error {
	tables, err := published.Load(files)
	if err != nil {
		return err
	}
	data, err := json.Marshal(tables)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	var scores []store.PublishedScore
	for _, x := range tables.Scores {
		scores = append(scores, store.PublishedScore{Source: x.Source, Table: x.Table, Track: x.Track, System: x.System, Model: x.Model,
			Evaluator: x.Evaluator, Repository: x.Repository, Metric: x.Metric, Level: x.Level, Condition: x.Condition, Value: x.Value, Decimals: x.Decimals})
	}
	var repositories []store.PublishedRepository
	for _, x := range tables.Repositories {
		repositories = append(repositories, store.PublishedRepository{Source: x.Source, Track: benchmark.DocToCode, Name: x.Repository,
			Stars: x.Stars, Forks: x.Forks, Candidates: x.Candidates, AllTasks: x.AllTasks, Tasks: x.Tasks})
	}
	return s.ReplacePublished(ctx, hex.EncodeToString(sum[:]), scores, repositories)
}
