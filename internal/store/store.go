// Package store keeps what the site knows, in SQLite or PostgreSQL. The
// database is the truth: everything else can be made anew from it, the
// releases' folders and the blobs.
package store

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"gorm.io/driver/postgres"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// ErrNotFound is returned for what is not there.
var ErrNotFound = gorm.ErrRecordNotFound

// ErrExists is returned when something of the same identity is there already.
var ErrExists = gorm.ErrDuplicatedKey

// A Store is safe for concurrent use.
type Store struct{ read, write *gorm.DB }

// Open opens a database, a postgres:// URL or a file of SQLite, and brings it
// up to the newest schema.
func Open(ctx context.Context, address string) (*Store, error) {
	s := &Store{}
	var err error
	if strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://") {
		s.write, err = gorm.Open(postgres.Open(address), gormConfig())
		s.read = s.write
	} else {
		s.read, s.write, err = openSQLite(address)
	}
	if err != nil {
		return nil, err
	}
	if err := migrate(s.write.WithContext(ctx)); err != nil {
		s.Close()
		return nil, fmt.Errorf("bringing the database up to date: %w", err)
	}
	return s, nil
}

func gormConfig() *gorm.Config {
	return &gorm.Config{
		TranslateError:         true,
		SkipDefaultTransaction: true,
		PrepareStmt:            true,
		NowFunc:                func() time.Time { return time.Now().UTC().Truncate(time.Microsecond) }, // what both databases keep
		Logger: logger.New(log.New(os.Stderr, "", log.LstdFlags), logger.Config{
			SlowThreshold: 2 * time.Second, LogLevel: logger.Warn, IgnoreRecordNotFoundError: true, ParameterizedQueries: true,
		}),
	}
}

// Close ends all connections.
func (s *Store) Close() error {
	err := closePool(s.write)
	if s.read != s.write {
		err = errors.Join(err, closePool(s.read))
	}
	return err
}

func closePool(db *gorm.DB) error {
	pool, err := db.DB()
	if err != nil {
		return err
	}
	return pool.Close()
}

// Ping answers whether the database does.
func (s *Store) Ping(ctx context.Context) error {
	return s.read.WithContext(ctx).Exec("SELECT 1").Error
}

// Read is for queries.
func (s *Store) Read(ctx context.Context) *gorm.DB { return s.read.WithContext(ctx) }

// Write runs a transaction: all of it is kept, or nothing.
func (s *Store) Write(ctx context.Context, do func(tx *gorm.DB) error) error {
	return s.write.WithContext(ctx).Transaction(do)
}
