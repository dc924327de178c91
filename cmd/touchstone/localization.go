package main

type localizationCommand struct {
	Build   localizationBuildCommand   `cmd:"" help:"Build a release from the pull requests of a repository, or of those of a recipe."`
	Predict localizationPredictCommand `cmd:"" help:"Have a reference baseline predict files for every prompt of a release."`
	Score   localizationScoreCommand   `cmd:"" help:"Score predictions, and compare the arms with and without knowledge."`
}
