// Package bertscoretest gives tests a registry of models whose environment is
// there already: it is made from the package index once and kept in the tests'
// cache.
package bertscoretest

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"touchstone/internal/doctocode/bertscore"
	"touchstone/internal/sandbox/sandboxtest"
)

// Registry is one without a model in the folder dir. The test is skipped when
// its environment cannot be had, unless TOUCHSTONE_REQUIRE is all.
func Registry(t testing.TB, dir string) bertscore.Registry {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	files := sandboxtest.Cache(t)
	shared := bertscore.Registry{Dir: filepath.Join(files.Root(), "models")}
	if err := shared.Prepare(ctx, files); err != nil {
		sandboxtest.Missing(t, err)
	}
	if err := os.CopyFS(dir, os.DirFS(shared.Dir)); err != nil {
		t.Fatal(err)
	}
	return bertscore.Registry{Dir: dir}
}

// Scorer scores with a registry, in the local sandbox.
func Scorer(t testing.TB, kind bertscore.Kind, r bertscore.Registry) *bertscore.Scorer {
	t.Helper()
	s := &bertscore.Scorer{Kind: kind, Models: r, Box: sandboxtest.Local(t), Cache: sandboxtest.Cache(t)}
	t.Cleanup(s.Close)
	return s
}

// Tiny describes the models in the package's testdata, as their operator would.
func Tiny(kind bertscore.Kind) bertscore.Manifest {
	m := kind.Usual().Manifest()
	m.Name, m.Layer, m.MaxLength = "tiny", 2, 48
	return m
}
