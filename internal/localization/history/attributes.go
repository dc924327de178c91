package history

import (
	_ "embed"
	"os"
)

// attributes make git head each hunk with the function around it, in languages
// that it knows. Without them it takes the nearest line at the margin, which
// for a method is its class.
//
//go:embed attributes.txt
var attributes string

// withAttributes lends a file with the attributes to a call of git.
func withAttributes(use func(setting string) error) error {
	file, err := os.CreateTemp("", "touchstone-attributes-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(attributes)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	return use("core.attributesFile=" + file.Name())
}
