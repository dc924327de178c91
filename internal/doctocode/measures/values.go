package measures

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A value of a measure is a finite number, or one of these two: they are NaN,
// differ from math.NaN and from each other in their bits only, and are told
// apart by StateOf.
var (
	// Undefined: what the measure needs is not there, such as a docstring.
	Undefined = math.Float64frombits(0x7ff8000000000010)
	// NotComputed: nobody has computed it, or computing it failed.
	NotComputed = math.Float64frombits(0x7ff8000000000020)
)

// A State says whether a value is there, and why not.
type State string

const (
	IsDefined     State = "defined"
	IsUndefined   State = "undefined"
	IsNotComputed State = "not computed"
)

// StateOf tells the three apart. Any other NaN or infinity is not computed.
func StateOf(v float64) State {
	switch {
	case !math.IsNaN(v) && !math.IsInf(v, 0):
		return IsDefined
	case math.Float64bits(v) == math.Float64bits(Undefined):
		return IsUndefined
	}
	return IsNotComputed
}

// Pack writes the values of a column as the store keeps them: eight bytes each,
// little-endian.
func Pack(values []float64) []byte {
	data := make([]byte, 0, 8*len(values))
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
	}
	return data
}

// Unpack reads what Pack wrote.
func Unpack(data []byte) ([]float64, error) {
	if len(data)%8 != 0 {
		return nil, fmt.Errorf("%d bytes are no column of values", len(data))
	}
	values := make([]float64, len(data)/8)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	return values, nil
}

// A Summary is a measure over tasks.
type Summary struct {
	Mean        float64 // over the tasks on which it is defined, weighted where the measure is pooled; NaN without any
	Defined     int
	Undefined   int
	NotComputed int
}

// Summarize sums a column up. pool weighs the values of a measure that is
// pooled, and is nil otherwise.
func Summarize(values, pool []float64) Summary {
	s := Summary{Mean: math.NaN()}
	var sum, weight float64
	for i, v := range values {
		switch StateOf(v) {
		case IsUndefined:
			s.Undefined++
		case IsNotComputed:
			s.NotComputed++
		default:
			s.Defined++
			w := 1.0
			if pool != nil {
				if w = 0; i < len(pool) && StateOf(pool[i]) == IsDefined {
					w = pool[i]
				}
			}
			sum, weight = sum+w*v, weight+w
		}
	}
	switch {
	case weight > 0:
		s.Mean = sum / weight
	case s.Defined > 0:
		s.Mean = 0 // pooled, and nothing was counted
	}
	return s
}
