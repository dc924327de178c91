package build

import (
	"slices"
	"testing"
)

func TestCollectionSaysWhatIsMissing(t *testing.T) {
	errorIn := func(text string) collection {
		return collection{Status: 2, Errors: []collectionError{{Path: "tests/test_a.py", Text: text}}}
	}
	for _, c := range []struct {
		what                                 string
		c                                    collection
		modules, plugins, options, libraries []string
	}{
		{what: "a module", c: errorIn("E   ModuleNotFoundError: No module named 'yaml'"), modules: []string{"yaml"}},
		{what: "a module's part", c: errorIn("E   ModuleNotFoundError: No module named 'google.protobuf'; 'google' is not a package"), modules: []string{"google.protobuf"}},
		{what: "a module of conftest.py", c: collection{Status: 4, output: "ImportError while loading conftest '/repo/conftest.py'.\nE   ModuleNotFoundError: No module named 'attr'"}, modules: []string{"attr"}},
		{what: "a module in a filter of warnings", c: collection{Status: 4, output: "PytestConfigWarning: Failed to import filter module 'trio': ignore"}, modules: []string{"trio"}},
		{what: "what the repository prints is not meant when pytest worked", c: collection{Status: 0, output: "No module named 'yaml'"}},
		{what: "an option", c: collection{Status: 4, output: "__main__.py: error: unrecognized arguments: --foo --bar=1 tests"}, options: []string{"--foo", "--bar=1"}},
		{what: "a plugin that is loaded by name", c: collection{Status: 4, output: `ImportError: Error importing plugin "pytest_mock": No module named 'pytest_mock'`}, modules: []string{"pytest_mock"}, plugins: []string{"pytest-mock"}},
		{what: "required plugins", c: collection{Status: 4, output: "Missing required plugins: pytest-xvfb, pytest-mock>=1"}, plugins: []string{"pytest-xvfb", "pytest-mock"}},
		{what: "a mark", c: collection{Warnings: []string{"Unknown pytest.mark.asyncio - is this a typo?", "Unknown pytest.mark.slow - is this a typo?"}}, plugins: []string{"pytest-asyncio"}},
		{what: "a fixture", c: collection{Fixtures: []string{"mocker", "database"}}, plugins: []string{"pytest-mock"}},
		{what: "a shared library", c: errorIn("E   ImportError: libGL.so.1: cannot open shared object file: No such file or directory"), libraries: []string{"libGL.so.1"}},
	} {
		for what, pair := range map[string][2][]string{
			"modules": {c.c.modules(), c.modules}, "plugins": {c.c.plugins(), c.plugins},
			"options": {c.c.options(), c.options}, "libraries": {c.c.libraries(), c.libraries},
		} {
			if !slices.Equal(pair[0], pair[1]) {
				t.Errorf("%s: the %s are %q, want %q", c.what, what, pair[0], pair[1])
			}
		}
	}
}

// TestAnErrorIsPlacedInTheRepository: the test file is only where it shows.
func TestAnErrorIsPlacedInTheRepository(t *testing.T) {
	const head = "/env/lib/python3.11/site-packages/_pytest/python.py:528: in importtestmodule\n    mod = import_path(\n" +
		"tests/test_a.py:2: in <module>\n    from tool import f\n"
	for _, c := range []struct{ what, text, want string }{
		{"a package that does not parse", head + "E     File \"/repo/tool/__init__.py\", line 25\nE       def broken(:\nE                  ^\nE   SyntaxError: invalid syntax",
			"SyntaxError: invalid syntax (tool/__init__.py, line 25)"},
		{"a package that raises", head + "tool/__init__.py:7: in <module>\n    raise RuntimeError('no')\nE   RuntimeError: no", "RuntimeError: no (tool/__init__.py, line 7)"},
		{"an installed package that raises", head + "/env/lib/python3.11/site-packages/x.py:1: in <module>\n    1 / 0\nE   ZeroDivisionError: division by zero",
			"ZeroDivisionError: division by zero (tests/test_a.py, line 2)"},
		{"an installed package that does not parse", head + "E     File \"/env/lib/python3.11/site-packages/x.py\", line 3\nE   SyntaxError: invalid syntax", "SyntaxError: invalid syntax (tests/test_a.py, line 2)"},
		{"no frame", "E   fixture 'x' not found", "fixture 'x' not found"},
		{"no marks", "SystemExit: 3", "SystemExit: 3"},
		{"nothing", "", ""},
	} {
		if got := (collectionError{Text: c.text}).reason(); got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}

// TestAFileThatIsNotReadIsNamedWithItsLine: the parser was not told its name.
func TestAFileThatIsNotReadIsNamedWithItsLine(t *testing.T) {
	for why, want := range map[string]string{
		"invalid syntax (<unknown>, line 12)":   "a.py, line 12, cannot be read by this Python: invalid syntax",
		"source code cannot contain null bytes": "a.py cannot be read by this Python: source code cannot contain null bytes",
	} {
		if got := notRead("a.py", why); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDistributionOf(t *testing.T) {
	for module, want := range map[string]string{
		"yaml": "PyYAML", "PIL": "pillow", "PIL.Image": "pillow", "cv2": "opencv-python-headless", "dateutil.parser": "python-dateutil",
		"attr": "attrs", "sklearn.svm": "scikit-learn", "bs4": "beautifulsoup4", "requests": "requests", "pytest_mock": "pytest-mock",
		"google.protobuf": "protobuf", "_tkinter": "", "winreg": "",
	} {
		if got := distributionOf(module); got != want {
			t.Errorf("the distribution of %s is %q, want %q", module, got, want)
		}
	}
}

func TestEveryDistributionOfTheTablesIsARequirement(t *testing.T) {
	for _, table := range []map[string]string{moduleDistributions, pluginOfOption, pluginOfFixture, pluginOfMark, pluginOfSetting} {
		for key, text := range table {
			if text != "" && (Wanted{}).withText(text).Name() == "" {
				t.Errorf("%s stands for %q, which is no requirement", key, text)
			}
		}
	}
}

func (w Wanted) withText(text string) Wanted {
	w.Text = text
	return w
}

func TestIgnoredFiles(t *testing.T) {
	c := collection{Errors: []collectionError{{Path: "tests/test_a.py"}, {Path: "tests/test_a.py::TestA"}, {Path: ""}, {Path: "."}}}
	if got := c.ignored(); !slices.Equal(got, []string{"tests/test_a.py"}) {
		t.Errorf("got %q", got)
	}
}
