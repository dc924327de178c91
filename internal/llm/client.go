package llm

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"os"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/sashabaranov/go-openai"
)

// A Request asks a model for one sample.
type Request struct {
	ID     string // of what it is for, in logs
	System string // what the model is told to be; "" sends no such message
	Prompt string
	Sample int // from 0 on
}

// A Completion is a reply as the model gave it. Token counts are those that
// the provider reported, 0 when it reported none; reasoning tokens are part of
// the completion tokens.
type Completion struct {
	Text             string `json:"text"`
	Model            string `json:"model"` // as the provider names what answered
	PromptTokens     int    `json:"prompt_tokens"`
	CompletionTokens int    `json:"completion_tokens"`
	ReasoningTokens  int    `json:"reasoning_tokens"`
	FinishReason     string `json:"finish_reason"`
	Cached           bool   `json:"-"` // true when it comes from the cache or from a file
}

// A Client asks a model behind an OpenAI-compatible API, one sample a request.
// It is safe for concurrent use.
type Client struct {
	config     Config
	baseURL    string
	key        func() string
	parameters map[string]json.RawMessage
	client     *http.Client
	slots      chan struct{}
	ledger     *ledger
	cache      *Cache
	log        *slog.Logger
}

// Options are what a client needs beside its configuration. The zero
// Options reads the environment and keeps no completions.
type Options struct {
	BaseURL   string                   // overrides the configuration and the environment
	Getenv    func(name string) string // os.Getenv when nil
	Cache     *Cache
	Log       *slog.Logger      // slog.Default() when nil; never sees the key or a prompt
	Transport http.RoundTripper // http.DefaultTransport when nil
	// FirstDelay is the wait before the first retry, one second when 0; later waits double.
	FirstDelay time.Duration
}

// New makes a client; errors are *benchmark.InputError. The key is
// looked up when a request must be sent: see Ready.
func New(config Config, options Options) (*Client, error) {
	if err := config.Validate(); err != nil {
		return nil, err
	}
	getenv := options.Getenv
	if getenv == nil {
		getenv = os.Getenv
	}
	e := &Client{
		config: config,
		key: func() string {
			if config.KeyEnv == "" {
				return ""
			}
			return strings.TrimSpace(getenv(config.KeyEnv))
		},
		slots:  make(chan struct{}, cmp.Or(config.Concurrency, 4)),
		ledger: newLedger(config.Budget, config.Price),
		cache:  options.Cache,
		log:    options.Log,
	}
	if e.log == nil {
		e.log = slog.Default()
	}
	fromEnv := ""
	if config.BaseURLEnv != "" {
		fromEnv = getenv(config.BaseURLEnv)
	}
	e.baseURL = strings.TrimRight(cmp.Or(options.BaseURL, fromEnv, config.BaseURL), "/")
	if err := validURL("base_url", e.baseURL); err != nil {
		return nil, err
	}
	var err error
	if e.parameters, err = config.parameters(); err != nil {
		return nil, err
	}
	w := &wire{next: options.Transport, parameters: e.parameters,
		timeout: time.Duration(cmp.Or(config.TimeoutSeconds, 600) * float64(time.Second))}
	if w.next == nil {
		w.next = http.DefaultTransport
	}
	if config.RequestsPerMinute > 0 {
		w.pace = ratelimiter.NewSmooth[*http.Response](uint(config.RequestsPerMinute), time.Minute)
	}
	retries := 6
	if config.Retries != nil {
		retries = *config.Retries
	}
	e.client = &http.Client{
		Transport:     retrying(w, retries, cmp.Or(options.FirstDelay, firstDelay), (&announcer{tell: e.sayWaiting}).announce),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return e, nil
}

// sayWaiting logs that a request will be tried again, as it happens: a provider
// that is down would else look like a slow one for a minute and more.
func (e *Client) sayWaiting(reason string, delay time.Duration) {
	e.log.Warn(fmt.Sprintf("%s: request failed (%s), trying again in %.0f s", e.config.Name, presentable(reason, e.key()), max(1, math.Round(delay.Seconds()))))
}

// reasoningModel are models whose API renamed max_tokens.
var reasoningModel = regexp.MustCompile(`^(?:.*/)?(?:gpt-[5-9]|o[1-9])`)

// parameters are the members of a request that decide how the model samples.
// They go into the JSON past the client library, which drops a temperature of
// 0, knows no top_k and refuses some values for models whose names it knows.
func (c Config) parameters() (map[string]json.RawMessage, error) {
	members := map[string]any{}
	for key, value := range c.Extra {
		members[key] = value
	}
	if c.Temperature != nil {
		members["temperature"] = *c.Temperature
	}
	if c.TopP != nil {
		members["top_p"] = *c.TopP
	}
	if c.TopK != nil {
		members["top_k"] = *c.TopK
	}
	if c.ReasoningEffort != "" {
		members["reasoning_effort"] = c.ReasoningEffort
	}
	if c.MaxTokens > 0 {
		name := "max_tokens"
		if reasoningModel.MatchString(c.Model) {
			name = "max_completion_tokens"
		}
		members[name] = c.MaxTokens
	}
	raw := map[string]json.RawMessage{}
	for key, value := range members {
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		raw[key] = data
	}
	return raw, nil
}

// Name is what the configuration calls the model.
func (e *Client) Name() string { return e.config.Name }

// Samples is how many samples the configuration asks for.
func (e *Client) Samples() int { return e.config.Samples }

// Config is the configuration that the client was made from.
func (e *Client) Config() Config { return e.config }

// BaseURL is where requests go.
func (e *Client) BaseURL() string { return e.baseURL }

// Parameters are what a request holds beside its prompt, by their names in the
// API: the model and how it samples.
func (e *Client) Parameters() map[string]any {
	parameters := map[string]any{"model": e.config.Model}
	for name, value := range e.parameters {
		parameters[name] = value
	}
	return parameters
}

// Fingerprint is a hash of everything that a request holds beside its prompt,
// and of where it goes.
func (e *Client) Fingerprint() string {
	data, _ := json.Marshal(struct {
		URL, Model string
		Parameters map[string]json.RawMessage
		Seed       *int64
	}{e.baseURL, e.config.Model, e.parameters, e.config.Seed})
	sum := sha256.Sum256(data)
	return "openai/" + hex.EncodeToString(sum[:])
}

// Ready reports what would keep the client from sending its first request:
// ErrKeyMissing, or nil.
func (e *Client) Ready() error {
	if e.config.KeyEnv != "" && e.key() == "" {
		return fmt.Errorf("%w: set the environment variable %s", ErrKeyMissing, e.config.KeyEnv)
	}
	return nil
}

// Spent is what the client's requests have cost so far: tokens, and money
// in the unit of the configured prices.
func (e *Client) Spent() (tokens int64, money float64) {
	e.ledger.mu.Lock()
	defer e.ledger.mu.Unlock()
	return e.ledger.spent.tokens, e.ledger.spent.money
}

// Complete asks for one sample, or takes it from the cache. Its errors tell
// what to do, see the package's Err values: ErrContextTooLong concerns this
// request only, ErrUnavailable may pass, the others will not go away by trying
// again.
func (e *Client) Complete(ctx context.Context, r Request) (Completion, error) {
	request := openai.ChatCompletionRequest{
		Model:    e.config.Model,
		Messages: []openai.ChatCompletionMessage{{Role: openai.ChatMessageRoleUser, Content: r.Prompt}},
	}
	if r.System != "" {
		system := openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: r.System}
		request.Messages = append([]openai.ChatCompletionMessage{system}, request.Messages...)
	}
	if e.config.Seed != nil {
		seed := int(*e.config.Seed) + r.Sample
		request.Seed = &seed
	}
	key, err := e.cacheKey(request, r.Sample)
	if err != nil {
		return Completion{}, err
	}
	if completion, ok := e.cache.Get(key); ok {
		return completion, nil
	}
	if err := e.Ready(); err != nil {
		return Completion{}, err
	}
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return Completion{}, ctx.Err()
	}
	completion, err := e.ask(ctx, request)
	if err != nil {
		return Completion{}, err
	}
	if err := e.cache.Put(key, completion); err != nil {
		// The completion is paid for and good; only asking again would be lost.
		e.log.Warn("completion not cached", "model", e.config.Name, "for", r.ID, "error", err)
	}
	return completion, nil
}

// cacheKey covers the bytes that are sent and the address they are sent to.
func (e *Client) cacheKey(request openai.ChatCompletionRequest, sample int) (string, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return "", err
	}
	if body, err = mergeJSON(body, e.parameters); err != nil {
		return "", err
	}
	return CacheKey(append([]byte(e.baseURL+"\n"), body...), sample), nil
}

// assumedReply is what a reply is taken to cost, in tokens, when nothing
// bounds it; assumedBytes how many bytes of a prompt make a token, at least.
const (
	assumedReply = 4096
	assumedBytes = 3
)

func (e *Client) ask(ctx context.Context, request openai.ChatCompletionRequest) (Completion, error) {
	prompt := 1
	for _, message := range request.Messages {
		prompt += len(message.Content) / assumedBytes
	}
	reserved := e.ledger.cost(prompt, cmp.Or(e.config.MaxTokens, assumedReply))
	if err := e.ledger.reserve(ctx, reserved); err != nil {
		return Completion{}, err
	}
	var spent cost
	defer func() { e.ledger.settle(reserved, spent) }()

	key := e.key()
	config := openai.DefaultConfig(key)
	config.BaseURL = e.baseURL
	config.HTTPClient = e.client
	response, err := openai.NewClientWithConfig(config).CreateChatCompletion(ctx, request)
	if err != nil {
		return Completion{}, e.explain(ctx, err, key)
	}
	completion := Completion{Model: response.Model,
		PromptTokens: response.Usage.PromptTokens, CompletionTokens: response.Usage.CompletionTokens}
	if d := response.Usage.CompletionTokensDetails; d != nil {
		completion.ReasoningTokens = d.ReasoningTokens
	}
	spent = e.ledger.cost(completion.PromptTokens, completion.CompletionTokens)
	if spent.tokens == 0 {
		spent = reserved // the provider does not say; err on the safe side
	}
	if len(response.Choices) == 0 {
		return Completion{}, &ProviderError{Name: e.config.Name, Kind: ErrUnavailable, Message: "the answer holds no choice"}
	}
	choice := response.Choices[0]
	completion.Text, completion.FinishReason = choice.Message.Content, string(choice.FinishReason)
	return completion, nil
}

// A ProviderError says why a provider gave no completion. Its text never holds
// the key.
type ProviderError struct {
	Name    string // of the configuration
	Kind    error  // one of the package's Err values
	Status  int    // HTTP status, 0 when there was no answer
	Message string
}

func (e *ProviderError) Error() string {
	text := e.Name + ": " + e.Kind.Error()
	if e.Status != 0 {
		text += fmt.Sprintf(" (status %d)", e.Status)
	}
	if e.Message != "" {
		text += ": " + e.Message
	}
	return text
}

// Unwrap makes errors.Is see the kind.
func (e *ProviderError) Unwrap() error { return e.Kind }

var tooLong = regexp.MustCompile(`(?i)context.{0,10}length|context window|maximum context|prompt is too long|too many (?:input )?tokens|input.{0,20}too long`)

// explain turns an error of the client library into one that tells what to do.
func (e *Client) explain(ctx context.Context, err error, key string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	said := &ProviderError{Name: e.config.Name, Kind: ErrUnavailable, Message: err.Error()}
	code := ""
	if api, ok := errors.AsType[*openai.APIError](err); ok {
		said.Status, said.Message = api.HTTPStatusCode, api.Message
		code = fmt.Sprint(api.Code) + " " + api.Type
	} else if request, ok := errors.AsType[*openai.RequestError](err); ok {
		said.Status, said.Message = request.HTTPStatusCode, string(request.Body)
	}
	said.Message = presentable(said.Message, key)
	switch said.Status {
	case 0:
		if errors.Is(err, ErrBudgetExhausted) {
			said.Kind = ErrBudgetExhausted
		} else if errors.Is(err, errUnusable) {
			said.Kind = ErrRefused
		}
	case http.StatusUnauthorized, http.StatusForbidden:
		said.Kind = ErrKeyRejected
	case http.StatusPaymentRequired:
		said.Kind = ErrBudgetExhausted
	case http.StatusRequestEntityTooLarge:
		said.Kind = ErrContextTooLong
	case http.StatusTooManyRequests, http.StatusRequestTimeout:
	default:
		switch {
		case said.Status >= 500 && said.Status != http.StatusNotImplemented:
		case strings.Contains(code, "model_not_found") || said.Status == http.StatusNotFound && strings.Contains(strings.ToLower(said.Message), "model"):
			said.Kind = ErrModelUnknown
		case strings.Contains(code, "context_length_exceeded") || said.Status == http.StatusBadRequest && tooLong.MatchString(said.Message):
			said.Kind = ErrContextTooLong
		default:
			said.Kind = ErrRefused
		}
	}
	return said
}

// presentable makes a provider's words fit for a log: one line, bounded, and
// without the key.
func presentable(text, key string) string {
	if key != "" {
		text = strings.ReplaceAll(text, key, "[key]")
	}
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	const limit = 500
	if runes := []rune(text); len(runes) > limit {
		text = string(runes[:limit]) + "…"
	}
	return text
}
