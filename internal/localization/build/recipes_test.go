package build

import (
	"path/filepath"
	"testing"
)

func TestTheRecipesThatShipCanBeRead(t *testing.T) {
	names, err := filepath.Glob("../../../data/recipes/localization*.toml")
	if err != nil || len(names) < 2 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		r, err := LoadRecipe(name)
		if err != nil {
			t.Error(err)
		}
		for _, q := range r.Repositories {
			if q.Source != "https://github.com/"+q.Name || q.Repo != "" {
				t.Errorf("%s: %s cannot be cloned by everybody: %+v", name, q.Name, q)
			}
		}
	}
}
