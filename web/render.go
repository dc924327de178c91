package web

import (
	"bytes"
	"net/http"
	"net/url"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"touchstone/views"
)

// page is what the layout needs to know of a page.
func (s *Site) page(c echo.Context, title string) views.Page {
	return views.Page{Title: title, Path: c.Request().URL.Path, Version: s.Version}
}

// render draws a component whole before a byte of it is sent, so that an error
// never ends half a page.
func (s *Site) render(c echo.Context, status int, component templ.Component) error {
	var body bytes.Buffer
	if err := component.Render(c.Request().Context(), &body); err != nil {
		return err
	}
	return c.HTMLBlob(status, body.Bytes())
}

// address is the request's, without host.
func address(c echo.Context) url.URL {
	u := c.Request().URL
	return url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: u.RawQuery}
}

func (s *Site) healthy(c echo.Context) error { return c.String(http.StatusOK, "ok\n") }

// ready reports whether requests can be answered.
func (s *Site) ready(c echo.Context) error {
	if err := s.Store.Ping(c.Request().Context()); err != nil {
		return c.String(http.StatusServiceUnavailable, "the database does not answer\n")
	}
	return c.String(http.StatusOK, "ready\n")
}
