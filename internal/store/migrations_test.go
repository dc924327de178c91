package store

import (
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/store/postgrestest"
)

// older is a file as the first version made it, with an account in it. It never
// changes again.
const older = "testdata/0001.sql"

func schemaOf(t *testing.T, file string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	must(t, err)
	defer db.Close()
	rows, err := db.Query("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name")
	must(t, err)
	defer rows.Close()
	var all []string
	for rows.Next() {
		var line string
		must(t, rows.Scan(&line))
		all = append(all, line)
	}
	must(t, rows.Err())
	return all
}

// sortedParts puts the parts of each definition in order: the constraints of a
// table are made in any.
func sortedParts(schema []string) []string {
	var all []string
	for _, line := range schema {
		parts := strings.Split(strings.TrimSuffix(line, ")"), ",")
		slices.Sort(parts)
		all = append(all, strings.Join(parts, ","))
	}
	return all
}

func TestAnEmptyFileBecomesADatabase(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.db")
	must(t, os.WriteFile(file, nil, 0o600))
	s, err := Open(t.Context(), file)
	must(t, err)
	must(t, s.Close())
	s, err = Open(t.Context(), file) // again: nothing is left to do
	must(t, err)
	must(t, s.Close())
	schema := schemaOf(t, file)
	if len(schema) < len(tables) {
		t.Errorf("%d tables and indices", len(schema))
	}
}

func TestAnOlderFileIsBroughtUpToDate(t *testing.T) {
	statements, err := os.ReadFile(older)
	must(t, err)
	dir := t.TempDir()
	old, fresh := filepath.Join(dir, "old.db"), filepath.Join(dir, "fresh.db")
	db, err := sql.Open("sqlite", old)
	must(t, err)
	_, err = db.Exec(string(statements))
	must(t, err)
	must(t, db.Close())
	s, err := Open(t.Context(), old)
	must(t, err)
	friend, err := s.AccountByName(t.Context(), "an old friend")
	if err != nil || friend.ID != 1 {
		t.Errorf("%+v %v", friend, err)
	}
	must(t, s.Close())
	s, err = Open(t.Context(), fresh)
	must(t, err)
	must(t, s.Close())
	if a, b := sortedParts(schemaOf(t, old)), sortedParts(schemaOf(t, fresh)); !slices.Equal(a, b) {
		t.Errorf("an older file has another schema than a new one:\n%s\n\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
}

func TestAFileOfALaterVersionIsLeftAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "site.db")
	s, err := Open(t.Context(), file)
	must(t, err)
	must(t, s.Close())
	db, err := sql.Open("sqlite", file)
	must(t, err)
	_, err = db.Exec("INSERT INTO migrations VALUES('9999 of the future')")
	must(t, err)
	must(t, db.Close())
	if s, err := Open(t.Context(), file); err == nil {
		s.Close()
		t.Error("it was opened")
	}
}

func TestPostgreSQLIsBroughtUpToDateTwice(t *testing.T) {
	address := postgrestest.Database(t)
	for range 2 {
		s, err := Open(t.Context(), address)
		must(t, err)
		must(t, s.Close())
	}
}
