package main

type localizationCommand struct {
	Build localizationBuildCommand `cmd:"" help:"Build a release from the pull requests of a repository, or of those of a recipe."`
}
