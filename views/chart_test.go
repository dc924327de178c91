package views

import (
	"encoding/xml"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func texts(ticks []tick) []string {
	var found []string
	for _, t := range ticks {
		found = append(found, t.text)
	}
	return found
}

func TestAnAxisNamesFewRoundValues(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"}, {-1, 1, "−1.0 −0.5 0.0 0.5 1.0"}, {0, 5, "0 1 2 3 4 5"}, {0, 1000, "0 200 400 600 800 1000"},
		{3, 7, "3 4 5 6 7"}, {0.12, 0.31, "0.15 0.20 0.25 0.30"}, {0, 0.003, "0.000 0.001 0.002 0.003"}, {-17, 23, "−10 0 10 20"}, {2, 2, "2.000"}, {5, 1, "5.000"},
	} {
		if got := strings.Join(texts(across(c.low, c.high).ticks(6)), " "); got != c.want {
			t.Errorf("from %v to %v: %q, want %q", c.low, c.high, got, c.want)
		}
	}
}

func FuzzTicksAreWithinTheScaleAndNotTooMany(f *testing.F) {
	f.Add(0.0, 1.0, 6)
	f.Add(-1e9, 3.5, 2)
	f.Add(0.1, 0.1+1e-7, 9)
	f.Fuzz(func(t *testing.T, low, high float64, most int) {
		if !known(low) || !known(high) || !(high > low) || math.Abs(low) > 1e12 || math.Abs(high) > 1e12 || high-low < 1e-9*(1+math.Abs(low)+math.Abs(high)) || most < 2 || most > 20 {
			return
		}
		s := across(low, high)
		ticks := s.ticks(most)
		if len(ticks) == 0 || len(ticks) > most {
			t.Fatalf("%d ticks from %v to %v, at most %d", len(ticks), low, high, most)
		}
		places := make([]float64, len(ticks))
		for i, x := range ticks {
			share, err := strconv.ParseFloat(strings.TrimSuffix(x.at, "%"), 64)
			if err != nil || share < s.From || share > s.To {
				t.Fatalf("a tick lies at %s", x.at)
			}
			places[i] = share
		}
		if !slices.IsSorted(places) {
			t.Fatalf("ticks lie at %v", places)
		}
	})
}

func TestAValueLiesWhereItsScaleSays(t *testing.T) {
	unit := Scale{Low: 0, High: 1, From: 4, To: 96, Unit: "%"}
	pixels := Scale{Low: 1, High: 3, From: 200, To: 0}
	for _, c := range []struct{ got, want string }{
		{unit.at(0), "4%"}, {unit.at(1), "96%"}, {unit.at(0.5), "50%"}, {unit.at(7), "96%"}, {unit.at(-7), "4%"}, {unit.between(0.25, 0.75), "46%"},
		{pixels.at(1), "200"}, {pixels.at(3), "0"}, {pixels.at(2), "100"}, {pixels.between(1, 2), "100"}, {Scale{From: 0, To: 10}.at(4), "5"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", c.got, c.want)
		}
	}
}

func TestLongWordsAreCutAndTextsWrapped(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want []string
	}{
		{"", 5, nil}, {"one two three", 7, []string{"one two", "three"}}, {"a  b", 9, []string{"a b"}}, {"abcdefgh ij", 4, []string{"abc…", "ij"}}, {"äöüß äöüß", 4, []string{"äöüß", "äöüß"}},
	} {
		if got := wrapped(c.text, c.most); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// wellFormed reads a file as XML does and returns its text.
func wellFormed(t *testing.T, file string) string {
	t.Helper()
	var text strings.Builder
	d := xml.NewDecoder(strings.NewReader(file))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return text.String()
		}
		if err != nil {
			t.Fatalf("%v in %.2000s", err, file)
		}
		if data, ok := token.(xml.CharData); ok {
			text.Write(data)
		}
	}
}

func TestAChartAsAFileIsWholeByItself(t *testing.T) {
	d := distributionChart("spreads", sampleSpreads...)
	d.Title = longName + " has the highest median " + hostile
	d.Spreads = append(slices.Clone(d.Spreads), Spread{Name: "bell \x07 and \x00 and \xff", Repositories: 1})
	file := rendered(t, d.File())
	text := wellFormed(t, file)
	for _, want := range []string{"pass@1 on each of 3 repositories under gpt-5-mini.", `<script>alert("x")</script>`, "#b97b00", "median 0.780", "bell \ufffd and \ufffd and"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %.3000s", want, text)
		}
	}
	for _, refused := range []string{"var(", "light-dark(", "<script", "url(", " style="} {
		if strings.Contains(file, refused) {
			t.Errorf("the file has %s", refused)
		}
	}
	if !strings.HasPrefix(file, `<svg xmlns="http://www.w3.org/2000/svg"`) {
		t.Errorf("it begins with %.100s", file)
	}
}

func TestARepositoryWithoutAScoreLeavesAGap(t *testing.T) {
	d := distributionChart("spreads", sampleSpreads[:3]...)
	d.Strands = d.Strands[1:2] // without the second of three scores
	page := rendered(t, d.marks())
	if lines := strings.Count(page, `class="strand-line"`); lines != 1 { // the legend's
		t.Errorf("%d lines", lines)
	}
	if dots := strings.Count(page, `class="strand-dot"`); dots != 1+2 {
		t.Errorf("%d dots", dots)
	}
	if strings.Contains(page, "NaN") {
		t.Error("a value that is none is drawn")
	}
}

func TestALongOrderIsCutInTheSentence(t *testing.T) {
	for _, c := range []struct {
		text StabilityText
		want string
	}{
		{StabilityText{Before: "The order is", Order: []string{"a", "b"}, More: 2}, "<bdi>a</bdi> &gt; <bdi>b</bdi> &gt; … and 2 configurations more. "},
		{StabilityText{Before: "The order is", Order: []string{"a", hostile}}, "&lt;script&gt;alert(&#34;x&#34;)&lt;/script&gt; &amp; &#34;quotes&#34;</bdi>. "},
		{StabilityText{Sentences: []string{"One.", "Two."}}, "One. Two. "},
	} {
		if got := strings.ReplaceAll(rendered(t, c.text.finding()), "  ", " "); !strings.Contains(got, c.want) {
			t.Errorf("%q is not in %q", c.want, got)
		}
	}
}
