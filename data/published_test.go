package data_test

import (
	"testing"

	"touchstone/data"
	"touchstone/internal/published"
)

func TestTheBinaryCarriesThePublishedTables(t *testing.T) {
	tables, err := published.Load(data.Published())
	if err != nil {
		t.Fatal(err)
	}
	if len(tables.Scores) != 668 || len(tables.Repositories) != 28 {
		t.Errorf("%d scores and %d repositories, want 668 and 28", len(tables.Scores), len(tables.Repositories))
	}
}
