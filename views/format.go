package views

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// minus is the sign of the same width as a digit and a plus.
const minus = "−"

// Decimal writes v with a fixed number of decimals, with a true minus sign and
// never as minus zero.
func Decimal(v float64, decimals int) string {
	s := strconv.FormatFloat(v, 'f', decimals, 64)
	if digits, negative := strings.CutPrefix(s, "-"); negative {
		if strings.Trim(digits, "0.") == "" {
			return digits
		}
		return minus + digits
	}
	return s
}

// Signed writes v as Decimal does, with a plus sign when it is above zero.
func Signed(v float64, decimals int) string {
	s := Decimal(v, decimals)
	if strings.HasPrefix(s, minus) || strings.Trim(s, "0.") == "" {
		return s
	}
	return "+" + s
}

// Count writes a whole number with commas between thousands: 12,345.
func Count(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = minus, s[1:]
	}
	var b strings.Builder
	for i, digit := range s {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(digit)
	}
	return sign + b.String()
}

// Counted writes a number with its noun: "1 task", "12 tasks".
func Counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Count(n) + " " + many
}

// known reports whether v is a number that can be drawn.
func known(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// long reports whether a name may be cut off where it is shown, so that its
// whole is given as a title, too.
func long(name string) bool { return utf8.RuneCountInString(name) > 32 }

// clamp keeps v between low and high.
func clamp(v, low, high float64) float64 { return math.Min(math.Max(v, low), high) }

// coordinate writes a length of a drawing to a tenth of a pixel.
func coordinate(v float64) string {
	return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
}
