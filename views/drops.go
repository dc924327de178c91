package views

import (
	"touchstone/internal/doctocode"
	"touchstone/internal/localization"
)

// DropMeaning says in a sentence why something left a release.
func DropMeaning(reason string) string {
	switch reason {
	case doctocode.ReasonFlaky:
		return "The test passed some of three runs on the original code, and not all."
	case doctocode.ReasonSkipped:
		return "The suite itself skips the test or expects it to fail."
	case doctocode.ReasonFailing:
		return "The test never passed, or its file could not be collected."
	case doctocode.ReasonAmbiguous:
		return "The test shares its id with others, so that nobody can say which of them ran."
	case doctocode.ReasonSlow:
		return "The task's tests run longer than the release's limit."
	case doctocode.ReasonVacuous:
		return "Every test of the task passes though the body is replaced by pass: the tests say nothing about it."
	case doctocode.ReasonDefault:
		return "Every test of the task passes though the body only returns a default of the annotated type."
	case doctocode.ReasonReference:
		return "The original body itself does not pass when it runs in a new process."
	case doctocode.ReasonControl:
		return "A control did not get the verdict it must get when the release was verified."
	case doctocode.ReasonEmptyBody:
		return "The function has no body besides a docstring."
	case doctocode.ReasonRepository:
		return "The repository as a whole could not be used."
	case localization.ReasonRevert:
		return "It takes another change back, or puts it back in."
	case localization.ReasonRepeated:
		return "A commit before it bears the same number: that one counts."
	case localization.ReasonBot:
		return "A program made it, such as a dependency update."
	case localization.ReasonUntitled:
		return "Neither the history nor an export tells its title."
	case localization.ReasonNoGold:
		return "It changes no file of the snapshot."
	case localization.ReasonTooMany:
		return "It changes more files of the snapshot than the release's policy allows."
	case localization.ReasonTooLarge:
		return "Its diff is too large for the leak filters to read."
	case localization.ReasonLeak:
		return "A prompt of some level gives the change away, whatever the writer tries."
	}
	return "This reason is not known to this version of the site."
}

// DropReasons lists the reasons in the order in which pages explain them.
var DropReasons = []string{
	doctocode.ReasonVacuous, doctocode.ReasonDefault, doctocode.ReasonSlow, doctocode.ReasonReference, doctocode.ReasonControl,
	doctocode.ReasonEmptyBody, doctocode.ReasonFlaky, doctocode.ReasonSkipped, doctocode.ReasonFailing, doctocode.ReasonAmbiguous,
	doctocode.ReasonRepository,
}

// A DropGroup is what left a release for one reason.
type DropGroup struct {
	Kind   string // task, test, repository or pull request
	Reason string
	Total  int
	Items  []DropItem // the first of them
}

// A DropItem is one target, test, repository or pull request.
type DropItem struct {
	Key    string
	Detail string
}

func (g DropGroup) counted() string {
	switch g.Kind {
	case "task":
		return Counted(g.Total, "function", "functions")
	case "test":
		return Counted(g.Total, "test", "tests")
	case "repository":
		return Counted(g.Total, "repository", "repositories")
	case "pull request":
		return Counted(g.Total, "pull request", "pull requests")
	}
	return Count(g.Total) + " × " + g.Kind
}

func (g DropGroup) more() int { return g.Total - len(g.Items) }
