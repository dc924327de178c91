package intake

import "testing"

func TestPlaceholders(t *testing.T) {
	for _, c := range []struct{ text, qualname, want string }{
		{"...", "f", NoWord},
		{" — ", "f", NoWord},
		{"()", "f", NoWord},
		{`""`, "f", NoWord},
		{"TODO", "f", StandsIn},
		{"todo.", "f", StandsIn},
		{"TODO: describe the arguments", "f", StandsIn},
		{"TODO(ann): describe", "f", StandsIn},
		{"TODO describe", "f", StandsIn},
		{"Fixme - say more", "f", StandsIn},
		{"Todo lists are merged by their dates.", "f", ""},
		{"TODO: one\n\nBut here is what it does.", "f", ""},
		{"No docstring", "f", StandsIn},
		{"No docstring provided.", "f", StandsIn},
		{"No valid docstring found.", "f", StandsIn},
		{"Doc is waiting to be generated...", "f", StandsIn},
		{"**Docstring for `foo`.**", "foo", StandsIn},
		{"Docstring for bar", "foo", StandsIn},
		{"Docstring for Foo.bar()", "Foo.bar", StandsIn},
		{"Docstring for the bar method.", "Foo.bar", StandsIn},
		{"Your docstring here", "f", StandsIn},
		{"N/A", "f", StandsIn},
		{"None", "f", StandsIn},
		{"None if the key is unknown.", "f", ""},
		{"foo", "foo", OnlyName},
		{"Foo().", "foo", OnlyName},
		{"The foo function.", "foo", OnlyName},
		{"__init__", "A.__init__", OnlyName},
		{"A.__init__ method", "A.__init__", OnlyName},
		{"Return the foo.", "foo", ""},
		{"Die Summe zweier Zahlen.", "f", ""},
		{"返回总和。", "f", ""},
		{"Docstrings are joined.", "f", ""},
		{"Documentation for readers is written to the file.", "f", ""},
		{"x", "f", ""},
	} {
		if got := placeholder(c.text, c.qualname); got != c.want {
			t.Errorf("%q of %s: %q, want %q", c.text, c.qualname, got, c.want)
		}
	}
}
