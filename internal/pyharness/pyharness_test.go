package pyharness_test

import (
	"context"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"touchstone/internal/cache"
	"touchstone/internal/doctocode/environment/environmenttest"
	"touchstone/internal/pyharness"
	"touchstone/internal/sandbox"
	"touchstone/internal/sandbox/sandboxtest"
)

// derived holds the harness as the tests installed it.
var derived *cache.Folder

func TestMain(m *testing.M) { sandboxtest.MainWithCache(m, &derived) }

func install(t testing.TB) string {
	t.Helper()
	folder, err := pyharness.Install(derived)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

var result = regexp.MustCompile(`(?m)^(test_\S+\.py::.+?) (PASSED|FAILED|SKIPPED|ERROR)\b`)

// TestPython runs the harness's own tests, in testdata/unit, inside the
// sandbox: they write, link and map files as no child should.
func TestPython(t *testing.T) {
	e := environmenttest.Pytest(t)
	unit, err := filepath.Abs("testdata/unit")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	process, err := sandboxtest.Named(t).Start(ctx, sandbox.Spec{
		Argv: []string{e.Interpreter(), "-B", "-m", "pytest", "-v", "--color=no", "-p", "no:cacheprovider", "--basetemp=/tmp/pytest", "/unit"},
		Env:  append(e.Environ(nil), "COLUMNS=200"),
		Dir:  "/unit",
		Mounts: append(e.Mounts(), sandbox.Mount{Source: install(t), Target: pyharness.Harness},
			sandbox.Mount{Source: unit, Target: "/unit"}),
	})
	if err != nil {
		t.Fatal(err)
	}
	process.Stdin().Close()
	output, err := io.ReadAll(process.Stdout())
	if err != nil {
		t.Fatal(err)
	}
	exit := process.Wait()
	results := result.FindAllStringSubmatch(string(output), -1)
	for _, r := range results {
		t.Run(strings.TrimPrefix(r[1], "test_"), func(t *testing.T) {
			switch r[2] {
			case "FAILED", "ERROR":
				t.Fail()
			case "SKIPPED":
				t.Skip()
			}
		})
	}
	if exit.Code != 0 || len(results) == 0 {
		t.Errorf("status %d\n%s\n%s", exit.Code, output, exit.Stderr)
	}
}
