package web

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/blob"
	"touchstone/internal/store"
	"touchstone/views"
)

// A problem is an error in the words of its reader.
type problem struct {
	Status  int    `json:"-"`
	What    string `json:"error"`
	Field   string `json:"field,omitempty"`
	Line    int    `json:"line,omitempty"`
	Do      string `json:"mend,omitempty"`
	Request string `json:"request,omitempty"`
}

// explain is the one place where an error becomes a status and words.
func explain(err error) problem {
	var input *benchmark.InputError
	var http_ *echo.HTTPError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return problem{Status: http.StatusRequestEntityTooLarge, What: "The upload is too large.", Do: "Compress it with gzip or zstd, or leave out what is no docstring."}
	case errors.As(err, &input):
		return problem{Status: http.StatusUnprocessableEntity, What: sentence(input), Field: input.Field, Line: input.Line, Do: input.Mend}
	case errors.Is(err, store.ErrNotFound), errors.Is(err, blob.ErrNotFound):
		return problem{Status: http.StatusNotFound, What: "There is nothing at this address.", Do: "Check the address, or begin at the home page."}
	case errors.Is(err, account.ErrUnknownToken):
		return problem{Status: http.StatusUnauthorized, What: "This token is not known, or it was revoked.", Do: "Ask the site's operator for one."}
	case errors.Is(err, context.Canceled):
		return problem{Status: 499, What: "The request was given up."}
	case errors.As(err, &http_):
		p := problem{Status: http_.Code}
		if text, ok := http_.Message.(string); ok && text != http.StatusText(http_.Code) {
			p.What = text
		}
		switch {
		case p.What != "":
		case p.Status == http.StatusNotFound:
			p.What, p.Do = "There is nothing at this address.", "Check the address, or begin at the home page."
		case p.Status == http.StatusMethodNotAllowed:
			p.What, p.Do = "This address does not take such a request.", "See /api for what each address takes."
		default:
			p.What = http.StatusText(p.Status) + "."
		}
		return p
	}
	return problem{Status: http.StatusInternalServerError, What: "The site could not answer.", Do: "Try again in a moment; if it stays so, tell the operator the reference below."}
}

// sentence is what is wrong, without the mend, which stands apart.
func sentence(e *benchmark.InputError) string {
	plain := *e
	plain.Mend = ""
	text := plain.Error()
	if !strings.HasSuffix(text, ".") {
		text += "."
	}
	return text
}

// fail answers with an error: a page, or JSON where a program asks.
func (s *Site) fail(err error, c echo.Context) {
	if c.Response().Committed {
		return
	}
	p := explain(err)
	p.Request = requestID(c)
	if p.Status >= 500 {
		s.Log.Error("a request failed", "request", p.Request, "path", c.Request().URL.Path, "error", err)
	}
	c.Response().Header().Set(echo.HeaderCacheControl, "no-store")
	if wantsJSON(c) {
		_ = c.JSON(p.Status, p)
		return
	}
	view := views.Problem{What: p.What, Where: c.Request().URL.Path, Do: p.Do, Reference: p.Request, Next: views.Link{Text: "To the home page", Address: "/"}}
	_ = s.render(c, p.Status, views.ProblemPage(s.page(c, p.What), view))
}

// wantsJSON reports whether a program asks.
func wantsJSON(c echo.Context) bool {
	return strings.HasPrefix(c.Request().URL.Path, "/api/v1/") || strings.Contains(c.Request().Header.Get(echo.HeaderAccept), "application/json")
}
