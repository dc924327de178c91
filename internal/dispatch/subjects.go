package dispatch

import (
	"crypto/sha256"
	"encoding/base64"
	"strconv"
	"strings"
)

// Subjects. Names are hashed into tokens, because they may hold any character
// and be of any length. The group comes last so that the key before it is
// found without looking through all groups.
const (
	unitSubjects   = "touchstone.unit."   // kind.id.try.group
	resultSubjects = "touchstone.result." // kind.id.try.group
	noteSubjects   = "touchstone.note."   // kind.id.try.group.delivery: a unit that was handed back
	liveSubjects   = "touchstone.live."   // topic; not kept
	cancelSubject  = "touchstone.cancel"  // the group is the data; not kept
)

// A key is what the subjects of a unit and of all that belongs to it end in.
type key struct{ name, group string }

func keyOf(u Unit) key {
	return key{name: string(u.Kind) + "." + token(u.ID) + "." + strconv.Itoa(u.Try), group: token(u.Group)}
}

func (k key) unit() string   { return unitSubjects + k.name + "." + k.group }
func (k key) result() string { return resultSubjects + k.name + "." + k.group }
func (k key) notes() string  { return noteSubjects + k.name + "." + k.group + ".*" }
func (k key) note(delivery uint64) string {
	return strings.TrimSuffix(k.notes(), "*") + strconv.FormatUint(delivery, 10)
}

// out matches the unit and its result, of whatever group.
func (k key) out() string { return "touchstone.*." + k.name + ".*" }

// all matches the unit, its result and its notes.
func (k key) all() string { return "touchstone.*." + k.name + ".>" }

// queued and noted match all units and notes of a group.
func queued(kind Kind, group string) string {
	return unitSubjects + string(kind) + ".*.*." + token(group)
}

func noted(group string) string { return noteSubjects + "*.*.*." + token(group) + ".*" }

func token(name string) string {
	sum := sha256.Sum256([]byte(name))
	return base64.RawURLEncoding.EncodeToString(sum[:16])
}
