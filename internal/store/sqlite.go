package store

import (
	"errors"
	"fmt"
	"net/url"
	"runtime"

	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
	sqlite3 "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// openSQLite opens two pools on one file: one connection that writes, several
// that only read. A shared pool with deferred transactions ends in "database is
// locked" as soon as two of them want to write.
func openSQLite(file string) (read, write *gorm.DB, err error) {
	const common = "_pragma=busy_timeout(5000)&_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=foreign_keys(1)"
	open := func(settings string, connections int) (*gorm.DB, error) {
		name := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath()}).String() + "?" + settings
		db, err := gorm.Open(dialector{sqlite.Dialector{DriverName: "sqlite", DSN: name}}, gormConfig())
		if err != nil {
			return nil, fmt.Errorf("opening the database %s: %w", file, err)
		}
		pool, err := db.DB()
		if err != nil {
			return nil, err
		}
		pool.SetMaxOpenConns(connections)
		pool.SetMaxIdleConns(connections)
		return db, nil
	}
	if write, err = open(common+"&_txlock=immediate", 1); err != nil {
		return nil, nil, err
	}
	if read, err = open(common+"&_pragma=query_only(1)", max(4, 2*runtime.NumCPU())); err != nil {
		closePool(write)
		return nil, nil, err
	}
	return read, write, nil
}

// dialector turns the errors of the pure Go driver into GORM's, which the
// stock one only does for the C driver's.
type dialector struct{ sqlite.Dialector }

func (d dialector) Translate(err error) error {
	var e *sqlite3.Error
	if errors.As(err, &e) {
		switch e.Code() {
		case lib.SQLITE_CONSTRAINT_PRIMARYKEY, lib.SQLITE_CONSTRAINT_UNIQUE:
			return gorm.ErrDuplicatedKey
		case lib.SQLITE_CONSTRAINT_FOREIGNKEY:
			return gorm.ErrForeignKeyViolated
		}
	}
	return err
}
