package environment

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
)

func TestRequirementName(t *testing.T) {
	for text, want := range map[string]string{
		"pytest":                            "pytest",
		"Zope.Interface >= 5":               "zope-interface",
		"ruamel_yaml[jinja2]~=0.18":         "ruamel-yaml",
		"attrs>=1,<2 ; python_version>'3'":  "attrs",
		"numpy (>=1.2)":                     "numpy",
		"a==1.*":                            "a",
		"":                                  "",
		"-e .":                              "",
		"--index-url=https://index.example": "",
		"./local":                           "",
		"name @ https://host/name.tar.gz":   "",
		"git+https://host/name":             "",
		"two words":                         "",
		"a\n--pre":                          "",
	} {
		if got := (Requirement{Text: text}).Name(); got != want {
			t.Errorf("the name of %q is %q, want %q", text, got, want)
		}
	}
}

const someHash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestLockIsReadBackAsWritten(t *testing.T) {
	text := "iniconfig==2.0.0 --hash=sha256:" + someHash + "\npytest==8.0 --hash=sha256:" + someHash + "\n"
	l, err := ParseLock("requirements.lock", "# made by hand\n\n"+text)
	if err != nil {
		t.Fatal(err)
	}
	if l.String() != text {
		t.Errorf("read and written it is %q, want %q", l, text)
	}
	if l.Version("PyTest") != "8.0" || l.Version("numpy") != "" {
		t.Error("Version does not find by normalised name")
	}
}

func TestParseLockRefuses(t *testing.T) {
	hash := " --hash=sha256:" + someHash
	for what, line := range map[string]string{
		"a version that is not exact": "pytest>=8" + hash,
		"no hash":                     "pytest==8.0",
		"a short hash":                "pytest==8.0 --hash=sha256:0123",
		"another algorithm":           "pytest==8.0 --hash=md5:0123456789abcdef0123456789abcdef",
		"a name not normalised":       "PyTest==8.0" + hash,
		"an option":                   "--index-url https://index.example",
		"a URL":                       "pytest @ https://host/pytest.whl" + hash,
		"a second option":             "pytest==8.0" + hash + " --pre",
		"a package twice":             "a==1" + hash + "\na==2" + hash,
	} {
		_, err := ParseLock("requirements.lock", line)
		var input *benchmark.InputError
		if !errors.As(err, &input) || input.Line == 0 {
			t.Errorf("%s: got %v, want an InputError with its line", what, err)
		}
	}
}

func TestLockFileIsReadBackAsWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), FolderName("acme/tool"))
	l := Lock{Packages: []Package{{"pytest", "8.0", []string{someHash}}}}
	p := Python{Version: "3.11.7", Platform: "linux-x86_64", ABI: "cpython-311"}
	f := NewLockFile(p, []Requirement{{"pytest", "recipe"}}, l)
	wheel := filepath.Join(t.TempDir(), "old-1-py3-none-any.whl")
	if err := os.WriteFile(wheel, []byte("wheel"), 0o644); err != nil {
		t.Fatal(err)
	}
	f.Wheels = []string{wheel}
	if err := f.Write(dir); err != nil {
		t.Fatal(err)
	}
	got, err := ReadLockFile(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got.Python != "3.11" || got.Key != Key(p, l) || got.Lock.String() != l.String() || got.Requirements[0] != f.Requirements[0] {
		t.Errorf("read back it is %+v", got)
	}
	if want := filepath.Join(dir, "wheels"); got.WheelsDir() != want {
		t.Errorf("its wheels are in %q, want %q", got.WheelsDir(), want)
	}
	if err := os.Remove(filepath.Join(dir, "requirements.lock")); err != nil {
		t.Fatal(err)
	}
	var input *benchmark.InputError
	if _, err := ReadLockFile(dir); !errors.As(err, &input) {
		t.Errorf("without its lock: %v", err)
	}
}

func TestKeyDependsOnInterpreterAndPackages(t *testing.T) {
	p := Python{Version: "3.11.7", Platform: "linux-x86_64", ABI: "a"}
	l := Lock{Packages: []Package{{"pytest", "8.0", []string{someHash}}}}
	moved := p
	moved.Executable, moved.Prefix = "/elsewhere/bin/python", "/elsewhere"
	newer := p
	newer.Version = "3.11.8"
	if Key(p, l) != Key(moved, l) {
		t.Error("the key depends on where the interpreter is")
	}
	if Key(p, l) == Key(newer, l) || Key(p, l) == Key(p, Lock{}) {
		t.Error("different environments have one key")
	}
}

func TestResolve(t *testing.T) {
	p := needIndex(t)
	for _, c := range []struct {
		what         string
		requirements []string
		locked       string // a line's beginning
		kind         Unresolved
	}{
		{what: "a wheel with what it needs", requirements: []string{"pytest==8.0.0"}, locked: "pluggy=="},
		{what: "markers are pip's", requirements: []string{"iniconfig==2.0.0", `numpy ; python_version < "3"`}, locked: "iniconfig==2.0.0 --hash=sha256:b6a85871a79d2e3b22d2d1b94ac2824226a63c6b741c88f7ae975f18b6778374\n"},
		{what: "only a source archive", requirements: []string{"docopt==0.6.2"}, kind: NoWheel},
		{what: "an unknown name", requirements: []string{"touchstone-has-no-such-distribution"}, kind: NoDistribution},
		{what: "an unknown version", requirements: []string{"iniconfig==999"}, kind: NoVersion},
		{what: "a conflict", requirements: []string{"pluggy<1", "pytest==8.0.0"}, kind: Conflict},
		{what: "a URL", requirements: []string{"x @ https://host.example/x.tar.gz"}, kind: NotOnIndex},
		{what: "an option", requirements: []string{"--pre"}, kind: NotOnIndex},
	} {
		t.Run(c.what, func(t *testing.T) {
			var requirements []Requirement
			for _, text := range c.requirements {
				requirements = append(requirements, Requirement{Text: text})
			}
			l, err := Resolve(t.Context(), p, requirements, LockOptions{})
			if c.kind == "" {
				if err != nil || !strings.Contains("\n"+l.String(), "\n"+c.locked) {
					t.Fatalf("got %v, %v; want a line %q", l, err, c.locked)
				}
				if again, err := ParseLock("", l.String()); err != nil || again.String() != l.String() {
					t.Errorf("it is not read back: %v", err)
				}
				return
			}
			var unresolved *UnresolvedError
			if !errors.As(err, &unresolved) || unresolved.Kind != c.kind {
				t.Errorf("got %v, want the kind %s", err, c.kind)
			}
		})
	}
}

func TestDownloadSource(t *testing.T) {
	p := needIndex(t)
	a, err := DownloadSource(t.Context(), p, "schema", "0.7.7", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if a.SHA256 != "7da553abd2958a19dc2547c388cde53398b39196175a9be59ea1caf5ab0a1807" || !strings.HasSuffix(a.File, ".tar.gz") {
		t.Errorf("it is %+v", a)
	}
	for what, spec := range map[string][2]string{
		"an unknown name":    {"touchstone-has-no-such-distribution", "1"},
		"an unknown version": {"schema", "999"},
		"not a version":      {"schema", "newest"},
	} {
		var input *benchmark.InputError
		if _, err := DownloadSource(t.Context(), p, spec[0], spec[1], t.TempDir()); !errors.As(err, &input) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
