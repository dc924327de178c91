package data_test

import (
	"testing"

	"touchstone/data"
	"touchstone/internal/doctocode/evaluator"
)

// A reply is bound to the docstring it was written for; two different ones for
// the same docstring and sample would be an error of the reader.
func TestTheRepliesToAllSamplesStandTogether(t *testing.T) {
	file, err := data.Replies()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	recorded, err := evaluator.ReadRecorded(file, "replies")
	if err != nil {
		t.Fatal(err)
	}
	if recorded.Samples() != 5 || recorded.Len() < 4*83*5-3*5*2 {
		t.Errorf("%d replies, %d samples a task", recorded.Len(), recorded.Samples())
	}
}
