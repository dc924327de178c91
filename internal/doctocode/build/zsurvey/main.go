package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"touchstone/internal/doctocode/build"
	"touchstone/internal/doctocode/environment"
	"touchstone/internal/sandbox"
)

func main() {
	sandbox.Init()
	ctx := context.Background()
	box, err := sandbox.NewLocal()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	py, err := environment.FindPython(ctx, os.Getenv("PY"))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	for _, src := range os.Args[1:] {
		fmt.Println("==", src)
		t0 := time.Now()
		spec, err := build.ParseSource(src, os.Getenv("COMMIT"))
		if err != nil {
			fmt.Println("  ERR", err)
			continue
		}
		dir := filepath.Join("/tmp/survey", filepath.Base(src))
		os.RemoveAll(dir)
		s, err := build.Fetch(ctx, spec, dir)
		if err != nil {
			fmt.Println("  ERR", err)
			continue
		}
		t1 := time.Now()
		p, err := build.PlanEnvironment(ctx, build.PlanInput{Sandbox: box, Python: py, Source: s, CacheDir: "/tmp/survey/cache", Progress: func(step string, d, n int) {
			if os.Getenv("V") != "" {
				fmt.Printf("   %.1fs %s %d\n", time.Since(t1).Seconds(), step, d)
			}
		},
			Recipe: build.RepositoryRecipe{AllowSourceBuilds: os.Getenv("BUILDS") != ""}})
		if err != nil {
			fmt.Println("  ERR", err)
			continue
		}
		fmt.Printf("  fetch %.1fs plan %.1fs tests %d packages %d path %v\n  args %q\n  meta %s %s lic %q eps %d commit %s\n", t1.Sub(t0).Seconds(), time.Since(t1).Seconds(), len(p.Tests), len(p.Lock.Packages), p.PythonPath, p.PytestArgs, p.Metadata.Name, p.Metadata.Version, p.License, len(p.Metadata.EntryPoints), s.Commit)
		for _, r := range p.Requirements {
			fmt.Println("   req", r.Text, "|", r.From)
		}
		for _, n := range p.Notes {
			fmt.Println("   note", n)
		}
	}
}
