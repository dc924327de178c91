package store

import (
	"context"

	"gorm.io/gorm"

	"touchstone/internal/benchmark"
)

// LocalizationFacts are what a release of the localization track has beyond a
// release of the other: as many repositories and tasks, in the same order.
type LocalizationFacts struct {
	Release      LocalizationRelease
	Repositories []LocalizationRepository
	Tasks        []LocalizationTask
}

// AddLocalizationRelease is AddRelease for the localization track: both halves
// are kept, or nothing. Ids are filled in.
func (s *Store) AddLocalizationRelease(ctx context.Context, r *Release, tasks []Task, drops []Drop, facts LocalizationFacts) error {
	return s.Write(ctx, func(tx *gorm.DB) error {
		if err := addRelease(tx, r, tasks, drops); err != nil {
			return err
		}
		facts.Release.ReleaseID = r.ID
		if err := tx.Create(&facts.Release).Error; err != nil {
			return err
		}
		for i := range facts.Repositories {
			facts.Repositories[i].ReleaseID, facts.Repositories[i].RepositoryID = r.ID, r.Repositories[i].ID
		}
		if err := insert(tx, facts.Repositories); err != nil {
			return err
		}
		for i := range facts.Tasks {
			t := &facts.Tasks[i]
			t.ReleaseID, t.RepositoryID, t.TaskID = r.ID, tasks[i].RepositoryID, tasks[i].ID
		}
		return insert(tx, facts.Tasks)
	})
}

// LocalizationRelease is what a release of the track has beyond its Release.
func (s *Store) LocalizationRelease(ctx context.Context, release uint64) (LocalizationRelease, error) {
	var r LocalizationRelease
	err := s.Read(ctx).First(&r, "release_id = ?", release).Error
	return r, err
}

// LocalizationRepositories are those of a release, by repository.
func (s *Store) LocalizationRepositories(ctx context.Context, release uint64) (map[uint64]LocalizationRepository, error) {
	var all []LocalizationRepository
	err := s.Read(ctx).Where("release_id = ?", release).Find(&all).Error
	found := make(map[uint64]LocalizationRepository, len(all))
	for _, r := range all {
		found[r.RepositoryID] = r
	}
	return found, err
}

// LocalizationTasks are those of a release, or of one of its repositories when
// repository is not 0, in the release's order and without their prompts.
func (s *Store) LocalizationTasks(ctx context.Context, release, repository uint64) ([]LocalizationTask, error) {
	rows, own := s.Read(ctx).Where("release_id = ?", release), s.Read(ctx).Omit("Prompts").Where("release_id = ?", release)
	if repository != 0 {
		rows, own = rows.Where("repository_id = ?", repository), own.Where("repository_id = ?", repository)
	}
	var tasks []Task
	if err := rows.Order("position").Find(&tasks).Error; err != nil {
		return nil, err
	}
	var all []LocalizationTask
	if err := own.Find(&all).Error; err != nil {
		return nil, err
	}
	at := make(map[uint64]int, len(all))
	for i, t := range all {
		at[t.TaskID] = i
	}
	ordered := make([]LocalizationTask, 0, len(tasks))
	for _, t := range tasks {
		if i, ok := at[t.ID]; ok {
			all[i].Task = t
			ordered = append(ordered, all[i])
		}
	}
	return ordered, nil
}

// LocalizationTask is one of a release's by its instance id, with its prompts.
func (s *Store) LocalizationTask(ctx context.Context, release uint64, key string) (LocalizationTask, error) {
	var found LocalizationTask
	t, err := s.Task(ctx, release, key)
	if err != nil {
		return found, err
	}
	err = s.Read(ctx).First(&found, "task_id = ?", t.ID).Error
	found.Task = t
	return found, err
}

// RepositoriesNamed are those of an owner/name in a track's releases, the newest
// release first.
func (s *Store) RepositoriesNamed(ctx context.Context, track benchmark.Track, name string) ([]Repository, error) {
	var all []Repository
	err := s.Read(ctx).Joins("JOIN releases AS r ON r.id = repositories.release_id").
		Where("repositories.name = ? AND r.track = ? AND NOT r.hidden", name, track).Order("repositories.release_id DESC").Find(&all).Error
	return all, err
}
