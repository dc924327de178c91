package build

import "touchstone/internal/release"

// Single is the recipe of a release of one repository.
func Single(name string, r RepositoryRecipe) (Recipe, error) {
	recipe := Recipe{
		Release:      RecipeRelease{Name: release.NameOf(name), Version: "1", Context: PrefixContext, MaxSeconds: DefaultMaxSeconds},
		Repositories: []RepositoryRecipe{r},
	}
	if err := recipe.check(); err != nil {
		return Recipe{}, err
	}
	return recipe, nil
}
