package main

import (
	"bytes"
	"errors"
	"log/slog"
	"testing"
)

func TestLogsArePlainLines(t *testing.T) {
	for _, c := range []struct {
		rule string
		log  func(*slog.Logger)
		want string
	}{
		{"a message", func(l *slog.Logger) { l.Info("removed what was left") }, "touchstone: removed what was left\n"},
		{"values stand behind it", func(l *slog.Logger) { l.Warn("not cached", "task", "a/b:c.py::d", "error", errors.New("disk full")) },
			"touchstone: not cached (task a/b:c.py::d, error disk full)\n"},
		{"those of the logger first", func(l *slog.Logger) { l.With("count", 3).Info("removed", "from", "x") }, "touchstone: removed (count 3, from x)\n"},
		{"groups", func(l *slog.Logger) {
			l.WithGroup("a").With("k", 1).Info("m", slog.Group("b", "x", 2), slog.Group("", "y", 3), slog.Attr{})
		}, "touchstone: m (a.k 1, a.b.x 2, a.y 3)\n"},
		{"a value of several lines", func(l *slog.Logger) { l.Info("m", "text", "a\nb") }, "touchstone: m (text a b)\n"},
		{"details only when asked for", func(l *slog.Logger) { l.Debug("m") }, ""},
	} {
		var out bytes.Buffer
		c.log(slog.New(plainLog{out: &out}))
		if out.String() != c.want {
			t.Errorf("%s: %q, want %q", c.rule, out.String(), c.want)
		}
	}
	var out bytes.Buffer
	slog.New(plainLog{out: &out, level: slog.LevelDebug}).Debug("m")
	if out.String() != "touchstone: m\n" {
		t.Errorf("asked for, it is %q", out.String())
	}
}
