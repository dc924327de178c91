package build

import (
	"errors"
	"os"
	"testing"

	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

// required says that a test must not be skipped for want of a network or a sandbox.
func required() bool { return os.Getenv("TOUCHSTONE_REQUIRE") == "all" }

func needSandbox(t *testing.T) sandbox.Sandbox {
	t.Helper()
	box, err := sandbox.NewLocal()
	var unavailable *sandbox.UnavailableError
	if errors.As(err, &unavailable) && !required() {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return box
}

func needPython(t *testing.T) environment.Python {
	t.Helper()
	p, err := environment.FindPython(t.Context(), "")
	if err != nil {
		if !required() {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	return p
}

// skipOffline skips the test when the package index did not answer.
func skipOffline(t *testing.T, err error) {
	t.Helper()
	var index *environment.IndexError
	if errors.As(err, &index) && !required() {
		t.Skip(err)
	}
}
