package views

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// unseen are the characters of which a reader sees nothing, or that turn the
// text around them: controls, directions, fillers without width and tags.
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0000, Hi: 0x0008, Stride: 1}, {Lo: 0x000b, Hi: 0x001f, Stride: 1}, {Lo: 0x007f, Hi: 0x009f, Stride: 1},
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1}, {Lo: 0x061c, Hi: 0x061c, Stride: 1}, {Lo: 0x180e, Hi: 0x180e, Stride: 1},
		{Lo: 0x200b, Hi: 0x200b, Stride: 1}, {Lo: 0x200e, Hi: 0x200f, Stride: 1}, {Lo: 0x2028, Hi: 0x202e, Stride: 1},
		{Lo: 0x2060, Hi: 0x206f, Stride: 1}, {Lo: 0xfeff, Hi: 0xfeff, Stride: 1}, {Lo: 0xfff9, Hi: 0xfffb, Stride: 1},
	},
	R32:         []unicode.Range32{{Lo: 0xe0000, Hi: 0xe007f, Stride: 1}},
	LatinOffset: 4,
}

// Visible writes characters that would not be seen, or would turn the text
// around them, as what they are: ‹U+202E›. Line ends and tabs stay; what is no
// UTF-8 becomes the replacement character.
func Visible(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	if utf8.ValidString(text) && strings.IndexFunc(text, isUnseen) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if isUnseen(r) {
			fmt.Fprintf(&b, "‹U+%04X›", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func isUnseen(r rune) bool { return unicode.Is(unseen, r) }
