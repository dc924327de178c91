package web

import (
	"errors"
	"net/http"

	"github.com/labstack/echo/v4"

	"touchstone/internal/account"
	"touchstone/internal/benchmark"
	"touchstone/internal/store"
)

// errNotYours is returned to whoever may see a submission, but not act on it.
var errNotYours = echo.NewHTTPError(http.StatusForbidden, "Only who submitted this may do that.")

// visitor is who looks at a page that anybody may see, and whether that is known.
func (s *Site) visitor(c echo.Context) (store.Account, bool, error) {
	who, err := s.who(c)
	if errors.Is(err, errNobody) || errors.Is(err, account.ErrUnknownToken) {
		return store.Account{}, false, nil
	}
	return who, err == nil, err
}

// submission is the one that an address names, as far as who asks may see it:
// a draft is its owner's, what was hidden is the operator's.
func (s *Site) submission(c echo.Context) (sub store.Submission, own bool, err error) {
	id := c.Param("id")
	if !isPublicID(id) {
		return sub, false, store.ErrNotFound
	}
	who, known, err := s.visitor(c)
	if err != nil {
		return sub, false, err
	}
	if sub, err = s.Store.SubmissionByPublicID(c.Request().Context(), id); err != nil {
		return sub, false, err
	}
	own = known && owns(who, sub)
	if sub.State == store.Draft && !own || sub.Hidden && !(known && who.Role == account.Operator) {
		return store.Submission{}, false, store.ErrNotFound
	}
	return sub, own, nil
}

// judgedSubmission is submission for what only the doc-to-code track has.
func (s *Site) judgedSubmission(c echo.Context) (store.Submission, error) {
	sub, _, err := s.submission(c)
	if err == nil && sub.Track != benchmark.DocToCode {
		err = store.ErrNotFound
	}
	return sub, err
}

// ownSubmission is submission for what only its owner may do.
func (s *Site) ownSubmission(c echo.Context) (store.Submission, error) {
	sub, own, err := s.submission(c)
	if err != nil || own {
		return sub, err
	}
	if _, err := s.who(c); err != nil {
		return store.Submission{}, err
	}
	return store.Submission{}, errNotYours
}

func isPublicID(id string) bool {
	for _, r := range id {
		if (r < 'a' || r > 'z') && (r < '0' || r > '9') {
			return false
		}
	}
	return id != "" && len(id) <= 32
}
