package benchmark

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Slug is the part of an address that names a system.
func Slug(name, model string) string {
	var b strings.Builder
	dash := false
	for _, r := range strings.ToLower(name + " " + model) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' && b.Len() > 0 {
			if dash && b.Len() > 0 {
				b.WriteByte('-')
			}
			b.WriteRune(r)
			dash = false
		} else {
			dash = true
		}
	}
	slug := b.String()
	sum := sha256.Sum256([]byte(name + "\x00" + model))
	if len(slug) > 80 {
		slug = slug[:80]
	}
	// Names that differ only in what a slug leaves out are different systems.
	return strings.Trim(slug+"-"+hex.EncodeToString(sum[:3]), "-")
}
