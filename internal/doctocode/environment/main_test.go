package environment

import (
	"context"
	"fmt"
	"testing"
	"time"

	"touchstone/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

func findPython(t *testing.T) Python {
	t.Helper()
	p, err := FindPython(t.Context(), "")
	if err != nil {
		sandboxtest.Missing(t, err)
	}
	return p
}

// needIndex skips a test where no package index answers.
func needIndex(t *testing.T) Python {
	t.Helper()
	p := findPython(t)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if wheels, _, err := p.releases(ctx, "iniconfig"); err != nil || len(wheels) == 0 {
		sandboxtest.Missing(t, fmt.Sprintf("no package index answers: %v", err))
	}
	return p
}
