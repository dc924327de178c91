package llm

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"touchstone/internal/benchmark"
)

//go:embed evaluators.toml
var shipped []byte

// A Config describes a model behind an OpenAI-compatible API. A setting
// that is left out is not sent, so that the provider's default holds.
type Config struct {
	Name  string `toml:"name"`  // what the command line and pages call it
	Model string `toml:"model"` // as the provider names it

	BaseURL    string `toml:"base_url"`     // up to but without /chat/completions
	BaseURLEnv string `toml:"base_url_env"` // environment variable that overrides BaseURL when set
	KeyEnv     string `toml:"key_env"`      // environment variable that holds the key; "" sends none

	Samples       int `toml:"samples"`        // m, samples per task
	ContextTokens int `toml:"context_tokens"` // the model's window, for show and for estimates
	MaxTokens     int `toml:"max_tokens"`     // most tokens of a reply, reasoning included

	Temperature     *float64       `toml:"temperature"`
	TopP            *float64       `toml:"top_p"`
	TopK            *int           `toml:"top_k"`
	ReasoningEffort string         `toml:"reasoning_effort"`
	Seed            *int64         `toml:"seed"` // sample j is sent seed + j, or all samples would be one
	Extra           map[string]any `toml:"extra"`

	Concurrency       int     `toml:"concurrency"`         // requests in flight, default 4
	RequestsPerMinute int     `toml:"requests_per_minute"` // 0: no limit
	TimeoutSeconds    float64 `toml:"timeout_seconds"`     // of one attempt, default 600
	Retries           *int    `toml:"retries"`             // after the first attempt, default 6

	Price  Price  `toml:"price"`
	Budget Budget `toml:"budget"`
}

// A Price is in units of money for a million tokens.
type Price struct {
	Input  float64 `toml:"input"`
	Output float64 `toml:"output"` // reasoning tokens included
}

// Of is what tokens cost.
func (p Price) Of(input, output int) float64 {
	return (float64(input)*p.Input + float64(output)*p.Output) / 1e6
}

// A Budget bounds what a client spends in its life; completions from the
// cache are free. 0 is no bound. Money needs prices and is in their unit.
type Budget struct {
	Tokens int64   `toml:"tokens"`
	Money  float64 `toml:"money"`
}

// A Catalogue is a list of evaluators with distinct names.
type Catalogue []Config

// Shipped is the catalogue of the evaluators that come with the program.
func Shipped() Catalogue {
	c, err := ParseCatalogue(shipped, "evaluators.toml")
	if err != nil {
		panic(err) // a test reads the embedded file
	}
	return c
}

// LoadCatalogue adds the evaluators of a file to the shipped ones, which it
// replaces by name. file "" adds nothing.
func LoadCatalogue(file string) (Catalogue, error) {
	c := Shipped()
	if file == "" {
		return c, nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	own, err := ParseCatalogue(data, file)
	if err != nil {
		return nil, err
	}
	for _, config := range own {
		if i := slices.IndexFunc(c, func(o Config) bool { return o.Name == config.Name }); i >= 0 {
			c[i] = config
		} else {
			c = append(c, config)
		}
	}
	return c, nil
}

// Lookup finds an evaluator by name; an unknown one is a *benchmark.InputError
// that lists those there are.
func (c Catalogue) Lookup(name string) (Config, error) {
	names := make([]string, len(c))
	for i, config := range c {
		if config.Name == name {
			return config, nil
		}
		names[i] = config.Name
	}
	return Config{}, &benchmark.InputError{Field: "evaluator", Problem: fmt.Sprintf("there is no evaluator %q", name),
		Mend: "use one of " + strings.Join(names, ", ") + ", or describe it in a file of your own"}
}

// ParseCatalogue reads [[evaluator]] tables. Its errors are
// *benchmark.InputError and name the line where there is one.
func ParseCatalogue(data []byte, file string) (Catalogue, error) {
	var document struct {
		Evaluators Catalogue `toml:"evaluator"`
	}
	err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&document)
	if strict, ok := errors.AsType[*toml.StrictMissingError](err); ok {
		first := strict.Errors[0]
		line, _ := first.Position()
		key := []string(first.Key())
		return nil, &benchmark.InputError{File: file, Line: line, Field: strings.Join(key, "."),
			Problem: "is not a setting", Mend: "settings are " + strings.Join(settings(key), ", ")}
	}
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := bad.Position()
		return nil, &benchmark.InputError{File: file, Line: line, Field: strings.Join(bad.Key(), "."),
			Problem: strings.TrimPrefix(bad.Error(), "toml: ")}
	}
	if err != nil {
		return nil, &benchmark.InputError{File: file, Problem: err.Error()}
	}
	seen := map[string]bool{}
	for i, config := range document.Evaluators {
		if err := config.Validate(); err != nil {
			if bad, ok := errors.AsType[*benchmark.InputError](err); ok {
				bad.File = file
				bad.Field = fmt.Sprintf("evaluator %s: %s", nameOrNumber(config.Name, i), bad.Field)
			}
			return nil, err
		}
		if seen[config.Name] {
			return nil, &benchmark.InputError{File: file, Field: "name", Problem: fmt.Sprintf("%q is used twice", config.Name), Mend: "give each evaluator its own name"}
		}
		seen[config.Name] = true
	}
	return document.Evaluators, nil
}

func nameOrNumber(name string, i int) string {
	if name != "" {
		return name
	}
	return fmt.Sprintf("number %d", i+1)
}

// settings lists the keys that may stand where an unknown one stood.
func settings(key []string) []string {
	t := reflect.TypeFor[Config]()
	switch {
	case len(key) < 2:
		return []string{"[[evaluator]]"}
	case len(key) > 2 && key[1] == "price":
		t = reflect.TypeFor[Price]()
	case len(key) > 2 && key[1] == "budget":
		t = reflect.TypeFor[Budget]()
	}
	var names []string
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("toml"))
	}
	return names
}

// MaxSamples is how many samples a task may have: more are a slip of the pen.
const MaxSamples = 1000

// Validate checks a configuration before anything is sent; errors are
// *benchmark.InputError.
func (c Config) Validate() error {
	bad := func(field, problem, mend string) error {
		return &benchmark.InputError{Field: field, Problem: problem, Mend: mend}
	}
	switch {
	case c.Name == "":
		return bad("name", "is missing", "give the evaluator a name")
	case c.Model == "":
		return bad("model", "is missing", "write the model as its provider names it")
	case c.Samples < 1 || c.Samples > MaxSamples:
		return bad("samples", fmt.Sprintf("is %d", c.Samples), fmt.Sprintf("ask for 1 to %d", MaxSamples))
	case c.Temperature != nil && !(*c.Temperature >= 0 && *c.Temperature <= 2):
		return bad("temperature", fmt.Sprintf("is %v", *c.Temperature), "write 0 to 2")
	case c.TopP != nil && !(*c.TopP > 0 && *c.TopP <= 1):
		return bad("top_p", fmt.Sprintf("is %v", *c.TopP), "write more than 0, at most 1")
	case c.TopK != nil && *c.TopK < -1:
		return bad("top_k", fmt.Sprintf("is %d", *c.TopK), "write a positive number")
	case c.MaxTokens < 0 || c.ContextTokens < 0 || c.Concurrency < 0 || c.RequestsPerMinute < 0 || !(c.TimeoutSeconds >= 0) || c.Retries != nil && *c.Retries < 0:
		return bad("max_tokens, context_tokens, concurrency, requests_per_minute, timeout_seconds, retries", "one is negative", "write 0 or more")
	case !(c.Price.Input >= 0) || !(c.Price.Output >= 0) || c.Budget.Tokens < 0 || !(c.Budget.Money >= 0):
		return bad("price, budget", "one is negative", "write 0 or more")
	case c.Budget.Money > 0 && c.Price == Price{}:
		return bad("budget.money", "is given without prices", "add price.input and price.output, for a million tokens each")
	}
	if c.BaseURL != "" {
		if err := validURL("base_url", c.BaseURL); err != nil {
			return err
		}
	}
	for _, key := range []string{"model", "messages", "n", "stream", "seed"} {
		if _, ok := c.Extra[key]; ok {
			return bad("extra."+key, "cannot be set there", "it is decided for each request")
		}
	}
	if _, err := json.Marshal(c.Extra); err != nil {
		return bad("extra", "cannot be written as JSON: "+err.Error(), "use text, numbers, booleans, lists and tables")
	}
	return nil
}

func validURL(field, text string) error {
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return &benchmark.InputError{Field: field, Problem: "is not an http or https address without a password",
			Mend: "write for example https://api.openai.com/v1"}
	}
	return nil
}
