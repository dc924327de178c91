package bertscore_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/bertscore"
	"touchstone/internal/doctocode/bertscore/bertscoretest"
	"touchstone/internal/sandbox/sandboxtest"
)

func TestMain(m *testing.M) { sandboxtest.Main(m) }

type vector struct {
	Candidate, Reference string
	Scores               []float64
}

func vectors(t *testing.T, file string) []vector {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	var all []vector
	for line := range strings.Lines(string(data)) {
		var v vector
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

func TestScoresAreThoseOfTheReferencePrograms(t *testing.T) {
	r := bertscoretest.Registry(t, t.TempDir())
	for _, c := range []struct {
		kind        bertscore.Kind
		model, file string
	}{
		{bertscore.Text, "bert", "bertscore.jsonl"},
		{bertscore.Text, "roberta", "bertscore-roberta.jsonl"}, // takes the place of the one before
		{bertscore.Code, "roberta", "codebertscore.jsonl"},
	} {
		s := bertscoretest.Scorer(t, c.kind, r)
		m, err := s.Add(t.Context(), bertscoretest.Tiny(c.kind), filepath.Join("testdata", c.model))
		if err != nil {
			t.Fatal(err)
		}
		if m.Width != 32 || m.Output != "last_hidden_state" || len(m.Files) != 2 {
			t.Errorf("%+v", m)
		}
		want := vectors(t, c.file)
		var pairs []bertscore.Pair
		for _, v := range want {
			pairs = append(pairs, bertscore.Pair{v.Candidate, v.Reference})
		}
		got, err := s.Score(t.Context(), pairs)
		if err != nil {
			t.Fatal(err)
		}
		worst := 0.0
		for i, v := range want {
			numbers := []float64{got[i].Precision, got[i].Recall, got[i].F1, got[i].F3}
			for j, x := range v.Scores {
				off := math.Abs(numbers[j] - x)
				if worst = max(worst, off); !(off <= 2e-6) || !got[i].Defined {
					t.Errorf("%s, %s: %q against %q is %+v, want %v", c.kind, c.model, v.Candidate, v.Reference, got[i], v.Scores)
					break
				}
			}
		}
		t.Logf("%s with %s: %d pairs, largest difference %.1e", c.kind, c.model, len(pairs), worst)
	}
	all, err := r.List()
	if err != nil || len(all) != 2 || all[0].Kind != bertscore.Text || all[1].Kind != bertscore.Code || all[0].ID() == all[1].ID() {
		t.Errorf("%+v, %v", all, err)
	}
	for _, kind := range []bertscore.Kind{bertscore.Text, bertscore.Code} {
		if err := r.Remove(kind); err != nil {
			t.Error(err)
		}
		if err := r.Remove(kind); !errors.Is(err, bertscore.ErrNotRegistered) || !strings.Contains(err.Error(), "touchstone models add "+string(kind)) {
			t.Errorf("removed twice: %v", err)
		}
	}
}

func TestAScoreDoesNotDependOnWhatIsScoredBesideIt(t *testing.T) {
	s := bertscoretest.Scorer(t, bertscore.Text, bertscoretest.Registry(t, t.TempDir()))
	if _, err := s.Add(t.Context(), bertscoretest.Tiny(bertscore.Text), "testdata/bert"); err != nil {
		t.Fatal(err)
	}
	var pairs []bertscore.Pair
	for _, v := range vectors(t, "bertscore.jsonl") {
		pairs = append(pairs, bertscore.Pair{v.Candidate, v.Reference})
	}
	pairs = append(pairs, bertscore.Pair{strings.Repeat("a long text ", 50_000), "a text"}, bertscore.Pair{"\xff\xfe", "a\x00b"}, bertscore.Pair{"<b>&\u2028", "<b>&\u2028"})
	all, err := s.Score(t.Context(), pairs)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 7, 19, len(pairs) - 2, len(pairs) - 1} {
		alone, err := s.Score(t.Context(), pairs[i:i+1])
		if err != nil || math.Abs(alone[0].F1-all[i].F1) > 1e-6 {
			t.Errorf("pair %d: %+v, with others %+v; %v", i, alone, all[i], err)
		}
		swapped, err := s.Score(t.Context(), []bertscore.Pair{{pairs[i].Reference, pairs[i].Candidate}})
		if err != nil || math.Abs(swapped[0].Precision-all[i].Recall) > 1e-6 || math.Abs(swapped[0].F1-all[i].F1) > 1e-6 {
			t.Errorf("pair %d: %+v, swapped %+v; %v", i, all[i], swapped, err)
		}
	}
	if like := all[len(all)-1]; like.F1 < 1-1e-9 || like.F1 > 1 {
		t.Errorf("a text is %v like itself", like.F1)
	}
	if none, err := s.Score(t.Context(), nil); err != nil || len(none) != 0 {
		t.Error(none, err)
	}
}

func TestAnInterruptedScoreEndsAtOnceAndTheNextOneIsRight(t *testing.T) {
	s := bertscoretest.Scorer(t, bertscore.Text, bertscoretest.Registry(t, t.TempDir()))
	if _, err := s.Add(t.Context(), bertscoretest.Tiny(bertscore.Text), "testdata/bert"); err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("stopped")
	ctx, stop := context.WithCancelCause(t.Context())
	time.AfterFunc(50*time.Millisecond, func() { stop(stopped) })
	start := time.Now()
	var many []bertscore.Pair
	for i := range 20_000 {
		many = append(many, bertscore.Pair{strings.Repeat("word ", 40+i%5), strings.Repeat("other ", 40)})
	}
	if _, err := s.Score(ctx, many); err == nil {
		t.Error("it was not interrupted")
	}
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
	scores, err := s.Score(t.Context(), []bertscore.Pair{{"a table", "a table"}})
	if err != nil || scores[0].F1 < 0.999 {
		t.Error(scores, err)
	}
	bertscore.KillModel(s)
	if _, err := s.Score(t.Context(), []bertscore.Pair{{"a", "a"}}); err == nil || !strings.Contains(err.Error(), "the process of the model ended") {
		t.Errorf("a killed process: %v", err)
	}
	if _, err := s.Score(t.Context(), []bertscore.Pair{{"a", "a"}}); err != nil {
		t.Errorf("after a killed process: %v", err)
	}
}

// changed is a copy of a test's model with some files written anew.
func changed(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/bert")); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		var err error
		if text == "" {
			err = os.Remove(filepath.Join(dir, name))
		} else {
			err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWhatIsNoModelIsNotRegisteredAndTheReasonIsTold(t *testing.T) {
	r := bertscoretest.Registry(t, t.TempDir())
	s := bertscoretest.Scorer(t, bertscore.Text, r)
	if _, err := s.Add(t.Context(), bertscoretest.Tiny(bertscore.Text), "testdata/bert"); err != nil {
		t.Fatal(err)
	}
	before, _ := s.Model()
	tokenizer, err := os.ReadFile("testdata/bert/tokenizer.json")
	if err != nil {
		t.Fatal(err)
	}
	with := func(change func(*bertscore.Manifest)) bertscore.Manifest {
		m := bertscoretest.Tiny(bertscore.Text)
		change(&m)
		return m
	}
	for _, c := range []struct {
		name, dir string
		m         bertscore.Manifest
		reason    string
	}{
		{"no folder", "testdata/none", bertscoretest.Tiny(bertscore.Text), "cannot be read"},
		{"no tokenizer", changed(t, map[string]string{bertscore.TokenizerFile: ""}), bertscoretest.Tiny(bertscore.Text), "has no tokenizer.json"},
		{"no model", changed(t, map[string]string{bertscore.ModelFile: ""}), bertscoretest.Tiny(bertscore.Text), "has no model.onnx"},
		{"not ONNX", changed(t, map[string]string{bertscore.ModelFile: "<html>"}), bertscoretest.Tiny(bertscore.Text), "rotobuf"},
		{"not a tokenizer", changed(t, map[string]string{bertscore.TokenizerFile: "{}"}), bertscoretest.Tiny(bertscore.Text), "the model cannot be used"},
		{"no CLS", changed(t, map[string]string{bertscore.TokenizerFile: strings.Replace(string(tokenizer), `"post_processor":{`, `"post_processor":null,"was":{`, 1)}), bertscoretest.Tiny(bertscore.Text), "the model cannot be used"},
		{"another output", "testdata/bert", with(func(m *bertscore.Manifest) { m.Output = "pooled" }), "no output called pooled, but last_hidden_state"},
		{"too long", "testdata/bert", with(func(m *bertscore.Manifest) { m.MaxLength = 49 }), "the model cannot be used"},
		{"length 0", "testdata/bert", with(func(m *bertscore.Manifest) { m.MaxLength = 0 }), "max_length: is 0; give 8 to 131072 tokens"},
		{"no name", "testdata/bert", with(func(m *bertscore.Manifest) { m.Name = "" }), "name: is empty"},
	} {
		_, err := s.Add(t.Context(), c.m, c.dir)
		if err == nil || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if after, ok := s.Model(); !ok || after.ID() != before.ID() {
		t.Errorf("the model before is not registered any more: %+v", after)
	}
	left, err := os.ReadDir(r.Dir)
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := os.WriteFile(filepath.Join(r.Folder(bertscore.Text), bertscore.ModelFile), []byte("another"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Score(t.Context(), []bertscore.Pair{{"a", "a"}}); err == nil || !strings.Contains(err.Error(), "is not the file that was registered") {
		t.Errorf("a changed file: %v", err)
	}
}

func TestWithoutAModelTheCommandThatMendsItIsNamed(t *testing.T) {
	for _, u := range bertscore.Kinds {
		s := &bertscore.Scorer{Kind: u.Kind, Models: bertscore.Registry{filepath.Join(t.TempDir(), "none")}}
		err := s.Ready(t.Context())
		if !errors.Is(err, bertscore.ErrNotRegistered) || err.Error() != "no model is registered for "+u.Title+"; register one: touchstone models add "+string(u.Kind)+" DIR" {
			t.Errorf("%v", err)
		}
		if _, err := s.Score(t.Context(), []bertscore.Pair{{"a", "b"}}); !errors.Is(err, bertscore.ErrNotRegistered) {
			t.Error(err)
		}
	}
	if all, err := (bertscore.Registry{t.TempDir()}).List(); err != nil || len(all) != 0 {
		t.Error(all, err)
	}
}

func whole() bertscore.Manifest {
	m := bertscore.Text.Usual().Manifest()
	m.Output, m.Width = "last_hidden_state", 1024
	m.Files = []bertscore.File{{bertscore.ModelFile, 1, strings.Repeat("0a", 32)}, {bertscore.TokenizerFile, 1, strings.Repeat("0b", 32)}}
	return m
}

func TestAManifestIsReadAsItIsWritten(t *testing.T) {
	data, err := json.Marshal(whole())
	if err != nil {
		t.Fatal(err)
	}
	m, err := bertscore.ParseManifest("m", data)
	if err != nil || m.ID() != whole().ID() || m.String() != "roberta-large, layer 17" {
		t.Errorf("%+v, %v", m, err)
	}
	for _, c := range []struct{ old, new, field string }{
		{`"bertscore"`, `"bleu"`, "kind"}, {`"roberta-large"`, `"a\nb"`, "name"}, {`:17`, `:-1`, "layer"}, {`:512`, `:7`, "max_length"},
		{`"last_hidden_state"`, `""`, "output"}, {`"model.onnx"`, `"../model.onnx"`, "files"}, {`"tokenizer.json"`, `"model.onnx"`, "files"},
		{`"0a0a`, `"0A0A`, "files"}, {`"layer"`, `"layers"`, ""}, {`{`, `[`, ""}, {`}]}`, `}]} x`, ""},
	} {
		_, err := bertscore.ParseManifest("m", []byte(strings.Replace(string(data), c.old, c.new, 1)))
		bad, ok := errors.AsType[*benchmark.InputError](err)
		if !ok || bad.File != "m" || bad.Field != c.field || bad.Mend == "" {
			t.Errorf("%s for %s: %v", c.new, c.old, err)
		}
	}
}

// FuzzParseManifest: what is accepted is written and read again as the same.
func FuzzParseManifest(f *testing.F) {
	data, err := json.Marshal(whole())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte("{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := bertscore.ParseManifest("m", data)
		if err != nil {
			if _, ok := errors.AsType[*benchmark.InputError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		again, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if m2, err := bertscore.ParseManifest("m", again); err != nil || m2.ID() != m.ID() {
			t.Fatalf("%s: %v", again, err)
		}
	})
}
