package bm25

import "strings"

// stopWords are words of English prose that say nothing about which file is
// meant. Words that are also names in code (get, set, list, type …) stay.
var stopWords = func() map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(`
		a about above after again against all also although always am an and any are aren as at
		be because been before being below between both but by
		can cannot could couldn did didn do does doesn doing don down during
		each either etc even ever every few for from further
		had hadn has hasn have haven having he her here hers him his how however
		if in instead into is isn it its itself just
		let ll may me might more most must my
		neither no nor not now of off often on once one only onto or other others our out over own
		per please quite rather re really
		same shall she should shouldn since so some still such
		than that the their them then there these they this those though through thus to too
		under until up upon us very via was wasn we were weren what when where whether which while who whom whose why will with within without won would wouldn
		yet you your`) {
		words[word] = true
	}
	return words
}()
