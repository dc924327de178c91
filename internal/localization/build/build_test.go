package build

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/localization"
	"touchstone/internal/localization/history/historytest"
	"touchstone/internal/localization/prompts"
)

var update = flag.Bool("update", false, "write the golden files anew")

var (
	t0 = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	t1 = time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
)

// plain is a writer that says little, except where a word gives the change away.
type plain struct{}

func (plain) Name() string { return "plain" }

func (plain) Templates() map[localization.Level]string {
	return map[localization.Level]string{localization.Minimal: "a hash"}
}

func (plain) Write(_ context.Context, d prompts.Draft) (string, error) {
	if leak := "Frobnicate it"; len(d.Facts.Check(d.Level, leak)) > 0 {
		return leak, nil
	}
	return "Something has to change, says the " + string(d.Level) + " prompt", nil
}

// tool is the history of a small project: one pull request of each kind.
func tool(t *testing.T) *historytest.History {
	t.Helper()
	text := func(topic string) string { return strings.Repeat("a line about "+topic+"\n", 30) }
	h := historytest.New(t, t0.AddDate(0, -1, 0))
	h.Write("src/parser.go", text("parsing")).Write("src/parser_test.go", text("tests")).Write("src/old.go", text("the past"))
	h.Write("README.md", text("it")).Write("go.sum", text("sums")).Write("café.txt", "x").Link("link", "README.md")
	for i := range 31 {
		h.Write("many/"+string(rune('a'+i%26))+string(rune('a'+i/26))+".go", text("one of many"))
	}
	h.Commit("Begin (#1)")

	h.At(t0)
	h.Write("src/parser.go", text("parsing")+"a fix\n").Write("src/parser_test.go", text("tests")+"of it\n").Write("src/error.go", "new\n")
	h.Commit("Fix the parser (#10)\n\nIt was wrong.\n\nSigned-off-by: Ada <ada@example.org>")
	h.Branch("topic").Move("src/old.go", "src/legacy.go").Commit("Move")
	h.Write("README.md", text("it")+"legacy\n").Commit("Tell")
	h.Merge("topic", "Merge pull request #11 from ada/topic\n\nRename old to legacy\n")
	h.Write("src/legacy.go", text("the past")+"and the present\n").Remove("café.txt")
	h.Commit("Change what was renamed (fix #3) (#12)")
	h.Write("src/legacy.go", text("the past"))
	h.Commit("A commit of no pull request")
	h.Write("src/error.go", "newer\n")
	h.Commit("Change only what is new (#13)")
	h.Write("go.sum", text("sums")+"more\n")
	h.CommitBy("dependabot[bot] <49699333+dependabot[bot]@users.noreply.github.com>", "Bump x from 1 to 2 (#14)")
	h.Write("src/parser.go", text("parsing"))
	h.Commit("Revert \"Fix the parser (#10)\" (#15)\n\nThis reverts commit 0123456789abcdef.")
	h.Write("src/parser.go", text("parsing")+"a better fix\n")
	h.Commit("Fix the parser (#10)")
	h.Write("src/parser.go", text("parsing")+"the best fix\n").Link("link", "src/parser.go")
	h.Commit("Fix the parser well (#10) (#16)")
	for i := range 31 {
		h.Write("many/"+string(rune('a'+i%26))+string(rune('a'+i/26))+".go", text("one of many")+"x\n")
	}
	h.Commit("Change everything (#17)")
	h.Git("checkout", "--quiet", "-b", "silent")
	h.Write("README.md", text("it")).Commit("Quiet")
	h.Merge("silent", "Merge pull request #18 from ada/silent")
	h.Submodule("lib", strings.Repeat("1", 40))
	h.Commit("Take a library in (#19)")
	h.At(t1)
	h.Write("README.md", "after T1\n")
	h.Commit("Too late (#20)")
	return h
}

func recipeOf(t *testing.T, h *historytest.History) Recipe {
	t.Helper()
	r, err := Single("tool", RepositoryRecipe{Name: "acme/tool", Source: "https://host.example/acme/tool", Repo: h.Dir, T0: "2026-01-01", T1: "2026-04-01"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// written is a folder's files as one text.
func written(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, name)
		b.WriteString("== " + filepath.ToSlash(relative) + "\n" + string(data))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAHistoryBecomesThisRelease(t *testing.T) {
	h := tool(t)
	jobs := 1
	build := func(o Options) string {
		t.Helper()
		o.Jobs, jobs = jobs, jobs*4 // however many work at once
		o.Out, o.Tool = filepath.Join(t.TempDir(), "release"), "test"
		if _, err := Build(context.Background(), o); err != nil {
			t.Fatal(err)
		}
		d, err := localization.OpenDataset(o.Out)
		if err != nil {
			t.Fatal(err)
		}
		if files, err := d.Files(d.Repositories[0]); err != nil || len(files) != d.Repositories[0].Counts.Files {
			t.Errorf("%d files, %v", len(files), err)
		}
		return written(t, o.Out)
	}
	got := build(Options{Writer: plain{}, Recipe: recipeOf(t, h)})
	golden := filepath.Join("testdata", "release.golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the release is not that of %s (-update writes it anew):\n%s", golden, got)
	}

	bare := filepath.Join(t.TempDir(), "acme__tool.git")
	h.Git("clone", "--quiet", "--mirror", h.Dir, bare)
	recipe := recipeOf(t, h)
	recipe.Repositories[0].Repo = ""
	if again := build(Options{Writer: plain{}, Recipe: recipe, Mirror: filepath.Dir(bare)}); again != got {
		t.Errorf("from a mirror the release differs:\n%s", again)
	}
}

// Facts are the release without the texts of its prompts, and nothing else
// differs: scores on them are scores on it.
func TestFactsAreTheReleaseWithoutItsTexts(t *testing.T) {
	h := tool(t)
	open := func(facts bool) *localization.Dataset {
		t.Helper()
		out := filepath.Join(t.TempDir(), "release")
		if _, err := Build(context.Background(), Options{Writer: plain{}, Recipe: recipeOf(t, h), Out: out, Facts: facts}); err != nil {
			t.Fatal(err)
		}
		d, err := localization.OpenDataset(out)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	whole, facts := open(false), open(true)
	for i := range whole.Tasks {
		if len(whole.Tasks[i].Prompts) != len(localization.Levels) || facts.Tasks[i].Prompts != nil {
			t.Errorf("%+v, %+v", whole.Tasks[i], facts.Tasks[i])
		}
		whole.Tasks[i].Prompts = nil
	}
	whole.Release.Files, facts.Release.Files = nil, nil
	whole.Dir, facts.Dir = "", ""
	if !reflect.DeepEqual(whole, facts) {
		t.Errorf("%+v\n%+v", whole, facts)
	}
}

// A pull request whose diff cannot be held leaves, and those behind it stay;
// so does one that cannot be told without giving it away.
func TestAPullRequestThatCannotBeToldLeaves(t *testing.T) {
	h := historytest.New(t, t0.AddDate(0, -1, 0))
	h.Write("a.go", "package a\n").Write("b.go", "package b\n").Commit("Begin")
	h.At(t0)
	h.Write("a.go", "package a\n\n// more\n").Commit("Say more about it (#1)")
	h.Write("a.go", "package a\n").Write("big.txt", strings.Repeat("a line of data that fills a file\n", 2_200_000)).Commit("Bring the data in (#2)")
	h.Write("b.go", "package b\n\nvar Frobnicate int\n").Commit("Frobnicate it (#3)")
	h.Write("a.go", "package a\n\n// less\n").Commit("Say less about it (#4)")
	out := filepath.Join(t.TempDir(), "release")
	if _, err := Build(context.Background(), Options{Writer: plain{}, Recipe: recipeOf(t, h), Out: out}); err != nil {
		t.Fatal(err)
	}
	d, err := localization.OpenDataset(out)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, task := range d.Tasks {
		got = append(got, fmt.Sprint(task.Number))
	}
	for _, drop := range d.Dropped {
		got = append(got, fmt.Sprint(drop.Number, " ", drop.Reason, " ", drop.Detail))
	}
	if want := "1|4|2 too_large the diff is larger than 64 MiB|3 leak minimal: identifier"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", strings.Join(got, "|"), want)
	}
}

func TestAPolicyDecidesWhatStays(t *testing.T) {
	recipe := recipeOf(t, tool(t))
	recipe.Release.Bots, recipe.Release.Reverts, recipe.Release.MaxGold = true, true, 31
	release, err := Build(context.Background(), Options{Writer: plain{}, Recipe: recipe, Out: t.TempDir()})
	c := release.Counts
	if err != nil || c.Dropped["bot"]+c.Dropped["revert"]+c.Dropped["too_many_files"] != 0 || c.Dropped["no_gold"] == 0 || c.PullRequests != c.Tasks+c.Dropped["no_gold"]+c.Dropped["untitled"]+c.Dropped["repeated"] {
		t.Errorf("%+v, %v", c, err)
	}
}

// What an export says of a title can make a task, or take one away.
func TestAnExportTellsTitlesTheHistoryDoesNot(t *testing.T) {
	recipe := recipeOf(t, tool(t))
	recipe.Repositories[0].Pulls = filepath.Join(t.TempDir(), "pulls.jsonl")
	text := `{"number":18,"title":"Say less","body":""}` + "\n" + `{"number":16,"title":"Revert to the first parser"}` + "\n" + `{"number":12,"title":"A bump","head":"renovate/all"}` + "\n"
	if err := os.WriteFile(recipe.Repositories[0].Pulls, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if _, err := Build(context.Background(), Options{Writer: plain{}, Recipe: recipe, Out: out}); err != nil {
		t.Fatal(err)
	}
	d, err := localization.OpenDataset(out)
	if err != nil {
		t.Fatal(err)
	}
	reasons := map[int]string{}
	for _, drop := range d.Dropped {
		reasons[drop.Number] += drop.Reason
	}
	if reasons[16] != "revert" || reasons[12] != "bot" || reasons[18] != "" || d.Tasks[len(d.Tasks)-1].Number != 18 {
		t.Errorf("%v, %+v", reasons, d.Tasks)
	}
}

func TestWhatCannotBeBuiltIsSaid(t *testing.T) {
	h := tool(t)
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "notes"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		change func(*Recipe, *Options)
		want   string
	}{
		{"a folder that is in use", func(_ *Recipe, o *Options) { o.Out = full }, "out: " + full + " holds something else, such as notes"},
		{"no clone", func(r *Recipe, o *Options) { r.Repositories[0].Repo = ""; o.Mirror = full }, "repo: there is no clone of acme/tool; make one with `git clone --mirror https://host.example/acme/tool " + full + "/acme/tool.git`"},
		{"no export", func(r *Recipe, _ *Options) { r.Repositories[0].Pulls = full + "/pulls" }, "pulls: there is no file"},
		{"a window without a task", func(r *Recipe, _ *Options) {
			r.Repositories[0].from = t1.Add(-time.Minute)
			r.Repositories[0].to = t1.AddDate(0, 0, 1)
			r.Release.MaxGold = 0
		}, "t1: no pull request of the 1 commits is a task (1 were dropped)"},
	} {
		recipe, options := recipeOf(t, h), Options{Writer: plain{}, Out: filepath.Join(t.TempDir(), "release")}
		c.change(&recipe, &options)
		options.Recipe = recipe
		_, err := Build(context.Background(), options)
		var input *benchmark.InputError
		if !errors.As(err, &input) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
		if _, err := os.Stat(filepath.Join(options.Out, localization.ReleaseFile)); err == nil {
			t.Errorf("%s: there is a release", c.name)
		}
	}
}

func TestAReleaseIsNotWrittenOver(t *testing.T) {
	h := tool(t)
	out := t.TempDir()
	if err := os.WriteFile(filepath.Join(out, "tasks.jsonl.new"), []byte("left by a build that was killed"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Build(context.Background(), Options{Writer: plain{}, Recipe: recipeOf(t, h), Out: out}); err != nil {
		t.Fatal(err)
	}
	before := written(t, out)
	if _, err := Build(context.Background(), Options{Writer: plain{}, Recipe: recipeOf(t, h), Out: out}); err == nil || !strings.Contains(err.Error(), "holds a finished release already") {
		t.Errorf("got %v", err)
	}
	if written(t, out) != before {
		t.Error("the release has changed")
	}
}
