package data

import (
	"embed"
	"io/fs"
)

//go:embed published/*.csv
var published embed.FS

// Published is the folder of the numbers that the papers print, one CSV file
// for each table. Package internal/published reads it.
func Published() fs.FS {
	folder, err := fs.Sub(published, "published")
	if err != nil {
		panic(err) // only a malformed name gets here
	}
	return folder
}
