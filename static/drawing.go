package static

import (
	"fmt"
	"regexp"
)

var (
	themed    = regexp.MustCompile(`light-dark\(([^,()]+), [^()]+\)`)
	tokenLine = regexp.MustCompile(`(?m)^\s*--([a-z0-9-]+): (.+?);`)
	use       = regexp.MustCompile(`var\(--([a-z0-9-]+)\)`)
)

// Drawing is the style sheet that a chart takes along as a file: drawing.css
// with every token replaced by its value in the light theme, since programs
// that draw SVG know neither custom properties nor themes.
var Drawing = drawing()

func drawing() string {
	values := map[string]string{}
	for _, m := range tokenLine.FindAllStringSubmatch(sheet("tokens"), -1) {
		values[m[1]] = themed.ReplaceAllString(m[2], "$1")
	}
	return use.ReplaceAllStringFunc(sheet("drawing"), func(found string) string {
		value, ok := values[use.FindStringSubmatch(found)[1]]
		if !ok {
			panic(fmt.Sprintf("static: drawing.css uses %s, which tokens.css has not", found))
		}
		return value
	})
}

func sheet(name string) string {
	content, err := embedded.ReadFile("css/" + name + ".css")
	if err != nil {
		panic(err) // the files are part of the program
	}
	return string(content)
}
