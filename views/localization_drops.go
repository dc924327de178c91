package views

import "touchstone/internal/localization"

// HistoryDropMeaning says in a sentence why a pull request is no task.
func HistoryDropMeaning(reason string) string {
	switch reason {
	case localization.ReasonRevert:
		return "It takes another change back, or puts it back in."
	case localization.ReasonRepeated:
		return "A commit before it bears the same number: that one counts."
	case localization.ReasonBot:
		return "A program made it, such as an update of a dependency."
	case localization.ReasonUntitled:
		return "Neither the history nor an export of the forge tells its title."
	case localization.ReasonNoGold:
		return "It changes no file that exists at T0, so there is nothing to find."
	case localization.ReasonTooMany:
		return "It changes more files of the snapshot than the release's policy allows."
	case localization.ReasonTooLarge:
		return "Its diff is too large for the leak filters to read."
	case localization.ReasonLeak:
		return "A prompt of some level gives the change away, whatever the writer tries; it leaves all levels, so that they stay of the same tasks."
	}
	return "This reason is not known to this version of the site."
}
