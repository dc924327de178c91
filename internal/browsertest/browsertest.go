// Package browsertest gives tests a real browser.
package browsertest

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Open starts a headless Chromium of a window's size with a profile of its
// own. Without Chromium the test is skipped, or fails where it is required.
func Open(t testing.TB, width, height int, more ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if required := os.Getenv("TOUCHSTONE_REQUIRE"); required == "all" || strings.Contains(required, "chromium") {
			t.Fatal("no chromium is installed")
		}
		t.Skip("no chromium is installed")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(width, height))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), append(options, more...)...)
	t.Cleanup(stop)
	ctx, stop := chromedp.NewContext(allocator)
	t.Cleanup(stop)
	return ctx
}
