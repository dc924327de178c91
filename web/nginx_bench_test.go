package web

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

const nginxConfig = `
daemon off;
worker_processes auto;
pid %[1]s/nginx.pid;
error_log %[1]s/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000000;
  sendfile on;
  open_file_cache max=10;
  types { text/html html; }
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
  server { listen %[2]s; root %[1]s; gzip_static on; }
}
`

// BenchmarkAgainstNginx asks for the leaderboard of a thousand submissions, and
// for the same bytes as a static file of nginx, in turns. It reports requests
// per second of both and their ratio.
func BenchmarkAgainstNginx(b *testing.B) {
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		b.Skip("nginx is not installed")
	}
	site := crowded(b, 1000)
	ours := httptest.NewServer(site.Handler())
	defer ours.Close()
	dir, err := os.MkdirTemp("", "nginx")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	page := fetch(b, ours.URL+"/doc-to-code", "")
	packed := fetch(b, ours.URL+"/doc-to-code", "gzip")
	for name, data := range map[string][]byte{"page.html": page, "page.html.gz": packed} {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	config := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, nginxConfig, dir, address), 0o644); err != nil {
		b.Fatal(err)
	}
	server := exec.Command(nginx, "-c", config, "-e", filepath.Join(dir, "error.log"))
	if err := server.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { _ = server.Process.Signal(os.Interrupt); _ = server.Wait() }()
	theirs := "http://" + address + "/page.html"
	for range 50 {
		if r, err := http.Get(theirs); err == nil {
			r.Body.Close()
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if got := fetch(b, theirs, "gzip"); len(got) != len(packed) {
		b.Fatalf("nginx sends %d bytes instead of %d", len(got), len(packed))
	}
	for b.Loop() {
		var us, them float64
		const rounds = 3
		for range rounds {
			us += rate(b, ours.URL+"/doc-to-code") / rounds
			them += rate(b, theirs) / rounds
		}
		b.ReportMetric(us, "ours/s")
		b.ReportMetric(them, "nginx/s")
		b.ReportMetric(us/them, "ratio")
	}
	b.ReportMetric(float64(len(packed)), "bytes")
	b.ReportMetric(0, "ns/op")
}

func fetch(tb testing.TB, address, encoding string) []byte {
	tb.Helper()
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		tb.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", encoding)
	r, err := (&http.Client{Transport: &http.Transport{DisableCompression: true}}).Do(request)
	if err != nil {
		tb.Fatal(err)
	}
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != http.StatusOK {
		tb.Fatal(r.Status, err)
	}
	return data
}

// rate is how many requests a second 16 connections get answered.
func rate(tb testing.TB, address string) float64 {
	tb.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16, DisableCompression: true}}
	defer client.CloseIdleConnections()
	const span = 2 * time.Second
	var done atomic.Int64
	var all sync.WaitGroup
	end := time.Now().Add(span)
	for range 16 {
		all.Go(func() {
			for time.Now().Before(end) {
				get(tb, client, address)
				done.Add(1)
			}
		})
	}
	all.Wait()
	return float64(done.Load()) / span.Seconds()
}
