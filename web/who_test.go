package web

import (
	"net/http"
	"strings"
	"testing"

	"touchstone/internal/store"
)

// Whoever sits at this machine acts without a token; a page of another site
// that leads its own name here does not.
func TestOnlyThisMachineByItsOwnNameActsWithoutAToken(t *testing.T) {
	r := newReference(t)
	local := store.Account{Name: "this machine", Role: "submitter"}
	r.check(r.db.AddAccount(t.Context(), &local))
	r.site.Local = &local
	for _, c := range []struct {
		from, host string
		known      bool
	}{
		{"127.0.0.1:4000", "127.0.0.1:8080", true},
		{"127.0.0.1:4000", "localhost:8080", true},
		{"127.0.0.1:4000", "localhost", true},
		{"[::1]:4000", "[::1]:8080", true},
		{"[::1]:4000", "[::1]", true},
		{"127.0.0.1:4000", "elsewhere.example:8080", false},
		{"127.0.0.1:4000", "", false},
		{"192.0.2.1:4000", "127.0.0.1:8080", false},
		{"192.0.2.1:4000", "localhost", false},
	} {
		request, err := http.NewRequest(http.MethodGet, "/submit/doc-to-code", nil)
		r.check(err)
		request.RemoteAddr, request.Host = c.from, c.host
		if known := strings.Contains(record(r, request).Body.String(), "You submit as"); known != c.known {
			t.Errorf("from %s to %q: known is %v", c.from, c.host, known)
		}
	}
}
