package views

import (
	"context"
	"io"
	"strconv"

	"github.com/a-h/templ"
)

// A panel is one of several small drawings that share their scales: a page sets
// as many side by side as it has room for, a file two.
type panel struct {
	title    string
	sentence string // all that it shows, for its tooltip and for those who do not see it
	marks    templ.Component
}

// Distances of panels in a file, in pixels.
const (
	panelColumns = 2
	panelGap     = 24
	panelTitle   = 22
)

// panelsFile is a chart of panels as a file.
func (c Chart) panelsFile(panels []panel, height int) templ.Component {
	rows := (len(panels) + panelColumns - 1) / panelColumns
	whole := rows*(panelTitle+height) + max(0, rows-1)*panelGap
	return c.file(templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		const width = (fileWidth - 2*fileMargin - (panelColumns-1)*panelGap) / panelColumns
		for i, p := range panels {
			at := placed{x: i % panelColumns * (width + panelGap), y: i / panelColumns * (panelTitle + height + panelGap), width: width, height: height}
			if err := p.inFile(at).Render(ctx, w); err != nil {
				return err
			}
		}
		return nil
	}), whole)
}

// placed is where a panel lies in a file.
type placed struct{ x, y, width, height int }

func (p placed) textAt() string  { return strconv.Itoa(p.y + 14) }
func (p placed) marksAt() string { return strconv.Itoa(p.y + panelTitle) }
