package evaluator

import (
	"strings"

	"touchstone/internal/doctocode/pytoken"
)

// unthink removes the reasoning that some models put before their answer:
// from <think> to </think>, the first of which a chat template may have taken.
func (x *extraction) unthink(reply string) string {
	const open, shut = "<think>", "</think>"
	answer := strings.TrimLeft(reply, " \t\n")
	if strings.HasPrefix(answer, open) {
		for strings.HasPrefix(answer, open) {
			_, rest, closed := strings.Cut(answer, shut)
			if !closed {
				x.changed(UnfinishedThinking, "the reply ends inside <think>")
				return ""
			}
			reply, answer = rest, strings.TrimLeft(rest, " \t\n")
		}
		x.changed(RemovedThinking, "what stands in <think> was removed")
		return reply
	}
	at := strings.LastIndex(reply, shut)
	if at < 0 {
		return reply
	}
	line, next := lineAt(reply, strings.LastIndexByte(reply[:at], '\n')+1)
	closes := strings.HasSuffix(strings.TrimRight(line, " \t"), shut) && !strings.Contains(line, open)
	if !closes || isCode(reply, func(line string) bool { return strings.Contains(line, shut) }) {
		return reply
	}
	x.changed(RemovedThinking, "what stands before </think> was removed")
	return reply[next:]
}

// isCode reports whether a text reads as Python in which every line that
// looks like something else begins inside a string literal.
func isCode(text string, odd func(line string) bool) bool {
	for _, l := range pytoken.Lines(text) {
		if !l.InString && odd(text[l.Start:l.End]) {
			return false
		}
	}
	return pytoken.Balanced(text)
}

// unfence takes the last fenced block tagged python, else the last fenced
// block, else the whole reply.
func (x *extraction) unfence(reply string) string {
	blocks := fencedBlocks(reply, "`~")
	if len(blocks) > 0 && isCode(reply, func(line string) bool { _, ok := openFence(line, "`~"); return ok }) {
		return reply
	}
	if len(blocks) == 0 {
		// The fences as the paper prints them, see A2V1.
		blocks = fencedBlocks(reply, "'")
	}
	if len(blocks) == 0 {
		return reply
	}
	chosen, which := blocks[len(blocks)-1], "last"
	for _, b := range blocks {
		if b.python {
			chosen, which = b, "last python one"
		}
	}
	if len(blocks) == 1 {
		x.changed(TookBlock, "the code of the fenced block")
	} else {
		x.changed(TookBlock, "the code of the %s of %d fenced blocks", which, len(blocks))
	}
	if !chosen.closed {
		x.changed(UnclosedFence, "the block is not closed")
	}
	return chosen.text
}

// A fence opens a block.
type fence struct {
	mark   byte
	length int // how many marks
	indent int // white space before it
	tag    string
}

// isPython reports whether the block says that it holds Python.
func (f fence) isPython() bool { return f.tag == "python" || f.tag == "py" || f.tag == "python3" }

// openFence reads a line that opens a fenced block with one of the marks, as
// CommonMark has it, at any indentation.
func openFence(line, marks string) (fence, bool) {
	code := strings.TrimLeft(line, " \t")
	if code == "" || strings.IndexByte(marks, code[0]) < 0 {
		return fence{}, false
	}
	f := fence{mark: code[0], indent: len(line) - len(code)}
	info := strings.TrimLeft(code, code[:1])
	f.length = len(code) - len(info)
	if f.length < 3 || f.mark == '`' && strings.Contains(info, "`") {
		return fence{}, false
	}
	if words := strings.FieldsFunc(info, func(r rune) bool { return strings.ContainsRune(" \t{}.,:=", r) }); len(words) > 0 {
		f.tag = strings.ToLower(words[0])
	}
	if f.mark == '\'' && (f.length != 3 || !f.isPython() || strings.TrimSpace(strings.ToLower(info)) != f.tag) {
		return fence{}, false // three quotes open a block only where Python code is announced
	}
	return f, true
}

// closes reports whether a line closes the block.
func (f fence) closes(line string) bool {
	code := strings.Trim(line, " \t")
	return len(code) >= f.length && strings.Trim(code, string(f.mark)) == ""
}

type block struct {
	tag    string
	python bool
	text   string
	closed bool
}

// maxBrokenBlocks bounds the time spent on blocks with strings that never end.
const maxBrokenBlocks = 16

// fencedBlocks finds the fenced blocks of a reply. In a block that may hold
// Python, a fence inside a string literal does not close it.
func fencedBlocks(reply, marks string) []block {
	var blocks []block
	broken := 0
	for at := 0; at < len(reply); {
		line, next := lineAt(reply, at)
		f, ok := openFence(line, marks)
		if !ok {
			at = next
			continue
		}
		end, rest, closed := 0, 0, false
		found := false
		if f.isPython() || f.tag == "" {
			if broken < maxBrokenBlocks {
				if end, rest, closed, found = codeEnd(reply, next, f); !found {
					broken++
				}
			}
		}
		if !found {
			end, rest, closed = plainBlockEnd(reply, next, f)
		}
		blocks = append(blocks, block{tag: f.tag, python: f.isPython(),
			text: outdent(reply[next:end], f.indent), closed: closed})
		at = rest
	}
	return blocks
}

// codeEnd finds the end of a block of Python code and where the text goes on.
// A line that opens a tagged block ends one that was never closed.
func codeEnd(reply string, start int, f fence) (end, rest int, closed, found bool) {
	code := reply[start:]
	lexer := pytoken.NewLexer(code)
	for at := 0; at < len(code); {
		line, next := lineAt(code, at)
		if f.closes(line) {
			return start + at, start + next, true, true
		}
		if g, ok := openFence(line, string(f.mark)); ok && g.tag != "" && g.length >= f.length {
			return start + at, start + at, false, true
		}
		at = len(code)
		for t, ok := lexer.Next(); ok; t, ok = lexer.Next() {
			if t.Kind == pytoken.Newline || t.Kind == pytoken.Join {
				at = t.End
				break
			}
		}
	}
	return 0, 0, false, false
}

// plainBlockEnd takes the first line that can close the block.
func plainBlockEnd(reply string, start int, f fence) (end, rest int, closed bool) {
	for at := start; at < len(reply); {
		line, next := lineAt(reply, at)
		if f.closes(line) {
			return at, next, true
		}
		at = next
	}
	return len(reply), len(reply), false
}

// outdent removes up to n leading spaces or tabs from every line, as the
// content of an indented fence is indented with it.
func outdent(text string, n int) string {
	if n == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		code := strings.TrimLeft(line, " \t")
		b.WriteString(line[min(n, len(line)-len(code)):])
	}
	return b.String()
}

// lineAt is the line that begins at a place, and where the next begins.
func lineAt(text string, at int) (line string, next int) {
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		return text[at : at+i], at + i + 1
	}
	return text[at:], len(text)
}

// Fence writes code as a model replies with it: one block tagged python, its
// fence longer than any in the code.
func Fence(code string) string {
	longest, run := 2, 0
	for i := range len(code) {
		if code[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	marks := strings.Repeat("`", longest+1)
	return marks + "python\n" + code + "\n" + marks + "\n"
}
