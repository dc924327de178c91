package web

import (
	"bytes"
	"net/http"
	"net/url"
	"slices"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/internal/leaderboard"
)

// colours gives each system a place among all, the same on every page: papers'
// systems come first, so that a new submission changes nobody's colour there.
func colours(b *leaderboard.Board) func(system string) int {
	var systems []string
	for _, set := range slices.Backward(b.Sets) {
		for _, row := range set.Rows {
			if !slices.Contains(systems, row.System) {
				systems = append(systems, row.System)
			}
		}
	}
	return func(system string) int { return slices.Index(systems, system) }
}

// sendSVG answers with a drawing as a file. The file's own style sheet is the
// only thing that it may use.
func sendSVG(c echo.Context, drawing templ.Component) error {
	var body bytes.Buffer
	if err := drawing.Render(c.Request().Context(), &body); err != nil {
		return err
	}
	h := c.Response().Header()
	h.Set(echo.HeaderCacheControl, "no-cache")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	return c.Blob(http.StatusOK, "image/svg+xml", body.Bytes())
}

// fileAddress is where the same as at an address is found as a file: the path
// ends on the file's kind, and the query asks for what is shown.
func fileAddress(path string, query url.Values) string {
	return (&url.URL{Path: path, RawQuery: query.Encode()}).String()
}

// localizationColours gives each system with its model on the localization track a place, as
// colours does: those of papers come first.
func localizationColours(b *leaderboard.Board) func(system string) int {
	var systems []string
	for _, set := range slices.Backward(b.Localization) {
		for _, e := range set.Entrants {
			if !slices.Contains(systems, e.Name()) {
				systems = append(systems, e.Name())
			}
		}
	}
	return func(system string) int { return slices.Index(systems, system) }
}
