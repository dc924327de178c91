package web

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"touchstone/data"
	"touchstone/internal/published"
	"touchstone/views"
)

// papers are the published tables as they ship with the program: who wrote
// them, and what their words mean. The numbers on pages come from the database.
var papers = sync.OnceValues(func() (*published.Tables, error) { return published.Load(data.Published()) })

// citation names a paper in a sentence.
func citation(p published.Source) string {
	text := strings.Join(p.Authors, ", ") + ": " + p.Title
	if p.Identifier != "" {
		text += ", " + p.Identifier
	}
	if p.Artifact != "" {
		text += ", replication package " + p.Artifact
	}
	return text + "."
}

// cited is the citation of a source, "" for one that is not known.
func cited(tables *published.Tables, id string) string {
	i := slices.IndexFunc(tables.Sources, func(p published.Source) bool { return p.ID == id })
	if i < 0 {
		return ""
	}
	return citation(tables.Sources[i])
}

// paperNotes are what is to be known of some tables of a paper.
func paperNotes(source string, tables ...int) []views.Note {
	var notes []views.Note
	for _, n := range published.Notes() {
		if n.Source == source && slices.Contains(tables, n.Table) {
			notes = append(notes, views.Note{Where: fmt.Sprintf("Table %d", n.Table), Text: n.Text})
		}
	}
	return notes
}
