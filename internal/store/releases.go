package store

import (
	"context"

	"gorm.io/gorm"

	"touchstone/internal/benchmark"
)

// batch is how many rows are inserted in one statement: SQLite takes at most
// 32,766 parameters.
const batch = 500

// AddRelease keeps a release with its repositories, tasks and drops, all or
// nothing. A task's RepositoryID is its repository's index in r.Repositories.
// The error is ErrExists when name and version are there already.
func (s *Store) AddRelease(ctx context.Context, r *Release, tasks []Task, drops []Drop) error {
	return s.Write(ctx, func(tx *gorm.DB) error { return addRelease(tx, r, tasks, drops) })
}

func addRelease(tx *gorm.DB, r *Release, tasks []Task, drops []Drop) error {
	repositories := r.Repositories
	r.Repositories = nil
	if err := tx.Create(r).Error; err != nil {
		return err
	}
	for i := range repositories {
		repositories[i].ReleaseID = r.ID
	}
	if err := insert(tx, repositories); err != nil {
		return err
	}
	for i := range tasks {
		tasks[i].ReleaseID = r.ID
		tasks[i].RepositoryID = repositories[tasks[i].RepositoryID].ID
	}
	if err := insert(tx, tasks); err != nil {
		return err
	}
	for i := range drops {
		drops[i].ReleaseID = r.ID
	}
	if err := insert(tx, drops); err != nil {
		return err
	}
	r.Repositories = repositories
	return bump(tx)
}

// Releases are a track's, newest first, with their repositories by name.
func (s *Store) Releases(ctx context.Context, track benchmark.Track) ([]Release, error) {
	var releases []Release
	err := s.Read(ctx).Where("track = ? AND NOT hidden", track).Order("id DESC").
		Preload("Repositories", func(db *gorm.DB) *gorm.DB { return db.Order("name") }).Find(&releases).Error
	return releases, err
}

// Release is one by its id.
func (s *Store) Release(ctx context.Context, id uint64) (Release, error) {
	var r Release
	err := s.Read(ctx).Preload("Repositories", func(db *gorm.DB) *gorm.DB { return db.Order("name") }).First(&r, id).Error
	return r, err
}

// ReleaseByLabel is one by its track, name and version.
func (s *Store) ReleaseByLabel(ctx context.Context, track benchmark.Track, name, version string) (Release, error) {
	var r Release
	err := s.Read(ctx).Where("track = ? AND name = ? AND version = ?", track, name, version).
		Preload("Repositories", func(db *gorm.DB) *gorm.DB { return db.Order("name") }).First(&r).Error
	return r, err
}

// Tasks are a release's, in its order.
func (s *Store) Tasks(ctx context.Context, release uint64) ([]Task, error) {
	var tasks []Task
	err := s.Read(ctx).Where("release_id = ?", release).Order("position").Find(&tasks).Error
	return tasks, err
}

// Task is one of a release's by its key.
func (s *Store) Task(ctx context.Context, release uint64, key string) (Task, error) {
	var t Task
	err := s.Read(ctx).Where("release_id = ? AND key = ?", release, key).First(&t).Error
	return t, err
}

// Drops are what left a release.
func (s *Store) Drops(ctx context.Context, release uint64) ([]Drop, error) {
	var drops []Drop
	err := s.Read(ctx).Where("release_id = ?", release).Order("repository, kind, key").Find(&drops).Error
	return drops, err
}
