package static

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// A colour has a value in each theme.
type colour struct{ light, dark string }

var token = regexp.MustCompile(`--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`)

func tokens(t *testing.T) map[string]colour {
	t.Helper()
	text, err := os.ReadFile("css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]colour{}
	for _, m := range token.FindAllStringSubmatch(string(text), -1) {
		found[m[1]] = colour{m[2], m[3]}
	}
	return found
}

// luminance is the relative luminance of WCAG 2.2.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	weights := []float64{0.2126, 0.7152, 0.0722}
	sum := 0.0
	for i, weight := range weights {
		v, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

// contrast is the contrast ratio of WCAG 2.2, from 1 to 21.
func contrast(t *testing.T, a, b string) float64 {
	la, lb := luminance(t, a), luminance(t, b)
	return (math.Max(la, lb) + 0.05) / (math.Min(la, lb) + 0.05)
}

func TestContrastIsComputedAsWCAGDoes(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want float64
	}{{"#000000", "#ffffff", 21}, {"#777777", "#ffffff", 4.48}, {"#0000ff", "#ffffff", 8.59}, {"#123456", "#123456", 1}} {
		if got := contrast(t, c.a, c.b); math.Abs(got-c.want) > 0.005 {
			t.Errorf("%s on %s: %.3f, want %.2f", c.a, c.b, got, c.want)
		}
	}
}

func atLeast(t *testing.T, tokens map[string]colour, front, ground string, least float64) {
	t.Helper()
	f, ok := tokens[front]
	g, there := tokens[ground]
	if !ok || !there {
		t.Errorf("tokens.css does not have both %s and %s", front, ground)
		return
	}
	if got := contrast(t, f.light, g.light); got < least {
		t.Errorf("light: %s on %s has contrast %.2f, less than %.1f", front, ground, got, least)
	}
	if got := contrast(t, f.dark, g.dark); got < least {
		t.Errorf("dark: %s on %s has contrast %.2f, less than %.1f", front, ground, got, least)
	}
}

func TestTextIsReadableOnEveryGround(t *testing.T) {
	all := tokens(t)
	for _, ground := range []string{"paper", "tint", "sunk"} {
		for _, text := range []string{"ink", "ink-2", "ink-3", "accent", "good", "bad", "warn"} {
			atLeast(t, all, text, ground, 4.5)
		}
	}
	for _, ground := range []string{"added", "removed"} {
		for _, text := range []string{"ink", "ink-2"} {
			atLeast(t, all, text, ground, 4.5)
		}
	}
	atLeast(t, all, "on-accent", "accent", 4.5)
	atLeast(t, all, "on-tip", "tip", 4.5)
	for _, ramp := range []string{"heat", "diverge"} {
		for step := range 21 {
			atLeast(t, all, fmt.Sprintf("%s-on-%d", ramp, step), fmt.Sprintf("%s-%d", ramp, step), 4.5)
		}
	}
}

var (
	rule        = regexp.MustCompile(`([^{}]+)\{([^{}]*)\}`)
	ownColour   = regexp.MustCompile(`(?:^|[;\s])color:\s*var\(--([a-z0-9-]+)\)`)
	ownGround   = regexp.MustCompile(`background(?:-color)?:\s*var\(--([a-z0-9-]+)\)`)
	used        = regexp.MustCompile(`var\(--([a-z0-9-]+)\)`)
	defined     = regexp.MustCompile(`--([a-z0-9-]+):`)
	plainColour = regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|rgba?\(|hsla?\(|oklch\(`)
)

func TestARuleThatSetsTextAndGroundIsReadable(t *testing.T) {
	all := tokens(t)
	seen := 0
	for _, r := range rule.FindAllStringSubmatch(string(byName["site.css"].plain), -1) {
		front, ground := ownColour.FindStringSubmatch(r[2]), ownGround.FindStringSubmatch(r[2])
		if front == nil || ground == nil {
			continue
		}
		seen++
		if strings.Contains(r[1], "progress") {
			atLeast(t, all, front[1], ground[1], 3) // a bar, not text
			continue
		}
		atLeast(t, all, front[1], ground[1], 4.5)
	}
	if seen < 40 {
		t.Errorf("only %d rules were looked at", seen)
	}
}

func TestMarksAndBordersAreSeen(t *testing.T) {
	all := tokens(t)
	for n := 1; n <= 8; n++ {
		atLeast(t, all, fmt.Sprint("system-", n), "paper", 3)
	}
	atLeast(t, all, "rule-2", "paper", 3)
}

func TestTheHeatRampGrowsLighterWithTheValue(t *testing.T) {
	all := tokens(t)
	for step := 1; step <= 20; step++ {
		below, here := all[fmt.Sprint("heat-", step-1)], all[fmt.Sprint("heat-", step)]
		if luminance(t, here.light) <= luminance(t, below.light) || luminance(t, here.dark) <= luminance(t, below.dark) {
			t.Errorf("heat-%d is not lighter than heat-%d", step, step-1)
		}
	}
}

func TestEveryColourIsAToken(t *testing.T) {
	known := map[string]bool{}
	text, err := os.ReadFile("css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range defined.FindAllStringSubmatch(string(text), -1) {
		known[m[1]] = true
	}
	for _, sheet := range sheets {
		content, err := os.ReadFile("css/" + sheet + ".css")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range used.FindAllStringSubmatch(string(content), -1) {
			if !known[m[1]] {
				t.Errorf("%s.css uses --%s, which tokens.css does not define", sheet, m[1])
			}
		}
		if found := plainColour.FindString(string(content)); sheet != "tokens" && found != "" {
			t.Errorf("%s.css has the colour %s outside tokens.css", sheet, found)
		}
	}
}
