// Package static holds what browsers load beside the pages: one style sheet,
// scripts, fonts, the icon. Everything is embedded, and every address carries a
// hash of its content, so that a browser may keep a file for ever and never
// shows a page with yesterday's style.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
)

// Prefix is the path under which Handler expects to be mounted.
const Prefix = "/static/"

//go:embed css/*.css fonts/*.woff2 fonts/*.txt js/*.js vendor/*.js vendor/*.txt icon.svg
var embedded embed.FS

// sheets are the parts of site.css in the order of the cascade.
var sheets = []string{"tokens", "fonts", "base", "layout", "table", "heat", "form", "chart", "drawing", "distribution", "code", "leaderboard", "submission", "home", "notes", "guide", "compare", "correlations", "localization"}

// A file is what one address answers with.
type file struct {
	name    string
	address string
	kind    string // media type
	plain   []byte
	gzipped []byte // nil where compressing gains nothing
}

var byName, byAddress = load()

// Path is the address of a file, for example of "site.css", "fonts/inter.woff2"
// or "js/theme.js". It panics when there is no such file, which is a mistake of
// the page that asks.
func Path(name string) string {
	f, ok := byName[name]
	if !ok {
		panic(fmt.Sprintf("static: no file is named %q", name))
	}
	return f.address
}

// Handler serves the files at the addresses that Path returns, and nothing else.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "static files are only read", http.StatusMethodNotAllowed)
			return
		}
		f, ok := byAddress[r.URL.Path]
		if !ok {
			http.Error(w, "no such file; its address may be of another version of the site: load the page again", http.StatusNotFound)
			return
		}
		h := w.Header()
		h.Set("Content-Type", f.kind)
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("X-Content-Type-Options", "nosniff")
		body := f.plain
		if f.gzipped != nil {
			h.Set("Vary", "Accept-Encoding")
			if acceptsGzip(r.Header.Values("Accept-Encoding")) {
				h.Set("Content-Encoding", "gzip")
				body = f.gzipped
			}
		}
		h.Set("Content-Length", strconv.Itoa(len(body)))
		if r.Method == http.MethodGet {
			_, _ = w.Write(body) // an error here is a reader who went away
		}
	})
}

// acceptsGzip reads Accept-Encoding: gzip or * with a weight above zero.
func acceptsGzip(headers []string) bool {
	accepted := false
	for coding := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		name, parameters, _ := strings.Cut(coding, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name != "gzip" && name != "*" {
			continue
		}
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.ReplaceAll(parameters, " ", ""), "q="); ok {
			parsed, err := strconv.ParseFloat(q, 64)
			if err != nil {
				continue
			}
			weight = parsed
		}
		if name == "gzip" {
			return weight > 0
		}
		accepted = weight > 0
	}
	return accepted
}

// load reads the embedded files, joins the style sheets and names everything by
// its content. Fonts come first: the sheet's addresses of them are rewritten.
func load() (names, addresses map[string]*file) {
	names, addresses = map[string]*file{}, map[string]*file{}
	add := func(name string, content []byte) {
		f := newFile(name, content)
		names[name], addresses[f.address] = f, f
	}
	err := fs.WalkDir(embedded, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Dir(name) == "css" {
			return err
		}
		content, err := embedded.ReadFile(name)
		if err != nil {
			return err
		}
		add(name, content)
		return nil
	})
	if err != nil {
		panic(err) // the files are part of the program
	}
	add("site.css", joinSheets(names))
	return names, addresses
}

var reference = regexp.MustCompile(`url\("\.\./([^"]+)"\)`)

func joinSheets(names map[string]*file) []byte {
	var all bytes.Buffer
	for _, sheet := range sheets {
		content, err := embedded.ReadFile("css/" + sheet + ".css")
		if err != nil {
			panic(err)
		}
		all.Write(content)
		all.WriteByte('\n')
	}
	return reference.ReplaceAllFunc(all.Bytes(), func(found []byte) []byte {
		name := string(reference.FindSubmatch(found)[1])
		f, ok := names[name]
		if !ok {
			panic(fmt.Sprintf("static: the style sheet names %q, which is not there", name))
		}
		return []byte(`url("` + f.address + `")`)
	})
}

func newFile(name string, content []byte) *file {
	sum := sha256.Sum256(content)
	extension := path.Ext(name)
	f := &file{
		name:    name,
		address: Prefix + strings.TrimSuffix(name, extension) + "." + hex.EncodeToString(sum[:8]) + extension,
		kind:    mediaType(extension),
		plain:   content,
	}
	if extension == ".woff2" {
		return f // already compressed
	}
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		panic(err)
	}
	if _, err := z.Write(content); err != nil {
		panic(err)
	}
	if err := z.Close(); err != nil {
		panic(err)
	}
	if packed.Len() < len(content) {
		f.gzipped = packed.Bytes()
	}
	return f
}

// mediaType does not ask the machine's table of types where ours is known, so
// that every machine answers alike.
func mediaType(extension string) string {
	switch extension {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	if kind := mime.TypeByExtension(extension); kind != "" {
		return kind
	}
	return "application/octet-stream"
}
