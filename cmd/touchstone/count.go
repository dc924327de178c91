package main

import (
	"fmt"
	"strconv"

	"github.com/alecthomas/kong"
)

// A count is the value of a flag that asks for so many: a whole number from 1
// on. 0 stands for a flag that is not given.
type count int

// Decode implements kong.MapperValue. It takes the next word whatever it looks
// like: -1 is a wrong number, not a flag.
func (c *count) Decode(ctx *kong.DecodeContext) error {
	token := ctx.Scan.Pop()
	if token.IsEOL() {
		return fmt.Errorf("no number is given; write a whole number from 1 on")
	}
	text := fmt.Sprint(token.Value)
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("%q is not a number; write a whole number from 1 on", text)
	}
	if n < 1 {
		return fmt.Errorf("%d is less than 1; write a whole number from 1 on, or leave the flag out for its default", n)
	}
	*c = count(n)
	return nil
}
