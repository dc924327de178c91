package statistics

// ConstantX is why there is no line through points.
const ConstantX = "all points have the same x"

// A Line is y = Slope·x + Intercept.
type Line struct {
	Slope     float64 `json:"slope"`     // 0 when the line is undefined
	Intercept float64 `json:"intercept"` // 0 when the line is undefined
	Undefined string  `json:"undefined,omitempty"`
}

// LeastSquares is the line from which the points' Y deviate least in the sum of
// squares. It is undefined for fewer than two points and where X is constant.
// Values that are not finite are errors.
func LeastSquares(points []Point) (Line, error) {
	by, err := clustered(points)
	if err != nil {
		return Line{}, err
	}
	if len(points) < 2 {
		return Line{Undefined: FewPoints}, nil
	}
	low, high := by.points[0].X, by.points[0].X
	var x, y float64
	for _, p := range by.points {
		low, high = min(low, p.X), max(high, p.X)
		x += p.X
		y += p.Y
	}
	if low == high {
		return Line{Undefined: ConstantX}, nil
	}
	x /= float64(len(points))
	y /= float64(len(points))
	var xx, xy float64
	for _, p := range by.points {
		xx += (p.X - x) * (p.X - x)
		xy += (p.X - x) * (p.Y - y)
	}
	return Line{Slope: xy / xx, Intercept: y - xy/xx*x}, nil
}
