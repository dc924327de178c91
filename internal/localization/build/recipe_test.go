package build

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const good = `
[release]
name = "tool"
version = "1"

[[repository]]
name = "acme/tool"
t0 = "2026-01-01"
t1 = "2026-04-01T12:00:00+02:00"
`

func TestARecipeFillsDefaultsIn(t *testing.T) {
	r, err := ParseRecipe("r.toml", []byte(good))
	if err != nil || r.Release.MaxGold != 30 || r.Repositories[0].Branch != "HEAD" || !r.Repositories[0].from.Equal(t0) || r.Repositories[0].to.Hour() != 10 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestARecipeNamesWhatIsWrong(t *testing.T) {
	with := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	for _, c := range []struct{ text, want string }{
		{"", `r.toml: release.name: "" is not a name`},
		{with(`"tool"`, `"My Tool"`), `r.toml: release.name: "My Tool" is not a name`},
		{with(`"1"`, `""`), `r.toml: release.version: "" is not a version`},
		{with(`version`, "max_gold = -1\nversion"), `r.toml: release.max_gold: -1 is less than 1`},
		{with(`version`, "bot = true\nversion"), `r.toml:4: release.bot: is no key of a recipe of this track`},
		{good[:strings.Index(good, "[[")], `r.toml: repository: there is none`},
		{with(`"acme/tool"`, `"tool"`), `r.toml: repository 1 (tool): name: "tool" is not a repository name`},
		{with(`"acme/tool"`, `"acme/`+strings.Repeat("x", 300)+`"`), `r.toml: repository 1 (acme/xxx`},
		{with(`t0 = "2026-01-01"`, ``), `r.toml: repository 1 (acme/tool): t0: is missing; write it as 2026-01-31`},
		{with(`"2026-01-01"`, `"1.1.2026"`), `r.toml: repository 1 (acme/tool): t0: "1.1.2026" is not a date`},
		{with(`"2026-01-01"`, `2026-01-01`), `r.toml:8: repository.t0: `},
		{with(`"2026-01-01"`, `"2027-01-01"`), `r.toml: repository 1 (acme/tool): t1: 2026-04-01T12:00:00+02:00 is not after t0, 2027-01-01`},
		{good + good[strings.Index(good, "[["):], `r.toml: repository 2 (acme/tool): name: it stands in the recipe twice`},
		{"[release", `r.toml:1: `},
	} {
		if _, err := ParseRecipe("r.toml", []byte(c.text)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.text, err, c.want)
		}
	}
}

func TestARecipesFoldersAreBesideIt(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "r.toml")
	if err := os.WriteFile(file, []byte(good+"repo = \"clones/tool\"\npulls = \"/exports/tool.jsonl\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r, err := LoadRecipe(file)
	if err != nil || r.Repositories[0].Repo != filepath.Join(dir, "clones/tool") || r.Repositories[0].Pulls != "/exports/tool.jsonl" {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := LoadRecipe(dir); err == nil || !strings.Contains(err.Error(), "there is no file") {
		t.Errorf("a folder: %v", err)
	}
}

func FuzzParseRecipe(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("[release]\nname = 1"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ParseRecipe("r.toml", text)
		if err != nil {
			return
		}
		for _, q := range r.Repositories {
			if !q.from.Before(q.to) || q.Branch == "" || !strings.Contains(q.Name, "/") {
				t.Fatalf("%q: %+v", text, q)
			}
		}
	})
}
