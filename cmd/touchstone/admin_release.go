package main

import (
	"context"
	"time"

	"touchstone/data"
	"touchstone/internal/benchmark"
	"touchstone/internal/evaluation"
	"touchstone/internal/store"
)

type adminRelease struct {
	Import adminReleaseImport `cmd:"" help:"Copy a release of either track into the site, so that docstrings or predictions can be submitted for it."`
	List   adminReleaseList   `cmd:"" help:"List the imported releases."`
}

type adminReleaseImport struct {
	Release string `arg:"" help:"Folder of a release, or starter for the one that comes with the program." placeholder:"DIR"`
}

func (adminReleaseImport) Help() string {
	return "Examples:\n\n    touchstone admin release import starter\n    touchstone admin release import my-release --data /srv/touchstone\n    touchstone admin release import pull-requests --data /srv/touchstone"
}

func (c adminReleaseImport) Run(ctx context.Context, p *place, site *adminCommand) error {
	dir := c.Release
	if dir == starterName {
		files, err := workshopFlags{}.openCache()
		if err != nil {
			return err
		}
		defer files.Close()
		if dir, err = data.Install(files, "starter/release"); err != nil {
			return err
		}
	}
	return site.with(ctx, func(db *store.Store) error {
		release, err := evaluation.Import(ctx, db, site.releases(), dir)
		if err != nil {
			return err
		}
		p.say("%s is imported: %d tasks of %d repositories", release.Label(), release.Tasks, len(release.Repositories))
		return list(p, []releaseRow{rowOfRelease(release)})
	})
}

type adminReleaseList struct{}

func (adminReleaseList) Help() string {
	return "One JSON object a line, track by track, the newest first. Example:\n\n    touchstone admin release list"
}

func (adminReleaseList) Run(ctx context.Context, p *place, site *adminCommand) error {
	return site.with(ctx, func(db *store.Store) error {
		var rows []releaseRow
		for _, track := range []benchmark.Track{benchmark.DocToCode, benchmark.Localization} {
			releases, err := db.Releases(ctx, track)
			if err != nil {
				return err
			}
			for _, r := range releases {
				rows = append(rows, rowOfRelease(r))
			}
		}
		return list(p, rows)
	})
}

type releaseRow struct {
	Release      string          `json:"release"`
	Track        benchmark.Track `json:"track"`
	Repositories int             `json:"repositories"`
	Tasks        int             `json:"tasks"`
	Context      string          `json:"context"`
	Prompt       string          `json:"prompt"`
	SHA256       string          `json:"sha256"`
	Imported     time.Time       `json:"imported"`
}

func rowOfRelease(r store.Release) releaseRow {
	return releaseRow{r.Label(), r.Track, len(r.Repositories), r.Tasks, r.Context, r.Prompt, r.SHA256, r.CreatedAt}
}
