package views

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"touchstone/internal/browsertest"
	"touchstone/static"
)

// policy is the content security policy that pages are served with.
const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

// gallery is every component on one page.
func gallery() templ.Component {
	var views []templ.Component
	for _, s := range samples() {
		if strings.HasPrefix(s.name, "layout") {
			continue // the gallery is one itself
		}
		views = append(views, within(Section("sample-"+s.name, strings.ReplaceAll(s.name, "_", ", "), ""), all(templ.Raw("<div>"), s.view, templ.Raw("</div>"))))
	}
	return within(Layout(Page{Title: "Gallery", Path: "/doc-to-code", Version: "v1.2.3", Live: true}), all(views...))
}

// serveGallery serves the gallery as the site serves pages.
func serveGallery(t *testing.T) string {
	mux := http.NewServeMux()
	mux.Handle(static.Prefix, static.Handler())
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if err := gallery().Render(r.Context(), w); err != nil {
			t.Error(err)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// noteRefusals keeps what the content security policy refuses, from before the
// page's first script on.
const noteRefusals = `addEventListener("securitypolicyviolation", (e) => (window.refused ??= []).push(e.violatedDirective + " " + e.blockedURI))`

// open shows an address in a window of a width, with its fonts there.
func open(t *testing.T, address string, width int, theme string) context.Context {
	t.Helper()
	ctx := browsertest.Open(t, width, 900)
	// A window in the background has no focus, and its elements would get none.
	watch := chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: noteRefusals})
		return err
	})
	err := chromedp.Do(ctx,
		watch,
		chromedp.EmulateViewport(int64(width), 900),
		chromedp.Navigate(address),
		chromedp.Evaluate[chromedp.Void]("document.documentElement.dataset.theme = '"+theme+"'"),
		chromedp.Evaluate[chromedp.Void]("document.fonts.ready.then(() => true)", chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return ctx
}

// outside lists elements that reach beyond the window's right edge and are not
// inside a box that scrolls by itself.
const outside = `(() => {
  const width = document.documentElement.clientWidth;
  const clipped = (e) => {
    for (let p = e.parentElement; p; p = p.parentElement) {
      if (getComputedStyle(p).overflowX !== "visible") return true;
    }
    return false;
  };
  const found = [...document.body.querySelectorAll("*")]
    .filter((e) => e.getBoundingClientRect().right > width + 0.5 && !clipped(e))
    .map((e) => e.tagName + "." + e.getAttribute("class"));
  if (document.documentElement.scrollWidth > width) found.push("the page scrolls sideways");
  return found;
})()`

func TestNothingLeavesTheWindow(t *testing.T) {
	address := serveGallery(t)
	for _, width := range []int{320, 375, 768, 1440} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			ctx := open(t, address, width, "light")
			found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](outside))
			if err != nil {
				t.Fatal(err)
			}
			if len(found) > 0 {
				t.Errorf("at %d px these reach beyond the window: %s", width, strings.Join(found, ", "))
			}
		})
	}
}

// seen is what a page looks like to a reader, as far as a script can tell.
type seen struct {
	Inter, Mono    bool     // the fonts arrived
	Sticky         bool     // the first column stays when the rest is scrolled
	Tip            string   // what the tooltip says of a focused element
	Light, Dark    string   // ground of the page in either theme
	Refused        []string // what the content security policy refused
	ThemeIsOffered bool
}

const look = `(async () => {
  await document.fonts.ready;
  const all = (n) => [...document.fonts].some((f) => f.family.includes(n) && f.status === "loaded");
  const box = document.querySelector("#scores .table-box");
  const first = box.querySelector("tbody th.first");
  const before = first.getBoundingClientRect().left;
  box.scrollLeft = 200;
  const after = first.getBoundingClientRect().left;
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  document.querySelector("#scores .unknown").focus({ preventScroll: true });
  const tip = document.querySelector("#tip");
  const root = document.documentElement;
  const ground = (theme) => { root.dataset.theme = theme; return getComputedStyle(root).backgroundColor; };
  return {
    Inter: all("Inter"), Mono: all("JetBrains Mono"),
    Sticky: box.scrollLeft > 0 && Math.abs(before - after) < 1,
    Tip: tip && !tip.hidden ? tip.textContent : "",
    Light: ground("light"), Dark: ground("dark"),
    Refused: window.refused || [],
    ThemeIsOffered: !document.querySelector("[data-theme-switch]").hidden,
  };
})()`

func TestThePageWorksUnderItsSecurityPolicy(t *testing.T) {
	address := serveGallery(t)
	ctx := open(t, address, 375, "light")
	got, err := chromedp.Run(ctx, chromedp.Evaluate[seen](look, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	if !got.Inter || !got.Mono {
		t.Errorf("fonts that arrived: Inter %v, JetBrains Mono %v", got.Inter, got.Mono)
	}
	if !got.Sticky {
		t.Error("the first column leaves when the table is scrolled")
	}
	if want := "not computed: fewer than 3 samples a task"; got.Tip != want {
		t.Errorf("the focused element's tooltip says %q, want %q", got.Tip, want)
	}
	if got.Light == got.Dark {
		t.Errorf("both themes have the ground %s", got.Light)
	}
	if len(got.Refused) > 0 {
		t.Errorf("the content security policy refused %q", got.Refused)
	}
	if !got.ThemeIsOffered {
		t.Error("the theme switch stays hidden")
	}
}

// TestScreenshots writes pictures of the gallery into the folder that
// TOUCHSTONE_SHOTS names, for whoever changes the look.
func TestScreenshots(t *testing.T) {
	folder := os.Getenv("TOUCHSTONE_SHOTS")
	if folder == "" {
		t.Skip("TOUCHSTONE_SHOTS names no folder")
	}
	address := serveGallery(t)
	for _, width := range []int{375, 1440} {
		for _, theme := range []string{"light", "dark"} {
			ctx := open(t, address, width, theme)
			picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(fmt.Sprintf("%s/gallery-%d-%s.png", folder, width, theme), picture, 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Both sides of an interval stand below each other: beside each other they would
// lie over the drawing and the next column.
func TestAnIntervalKeepsToItsPlaceBesideTheScore(t *testing.T) {
	ctx := open(t, serveGallery(t), 1440, "light")
	found, err := chromedp.Run(ctx, chromedp.Evaluate[[]string](`[...document.querySelectorAll(".score-interval")].filter((e) => e.textContent.includes("+") && e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)`))
	if err != nil || len(found) > 0 {
		t.Errorf("these reach out of their place: %q, %v", found, err)
	}
	some, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`[...document.querySelectorAll(".score-interval")].some((e) => e.textContent.includes("+"))`))
	if err != nil || !some {
		t.Errorf("no sample has an interval with two sides, %v", err)
	}
}
