package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/doctocode/bertscore"
	"touchstone/internal/doctocode/bertscore/bertscoretest"
	"touchstone/internal/sandbox/sandboxtest"
)

func TestAModelIsRegisteredListedAndRemoved(t *testing.T) {
	dir := t.TempDir()
	bertscoretest.Registry(t, filepath.Join(dir, "models"))
	models := func(status int, args ...string) (stdout, stderr string) {
		t.Helper()
		var out, messages bytes.Buffer
		if got := run(append([]string{"models", "--data", dir}, args...), &out, &messages); got != status {
			t.Fatalf("%v: status %d, want %d\n%s", args, got, status, messages.String())
		}
		return out.String(), messages.String()
	}
	const tiny = "../../internal/doctocode/bertscore/testdata/roberta"
	add := func(status int, more ...string) (stdout, stderr string) {
		t.Helper()
		return models(status, append([]string{"add", "codebertscore", tiny, "--cache", sandboxtest.Cache(t).Root()}, more...)...)
	}
	if out, _ := models(exitDone, "list"); out != "" {
		t.Errorf("%s", out)
	}
	printed, said := add(exitDone, "--name", "tiny", "--layer", "2", "--max-length", "48")
	var m bertscore.Manifest
	if err := json.Unmarshal([]byte(printed), &m); err != nil || m.Name != "tiny" || m.Layer != 2 || m.MaxLength != 48 || m.Prefix || !strings.Contains(said, "CodeBERTScore is computed with tiny, layer 2 from now on") {
		t.Errorf("%v\n%s\n%s", err, printed, said)
	}
	if out, _ := models(exitDone, "list"); out != printed {
		t.Errorf("%s", out)
	}
	// The tiny model does not read 512 tokens.
	if _, said := add(exitFailed); !strings.Contains(said, "trying the model") {
		t.Error(said)
	}
	if _, said := add(exitFailed, "--layer=-1"); !strings.Contains(said, "layer: is -1") {
		t.Error(said)
	}
	if _, said := models(exitFailed, "add", "bleurt", tiny); !strings.Contains(said, "use one of bertscore, codebertscore") {
		t.Error(said)
	}
	models(exitDone, "remove", "codebertscore")
	if _, said := models(exitFailed, "remove", "codebertscore"); !strings.Contains(said, "touchstone models add codebertscore DIR") {
		t.Error(said)
	}
}
