package web

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/labstack/echo/v4/middleware"
)

// policy lets pages load from here only, and run no script that stands in them.
const policy = "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"

// requestHeader carries the id of a request, which the log has, too.
const requestHeader = "X-Request-Id"

// guard is what stands before every handler.
func (s *Site) guard() {
	origins := http.NewCrossOriginProtection()
	s.echo.Use(
		s.metrics.counted,
		s.logged,
		middleware.RecoverWithConfig(middleware.RecoverConfig{DisableErrorHandler: false, LogErrorFunc: func(c echo.Context, err error, stack []byte) error {
			s.Log.Error("a handler panicked", "request", requestID(c), "error", err, "stack", string(stack))
			return err
		}}),
		func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				h := c.Response().Header()
				h.Set("Content-Security-Policy", policy)
				h.Set("X-Content-Type-Options", "nosniff")
				h.Set("Referrer-Policy", "same-origin")
				h.Set("Cross-Origin-Opener-Policy", "same-origin")
				if err := origins.Check(c.Request()); err != nil {
					return echo.NewHTTPError(http.StatusForbidden, "This form was sent from another site.")
				}
				return next(c)
			}
		},
	)
}

// logged gives each request an id and writes a line about it.
func (s *Site) logged(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		started := time.Now()
		random := make([]byte, 8)
		if _, err := rand.Read(random); err != nil {
			return err
		}
		c.Response().Header().Set(requestHeader, hex.EncodeToString(random))
		err := next(c)
		if err != nil {
			c.Error(err)
		}
		level := slog.LevelDebug
		if c.Response().Status >= 500 {
			level = slog.LevelError
		}
		if ctx := c.Request().Context(); s.Log.Enabled(ctx, level) {
			s.Log.Log(ctx, level, "request", "request", requestID(c), "method", c.Request().Method, "route", c.Path(), "path", c.Request().URL.Path,
				"submission", c.Param("id"), "status", c.Response().Status, "bytes", c.Response().Size, "seconds", time.Since(started).Seconds(), "error", err)
		}
		return nil
	}
}

func requestID(c echo.Context) string { return c.Response().Header().Get(requestHeader) }
