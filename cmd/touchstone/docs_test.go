package main

import (
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode"
	"touchstone/internal/doctocode/build"
	"touchstone/internal/doctocode/evaluate"
	"touchstone/internal/doctocode/evaluator"
	"touchstone/internal/intake"
	"touchstone/internal/llm"
	"touchstone/internal/localization"
	"touchstone/internal/localization/baseline"
	localize "touchstone/internal/localization/build"
)

// TestTheDocumentationIsComplete: every field, verdict, reason, setting and key
// is described in docs/commands.md, and its examples are valid and whole.
func TestTheDocumentationIsComplete(t *testing.T) {
	data, err := os.ReadFile("../../docs/commands.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	says := func(what string, words ...string) {
		t.Helper()
		for _, w := range words {
			if !strings.Contains(text, "`"+w+"`") {
				t.Errorf("%s: `%s` is not described", what, w)
			}
		}
	}
	for _, v := range benchmark.Verdicts {
		says("verdicts", string(v))
	}
	says("reasons", doctocode.ReasonFlaky, doctocode.ReasonSkipped, doctocode.ReasonFailing, doctocode.ReasonAmbiguous, doctocode.ReasonSlow,
		doctocode.ReasonVacuous, doctocode.ReasonDefault, doctocode.ReasonReference, doctocode.ReasonControl, doctocode.ReasonEmptyBody, doctocode.ReasonRepository)
	line := summary(starterRelease(t), evaluator.Stub, &intake.Report{}, judgedIn(1, 1, evaluate.Missing{}))
	for field, value := range line {
		says("summary", field)
		if inner, ok := value.(map[string]int); ok {
			for field := range inner {
				says("summary", field)
			}
		}
	}
	says("files", evaluate.ManifestFile, evaluate.VerdictsFile, evaluate.CompletionsFile, evaluate.ScoresFile,
		doctocode.ReleaseFile, doctocode.RepositoriesFile, doctocode.TasksFile, doctocode.DroppedFile, doctocode.TimingsFile)
	says("verdicts.jsonl", keysOf(reflect.TypeFor[evaluate.Sample](), "json")...)
	for _, c := range llm.Shipped() {
		says("evaluators", c.Name, c.KeyEnv, c.BaseURLEnv)
	}
	for _, c := range evaluator.Controls {
		says("evaluators", c.Name())
	}

	examples := regexp.MustCompile("(?s)```toml\n(.*?)```").FindAllStringSubmatch(text, -1)
	if len(examples) != 3 {
		t.Fatalf("there are %d examples", len(examples))
	}
	if _, err := llm.ParseCatalogue([]byte(examples[0][1]), "commands.md"); err != nil {
		t.Error(err)
	}
	whole(t, examples[0][1], reflect.TypeFor[llm.Config]())
	if _, err := build.ParseRecipe("commands.md", []byte(examples[1][1])); err != nil {
		t.Error(err)
	}
	whole(t, examples[1][1], reflect.TypeFor[build.RecipeRelease]())
	whole(t, examples[1][1], reflect.TypeFor[build.RepositoryRecipe]())

	says("localization: reasons", localization.Reasons...)
	for _, label := range localization.Labels {
		says("localization: labels", string(label))
	}
	for _, record := range []reflect.Type{reflect.TypeFor[localization.Counts](), reflect.TypeFor[localization.Task](), reflect.TypeFor[localization.GoldFile](), reflect.TypeFor[localization.Drop]()} {
		says("localization: files", keysOf(record, "json")...)
	}
	for _, record := range []reflect.Type{reflect.TypeFor[predicted](), reflect.TypeFor[numbersOf](), reflect.TypeFor[extreme](), reflect.TypeFor[ranked](), reflect.TypeFor[triple](),
		reflect.TypeFor[localization.Contrast](), reflect.TypeFor[localization.ExtremeContrast](), reflect.TypeFor[localization.Prediction]()} {
		says("localization: scores", keysOf(record, "json")...)
	}
	for _, outcome := range localization.Extremes {
		says("localization: outcomes", string(outcome))
	}
	says("localization: agents", baseline.BM25, baseline.BM25History)
	if _, err := localize.ParseRecipe("commands.md", []byte(examples[2][1])); err != nil {
		t.Error(err)
	}
	whole(t, examples[2][1], reflect.TypeFor[localize.RecipeRelease]())
	whole(t, examples[2][1], reflect.TypeFor[localize.RepositoryRecipe]())
}

// whole checks that an example gives every setting.
func whole(t *testing.T, example string, settings reflect.Type) {
	t.Helper()
	for _, key := range keysOf(settings, "toml") {
		if !regexp.MustCompile(`(?m)^(?:` + key + ` = |\[\w+\.` + key + `\])`).MatchString(example) {
			t.Errorf("the example of %s has no %s", settings, key)
		}
	}
}

// keysOf are the names of a type's fields in a file.
func keysOf(t reflect.Type, tag string) []string {
	var keys []string
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			continue
		}
		key, _, _ := strings.Cut(t.Field(i).Tag.Get(tag), ",")
		keys = append(keys, key)
	}
	return keys
}
