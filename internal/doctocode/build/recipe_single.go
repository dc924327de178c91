package build

import "strings"

// Single is the recipe of a release of one repository.
func Single(release string, r RepositoryRecipe) (Recipe, error) {
	recipe := Recipe{
		Release:      RecipeRelease{Name: strings.ToLower(releaseNameUnsafe.ReplaceAllString(release, "-")), Version: "1", Context: PrefixContext, MaxSeconds: DefaultMaxSeconds},
		Repositories: []RepositoryRecipe{r},
	}
	if err := recipe.check(); err != nil {
		return Recipe{}, err
	}
	return recipe, nil
}
