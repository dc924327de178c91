package measure

import "touchstone/internal/measure/pystr"

// Words is the length of a text in words: what white space separates.
func Words(text string) int { return len(pystr.Fields(text)) }
