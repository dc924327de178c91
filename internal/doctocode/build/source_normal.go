package build

import (
	"io"
	"path"
	"slices"
	"strings"
)

// maxInfo bounds one file of published metadata.
const maxInfo = 1 << 20

// droppedFolders never belong to a repository's tree, whatever its source:
// version control, caches and environments of the machine it came from.
var droppedFolders = []string{".git", ".hg", ".svn", "__pycache__", ".tox", ".nox", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".hypothesis"}

// isDropped reports whether a path of the source is left out of the tree.
func isDropped(name string) bool {
	for _, part := range strings.Split(name, "/") {
		if slices.Contains(droppedFolders, part) {
			return true
		}
	}
	switch path.Ext(name) {
	case ".pyc", ".pyo":
		return true
	}
	return isBuiltMetadata(name)
}

// sourceFolders usually hold a repository's packages; a build leaves its
// metadata there or at the root.
var sourceFolders = []string{".", "src", "lib", "source", "python"}

// isBuiltMetadata reports whether a path lies in the metadata that a build
// left behind. Deeper ones are the repository's own, for example data of its
// tests. Two sets of metadata of one distribution would disagree: the release
// writes its own.
func isBuiltMetadata(name string) bool {
	for folder := name; folder != "."; folder = path.Dir(folder) {
		if ext := path.Ext(folder); (ext == ".egg-info" || ext == ".dist-info") && slices.Contains(sourceFolders, path.Dir(folder)) {
			return true
		}
	}
	return false
}

// keepInfo remembers published metadata before it is left out of the tree.
func (s *Source) keepInfo(name string, r io.Reader) error {
	base := path.Base(name)
	inEgg := strings.HasSuffix(path.Dir(name), ".egg-info")
	switch {
	case base == "PKG-INFO" && (name == base || inEgg && s.Info[base] == ""):
	case inEgg && (base == "requires.txt" || base == "entry_points.txt"):
	default:
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(r, maxInfo))
	if err != nil {
		return err
	}
	s.Info[base] = string(text)
	return nil
}
