package views

import (
	"math"
	"strconv"
)

// heatSteps is the number of steps between the ends of a ramp; the classes are
// heat-0 to heat-20 and diverge-0 to diverge-20.
const heatSteps = 20

// HeatCell holds a value from 0 to 1 on a ground whose lightness rises with it.
// The number is always printed. Values outside are drawn as the nearer end.
func HeatCell(v float64) Cell { return HeatLinkCell(v, 3, "") }

// HeatLinkCell is HeatCell with as many decimals as the value's source gives,
// and a link to what is behind it. The address may be "".
func HeatLinkCell(v float64, decimals int, address string) Cell {
	if !known(v) {
		return UnknownCell("the value is not a number")
	}
	content := figures(Decimal(v, decimals))
	if address != "" {
		content = linkView(Link{Text: Decimal(v, decimals), Address: address})
	}
	return Cell{content: content, class: "heat heat-" + heatStep(v)}
}

// DivergingCell holds a value from −extent to extent on blue below zero and
// orange above: a correlation (extent 1), a difference. An extent that is not
// above zero is taken as 1.
func DivergingCell(v, extent float64, decimals int) Cell {
	if !known(v) {
		return UnknownCell("the value is not a number")
	}
	if !known(extent) || extent <= 0 {
		extent = 1
	}
	return Cell{content: figures(Signed(v, decimals)), class: "heat diverge-" + heatStep((v/extent+1)/2)}
}

func heatStep(share float64) string {
	return strconv.Itoa(int(math.Round(clamp(share, 0, 1) * heatSteps)))
}

// swatch is the class of a step of a ramp in a drawing, where the ground is a
// fill.
func swatch(ramp string, step int) string { return ramp + strconv.Itoa(step) }
