package views

import (
	"strconv"
	"strings"
	"testing"
)

func TestChartsOfPanelsAreWholeFiles(t *testing.T) {
	hard := trajectories()
	hard.Title = longName + hostile
	for name, file := range map[string]string{"trajectories": rendered(t, hard.File()), "histograms": rendered(t, histograms().File()), "forest": rendered(t, forest().File())} {
		text := wellFormed(t, file)
		if !strings.Contains(text, `<script>alert("x")</script>`) || !strings.Contains(text, "Means over 395 tasks") {
			t.Errorf("%s: %.2000s", name, text)
		}
		for _, refused := range []string{"var(", "light-dark(", "<script", "url(", " style=", "NaN", "Inf"} {
			if strings.Contains(file, refused) {
				t.Errorf("%s has %s", name, refused)
			}
		}
	}
}

func TestAHistogramKeepsItsEndsApart(t *testing.T) {
	for _, c := range []struct {
		value float64
		want  int
	}{{0, 0}, {1e-9, 1}, {0.2, 1}, {0.2000001, 2}, {0.1 + 0.3, 2}, {2.0 / 3, 4}, {0.8, 4}, {0.99, 5}, {1, 6}, {0.1 + 0.2 + 0.7, 6}} {
		if got := HistogramBin(c.value); got != c.want {
			t.Errorf("%v is in %d, want %d", c.value, got, c.want)
		}
	}
}

func TestASmallShareIsNotNone(t *testing.T) {
	for share, want := range map[float64]string{0: "0", 0.001: "<1", 0.005: "1", 0.5: "50", 0.999: ">99", 1: "100"} {
		if got := percent(share); got != want {
			t.Errorf("%v: %s, want %s", share, got, want)
		}
	}
}

// Names at the ends of lines stand apart and within the panel, wherever the
// lines end.
func TestEndsOfLinesAreNamedApart(t *testing.T) {
	for _, row := range trajectories().Rows {
		ends := trajectories().ends(row)
		for i, end := range ends {
			y := trajectoryNumber(t, end.y)
			if y < trajectoryTop-trajectoryLabel || y > trajectoryBottom {
				t.Errorf("%s: %s stands at %v", row.Name, end.text, y)
			}
			if i > 0 && y-trajectoryNumber(t, ends[i-1].y) < trajectoryLabel-0.01 {
				t.Errorf("%s: %s and %s stand at %v and %v", row.Name, ends[i-1].text, end.text, ends[i-1].y, y)
			}
		}
	}
	if ends := trajectories().ends(trajectories().Rows[3]); len(ends) != 1 || ends[0].at != trajectories().level(2) {
		t.Errorf("a line of one point: %+v", ends)
	}
}

func TestAForestIsSymmetricAboutNoDifference(t *testing.T) {
	scale := forest().scale()
	if scale.at(0) != "50%" || scale.Low != -0.6 || scale.High != 0.6 {
		t.Errorf("%+v", scale)
	}
	if scale := (Forest{}).scale(); scale.High != 0.05 {
		t.Errorf("an empty one reaches %v", scale.High)
	}
}

func trajectoryNumber(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
