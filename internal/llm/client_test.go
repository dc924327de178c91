package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"touchstone/internal/benchmark"
)

const secret = "sk-very-secret-0123456789"

// A provider is an OpenAI-compatible server that answers as it is told.
type provider struct {
	*httptest.Server
	mu       sync.Mutex
	requests []string      // bodies, in the order of arrival
	times    []time.Time   // of arrival
	headers  []http.Header // of requests
}

const good = `{"model":"m-2025","choices":[{"message":{"role":"assistant","content":"return 1"},"finish_reason":"stop"}],` +
	`"usage":{"prompt_tokens":100,"completion_tokens":50,"completion_tokens_details":{"reasoning_tokens":20}}}`

// newProvider answers the n-th request (from 0 on) by answers[n], then always
// by the last.
func newProvider(t *testing.T, answers ...func(w http.ResponseWriter, r *http.Request)) *provider {
	t.Helper()
	p := &provider{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		p.mu.Lock()
		n := len(p.requests)
		p.requests, p.times, p.headers = append(p.requests, string(body)), append(p.times, time.Now()), append(p.headers, r.Header)
		p.mu.Unlock()
		if r.URL.Path != "/v1/chat/completions" || r.Method != http.MethodPost || int64(len(body)) != r.ContentLength {
			w.WriteHeader(http.StatusTeapot)
			return
		}
		answers[min(n, len(answers)-1)](w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

func reply(status int, body string, header ...string) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func number[T any](v T) *T { return &v }

// newAsker makes a client at a provider; change sets its configuration.
func newAsker(t *testing.T, p *provider, options Options, change func(*Config)) *Client {
	t.Helper()
	c := Config{Name: "judge", Model: "m", BaseURL: p.URL + "/v1", KeyEnv: "TEST_KEY", Samples: 5, Retries: number(3)}
	if change != nil {
		change(&c)
	}
	if options.Getenv == nil {
		options.Getenv = func(name string) string { return map[string]string{"TEST_KEY": secret}[name] }
	}
	if options.FirstDelay == 0 {
		options.FirstDelay = time.Millisecond
	}
	e, err := New(c, options)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func question(sample int) Request {
	return Request{ID: "o/n:p.py::f", Prompt: "Continue <this> & that.", Sample: sample}
}

// TestWire holds the bytes of requests.
func TestWire(t *testing.T) {
	const message = `"messages":[{"role":"user","content":"Continue \u003cthis\u003e \u0026 that."}]`
	for _, c := range []struct {
		rule   string
		change func(*Config)
		sample int
		want   string
	}{
		{"nothing is sent that is not configured", nil, 0, `{` + message + `,"model":"m","stream":false}`},
		{"a temperature of 0 reaches the wire", func(c *Config) { c.Temperature = number(0.0) }, 0, `{` + message + `,"model":"m","stream":false,"temperature":0}`},
		{"top_k and extra members do", func(c *Config) {
			c.TopK, c.TopP = number(20), number(0.8)
			c.Extra = map[string]any{"chat_template_kwargs": map[string]any{"enable_thinking": false}}
		}, 0, `{"chat_template_kwargs":{"enable_thinking":false},` + message + `,"model":"m","stream":false,"top_k":20,"top_p":0.8}`},
		{"a gpt-5 model takes what the library refuses", func(c *Config) {
			c.Model, c.Temperature, c.MaxTokens, c.ReasoningEffort = "gpt-5-mini", number(0.2), 900, "medium"
		}, 0, `{"max_completion_tokens":900,` + message + `,"model":"gpt-5-mini","reasoning_effort":"medium","stream":false,"temperature":0.2}`},
		{"other models know max_tokens", func(c *Config) { c.MaxTokens = 900 }, 0, `{"max_tokens":900,` + message + `,"model":"m","stream":false}`},
		{"each sample has its own seed", func(c *Config) { c.Seed = number(int64(7)) }, 2, `{` + message + `,"model":"m","seed":9,"stream":false}`},
	} {
		p := newProvider(t, reply(500, "{}"), reply(200, good))
		e := newAsker(t, p, Options{}, c.change)
		got, err := e.Complete(context.Background(), question(c.sample))
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		var want Completion
		want.Text, want.Model, want.PromptTokens, want.CompletionTokens, want.ReasoningTokens, want.FinishReason = "return 1", "m-2025", 100, 50, 20, "stop"
		if got != want {
			t.Errorf("%s: completion %+v", c.rule, got)
		}
		for n, body := range p.requests {
			if body != c.want {
				t.Errorf("%s: attempt %d sent\n     %s\nwant %s", c.rule, n, body, c.want)
			}
		}
		if len(p.requests) != 2 {
			t.Errorf("%s: %d attempts", c.rule, len(p.requests))
		}
		if got := p.headers[1].Get("Authorization"); got != "Bearer "+secret {
			t.Errorf("%s: Authorization is %q", c.rule, got)
		}
	}
}

// TestASystemMessageGoesFirst, and only when there is one.
func TestASystemMessageGoesFirst(t *testing.T) {
	p := newProvider(t, reply(200, good))
	if _, err := newAsker(t, p, Options{}, nil).Complete(context.Background(), Request{System: "Be brief.", Prompt: "Go on."}); err != nil {
		t.Fatal(err)
	}
	want := `{"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Go on."}],"model":"m","stream":false}`
	if p.requests[0] != want {
		t.Errorf("sent\n     %s\nwant %s", p.requests[0], want)
	}
}

// TestRetries: what a later attempt may mend is tried again.
func TestRetries(t *testing.T) {
	cutOff := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", fmt.Sprint(len(good)))
		io.WriteString(w, good[:len(good)/2])
	}
	hangUp := func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) }
	slow := func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-r.Context().Done():
		case <-time.After(5 * time.Second):
		}
	}
	for _, c := range []struct {
		rule  string
		first func(http.ResponseWriter, *http.Request)
	}{
		{"429", reply(429, `{"error":{"message":"slow down"}}`)},
		{"500", reply(500, "oops")},
		{"503 with a page", reply(503, "<html>")},
		{"a body that is cut off", cutOff},
		{"a body that is not JSON", reply(200, good[:len(good)/2])},
		{"a connection that is closed", hangUp},
		{"an answer that does not come", slow},
	} {
		p := newProvider(t, c.first, reply(200, good))
		e := newAsker(t, p, Options{}, func(c *Config) { c.TimeoutSeconds = 0.3 })
		if got, err := e.Complete(context.Background(), question(0)); err != nil || got.Text != "return 1" {
			t.Errorf("%s: %+v, %v", c.rule, got, err)
		}
		if len(p.requests) != 2 {
			t.Errorf("%s: %d attempts", c.rule, len(p.requests))
		}
	}
}

// TestRetryAfter: the provider says how long to wait, but not for hours.
func TestRetryAfter(t *testing.T) {
	p := newProvider(t, reply(429, "{}", "Retry-After", "1"), reply(200, good))
	if _, err := newAsker(t, p, Options{}, nil).Complete(context.Background(), question(0)); err != nil {
		t.Fatal(err)
	}
	if waited := p.times[1].Sub(p.times[0]); waited < time.Second || waited > 5*time.Second {
		t.Errorf("waited %v, not 1 s", waited)
	}
	p = newProvider(t, reply(429, `{"error":{"message":"come back tomorrow"}}`, "Retry-After", "86400"))
	_, err := newAsker(t, p, Options{}, nil).Complete(context.Background(), question(0))
	if !errors.Is(err, ErrUnavailable) || len(p.requests) != 1 {
		t.Errorf("after %d attempts: %v", len(p.requests), err)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "0.5": 500 * time.Millisecond, "Fri, 02 Jan 2026 03:04:15 GMT": 10 * time.Second,
		"Fri, 02 Jan 2026 03:00:00 GMT": 0, "": -1, "soon": -1, "-3": -1,
	} {
		got, ok := retryAfter(&http.Response{Header: http.Header{"Retry-After": {value}}}, now)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("Retry-After %q is %v, want %v", value, got, want)
		}
	}
}

// TestErrors: each failure has a kind that tells what to do, is not tried
// again in vain, and never shows the key.
func TestErrors(t *testing.T) {
	for _, c := range []struct {
		rule     string
		answer   func(http.ResponseWriter, *http.Request)
		kind     error
		attempts int
		text     string
	}{
		{"a rejected key that is echoed", reply(401, `{"error":{"message":"Incorrect API key provided: `+secret+`","code":"invalid_api_key"}}`), ErrKeyRejected, 1,
			"judge: API key rejected (status 401): Incorrect API key provided: [key]"},
		{"a model without access", reply(403, `{"error":{"message":"no access"}}`), ErrKeyRejected, 1, ""},
		{"an unknown model", reply(404, `{"error":{"message":"The model m does not exist","code":"model_not_found"}}`), ErrModelUnknown, 1, ""},
		{"an unknown model, otherwise said", reply(404, `{"object":"error","message":"The model m does not exist."}`), ErrModelUnknown, 1, ""},
		{"a wrong address", reply(404, "404 page not found"), ErrRefused, 1, ""},
		{"a prompt too long", reply(400, `{"error":{"message":"too long","code":"context_length_exceeded"}}`), ErrContextTooLong, 1, ""},
		{"a prompt too long for vLLM", reply(400, `{"error":{"message":"This model's maximum context length is 32768 tokens.","type":"BadRequestError","code":400}}`), ErrContextTooLong, 1, ""},
		{"an account without quota", reply(429, `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`), ErrBudgetExhausted, 1, ""},
		{"an account without money", reply(402, `{"error":{"message":"pay"}}`), ErrBudgetExhausted, 1, ""},
		{"a parameter refused", reply(400, `{"error":{"message":"Unsupported value: temperature"}}`), ErrRefused, 1,
			"judge: request refused (status 400): Unsupported value: temperature"},
		{"a redirection", reply(302, "", "Location", "https://elsewhere.example/"), ErrRefused, 1, ""},
		{"a provider that keeps failing", reply(500, `{"error":{"message":"down"}}`), ErrUnavailable, 4,
			"judge: provider unavailable (status 500): down"},
		{"one that keeps asking to wait", reply(429, `{"error":{"message":"wait"}}`), ErrUnavailable, 4, ""},
		{"an answer without a choice", reply(200, `{"choices":[]}`), ErrUnavailable, 1, ""},
		{"an answer without end", func(w http.ResponseWriter, r *http.Request) {
			for range maxResponse/(1<<16) + 2 {
				w.Write(bytes.Repeat([]byte(" "), 1<<16))
			}
		}, ErrRefused, 1, ""},
	} {
		var log bytes.Buffer
		p := newProvider(t, c.answer)
		e := newAsker(t, p, Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}, nil)
		_, err := e.Complete(context.Background(), question(0))
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: %v, want %v", c.rule, err, c.kind)
		}
		if len(p.requests) != c.attempts {
			t.Errorf("%s: %d attempts, want %d", c.rule, len(p.requests), c.attempts)
		}
		if c.text != "" && (err == nil || err.Error() != c.text) {
			t.Errorf("%s:\n got %v\nwant %s", c.rule, err, c.text)
		}
		if shown := fmt.Sprintf("%v %+v %#v %s", err, err, err, log.String()); strings.Contains(shown, secret) {
			t.Errorf("%s: the key is shown: %s", c.rule, shown)
		}
		for u := err; u != nil; u = errors.Unwrap(u) {
			if strings.Contains(u.Error(), secret) {
				t.Errorf("%s: the key is in %T", c.rule, u)
			}
		}
	}
}

func TestUnreachable(t *testing.T) {
	p := newProvider(t, reply(200, good))
	p.Close()
	var log bytes.Buffer
	_, err := newAsker(t, p, Options{Log: messagesTo(&log)}, nil).Complete(context.Background(), question(0))
	if !errors.Is(err, ErrUnavailable) {
		t.Errorf("got %v", err)
	}
	if told := strings.Count(log.String(), "connection refused), trying again in 1 s"); told != 3 {
		t.Errorf("%d waits were told of, want 3:\n%s", told, log.String())
	}
}

// messagesTo logs bare messages.
func messagesTo(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.MessageKey {
			return a
		}
		return slog.Attr{}
	}}))
}

// TestEveryWaitIsToldOf: with its reason, before it begins; an answer that
// ends it is not.
func TestEveryWaitIsToldOf(t *testing.T) {
	var log bytes.Buffer
	seen := func() string { return strings.ReplaceAll(log.String(), "msg=", "") }
	var before []string
	failing := func(status int) func(http.ResponseWriter, *http.Request) {
		return func(w http.ResponseWriter, r *http.Request) {
			before = append(before, seen())
			w.WriteHeader(status)
		}
	}
	p := newProvider(t, failing(503), failing(429), reply(200, "<html>"), reply(200, good))
	if _, err := newAsker(t, p, Options{Log: messagesTo(&log)}, nil).Complete(context.Background(), question(0)); err != nil {
		t.Fatal(err)
	}
	const first = "\"judge: request failed (status 503 Service Unavailable), trying again in 1 s\"\n"
	want := first + "\"judge: request failed (status 429 Too Many Requests), trying again in 1 s\"\n" +
		"\"judge: request failed (the answer is not JSON), trying again in 1 s\"\n"
	if seen() != want {
		t.Errorf("told was\n%swant\n%s", seen(), want)
	}
	if len(before) != 2 || before[0] != "" || before[1] != first {
		t.Errorf("before the attempts, told was %q", before)
	}
}

// TestRequestsThatWaitTogetherAreToldOfOnce.
func TestRequestsThatWaitTogetherAreToldOfOnce(t *testing.T) {
	var told []string
	a := announcer{tell: func(reason string, delay time.Duration) { told = append(told, fmt.Sprint(reason, " ", delay)) }}
	a.announce("refused", time.Hour)
	a.announce("refused", 2*time.Hour)
	a.announce("cut off", time.Nanosecond)
	time.Sleep(time.Microsecond)
	a.announce("cut off", time.Hour)
	if want := "[refused 1h0m0s cut off 1ns cut off 1h0m0s]"; fmt.Sprint(told) != want {
		t.Errorf("told of %v, want %s", told, want)
	}
}

func TestKeyMissing(t *testing.T) {
	p := newProvider(t, reply(200, good))
	e := newAsker(t, p, Options{Getenv: func(string) string { return "" }}, nil)
	_, err := e.Complete(context.Background(), question(0))
	if !errors.Is(err, ErrKeyMissing) || !errors.Is(e.Ready(), ErrKeyMissing) || len(p.requests) != 0 {
		t.Errorf("%v after %d requests", err, len(p.requests))
	}
	if want := "no API key: set the environment variable TEST_KEY"; err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	// A local server may need none.
	e = newAsker(t, p, Options{Getenv: func(string) string { return "" }}, func(c *Config) { c.KeyEnv = "" })
	if _, err := e.Complete(context.Background(), question(0)); err != nil || p.headers[0].Get("Authorization") != "" {
		t.Errorf("%v, %q", err, p.headers[0].Get("Authorization"))
	}
}

func TestBaseURL(t *testing.T) {
	env := func(name string) string { return map[string]string{"BASE": "https://env.example/v1/"}[name] }
	for _, c := range []struct {
		rule    string
		config  Config
		options Options
		want    string
	}{
		{"the configuration's", Config{BaseURL: "https://file.example/v1"}, Options{Getenv: env}, "https://file.example/v1"},
		{"the environment goes before", Config{BaseURL: "https://file.example/v1", BaseURLEnv: "BASE"}, Options{Getenv: env}, "https://env.example/v1"},
		{"a flag before both", Config{BaseURL: "https://file.example/v1", BaseURLEnv: "BASE"}, Options{Getenv: env, BaseURL: "http://flag.example"}, "http://flag.example"},
		{"none is an error", Config{}, Options{Getenv: env}, ""},
		{"a password is an error", Config{BaseURLEnv: "BASE"}, Options{BaseURL: "https://u:p@h/"}, ""},
	} {
		c.config.Name, c.config.Model, c.config.Samples = "judge", "m", 1
		e, err := New(c.config, c.options)
		if c.want == "" {
			if _, ok := errors.AsType[*benchmark.InputError](err); !ok {
				t.Errorf("%s: %v", c.rule, err)
			}
		} else if err != nil || e.BaseURL() != c.want {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}

// TestCompletionsAreCached: by the whole request and the sample, across
// evaluators, also without a key.
func TestCompletionsAreCached(t *testing.T) {
	cache, err := OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := newProvider(t, reply(200, good))
	for _, c := range []struct {
		rule     string
		change   func(*Config)
		sample   int
		requests int
		cached   bool
	}{
		{"the first time", nil, 0, 1, false},
		{"the second time", nil, 0, 1, true},
		{"another sample", nil, 1, 2, false},
		{"another temperature", func(c *Config) { c.Temperature = number(0.0) }, 0, 3, false},
		{"settings that the model does not see", func(c *Config) { c.Name, c.Concurrency, c.Samples = "other", 1, 1 }, 0, 3, true},
	} {
		got, err := newAsker(t, p, Options{Cache: cache}, c.change).Complete(context.Background(), question(c.sample))
		if err != nil || got.Cached != c.cached || got.CompletionTokens != 50 || len(p.requests) != c.requests {
			t.Errorf("%s: %+v, %v, %d requests", c.rule, got, err, len(p.requests))
		}
	}
	e := newAsker(t, p, Options{Cache: cache, Getenv: func(string) string { return "" }}, nil)
	if _, err := e.Complete(context.Background(), question(0)); err != nil {
		t.Errorf("without a key: %v", err)
	}
}

func TestFingerprint(t *testing.T) {
	p := newProvider(t, reply(200, good))
	base := newAsker(t, p, Options{}, nil).Fingerprint()
	for _, c := range []struct {
		rule   string
		change func(*Config)
		same   bool
	}{
		{"concurrency and name do not matter", func(c *Config) { c.Concurrency, c.Name, c.Samples = 9, "x", 1 }, true},
		{"the model does", func(c *Config) { c.Model = "n" }, false},
		{"a temperature does", func(c *Config) { c.Temperature = number(0.0) }, false},
		{"the seed does", func(c *Config) { c.Seed = number(int64(0)) }, false},
		{"extra members do", func(c *Config) { c.Extra = map[string]any{"a": 1} }, false},
		{"the address does", func(c *Config) { c.BaseURL = "https://other.example/v1" }, false},
	} {
		if got := newAsker(t, p, Options{}, c.change).Fingerprint(); (got == base) != c.same {
			t.Errorf("%s: %s", c.rule, got)
		}
	}
}

// TestConcurrency: no more requests in flight than configured.
func TestConcurrency(t *testing.T) {
	var now, most atomic.Int32
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request) {
		n := now.Add(1)
		for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
		}
		time.Sleep(20 * time.Millisecond)
		now.Add(-1)
		io.WriteString(w, good)
	})
	e := newAsker(t, p, Options{}, func(c *Config) { c.Concurrency = 3 })
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			if _, err := e.Complete(context.Background(), question(i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if most.Load() != 3 {
		t.Errorf("%d requests at once, want 3", most.Load())
	}
}

// TestPace: attempts, retries included, are spread over the minute.
func TestPace(t *testing.T) {
	p := newProvider(t, reply(500, "{}"), reply(200, good))
	e := newAsker(t, p, Options{}, func(c *Config) { c.RequestsPerMinute = 300 })
	for i := range 2 {
		if _, err := e.Complete(context.Background(), question(i)); err != nil {
			t.Fatal(err)
		}
	}
	if took := p.times[2].Sub(p.times[0]); len(p.times) != 3 || took < 350*time.Millisecond {
		t.Errorf("%d attempts in %v at 300 a minute", len(p.times), took)
	}
}

// TestBudget: nothing is sent that could overspend.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		rule   string
		change func(*Config)
		want   int // completions before the budget is exhausted; each costs 150 tokens
		words  string
	}{
		// The next request is taken to need 8 tokens of prompt and 100 of reply.
		{"tokens", func(c *Config) { c.Budget.Tokens = 420 }, 3, "450 tokens and 0.0000 spent of 420 tokens"},
		{"tokens that would be exceeded", func(c *Config) { c.Budget.Tokens = 400 }, 2, "300 tokens and 0.0000 spent of 400 tokens; the next request may need 108 tokens"},
		{"money", func(c *Config) { c.Budget.Money, c.Price = 0.5, Price{Input: 1000, Output: 2000} }, 2, "300 tokens and 0.4000 spent of 0.5000"},
		{"no bound", func(c *Config) {}, 6, ""},
	} {
		p := newProvider(t, reply(200, good))
		e := newAsker(t, p, Options{}, func(config *Config) { config.MaxTokens = 100; c.change(config) })
		n := 0
		var err error
		for ; n < 6 && err == nil; n++ {
			_, err = e.Complete(context.Background(), question(n))
		}
		if err != nil {
			n--
		}
		if n != c.want || c.words != "" && (!errors.Is(err, ErrBudgetExhausted) || !strings.Contains(err.Error(), c.words)) {
			t.Errorf("%s: %d completions, then %v", c.rule, n, err)
		}
		if tokens, _ := e.Spent(); tokens != int64(150*n) || len(p.requests) != n {
			t.Errorf("%s: %d tokens, %d requests", c.rule, tokens, len(p.requests))
		}
	}
}

// TestBudgetTogether: requests in flight together do not overspend, and one
// that has to wait for another is not refused.
func TestBudgetTogether(t *testing.T) {
	p := newProvider(t, func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(10 * time.Millisecond)
		io.WriteString(w, strings.Replace(good, `"completion_tokens":50`, `"completion_tokens":10`, 1))
	})
	e := newAsker(t, p, Options{}, func(c *Config) { c.MaxTokens, c.Budget.Tokens, c.Concurrency = 400, 1000, 8 })
	var done, refused atomic.Int32
	var wg sync.WaitGroup
	for i := range 12 {
		wg.Go(func() {
			_, err := e.Complete(context.Background(), question(i))
			switch {
			case err == nil:
				done.Add(1)
			case errors.Is(err, ErrBudgetExhausted):
				refused.Add(1)
			default:
				t.Error(err)
			}
		})
	}
	wg.Wait()
	// 110 tokens each; once 660 are spent 408 more might not fit.
	if tokens, _ := e.Spent(); done.Load() != 6 || refused.Load() != 6 || tokens != 660 {
		t.Errorf("%d done, %d refused, %d tokens", done.Load(), refused.Load(), tokens)
	}
}

// TestCancel: a cancelled context ends waiting at once, as itself.
func TestCancel(t *testing.T) {
	p := newProvider(t, reply(429, "{}", "Retry-After", "60"))
	e := newAsker(t, p, Options{}, nil)
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := e.Complete(ctx, question(0))
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(start))
	}
}
