package build

import (
	"path"
	"regexp"
	"strings"

	"touchstone/internal/localization"
)

// Label says what kind of file a path names. The first of these that fits
// counts: generated (written by a program, or somebody else's code), test, docs;
// everything else is source. Only the path decides, so that a label means the
// same in every language.
func Label(name string) localization.Label {
	folders := strings.Split(path.Dir(name), "/")
	base := path.Base(name)
	switch {
	case isGenerated(folders, base):
		return localization.Generated
	case isTest(folders, base):
		return localization.Test
	case isDocumentation(folders, base):
		return localization.Documentation
	}
	return localization.Source
}

func set(names ...string) map[string]bool {
	s := map[string]bool{}
	for _, n := range names {
		s[n] = true
	}
	return s
}

func anyOf(folders []string, names map[string]bool) bool {
	for _, f := range folders {
		if names[strings.ToLower(f)] {
			return true
		}
	}
	return false
}

var (
	generatedFolders = set("vendor", "vendored", "node_modules", "bower_components", "third_party", "third-party", "generated", "__generated__", "dist", "__snapshots__", "__pycache__")
	lockFiles        = set("package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb", "deno.lock",
		"cargo.lock", "go.sum", "go.work.sum", "poetry.lock", "uv.lock", "pdm.lock", "pipfile.lock", "pixi.lock", "conda-lock.yml",
		"gemfile.lock", "composer.lock", "mix.lock", "pubspec.lock", "podfile.lock", "package.resolved", "packages.lock.json",
		"gradle.lockfile", "flake.lock", "module.bazel.lock", "conan.lock", "vcpkg-lock.json", "cartfile.resolved", "chart.lock", ".terraform.lock.hcl")
	generatedName = regexp.MustCompile(`(?i)(?:` +
		`\.pb(?:\.gw|\.validate)?\.(?:go|cc|h|c|swift|rb)|_pb2(?:_grpc)?\.pyi?|_pb\.(?:js|ts|d\.ts|rb)|_grpc_pb\.(?:js|ts)|\.pb\.dart` + // protocol buffers
		`|\.min\.(?:js|css|mjs)|\.bundle\.js|\.(?:js|css|mjs|ts)\.map` + // made for browsers
		`|\.snap(?:\.new)?|\.ambr|\.approved\.\w+` + // snapshots of tests
		`|[._-](?:generated|gen|autogen)\.\w+|\.g\.(?:dart|cs|ts|rs|kt)|\.freezed\.dart|\.designer\.cs|_string\.go|_easyjson\.go|_templ\.go` +
		`)$|^(?:zz_generated|bindata)[._]|^mock_\w+\.go$|\.generated\.`)
)

func isGenerated(folders []string, base string) bool {
	return anyOf(folders, generatedFolders) || lockFiles[strings.ToLower(base)] || generatedName.MatchString(base)
}

var (
	testFolders = set("test", "tests", "testing", "testdata", "test-data", "test_data", "testutil", "testutils", "__tests__", "__test__", "__mocks__", "__fixtures__",
		"spec", "specs", "e2e", "fixtures", "mdtest", "androidtest", "integrationtest", "unittests", "unittest", "mocks")
	testFolder = regexp.MustCompile(`(?i)[-_](?:tests?|e2e)$`)
	testName   = regexp.MustCompile(`^(?:` +
		`.*[_.-](?:test|tests|spec|specs|unittest|e2e)\.\w+(?:\.\w+)?` + // Go, JavaScript, TypeScript, Ruby, C++, Dart, Elixir, Rust
		`|test[_-].*\.\w+|tests?\.(?:py|rs|js|ts|jsx|tsx|c|cc|cpp|rb|lua)|conftest\.py` + // Python, C, Rust
		`|\w*(?:[A-Za-z0-9](?:Test|Tests|TestCase|Spec|Suite)|[a-z0-9]IT)\.(?:java|kt|kts|scala|groovy|cs|fs|php|swift|m|mm|hs)|Test[A-Z]\w*\.(?:java|kt)` + // the JVM and others
		`)$`)
)

func isTest(folders []string, base string) bool {
	if anyOf(folders, testFolders) || testName.MatchString(base) {
		return true
	}
	for _, f := range folders {
		if testFolder.MatchString(f) {
			return true
		}
	}
	return false
}

var (
	docFolders    = set("doc", "docs", "documentation", "man", "rfcs")
	docExtensions = set(".md", ".mdx", ".markdown", ".rst", ".adoc", ".asciidoc", ".textile", ".org", ".pod", ".rdoc", ".tex")
	docNames      = regexp.MustCompile(`(?i)^(?:readme|changes|changelog|history|news|release[-_]?notes|contributing|contributors|authors|maintainers|license|licence|copying|notice|code_of_conduct|security|support|governance|citation|upgrading|migrating)(?:[-_]\w+)*(?:\.(?:txt|cff))?$`)
)

func isDocumentation(folders []string, base string) bool {
	return anyOf(folders, docFolders) || docExtensions[strings.ToLower(path.Ext(base))] || docNames.MatchString(base)
}
