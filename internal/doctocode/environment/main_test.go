package environment

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"touchstone/internal/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.Init()
	os.Exit(m.Run())
}

// required says that a test must not be skipped for want of a network or a sandbox.
func required() bool { return os.Getenv("TOUCHSTONE_REQUIRE") == "all" }

func findPython(t *testing.T) Python {
	t.Helper()
	p, err := FindPython(t.Context(), "")
	if err != nil {
		if !required() {
			t.Skip(err)
		}
		t.Fatal(err)
	}
	return p
}

// needIndex skips a test where no package index answers.
func needIndex(t *testing.T) Python {
	t.Helper()
	p := findPython(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if wheels, _, err := p.releases(ctx, "iniconfig"); (err != nil || len(wheels) == 0) && !required() {
		t.Skipf("no package index answers: %v", err)
	}
	return p
}

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
