package docagent_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"touchstone/internal/measure/docagent"
)

func TestMentions(t *testing.T) {
	for _, c := range []struct {
		why, docstring string
		want           string // with spaces between
	}{
		{"in backticks", "Uses `loader` and ``parse``.", "loader parse"},
		{"what looks like code", "Calls load_rows and getItem, then flush() on the InMemoryCache of HTTPPool.", "load_rows getItem flush InMemoryCache HTTPPool"},
		{"prose", "Returns the value. Python is great, e.g. here, i.e. there; file(s) too. And/or. A B-tree.", ""},
		{"each once", "load_rows, `load_rows` and load_rows().", "load_rows"},
		{"with dots", "See `store.Pool.close` and Pool.open_all; ends.Here not.", "store.Pool.close Pool.open_all"},
		{"called with arguments in backticks", "`load(path, x=1)` is called.", "load"},
		{"code in backticks", "`x = make_pool(y) + z` is set.", "make_pool"},
		{"roles", "See :class:`~pkg.mod.Pool`, :meth:`.close` and :func:`the loader <pkg.load>`.", "pkg.mod.Pool close pkg.load"},
		{"methods of self, not attributes", "Fills self.rows_left by self.read_all() and `self.close()`, not `cls.count`.", "read_all close"},
		{"parameters are known", "Reads `limit` rows of max_size and `limit.value`.", ""},
		{"Python's own names", "Raises ValueError; `None`, `List`, `os.path.join`, isinstance(), `np.array`, OrderedDict.", ""},
		{"special methods", "As `__init__` and Pool.__call__() do.", ""},
		{"constants and acronyms", "`MAX_SIZE`, `JSON` and DEFAULT_LIMIT.", ""},
		{"files and addresses", "Reads my_file.json, `config_local.py`, https://a.org/load_rows, some_body@x_y.org, src/my_mod/x_y.", ""},
		{"options", "With --dry_run or $MY_var or @my_tag.", ""},
		{"names that are not ASCII", "größe_x and `größe` and x_größe.", ""},
		{"proper names", "On GitHub with PostgreSQL and NumPy.", ""},
		{"a section of examples", "One_a.\n\nExample:\n    two_b()\n\n    three_c()\n\nReturns:\n    four_d", "One_a four_d"},
		{"a section of examples in NumPy's style", "one_a\n\nExamples\n--------\ntwo_b\n\nNotes\n-----\nthree_c", "one_a three_c"},
		{"at a prompt", "one_a\n>>> two_b()\nthree_c\n\nfour_d", "one_a four_d"},
		{"between fences", "one_a\n```python\ntwo_b()\n```\nthree_c", "one_a three_c"},
		{"nothing", "", ""},
	} {
		want := strings.Fields(c.want)
		if got := docagent.Mentions(c.docstring, "limit", "max_size"); !slices.Equal(got, want) {
			t.Errorf("%s: %q mentions %q, want %q", c.why, c.docstring, got, want)
		}
	}
}

func TestExistence(t *testing.T) {
	components := docagent.NewComponents([]string{"pkg.mod.Pool", "pkg.mod.Pool.close", "pkg.mod.load_rows", "outer.<locals>.inner"})
	for _, c := range []struct {
		why      string
		mentions []string
		want     docagent.Existence
	}{
		{"the name of a component", []string{"Pool", "inner"}, docagent.Existence{Mentioned: 2, Strict: 2, DocAgent: 2}},
		{"by its last part", []string{"Elsewhere.close"}, docagent.Existence{Mentioned: 1, Strict: 1, DocAgent: 1}},
		{"a part of a name", []string{"load", "rows"}, docagent.Existence{Mentioned: 2, DocAgent: 2}},
		{"a module is no component", []string{"pkg", "mod"}, docagent.Existence{Mentioned: 2}},
		{"upper case is another name", []string{"pool"}, docagent.Existence{Mentioned: 1}},
		{"not from one name into the next", []string{"Poolclose"}, docagent.Existence{Mentioned: 1}},
		{"nothing", nil, docagent.Existence{}},
	} {
		if got := components.Check(c.mentions); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.why, got, c.want)
		}
	}
}

func TestExistenceIsPooled(t *testing.T) {
	components := docagent.NewComponents([]string{"Pool", "close_all"})
	docstrings := [][]string{{"Pool"}, nil, {"close", "open", "Pool", "Queue"}}
	sum := func() (e docagent.Existence) {
		for _, mentions := range docstrings {
			e.Add(components.Check(mentions))
		}
		return e
	}
	e := sum()
	if e.StrictRatio() != 0.4 || e.DocAgentRatio() != 0.6 {
		t.Errorf("%+v: %v and %v, want 0.4 and 0.6", e, e.StrictRatio(), e.DocAgentRatio())
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(docstrings), func(i, j int) { docstrings[i], docstrings[j] = docstrings[j], docstrings[i] })
	if again := sum(); again != e {
		t.Errorf("%+v in one order, %+v in another", e, again)
	}
	if none := (docagent.Existence{}); none.StrictRatio() != 0 || none.DocAgentRatio() != 0 {
		t.Error("the ratio of nothing is not 0")
	}
}

func FuzzMentions(f *testing.F) {
	f.Add("Uses `a.b` and load_rows().\n>>> x\n", "x")
	f.Add("``` `` ` <>", "")
	f.Add("Examples\n---\n```\n:func:`~x <y_z>`", "y")
	f.Fuzz(func(t *testing.T, docstring, known string) {
		mentions := docagent.Mentions(docstring, known)
		for i, m := range mentions {
			if m == "" || m == known || slices.Contains(mentions[:i], m) || strings.ContainsAny(m, " \n`()") {
				t.Errorf("%q mentions %q", docstring, mentions)
			}
		}
		e := docagent.NewComponents(mentions).Check(mentions)
		if e.Strict != len(mentions) || e.DocAgent != len(mentions) {
			t.Errorf("of %q not all exist: %+v", mentions, e)
		}
	})
}
