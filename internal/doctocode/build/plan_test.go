package build

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/sandbox/sandboxtest"
)

// TestPlanEnvironment plans small repositories, each of which misses something
// that only collecting its tests shows.
func TestPlanEnvironment(t *testing.T) {
	box, python := sandboxtest.Local(t), needPython(t)
	cache := filepath.Join(derived.Root(), "environments")
	const project = "[project]\nname = \"tool\"\nversion = \"1.0\"\n"
	for _, c := range []struct {
		what   string
		files  map[string]string
		recipe RepositoryRecipe
		tests  []string
		locked []string
		args   []string
		notes  []string
	}{
		{
			what: "a module, a plugin's fixture and an option that nobody knows",
			files: map[string]string{
				"pyproject.toml":     project + "[tool.pytest.ini_options]\naddopts = \"--nobody-knows=1 --cov=tool -m 'not slow'\"\n",
				"src/tool.py":        "x = 1\n",
				"tests/test_tool.py": "import attr, tool\nfrom importlib import metadata\nassert metadata.version('tool') == '1.0'\ndef test_x(mocker): pass\n",
			},
			tests:  []string{"tests/test_tool.py::test_x"},
			locked: []string{"attrs", "pytest", "pytest-mock"},
			args:   []string{"-o", "addopts=-m 'not slow'"},
			notes:  []string{"--nobody-knows=1", "--cov=tool"},
		},
		{
			what: "what cannot be had hides nothing, and a file that cannot be collected is left out",
			files: map[string]string{
				"pyproject.toml": project + "dependencies = [\"touchstone-has-no-such-distribution\", \"iniconfig\"]\n",
				"tool.py":        "", "test_good.py": "import iniconfig\ndef test(): pass\n", "test_bad.py": "import _no_such_module\n",
			},
			tests: []string{"test_good.py::test"},
			args:  []string{"--ignore=test_bad.py"},
			notes: []string{"touchstone-has-no-such-distribution: dropped", "no distribution is known to bring this module", "test_bad.py: it could not be collected and is left out"},
		},
		{
			what: "a version file that the build would write",
			files: map[string]string{
				"pyproject.toml":   "[project]\nname = \"tool\"\ndynamic = [\"version\"]\n[tool.setuptools_scm]\nversion_file = \"tool/_version.py\"\n",
				"tool/__init__.py": "from ._version import version\n", "test_tool.py": "import tool\ndef test(): assert tool.version\n",
			},
			tests: []string{"test_tool.py::test"},
			notes: []string{"tool/_version.py: written"},
		},
		{
			what:  "tests in a file that pytest does not look into",
			files: map[string]string{"tool.py": "", "test.py": "import unittest\nclass T(unittest.TestCase):\n    def test(self): pass\n"},
			tests: []string{"test.py::T::test"},
			args:  []string{"-o", "python_files=" + oddFiles},
			notes: []string{"test.py, tests.py"},
		},
		{
			what:   "the recipe's word on arguments, path and what to leave out",
			files:  map[string]string{"pyproject.toml": project + "dependencies = [\"touchstone-has-no-such-distribution\"]\n", "deep/tool.py": "", "test_tool.py": "import tool\ndef test_a(): pass\ndef test_b(): pass\n"},
			recipe: RepositoryRecipe{PythonPath: []string{"deep"}, PytestArgs: []string{"-k", "test_a"}, Without: []string{"touchstone-has-no-such-distribution"}},
			tests:  []string{"test_tool.py::test_a"},
			args:   []string{"-k", "test_a"},
			notes:  []string{"left out by the recipe"},
		},
		{
			what:  "no tests",
			files: map[string]string{"tool.py": ""},
			args:  []string{"-o", "python_files=" + oddFiles},
			notes: []string{"a package without tests cannot be used"},
		},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFiles(t, dir, c.files)
			source, err := fetch(t, dir, "")
			if err != nil {
				t.Fatal(err)
			}
			plan, err := PlanEnvironment(t.Context(), PlanInput{Sandbox: box, Python: python, Source: source, Recipe: c.recipe, CacheDir: cache})
			skipOffline(t, err)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(plan.Tests, c.tests) {
				t.Errorf("the tests are %q, want %q", plan.Tests, c.tests)
			}
			if !slices.Equal(plan.PytestArgs, c.args) {
				t.Errorf("the arguments are %q, want %q", plan.PytestArgs, c.args)
			}
			for _, name := range c.locked {
				if plan.Lock.Version(name) == "" {
					t.Errorf("%s is not in the lock:\n%s", name, plan.Lock)
				}
			}
			for _, want := range c.notes {
				if !strings.Contains(noteText(plan.Notes), want) {
					t.Errorf("there is no note %q:\n%s", want, noteText(plan.Notes))
				}
			}
			names(t, source.Dir) // still normalised
		})
	}
}

// TestPlanRealArchives plans distributions as the package index has them.
func TestPlanRealArchives(t *testing.T) {
	if testing.Short() {
		t.Skip("several downloads")
	}
	box, python := sandboxtest.Local(t), needPython(t)
	cache := filepath.Join(derived.Root(), "environments")
	for source, tests := range map[string]int{"pypi:schema==0.7.7": 116, "pypi:tabulate==0.9.0": 284, "pypi:semver==3.0.2": 328} {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			spec, err := ParseSource(source, "")
			if err != nil {
				t.Fatal(err)
			}
			s, err := Fetch(t.Context(), spec, filepath.Join(t.TempDir(), "tree"))
			skipOffline(t, err)
			if err != nil {
				t.Fatal(err)
			}
			plan, err := PlanEnvironment(t.Context(), PlanInput{Sandbox: box, Python: python, Source: s, CacheDir: cache})
			skipOffline(t, err)
			if err != nil {
				t.Fatal(err)
			}
			if len(plan.Tests) != tests || plan.Metadata.Version != spec.Version || s.SHA256 == "" {
				t.Errorf("%d tests were collected, want %d; the version is %s\n%s", len(plan.Tests), tests, plan.Metadata.Version, noteText(plan.Notes))
			}
		})
	}
}
