package prompts

import (
	"context"
	"slices"
	"strings"

	"touchstone/internal/localization"
)

// ExtractiveV1 names the writer that needs no model.
const ExtractiveV1 = "extractive-v1"

var extractiveTemplates = loadTemplates("%s-v1")

// Extractive writes prompts from the words of the pull request itself and from
// what its diff is like in general. The same pull request and snapshot give
// the same prompts, byte for byte. Each level says what the one before it says,
// and more: the component, then the sentences of the body that tell
// functionality, usage or failure, then the nature of the change.
type Extractive struct{}

// Name implements Writer.
func (Extractive) Name() string { return ExtractiveV1 }

// Templates is the SHA-256 of each level's template.
func (Extractive) Templates() map[localization.Level]string { return hashesOf(extractiveTemplates) }

// material fills the templates.
type material struct {
	Title   string
	Area    string // component
	Beside  string // further components
	Context string
	Nature  string
	Details string
}

// Write implements Writer. The first draft says things as the pull request
// does, the second names nothing that a rule names, the third leaves out what
// cannot be said in general.
func (Extractive) Write(_ context.Context, d Draft) (string, error) {
	e := &extraction{Draft: d, areas: d.Facts.areas, left: Limits[d.Level]}
	if len(e.areas) > 0 {
		e.component = e.areas[0]
	}
	return extractiveTemplates[d.Level].fill(e.material())
}

// An extraction is the state of one draft.
type extraction struct {
	Draft
	areas     []string
	component string
	left      int // words
}

// take counts the words of a text that is used, or refuses it.
func (e *extraction) take(text string) bool {
	n := len(strings.Fields(text))
	if n > e.left {
		return false
	}
	e.left -= n
	return true
}

func (e *extraction) material() material {
	h := e.Facts.title
	m := material{Title: e.title(h)}
	e.take(m.Title)
	if e.Level == localization.Minimal {
		return m
	}
	if area := e.Facts.areaSentence(h, e.areas); e.take(area) {
		m.Area = area
	}
	if e.Level == localization.Concise {
		return m
	}
	if beside := e.beside(3); e.take(beside) {
		m.Beside = beside
	}
	list := unlike(unlike(e.Facts.body, h.Text), m.Title)
	// Guided says the same as contextual first, so the same room is left for it.
	room := e.left - Limits[e.Level] + Limits[localization.Contextual]
	told := choose(e.sayable(list), func(s sentence) int { return s.about - s.inner }, room)
	m.Context = joined(told)
	e.take(m.Context)
	if e.Level == localization.Contextual {
		return m
	}
	n := e.Facts.nature
	nature := n.sentences(e.component)
	if functions := e.functions(n); functions != "" {
		nature = append(nature, functions)
	}
	for _, s := range nature {
		if len(e.Facts.offences(e.Level, s)) == 0 && e.take(s) {
			m.Nature = strings.TrimSpace(m.Nature + " " + s)
		}
	}
	used := map[int]bool{}
	for _, s := range told {
		used[s.place] = true
	}
	m.Details = joined(choose(e.sayable(list), func(s sentence) int {
		if used[s.place] {
			return 0
		}
		return 1 + s.about + s.inner
	}, e.left))
	return m
}

// title is the request in one line.
func (e *extraction) title(h headline) string {
	text := h.Text
	switch e.Attempt {
	case 0:
	case 1:
		text, _ = e.Facts.generalise(e.Level, text, e.component)
	default:
		general, ok := e.Facts.generalise(e.Level, text, e.component)
		if !ok {
			general, _ = e.Facts.without(e.Level, text)
		}
		text = general
	}
	text = asRequest(h.Type, strings.TrimRight(text, " .…,;:-"))
	if words := strings.Fields(text); len(words) > Limits[localization.Minimal] {
		text = strings.TrimRight(strings.Join(words[:Limits[localization.Minimal]], " "), " .,;:-(")
	}
	return text
}

// sayable are the sentences as they can be said in this draft.
func (e *extraction) sayable(list []sentence) []sentence {
	if e.Attempt == 0 {
		return list
	}
	var kept []sentence
	for _, s := range list {
		offences := e.Facts.offences(e.Level, s.text)
		switch {
		case len(offences) == 0:
		case e.Attempt > 1 || len(offences) > 2 || slices.ContainsFunc(offences, func(r Rejection) bool { return r.Rule == "code" }):
			continue // what is left of it would say little
		default:
			text, ok := e.Facts.generalise(e.Level, s.text, e.component)
			if !ok {
				continue
			}
			s.text, s.words = sentenceCase(text), len(strings.Fields(text))
		}
		kept = append(kept, s)
	}
	return kept
}

func joined(list []sentence) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s.text)
		if !strings.ContainsAny(s.text[len(s.text)-1:], ".!?") {
			b.WriteByte('.')
		}
	}
	return b.String()
}

// unlike leaves out sentences that say the title again.
func unlike(list []sentence, title string) []sentence {
	var kept []sentence
	for _, s := range list {
		if squash(s.text) != squash(title) && !strings.HasPrefix(squash(title), squash(s.text)) {
			kept = append(kept, s)
		}
	}
	return kept
}

// beside names further components, a few at most, that say something new.
func (e *extraction) beside(most int) string {
	if len(e.areas) < 2 {
		return ""
	}
	said := set(e.areas[0])
	var names []string
	for _, area := range e.areas[1:] {
		more := false
		for word := range strings.FieldsSeq(area) {
			more = more || !said[word]
			said[word] = true
		}
		if more && len(names) < most {
			names = append(names, area)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "It is also about " + enumerate(names) + "."
}

// functions names functions that the change starts from.
func (e *extraction) functions(n nature) string {
	var names []string
	for _, name := range n.Functions {
		if len(e.Facts.offences(localization.Guided, name)) == 0 {
			names = append(names, name)
		}
	}
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "The function to start from is " + names[0] + "."
	}
	return "Functions to start from are " + enumerate(names) + "."
}

// verbs begin titles that are requests already.
var verbs = set(`add adds allow apply avoid adjust align assert bound bump bring cache call cap change check clarify clean cleanup clear close
	collect combine compare compile complete configure consider consolidate convert copy correct count cover create cut deal debug
	declare decouple default defer define delete deprecate detect disable disallow discard display do document don't drop dump
	eliminate emit enable encode enforce enhance ensure escape exclude expand export expose extend extract fail filter finish fix
	flush force format forward generate get guard handle hide hoist ignore implement import improve include increase infer init
	initialize inject inline insert install integrate introduce invalidate keep let limit list load lock log lower make mark match
	merge migrate minimize mirror mock move normalize omit only open optimize output override parse pass patch pause perform permit
	pin port preserve prevent print process produce propagate protect provide publish pull push put quote raise randomize read
	rebuild recover reduce refactor refine register reject relax release reload remove rename render reorder replace replay report
	require reset resolve respect restore restrict retire retry return reuse revert rework rewrite rollback round run save select
	send separate serialize set share show shrink simplify skip sort specify speed split stabilize start stop store strengthen
	strip support suppress switch sync synchronize take terminate test throw tighten track transform traverse treat trigger trim try
	tweak turn unify unite unlock unpin update upgrade upload use validate verify wait warn wire work workaround wrap write yield`)

// asRequest makes a title what somebody would ask for.
func asRequest(kind, text string) string {
	first, _, _ := strings.Cut(text, " ")
	begins := strings.ToLower(strings.Trim(first, ",.:;"))
	if !verbs[begins] && text != "" {
		switch kind {
		case "fix":
			return "Fix " + text
		case "feat":
			return "Add " + text
		}
	}
	return sentenceCase(text)
}
