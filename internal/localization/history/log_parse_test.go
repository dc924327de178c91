package history

import (
	"bufio"
	"fmt"
	"strings"
	"testing"
)

// written is a commit as git log writes it.
func written(sha, parents, seconds, message string, changes ...string) string {
	out := "\x01" + strings.Join([]string{sha, parents, seconds, "Ada", "ada@example.org", message}, "\x00") + "\x00"
	if len(changes) > 0 {
		out += "\n" + strings.Join(changes, "\x00") + "\x00"
	}
	return out
}

const zeros = "0000000000000000000000000000000000000000"

func TestALogThatGitWouldNotWriteIsAnError(t *testing.T) {
	sha := strings.Repeat("a", 40)
	modified := ":100644 100644 " + zeros + " " + zeros + " M\x00path"
	for _, c := range []struct{ name, out, want string }{
		{"nothing", "", ""},
		{"a commit", written(sha, sha, "1", "Title"), ""},
		{"changes", written(sha, sha, "1", "Title", modified, strings.Replace(modified, " M\x00path", " R100\x00old\x00new", 1)), ""},
		{"another text", "warning: something\x00", `git log wrote "warning: something"`},
		{"changes of no commit", modified + "\x00", "git log wrote"},
		{"no SHA", written("abc", sha, "1", "Title"), `git log wrote "abc 1"`},
		{"no date", written(sha, sha, "now", "Title"), "git log wrote"},
		{"broken off in a message", written(sha, sha, "1", "Title")[:80], "unexpected EOF"},
		{"broken off in a path", written(sha, sha, "1", "Title", modified[:80]), "git log wrote"},
		{"broken off behind the modes", strings.TrimSuffix(written(sha, sha, "1", "Title", modified), "path\x00"), "unexpected EOF"},
	} {
		err := readLog(bufio.NewReader(strings.NewReader(c.out)), func(Commit) error { return nil })
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
}

func FuzzReadLog(f *testing.F) {
	sha := strings.Repeat("a", 40)
	f.Add(written(sha, sha+" "+sha, "1767225600", "Title\n\nbody", ":100644 100644 "+zeros+" "+zeros+" R090\x00a\x00b") + written(sha, "", "1", ""))
	f.Add(written(sha, sha, "-5", "Title", ":000000 160000 "+zeros+" "+zeros+" A\x00sub"))
	f.Fuzz(func(t *testing.T, out string) {
		err := readLog(bufio.NewReaderSize(strings.NewReader(out), 16), func(c Commit) error {
			if !fullSHA.MatchString(c.SHA) || c.Message != strings.ToValidUTF8(c.Message, "") && !strings.Contains(c.Message, "\uFFFD") {
				t.Errorf("%+v", c)
			}
			for _, change := range c.Changes {
				if (change.Old == "") != (change.OldKind == Nothing) && change.OldKind == Nothing {
					t.Errorf("%+v", change)
				}
			}
			return nil
		})
		if err != nil && fmt.Sprint(err) == "" {
			t.Error("an error without words")
		}
	})
}
