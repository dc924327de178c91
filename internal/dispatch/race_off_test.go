//go:build !race

package dispatch

// raced is whether the race detector watches, under which 64 MB take half a
// minute.
const raced = false
