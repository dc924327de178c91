package build

import (
	"errors"
	"regexp"

	"touchstone/internal/doctocode"
)

// releaseLines gathers the files of a release that all repositories share.
type releaseLines struct {
	repositories []doctocode.Repository
	tasks        []doctocode.Task
	dropped      []doctocode.Dropped
	timings      []doctocode.Timing
}

func (l *releaseLines) put(c doctocode.Contents) error {
	for i := range l.dropped {
		l.dropped[i].Detail = steady(l.dropped[i].Detail)
	}
	return errors.Join(
		doctocode.PutLines(c, doctocode.RepositoriesFile, l.repositories),
		doctocode.PutLines(c, doctocode.TasksFile, l.tasks),
		doctocode.PutLines(c, doctocode.DroppedFile, l.dropped),
		doctocode.PutLines(c, doctocode.TimingsFile, l.timings),
	)
}

var (
	addresses = regexp.MustCompile(`0x[0-9a-fA-F]{6,}`)
	installed = regexp.MustCompile(`(?:/[^\s"'/:]+)+/lib/python3\.\d+/`)
	unsteady  = regexp.MustCompile(addresses.String() + `|\b\d+\.\d+ ?s\b|\b\d+\.\d+ seconds\b`)
)

// steady takes out of a message what differs from run to run of the same input,
// addresses and durations, or from machine to machine: where Python is.
func steady(s string) string {
	return unsteady.ReplaceAllString(installed.ReplaceAllString(s, "…/"), "…")
}
