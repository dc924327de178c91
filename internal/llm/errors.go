// Package llm asks language models behind OpenAI-compatible APIs: their
// configuration, one request with its retries, a cache that pays for nothing
// twice, a budget. It knows no track: both ask through it.
package llm

import "errors"

// What a client may answer instead of a completion; test with errors.Is.
var (
	// ErrBudgetExhausted: the configured tokens or money are used up, or the provider says so of the account.
	ErrBudgetExhausted = errors.New("budget exhausted")
	// ErrKeyMissing: the environment variable that should hold the key is not set.
	ErrKeyMissing = errors.New("no API key")
	// ErrKeyRejected: the provider refused the key.
	ErrKeyRejected = errors.New("API key rejected")
	// ErrModelUnknown: the provider does not know the model.
	ErrModelUnknown = errors.New("model unknown")
	// ErrContextTooLong: the prompt does not fit the model's context window.
	ErrContextTooLong = errors.New("context too long")
	// ErrRefused: the provider does not accept the request as it is configured, or answers what cannot be used.
	ErrRefused = errors.New("request refused")
	// ErrUnavailable: the provider could not be reached or kept failing; trying later may help.
	ErrUnavailable = errors.New("provider unavailable")
)
