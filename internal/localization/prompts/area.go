package prompts

import (
	"path"
	"slices"
	"strings"
)

// findAreas lists the components that a diff touches, in words, those with most
// changed files of source first. Those with less than a third of the first
// one's are left out: they say less than they distract.
func (f *Facts) findAreas() []string {
	weight, sayable := map[string]int{}, map[string]bool{}
	for i := range f.changes {
		c := &f.changes[i]
		name := c.Old
		if name == "" {
			name = c.New
		}
		phrase := phraseOf(f.snapshot.component(name))
		if _, asked := sayable[phrase]; !asked {
			sayable[phrase] = phrase != "" && len(f.offences("", phrase)) == 0
		}
		if !sayable[phrase] {
			continue
		}
		switch {
		case testPath.MatchString(name), docsPath.MatchString(name), proseFiles[strings.ToLower(path.Ext(name))]:
			weight[phrase]++
		case c.Kind == Added:
			weight[phrase] += 5
		default:
			weight[phrase] += 10
		}
	}
	list := make([]string, 0, len(weight))
	for phrase := range weight {
		list = append(list, phrase)
	}
	slices.SortFunc(list, func(a, b string) int {
		if d := weight[b] - weight[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for len(list) > 1 && 3*weight[list[len(list)-1]] < weight[list[0]] {
		list = list[:len(list)-1]
	}
	return list
}

// phraseOf says a component: search in the server.
func phraseOf(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "the " + names[0]
	}
	return names[0] + " in the " + names[1]
}

// codeOf says what a component is made of.
func codeOf(component string) string {
	if component == "" {
		return "the code"
	}
	if near, far, ok := strings.Cut(component, " in "); ok {
		return "the " + near + " code in " + far
	}
	return component + " code"
}

// areaSentence says what part of the project is meant. It is made of words that
// are common everywhere, so that only the component's own words tell something.
func (f *Facts) areaSentence(h headline, areas []string) string {
	where := ""
	if len(areas) > 0 {
		where = areas[0]
	}
	switch scope := f.scope(h.Scope, where); {
	case where == "" && scope == "":
		return ""
	case where == "":
		where = scope
	case scope != "":
		where = scope + " (" + where + ")"
	}
	return "This is about " + where + "."
}

// scope is a title's scope in words, "" when it says nothing new or gives
// something away.
func (f *Facts) scope(scope, area string) string {
	var words []string
	known := set(area)
	for _, p := range parts(scope) {
		if !known[p.text] && !nondescript[p.text] {
			words = append(words, p.text)
		}
	}
	text := strings.Join(words, " ")
	if len(words) > 4 || len(f.offences("", text)) > 0 {
		return ""
	}
	return text
}
