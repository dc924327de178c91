package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/failsafehttp"
	"github.com/failsafe-go/failsafe-go/ratelimiter"
)

// maxResponse bounds the bytes read of one response.
const maxResponse = 32 << 20

// errUnusable marks an answer that a second attempt would not mend.
var errUnusable = errors.New("unusable answer")

// A wire sends one attempt of a request. It stands inside the retrying round
// tripper, so that every attempt is paced, gets the parameters that the client
// library cannot express, and is read to its end before it counts as answered.
type wire struct {
	next       http.RoundTripper
	parameters map[string]json.RawMessage
	pace       ratelimiter.RateLimiter[*http.Response] // nil: no limit
	timeout    time.Duration                           // of one attempt
}

func (w *wire) RoundTrip(request *http.Request) (*http.Response, error) {
	if w.pace != nil {
		if err := w.pace.AcquirePermit(request.Context()); err != nil {
			return nil, err
		}
	}
	body, err := io.ReadAll(request.Body)
	request.Body.Close()
	if err != nil {
		return nil, err
	}
	if body, err = mergeJSON(body, w.parameters); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(request.Context(), w.timeout)
	defer cancel()
	attempt := request.Clone(ctx)
	attempt.Body = io.NopCloser(bytes.NewReader(body))
	attempt.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	attempt.ContentLength = int64(len(body))
	response, err := w.next.RoundTrip(attempt)
	if err != nil {
		return nil, err
	}
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxResponse+1))
	response.Body.Close()
	switch {
	case err != nil:
		return nil, fmt.Errorf("the answer was cut off: %w", err)
	case len(answer) > maxResponse:
		return nil, fmt.Errorf("%w: longer than %d MiB", errUnusable, maxResponse>>20)
	case response.StatusCode >= 300 && response.StatusCode < 400:
		return nil, fmt.Errorf("%w: the address leads elsewhere (status %d)", errUnusable, response.StatusCode)
	case response.StatusCode < 300 && !json.Valid(answer):
		return nil, errors.New("the answer is not JSON")
	case response.StatusCode == http.StatusTooManyRequests && bytes.Contains(answer, []byte(`"insufficient_quota"`)):
		return nil, fmt.Errorf("%w: the provider says that the account has no quota left", ErrBudgetExhausted)
	}
	response.Body = io.NopCloser(bytes.NewReader(answer))
	response.ContentLength = int64(len(answer))
	return response, nil
}

// mergeJSON adds members to a JSON object, replacing those of the same name.
// The result's keys are sorted, so that equal requests are equal bytes.
func mergeJSON(object []byte, members map[string]json.RawMessage) ([]byte, error) {
	var merged map[string]json.RawMessage
	if err := json.Unmarshal(object, &merged); err != nil {
		return nil, err
	}
	for key, value := range members {
		merged[key] = value
	}
	return json.Marshal(merged)
}

// Waiting between attempts.
const (
	firstDelay    = time.Second
	longestDelay  = time.Minute
	maxRetryAfter = 5 * time.Minute // a provider that asks for more is not waited for
)

// retrying repeats attempts that a later one may mend: connection failures,
// answers cut off, 429 and 5xx. Retry-After is obeyed, in seconds or as a date.
// Before each wait, waiting is told why and for how long.
func retrying(next http.RoundTripper, retries int, first time.Duration, waiting func(reason string, delay time.Duration)) http.RoundTripper {
	policy := failsafehttp.NewRetryPolicyBuilder().
		WithMaxRetries(retries).
		ReturnLastFailure().
		AbortOnErrors(ErrBudgetExhausted, errUnusable).
		AbortIf(func(response *http.Response, _ error) bool {
			wait, _ := retryAfter(response, time.Now())
			return wait > maxRetryAfter
		}).
		// Not the policy's own jitter: it may also wait less than Retry-After asks for.
		WithDelayFunc(func(e failsafe.ExecutionAttempt[*http.Response]) time.Duration {
			delay := min(first<<min(e.Attempts()-1, 10), longestDelay)
			delay += time.Duration(rand.Int64N(int64(delay)/4 + 1))
			if wait, ok := retryAfter(e.LastResult(), time.Now()); ok {
				return max(wait, delay)
			}
			return delay
		}).
		OnRetryScheduled(func(e failsafe.ExecutionScheduledEvent[*http.Response]) {
			waiting(failure(e.LastResult(), e.LastError()), e.Delay)
		}).
		Build()
	return failsafehttp.NewRoundTripper(next, policy)
}

// failure says why an attempt failed.
func failure(response *http.Response, err error) string {
	if err != nil {
		return err.Error()
	}
	return strings.TrimSpace(fmt.Sprintf("status %d %s", response.StatusCode, http.StatusText(response.StatusCode)))
}

// An announcer tells of waits before retries, but only once of requests that
// wait together for the same reason.
type announcer struct {
	tell func(reason string, delay time.Duration)

	mu     sync.Mutex
	reason string
	until  time.Time // the wait that was told of
}

func (a *announcer) announce(reason string, delay time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := time.Now()
	if reason == a.reason && now.Before(a.until) {
		return
	}
	a.reason, a.until = reason, now.Add(delay)
	a.tell(reason, delay)
}

// retryAfter is how long a response asks to wait.
func retryAfter(response *http.Response, now time.Time) (time.Duration, bool) {
	if response == nil {
		return 0, false
	}
	value := response.Header.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second)), true
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, date.Sub(now)), true
	}
	return 0, false
}
