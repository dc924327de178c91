package views

import (
	"strconv"
	"strings"
	"testing"
)

func TestAScatterAsAFileIsWholeByItself(t *testing.T) {
	s := scatterChart("scatter", 9, &[2][2]float64{{0, 0.2}, {1, 0.7}})
	s.Points = append(s.Points, ScatterPoint{X: 0.5, Y: 0.5, Words: "bell \x07", Address: "/submissions/x"})
	file := rendered(t, s.File())
	text := wellFormed(t, file)
	for _, want := range []string{"r = +0.41 [0.30, 0.52]", `<script>alert("x")</script>`, "and 1 other; colours repeat after eight", "bell \ufffd", "99.9 % of all points"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in %.3000s", want, text)
		}
	}
	for _, refused := range []string{"var(", "<script", "href", " style="} {
		if strings.Contains(file, refused) {
			t.Errorf("the file has %s", refused)
		}
	}
	if s.Points[0].Address == "" {
		t.Error("drawing the file took the chart's links away")
	}
}

func TestEveryPointIsReachedAndSaysWhatItIs(t *testing.T) {
	s := scatterChart("scatter", 9, nil)
	page := rendered(t, s.View())
	for mark, want := range map[string]int{`class="point series-`: 9, `data-tip="`: 9 + 3 + 2, `href="/submissions/s/tasks/psf/requests:a.py::f"`: 8, `tabindex="0" aria-label`: 1, `class="fit"`: 0} {
		if got := strings.Count(page, mark); got != want {
			t.Errorf("%s: %d, want %d", mark, got, want)
		}
	}
	if !strings.Contains(page, ">Skip 9 points<") {
		t.Error("from the keyboard there is no way past the points")
	}
}

func TestBarsAlongTheEdgesStayInTheirPlace(t *testing.T) {
	s := scatterChart("scatter", 3, nil)
	number := func(text string) float64 {
		v, err := strconv.ParseFloat(strings.TrimSuffix(text, "%"), 64)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	columns, rows := s.columns(), s.rows()
	if len(columns) != 3 || len(rows) != 2 {
		t.Fatalf("%d columns, %d rows: what nobody has is not drawn", len(columns), len(rows))
	}
	for _, b := range columns {
		if x, y := number(b.x), number(b.y); x < scatterLeft || x+number(b.width) > scatterRight || y < float64(s.edgeTop()) || y+number(b.height) > float64(s.top()) {
			t.Errorf("%+v", b)
		}
	}
	for _, b := range rows {
		if x, y := number(b.x), number(b.y); x < edgeLeft || x+number(b.width) > edgeRight || y < float64(s.top())-0.1 || y+number(b.height) > float64(s.foot()) {
			t.Errorf("%+v", b)
		}
	}
	if got := (Scatter{}).columns(); got != nil {
		t.Errorf("%v", got)
	}
}
