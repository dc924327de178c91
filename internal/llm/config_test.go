package llm

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
)

// TestShipped holds the shipped evaluators against the paper's appendix A.1.
func TestShipped(t *testing.T) {
	for _, c := range []struct {
		name, parameters, key, baseURLEnv string
		context                           int
	}{
		{"gpt-5-mini", `{"reasoning_effort":"medium","temperature":1}`, "OPENAI_API_KEY", "OPENAI_BASE_URL", 400_000},
		{"qwen3-235b-a22b", `{"chat_template_kwargs":{"enable_thinking":false},"enable_thinking":false,"temperature":0.7,"top_k":20,"top_p":0.8}`,
			"TOUCHSTONE_QWEN_API_KEY", "TOUCHSTONE_QWEN_BASE_URL", 32_768},
	} {
		config, err := Shipped().Lookup(c.name)
		if err != nil {
			t.Fatal(err)
		}
		members, err := config.parameters()
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		if string(data) != c.parameters || config.KeyEnv != c.key || config.BaseURLEnv != c.baseURLEnv ||
			config.ContextTokens != c.context || config.Samples != 5 {
			t.Errorf("%s: %s, %+v", c.name, data, config)
		}
	}
	_, err := Shipped().Lookup("gpt-9")
	if err == nil || err.Error() != `evaluator: there is no evaluator "gpt-9"; use one of gpt-5-mini, qwen3-235b-a22b, or describe it in a file of your own` {
		t.Error(err)
	}
}

func TestLoadCatalogue(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.toml")
	own := "[[evaluator]]\nname = 'local'\nmodel = 'm'\nsamples = 1\ntemperature = 0.0\n[evaluator.extra]\nstop = ['x']\n\n" +
		"[[evaluator]]\nname = 'gpt-5-mini'\nmodel = 'gpt-5-mini-2025-08-07'\nsamples = 3\n"
	if err := os.WriteFile(file, []byte(own), 0o644); err != nil {
		t.Fatal(err)
	}
	c, err := LoadCatalogue(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(c) != 3 {
		t.Errorf("%d evaluators", len(c))
	}
	if mini, err := c.Lookup("gpt-5-mini"); err != nil || mini.Samples != 3 {
		t.Errorf("an evaluator of the same name is not replaced: %+v, %v", mini, err)
	}
	local, err := c.Lookup("local")
	if err != nil || local.Temperature == nil || *local.Temperature != 0 {
		t.Errorf("%+v, %v", local, err)
	}
	if shipped, err := LoadCatalogue(""); err != nil || len(shipped) != 2 {
		t.Errorf("%v, %v", shipped, err)
	}
}

func TestCatalogueSaysWhatIsWrong(t *testing.T) {
	const head = "[[evaluator]]\nname = 'a'\nmodel = 'm'\nsamples = 1\n"
	for _, c := range []struct{ rule, text, want string }{
		{"an unknown setting", head + "temprature = 1\n", "own.toml:5: evaluator.temprature: is not a setting; settings are name, model,"},
		{"an unknown setting in a table", head + "[evaluator.price]\nin = 1\n", "own.toml:6: evaluator.price.in: is not a setting; settings are input, output"},
		{"an unknown table", "[evaluators]\n", "own.toml:1: evaluators: is not a setting; settings are [[evaluator]]"},
		{"a value of another type", head + "temperature = 'hot'\n", "own.toml:5: "},
		{"no TOML", head + "temperature =\n", "own.toml:5: "},
		{"no name", "[[evaluator]]\nmodel = 'm'\nsamples = 1\n", "own.toml: evaluator number 1: name: is missing"},
		{"no model", "[[evaluator]]\nname = 'a'\nsamples = 1\n", "own.toml: evaluator a: model: is missing"},
		{"no samples", "[[evaluator]]\nname = 'a'\nmodel = 'm'\n", "own.toml: evaluator a: samples: is 0; ask for 1 to 1000"},
		{"a name twice", head + head, `own.toml: name: "a" is used twice`},
		{"a temperature out of range", head + "temperature = 3.0\n", "own.toml: evaluator a: temperature: is 3; write 0 to 2"},
		{"not a number", head + "temperature = nan\n", "own.toml: evaluator a: temperature: is NaN"},
		{"a top_p out of range", head + "top_p = 0.0\n", "own.toml: evaluator a: top_p: is 0"},
		{"money without prices", head + "budget = { money = 1.0 }\n", "own.toml: evaluator a: budget.money: is given without prices"},
		{"the prompt from the file", head + "extra = { messages = [] }\n", "own.toml: evaluator a: extra.messages: cannot be set there"},
		{"what JSON lacks", head + "extra = { x = inf }\n", "own.toml: evaluator a: extra: cannot be written as JSON"},
		{"a password in the address", head + "base_url = 'https://u:p@h/v1'\n", "own.toml: evaluator a: base_url: is not an http or https address without a password"},
	} {
		_, err := ParseCatalogue([]byte(c.text), "own.toml")
		if _, ok := errors.AsType[*benchmark.InputError](err); !ok || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s:\n got %v\nwant %s", c.rule, err, c.want)
		}
	}
}
