package baseline

import "touchstone/internal/localization/history"

// A tracker knows files through their renames: each has an identity, whatever
// path it has at the time.
type tracker struct {
	identity map[string]int // path at the time → identity
	count    int
}

// follow gives the identities of the files that a commit adds, changes or
// renames; what it deletes has none afterwards. Commits come the oldest first.
func (t *tracker) follow(changes []history.Change) []int {
	if t.identity == nil {
		t.identity = map[string]int{}
	}
	// A commit may exchange names: all old ones go before the new ones come.
	moved := map[string]int{}
	for _, c := range changes {
		if c.Old != "" && c.Old != c.New {
			if id, known := t.identity[c.Old]; known && c.New != "" {
				moved[c.New] = id
			}
			delete(t.identity, c.Old)
		}
	}
	var touched []int
	for _, c := range changes {
		if c.New == "" {
			continue
		}
		id, known := moved[c.New]
		if !known {
			if id, known = t.identity[c.New]; !known {
				id = t.count
				t.count++
			}
		}
		t.identity[c.New] = id
		touched = append(touched, id)
	}
	return touched
}

// numbers gives, for each identity, the place of its path among those of the
// snapshot, −1 for files that it does not have.
func (t *tracker) numbers(paths []string) []int {
	numbers := make([]int, t.count)
	for i := range numbers {
		numbers[i] = -1
	}
	for i, path := range paths {
		if id, known := t.identity[path]; known {
			numbers[id] = i
		}
	}
	return numbers
}

// still keeps the files that the snapshot has, by their numbers.
func still(identities, numbers []int) []int {
	var files []int
	for _, id := range identities {
		if numbers[id] >= 0 {
			files = append(files, numbers[id])
		}
	}
	return files
}
