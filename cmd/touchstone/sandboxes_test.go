package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"touchstone/internal/sandbox"
)

// Both sandboxes give the same verdicts on the starter release's samples.
func TestBothSandboxesAgree(t *testing.T) {
	needs(t)
	image := os.Getenv("TOUCHSTONE_TEST_IMAGE")
	if image == "" {
		image = "touchstone-base:bookworm"
	}
	if _, err := sandbox.Open(context.Background(), "docker", sandbox.DockerConfig{Image: image}); err != nil {
		if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	dir := t.TempDir()
	for _, docs := range []string{"original", "sample:vague"} {
		all := map[string]map[string]string{}
		for _, box := range []string{"local", "docker"} {
			out := filepath.Join(dir, docs+box)
			resultOf(t, program("evaluate", "--docs", docs, "--evaluator", "recorded", "--samples", "1", "--sandbox", box, "--image", image, "--out", out))
			all[box] = verdicts(t, out)
		}
		if len(all["local"]) == 0 || len(all["local"]) != len(all["docker"]) {
			t.Errorf("%s: %d verdicts locally, %d under docker", docs, len(all["local"]), len(all["docker"]))
		}
		for key, v := range all["local"] {
			if all["docker"][key] != v {
				t.Errorf("%s: %s: %s locally, %s under docker", docs, key, v, all["docker"][key])
			}
		}
	}
}
