package static

import (
	"strings"
	"testing"
)

func TestADownloadedChartHasTheLightColours(t *testing.T) {
	for _, want := range []string{".series-2 { color: #b97b00; }", ".drawing-ground { fill: #fefdfa; }", "system-ui, sans-serif"} {
		if !strings.Contains(Drawing, want) {
			t.Errorf("%q is not in %s", want, Drawing)
		}
	}
	for _, refused := range []string{"var(", "light-dark", "<", "&"} {
		if strings.Contains(Drawing, refused) {
			t.Errorf("the sheet has %s", refused)
		}
	}
}
