package web

import (
	"errors"
	"net"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"touchstone/internal/account"
	"touchstone/internal/store"
)

// tokenCookie keeps a token that was given in a form, for the browser only.
const tokenCookie = "touchstone_token"

// errNobody is returned to whoever has to say who they are.
var errNobody = echo.NewHTTPError(http.StatusUnauthorized, "This needs a token.")

// who acts: the token's account, from the header, the form or the cookie; or
// this machine's own user where the site allows it. Nobody is errNobody.
func (s *Site) who(c echo.Context) (store.Account, error) {
	token := ""
	if bearer, ok := strings.CutPrefix(c.Request().Header.Get(echo.HeaderAuthorization), "Bearer "); ok {
		token = bearer
	} else if cookie, err := c.Cookie(tokenCookie); err == nil {
		token = cookie.Value
	}
	return s.holder(c, token)
}

// holder is the account of a token, or this machine's user without one.
func (s *Site) holder(c echo.Context, token string) (store.Account, error) {
	if strings.TrimSpace(token) == "" {
		if s.Local != nil && loopback(c) {
			return *s.Local, nil
		}
		return store.Account{}, errNobody
	}
	found, err := s.Accounts.ByToken(c.Request().Context(), token)
	if errors.Is(err, account.ErrUnknownToken) && s.Local != nil && loopback(c) {
		return *s.Local, nil // a cookie of another site on this machine
	}
	return found, err
}

// remember keeps a token for the browser that gave it.
func (s *Site) remember(c echo.Context, token string) {
	c.SetCookie(&http.Cookie{Name: tokenCookie, Value: strings.TrimSpace(token), Path: "/", MaxAge: 90 * 24 * 3600, HttpOnly: true,
		Secure: c.IsTLS() || c.Request().Header.Get(echo.HeaderXForwardedProto) == "https", SameSite: http.SameSiteLaxMode})
}

// loopback reports whether a request comes from this machine itself and names
// it: a name of another site that leads here would let that site act.
func loopback(c echo.Context) bool {
	ip := net.ParseIP(c.RealIP())
	if ip == nil || !ip.IsLoopback() {
		return false
	}
	host := c.Request().Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	named := net.ParseIP(strings.Trim(host, "[]"))
	return host == "localhost" || named != nil && named.IsLoopback()
}

// owns reports whether an account may cancel and retry a submission.
func owns(a store.Account, sub store.Submission) bool {
	return a.ID == sub.AccountID || a.Role == account.Operator
}
