package main

type datasetCommand struct {
	Build     datasetBuildCommand     `cmd:"" help:"Build a release from a repository, or from a recipe of several."`
	Verify    datasetVerifyCommand    `cmd:"" help:"Run the controls: reference must score 1 and stub 0 on every task, three times."`
	Agreement datasetAgreementCommand `cmd:"" help:"Hold the fast strategies' verdicts on mutants against those of a fresh process."`
}
