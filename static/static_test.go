package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, method, address string, headers map[string]string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, address, nil)
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func body(t *testing.T, r *http.Response) []byte {
	t.Helper()
	content, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

func TestEveryFileIsServedUnderItsHashWithItsType(t *testing.T) {
	kinds := map[string]string{
		"site.css":                   "text/css; charset=utf-8",
		"js/theme.js":                "text/javascript; charset=utf-8",
		"js/tooltip.js":              "text/javascript; charset=utf-8",
		"vendor/htmx.min.js":         "text/javascript; charset=utf-8",
		"vendor/htmx-sse.min.js":     "text/javascript; charset=utf-8",
		"fonts/inter.woff2":          "font/woff2",
		"fonts/jetbrains-mono.woff2": "font/woff2",
		"fonts/inter.LICENSE.txt":    "text/plain; charset=utf-8",
		"icon.svg":                   "image/svg+xml",
	}
	for name, kind := range kinds {
		address := Path(name)
		r := get(t, http.MethodGet, address, nil)
		content := body(t, r)
		sum := sha256.Sum256(content)
		if hash := hex.EncodeToString(sum[:8]); !strings.Contains(address, "."+hash+".") {
			t.Errorf("%s: the address %s does not carry the content's hash %s", name, address, hash)
		}
		if r.StatusCode != http.StatusOK || r.Header.Get("Content-Type") != kind {
			t.Errorf("%s: status %d, type %q, want %q", name, r.StatusCode, r.Header.Get("Content-Type"), kind)
		}
		if r.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control is %q", name, r.Header.Get("Cache-Control"))
		}
	}
}

func TestGzipIsSentToThoseWhoTakeIt(t *testing.T) {
	plain := body(t, get(t, http.MethodGet, Path("site.css"), nil))
	for accept, want := range map[string]bool{
		"gzip": true, "br, gzip;q=0.5": true, "*": true, "deflate, GZIP": true, "gzip;q=1, *;q=0": true,
		"": false, "br": false, "gzip;q=0": false, "*;q=0": false, "gzip;q=0, *": false, "gzip;q=x": false,
	} {
		r := get(t, http.MethodGet, Path("site.css"), map[string]string{"Accept-Encoding": accept})
		if got := r.Header.Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("Accept-Encoding %q: gzip %v, want %v", accept, got, want)
			continue
		}
		if r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: Vary is %q", accept, r.Header.Get("Vary"))
		}
		if !want {
			continue
		}
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		unpacked, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(unpacked, plain) {
			t.Error("the packed sheet is not the plain one")
		}
	}
}

func TestOnlyFilesAtTheirAddressesAreServed(t *testing.T) {
	for _, address := range []string{"/static/site.css", "/static/", "/static/css/base.css", "/static/../static.go", "/static/site.0000000000000000.css"} {
		if r := get(t, http.MethodGet, address, nil); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: status %d, want 404", address, r.StatusCode)
		}
	}
	if r := get(t, http.MethodPost, Path("site.css"), nil); r.StatusCode != http.StatusMethodNotAllowed || r.Header.Get("Allow") == "" {
		t.Errorf("POST: status %d", r.StatusCode)
	}
	r := get(t, http.MethodHead, Path("site.css"), nil)
	if r.StatusCode != http.StatusOK || len(body(t, r)) != 0 || r.Header.Get("Content-Length") == "0" {
		t.Errorf("HEAD: status %d, Content-Length %s", r.StatusCode, r.Header.Get("Content-Length"))
	}
}

func TestAnUnknownNameIsAMistakeOfThePage(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Path gave an address for a file that is not there")
		}
	}()
	Path("js/no-such.js")
}

func TestTheSheetHoldsEveryPart(t *testing.T) {
	found, err := filepath.Glob("css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != len(sheets) {
		t.Errorf("%d sheets in the folder, %d in site.css", len(found), len(sheets))
	}
	sheet := string(body(t, get(t, http.MethodGet, Path("site.css"), nil)))
	if strings.Contains(sheet, `url("../`) {
		t.Error("an address in site.css is not rewritten")
	}
	if !strings.Contains(sheet, Path("fonts/inter.woff2")) {
		t.Error("site.css does not load the font at its address")
	}
}

var vendoredRow = regexp.MustCompile(`(?m)^\| (\S+\.(?:js|woff2)) \| .* \| ([^|]+) \| ([^|]+) \| ([^|]+) \| ([0-9a-f]{64}) \|$`)

func TestWhatIsNotOursIsListedWithItsHash(t *testing.T) {
	list, err := os.ReadFile("VENDORED.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, row := range vendoredRow.FindAllStringSubmatch(string(list), -1) {
		name, licence, want := row[1], row[3], row[5]
		listed[name] = true
		content, err := os.ReadFile(name)
		if err != nil {
			t.Error(err)
			continue
		}
		sum := sha256.Sum256(content)
		if got := hex.EncodeToString(sum[:]); got != want {
			t.Errorf("%s has SHA-256 %s, VENDORED.md says %s", name, got, want)
		}
		text := regexp.MustCompile(`\((\S+)\)`).FindStringSubmatch(licence)
		if text == nil {
			t.Errorf("%s: no file with the licence's text is named", name)
		} else if _, err := os.Stat(text[1]); err != nil {
			t.Error(err)
		}
	}
	for _, pattern := range []string{"vendor/*.js", "fonts/*.woff2"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if !listed[name] {
				t.Errorf("%s is not in VENDORED.md", name)
			}
		}
	}
}
