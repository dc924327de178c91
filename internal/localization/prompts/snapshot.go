package prompts

import (
	"bytes"
	"strings"
)

// OrdinaryFiles: a word that occurs in more files of the snapshot than these
// is ordinary there and gives no single file away.
const OrdinaryFiles = 5

// maxIndexed is the size of a file, in bytes, beyond which its words are not
// counted: it is data or was generated.
const maxIndexed = 2 << 20

// A Snapshot knows the words of the files at T0: in how many files each
// occurs, and every name as it is written. It keeps 16 bytes or so for each
// distinct word and none of the text: a hash stands for the word, and counting
// ends where a word is ordinary.
type Snapshot struct {
	words map[uint64]occurrence
	files uint32
}

type occurrence struct {
	last  uint32 // file that was counted last
	files uint32 // up to OrdinaryFiles+1
}

// NewSnapshot is a snapshot without files.
func NewSnapshot() *Snapshot { return &Snapshot{words: map[uint64]occurrence{}} }

// Add counts the words of a file; binary files have none. Not for concurrent
// use, unlike everything else once all files are added.
func (s *Snapshot) Add(content []byte) {
	s.files++
	if len(content) > maxIndexed || bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 {
		return
	}
	eachWord(string(content), func(w word) {
		if len(w.text) > 128 || !s.count(exact(w.text)) {
			return // this file has it already
		}
		squashed := squash(w.text)
		s.count(plain(squashed))
		for _, p := range parts(w.text) {
			if p.text != squashed {
				s.count(plain(p.text))
			}
		}
	})
}

// count reports whether the word is new in the current file.
func (s *Snapshot) count(key uint64) bool {
	o := s.words[key]
	if o.files > 0 && o.last == s.files {
		return false
	}
	s.words[key] = occurrence{s.files, min(o.files+1, OrdinaryFiles+1)}
	return true
}

// Files is how many files a word occurs in, by itself or as a part of a name,
// however it is written; counting ends at OrdinaryFiles + 1.
func (s *Snapshot) Files(word string) int { return int(s.words[plain(squash(word))].files) }

// Ordinary says whether a word occurs in more than OrdinaryFiles files.
func (s *Snapshot) Ordinary(word string) bool { return s.Files(word) > OrdinaryFiles }

// Knows says whether a name occurs exactly as it is written.
func (s *Snapshot) Knows(name string) bool { return s.words[exact(name)].files > 0 }

// exact and plain are the keys of a name as it is written and of a squashed
// word: FNV-1a over different starts, the same in every process.
func exact(name string) uint64 { return fnv(14695981039346656037, name) }
func plain(word string) uint64 { return fnv(7809847782465536322, word) }

func fnv(hash uint64, text string) uint64 {
	for i := range len(text) {
		hash = (hash ^ uint64(text[i])) * 1099511628211
	}
	return hash
}

// nondescript are folders whose names say how a project is arranged, not what
// it does.
var nondescript = func() map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(`src source sources lib libs pkg pkgs packages package internal include includes
		main java kotlin scala python go js ts cpp c resources app apps cmd bin core-src projects modules module crates crate
		test tests testing __tests__ __test__ spec specs testdata fixtures fixture snapshots __snapshots__ e2e unit dts-test
		org com io net github gitlab impl util utils common misc shared helpers helper vendor third_party dist build out`) {
		m[name] = true
	}
	return m
}()

// component says in words what part of the project a path belongs to: its
// nearest folders whose words are ordinary ones of the snapshot, at most two,
// the nearer first. It is nil for a file that no such folder holds.
func (s *Snapshot) component(path string) []string {
	folders := strings.Split(path, "/")
	var names []string
	for i := len(folders) - 2; i >= 0 && len(names) < 2; i-- {
		folder := strings.TrimLeft(folders[i], ".@")
		if folder == "" || nondescript[strings.ToLower(folder)] {
			continue
		}
		var words []string
		for _, p := range parts(folder) {
			if len(p.text) < 2 || !s.Ordinary(p.text) {
				words = nil
				break
			}
			words = append(words, p.text)
		}
		if words == nil {
			continue
		}
		name := strings.Join(words, " ")
		if len(names) == 0 || names[0] != name {
			names = append(names, name)
		}
	}
	return names
}
