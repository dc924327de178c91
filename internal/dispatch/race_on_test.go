//go:build race

package dispatch

const raced = true
