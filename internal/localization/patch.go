package localization

import (
	"errors"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"
)

// FilesOfPatch reads a unified diff, as git or diff -u write it, and gives the
// files of the repository that it changes, deletes or renames, by their old
// names and in its order; and those that it adds. These are apart for the
// reason that a pull request's added files are never gold: nobody can find a
// file that is not there. An empty patch has none.
func FilesOfPatch(patch string) (changed, added []string, err error) {
	if strings.TrimSpace(patch) == "" {
		return nil, nil, nil
	}
	patch = strings.ReplaceAll(patch, "\r\n", "\n")
	files, _, err := gitdiff.Parse(strings.NewReader(patch))
	if err != nil {
		return nil, nil, errors.New(strings.TrimPrefix(err.Error(), "gitdiff: "))
	}
	if len(files) == 0 {
		return nil, nil, errors.New("there is no file header in it")
	}
	git := strings.HasPrefix(patch, "diff --git ") || strings.Contains(patch, "\ndiff --git ")
	for _, f := range files {
		if f.IsNew || f.IsCopy {
			added = append(added, withoutSide(f.NewName, git))
			continue
		}
		changed = append(changed, withoutSide(f.OldName, git))
	}
	return changed, added, nil
}

// withoutSide takes off the a/ or b/ that a diff without git's own headers
// still has where git wrote it first.
func withoutSide(name string, git bool) string {
	if rest, ok := strings.CutPrefix(name, "a/"); ok && !git {
		return rest
	}
	if rest, ok := strings.CutPrefix(name, "b/"); ok && !git {
		return rest
	}
	return name
}
