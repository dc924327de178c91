package prompts

import (
	"path"
	"slices"
	"strings"
)

// kinds say what kind of work a title's type is.
var kinds = map[string]string{
	"fix": "a bug fix", "feat": "a new feature", "perf": "a performance improvement", "refactor": "a refactoring",
	"test": "work on tests", "docs": "work on documentation", "ci": "work on continuous integration", "build": "work on the build",
	"chore": "maintenance", "style": "work on style", "types": "work on types", "dx": "work on developer experience",
}

// areas are the components that a diff touches, in words, those with most
// changed files of source first.
func (f *Facts) areas() []string {
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
	return list
}

// phraseOf says a component: the search part of the server.
func phraseOf(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return "the " + names[0] + " component"
	}
	return "the " + names[0] + " part of the " + names[1]
}

// codeOf says what a component is made of.
func codeOf(component string) string {
	if component == "" {
		return "the code"
	}
	if name, ok := strings.CutSuffix(component, " component"); ok {
		return name + " code"
	}
	return strings.Replace(component, " part of ", " code of ", 1)
}

// areaSentence says what kind of work it is, and where.
func (f *Facts) areaSentence(h headline, areas []string) string {
	where := ""
	if len(areas) > 0 {
		where = areas[0]
	}
	if scope := f.scope(h.Scope, where); scope != "" {
		if where == "" {
			where = scope
		} else {
			where = scope + ", within " + where
		}
	}
	kind := kinds[h.Type]
	switch {
	case kind != "" && where != "":
		return "This is " + kind + " in " + where + "."
	case kind != "":
		return "This is " + kind + "."
	case where != "":
		return "This concerns " + where + "."
	}
	return ""
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
