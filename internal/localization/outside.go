package localization

import "touchstone/internal/jsonlines"

// An OutsidePath is a predicted file that the task's snapshot does not have.
type OutsidePath struct {
	Task string `json:"instance_id"`
	Path string `json:"path"`
}

// Outside lists the predicted files that the snapshot of their task does not
// have. They cannot be right, and are counted as wrong: many of them tell of
// paths that do not begin at the repository's root.
func (d *Dataset) Outside(predictions []Prediction) (jsonlines.Listed[OutsidePath], error) {
	outside := jsonlines.NewListed[OutsidePath]()
	snapshots := make(map[string]map[string]bool, len(d.Repositories))
	for _, r := range d.Repositories {
		files, err := d.Files(r)
		if err != nil {
			return outside, err
		}
		snapshot := make(map[string]bool, len(files))
		for _, f := range files {
			snapshot[f] = true
		}
		snapshots[r.Name] = snapshot
	}
	repositories := make(map[string]string, len(d.Tasks))
	for _, t := range d.Tasks {
		repositories[t.ID] = t.Repository
	}
	for _, p := range predictions {
		snapshot := snapshots[repositories[p.Task]]
		for _, path := range p.Files {
			if !snapshot[path] {
				outside.Add(func() OutsidePath { return OutsidePath{p.Task, path} })
			}
		}
	}
	return outside, nil
}
