package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
)

// A plainLog writes what packages log as lines for a person, like every other
// message of the command line: "touchstone: message (key value, key value)".
type plainLog struct {
	out   io.Writer
	level slog.Level
	group string // before the keys, with a dot
	attrs []slog.Attr
}

// Enabled implements slog.Handler.
func (l plainLog) Enabled(_ context.Context, level slog.Level) bool { return level >= l.level }

// Handle implements slog.Handler.
func (l plainLog) Handle(_ context.Context, r slog.Record) error {
	var words []string
	for _, a := range l.attrs {
		words = appendWords(words, "", a)
	}
	r.Attrs(func(a slog.Attr) bool {
		words = appendWords(words, l.group, a)
		return true
	})
	line := "touchstone: " + r.Message
	if len(words) > 0 {
		line += " (" + strings.Join(words, ", ") + ")"
	}
	_, err := fmt.Fprintln(l.out, line)
	return err
}

// appendWords adds "key value", for each member of a group.
func appendWords(words []string, group string, a slog.Attr) []string {
	value := a.Value.Resolve()
	if value.Kind() == slog.KindGroup {
		if a.Key != "" {
			group += a.Key + "."
		}
		for _, member := range value.Group() {
			words = appendWords(words, group, member)
		}
		return words
	}
	if a.Equal(slog.Attr{}) {
		return words
	}
	return append(words, group+a.Key+" "+strings.ReplaceAll(value.String(), "\n", " "))
}

// WithAttrs implements slog.Handler.
func (l plainLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	all := append([]slog.Attr{}, l.attrs...)
	for _, a := range attrs {
		a.Key = l.group + a.Key
		all = append(all, a)
	}
	l.attrs = all
	return l
}

// WithGroup implements slog.Handler.
func (l plainLog) WithGroup(name string) slog.Handler {
	if name != "" {
		l.group += name + "."
	}
	return l
}
