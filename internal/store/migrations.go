package store

import (
	"github.com/go-gormigrate/gormigrate/v2"
	"gorm.io/gorm"
)

// tables are the models of the first schema, parents first.
var tables = []any{
	&Release{}, &Repository{}, &Task{}, &Drop{},
	&Account{}, &Token{}, &System{}, &Submission{}, &Docstring{},
	&Evaluator{}, &Evaluation{}, &Unit{}, &Completion{}, &Verdict{},
	&TaskScore{}, &RepositoryScore{}, &Score{},
	&PublishedScore{}, &PublishedRepository{}, &Event{}, &Setting{},
}

// migrations only go forward. A migration that was released never changes:
// what comes later is a further one, whose types are copied into it.
var migrations = []*gormigrate.Migration{
	{ID: "0001 first schema", Migrate: func(tx *gorm.DB) error { return tx.AutoMigrate(tables...) }},
	{ID: "0002 measurements", Migrate: measurements0002},
	{ID: "0003 localization", Migrate: localization0003},
}

func migrate(db *gorm.DB) error {
	return gormigrate.New(db, &gormigrate.Options{
		TableName: "migrations", IDColumnName: "id", IDColumnSize: 200, UseTransaction: true, ValidateUnknownMigrations: true,
	}, migrations).Migrate()
}
