package intake

import (
	"bytes"
	stdgzip "compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
)

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	io.WriteString(w, text)
	w.Close()
	return b.String()
}

func zstandard(text string) string {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	defer w.Close()
	return string(w.EncodeAll([]byte(text), nil))
}

func TestTheSampleSubmissionsAreAccepted(t *testing.T) {
	for _, c := range []struct {
		name                     string
		documented, placeholders int
	}{{"detailed", 83, 0}, {"summary", 83, 0}, {"vague", 80, 1}} {
		text := submission(t, c.name)
		for _, packing := range []struct {
			packing Packing
			bytes   string
		}{{Plain, text}, {Gzip, gzipped(text)}, {Zstd, zstandard(text)}} {
			r, docs := preflight(t, packing.bytes)
			if r.Documented != c.documented || r.Tasks != 83 || docs.Len() != r.Documented+r.Context+r.Unused {
				t.Errorf("%s: %d of %d tasks, %d docstrings", c.name, r.Documented, r.Tasks, docs.Len())
			}
			if r.Rejected.Count+r.Unmatched.Count+r.Superseded.Count+r.Blank.Count+len(r.Repeated)+r.Long.Count > 0 || r.Placeholders.Count != c.placeholders {
				t.Errorf("%s: something is amiss: %+v", c.name, r)
			}
			if r.Packing != packing.packing || r.Format != DocsJSONL || r.Bytes != int64(len(packing.bytes)) || r.Unpacked != int64(len(text)) || r.Release != "starter@1" {
				t.Errorf("%s: %s %s, %d bytes of %d, %d unpacked of %d", c.name, r.Packing, r.Format, r.Bytes, len(packing.bytes), r.Unpacked, len(text))
			}
		}
	}
}

func TestADocstringIsMatchedByItsTaskID(t *testing.T) {
	const second = "touchstone/gridtext:src/gridtext/table.py::Table.header#1"
	for _, c := range []struct {
		rule, text string
		id         string
		want       string
	}{
		{"by three fields", hull, hullID, "The smallest interval around others."},
		{"by task_id", `{"task_id":"` + hullID + `","docstring":"x"}`, hullID, "x"},
		{"the second of a name by its number", `{"task_id":"` + second + `","docstring":"x"}`, second, "x"},
		{"the second of a name by ordinal", `{"repo":"touchstone/gridtext","path":"src/gridtext/table.py","qualname":"Table.header","ordinal":1,"docstring":"x"}`, second, "x"},
		{"behind a byte order mark", "\ufeff" + hull, hullID, "The smallest interval around others."},
		{"with carriage returns", strings.ReplaceAll(hull, "\n", "\r\n"), hullID, "The smallest interval around others."},
		{"keys in another case", strings.Replace(hull, "docstring", "Docstring", 1), hullID, "The smallest interval around others."},
		{"unknown fields are passed over, keys inside them too", `{"agent":{"docstring":1,"a":2,"a":3},` + hull[1:], hullID, "The smallest interval around others."},
		{"markup stays as it is", line("src/spans/interval.py", "Interval.hull", "<script>alert(1)</script> \\ud83d\\ude00"), hullID, "<script>alert(1)</script> 😀"},
		{"the replacement character when it is meant", line("src/spans/interval.py", "Interval.hull", "\\uFFFD and \ufffd"), hullID, "\ufffd and \ufffd"},
	} {
		r, docs := preflight(t, c.text)
		id, err := benchmark.ParseTaskID(c.id)
		if err != nil {
			t.Fatal(err)
		}
		if got, _ := docs.Get(id); got != c.want || r.Documented != 1 || slices.Contains(r.Missing, c.id) || docs.Len() != 1 {
			t.Errorf("%s: %q; %+v", c.rule, got, r.Rejected)
		}
	}
}

func TestEveryLineThatCannotBeReadIsNamed(t *testing.T) {
	overlong := line("src/spans/interval.py", "Interval.cuts", strings.Repeat("x", 1<<20))
	for _, c := range []struct{ rule, line, field, problem, mend string }{
		{"no JSON", `{"repo":`, "", "the line is not valid JSON: unexpected end of JSON input", "write one JSON object a line"},
		{"no object", `["a"]`, "", "the line is not a JSON object", "write one JSON object a line"},
		{"two objects", `{} {}`, "", "the line is not valid JSON: invalid character '{' after top-level value", "write one JSON object a line"},
		{"no path", `{"repo":"o/n","qualname":"f","docstring":"x"}`, "path", "is missing", "give repo, path and qualname, or task_id"},
		{"no docstring", `{"task_id":"o/n:p.py::f"}`, "docstring", "is missing", "give the docstring's text"},
		{"a number", `{"task_id":"o/n:p.py::f","docstring":3}`, "docstring", "is a JSON number", "write a string"},
		{"no repository name", `{"repo":"<b>","path":"p.py","qualname":"f","docstring":"x"}`, "repo", `"<b>" is not a repository name`, "write it as owner/name"},
		{"a path out of the repository", `{"repo":"o/n","path":"/etc/passwd","qualname":"f","docstring":"x"}`, "path",
			`"/etc/passwd" is not a path in the repository`, "write it from the repository's root with forward slashes"},
		{"a key twice", `{"docstring":"x",` + strings.TrimSpace(hull[1:]), "docstring", "is given twice", "give it once"},
		{"a key twice in different case", `{"DocString":"x",` + strings.TrimSpace(hull[1:]), "docstring", "is given twice", "give it once"},
		{"a key twice, written differently", `{"docstr\u0069ng":"x",` + strings.TrimSpace(hull[1:]), "docstring", "is given twice", "give it once"},
		{"an unknown key twice", `{"model":"x","model":"y",` + strings.TrimSpace(hull[1:]), "model", "is given twice", "give it once"},
		{"no UTF-8", strings.Replace(strings.TrimSpace(hull), "smallest", "\xe4", 1), "", "the line is not valid UTF-8", "save the file as UTF-8"},
		{"a NUL byte", strings.Replace(strings.TrimSpace(hull), "smallest", "\x00", 1), "",
			"the line is not valid JSON: invalid character '\\x00' in string literal", "write one JSON object a line"},
		{"a NUL in the docstring", strings.Replace(strings.TrimSpace(hull), "smallest", `\u0000`, 1), "docstring", "holds a NUL character", "leave it out; Python allows none in a file"},
		{"a NUL in the name", strings.Replace(strings.TrimSpace(hull), "hull", `\u0000`, 1), "task_id", "holds a NUL character", "write the name as it is in the file"},
		{"half of a surrogate pair", strings.Replace(strings.TrimSpace(hull), "smallest", `\ud83d`, 1), "docstring",
			"holds half of a surrogate pair, which is no character", "write both halves, or the character itself"},
		{"a line that is too long", strings.TrimSpace(overlong), "", "the line is longer than 1 MiB", "write one JSON object a line"},
	} {
		r, _ := preflight(t, hull+"\n"+c.line+"\n"+line("src/spans/interval.py", "Interval.cuts", "x"))
		want := jsonlines.Rejection{Line: 3, Field: c.field, Problem: c.problem, Mend: c.mend}
		if r.Rejected.Count != 1 || r.Rejected.First[0] != want {
			t.Errorf("%s:\n got %+v\nwant %+v", c.rule, r.Rejected, want)
		}
		if r.Lines != 3 || r.Rows != 2 || r.Documented != 2 {
			t.Errorf("%s: %d lines, %d rows, %d tasks documented", c.rule, r.Lines, r.Rows, r.Documented)
		}
	}
}

func TestAFileThatIsCutOffSaysSo(t *testing.T) {
	r, _ := preflight(t, hull+hull[:40])
	want := jsonlines.Rejection{Line: 2, Problem: "the line is not valid JSON: unexpected end of JSON input", Mend: "the file seems to be cut off here: upload it whole"}
	if r.Rejected.Count != 1 || r.Rejected.First[0] != want {
		t.Errorf("%+v", r.Rejected)
	}
}

func TestAReportStaysShort(t *testing.T) {
	var b strings.Builder
	for i := range 3 * jsonlines.Kept {
		fmt.Fprintf(&b, `{"repo":"%s"}`+"\n", strings.Repeat("long", 300))
		b.WriteString(line("src/spans/interval.py", fmt.Sprintf("Interval.%s%d", strings.Repeat("é", 500), i), "x"))
		b.WriteString(hull)
	}
	r, docs := preflight(t, b.String())
	if r.Rejected.Count != 3*jsonlines.Kept || r.Unmatched.Count != 3*jsonlines.Kept || r.Superseded.Count != 3*jsonlines.Kept-1 || docs.Len() != 1 {
		t.Errorf("%d rejected, %d unmatched, %d superseded, %d kept", r.Rejected.Count, r.Unmatched.Count, r.Superseded.Count, docs.Len())
	}
	if len(r.Rejected.First) != jsonlines.Kept || len(r.Unmatched.First) != jsonlines.Kept || len(r.Superseded.First) != jsonlines.Kept {
		t.Errorf("%d, %d and %d entries", len(r.Rejected.First), len(r.Unmatched.First), len(r.Superseded.First))
	}
	if last := r.Rejected.First[jsonlines.Kept-1]; last.Line != 3*jsonlines.Kept-2 || last.Field != "path" {
		t.Errorf("%+v", last)
	}
	if id := r.Unmatched.First[0].ID; len([]rune(id)) != 400+1 || !strings.HasSuffix(id, "é…") {
		t.Errorf("%d characters: %s", len([]rune(id)), id)
	}
	for i, d := range r.Superseded.First {
		if d.Line != 3*i+3 || d.Counts != 9*jsonlines.Kept || d.ID != hullID {
			t.Fatalf("%d: %+v", i, d)
		}
	}
}

func TestAnUnknownNameIsOfferedTheNearest(t *testing.T) {
	for _, c := range []struct {
		rule, line, problem string
		nearest             []string
	}{
		{"a slip of the pen", line("src/spans/interval.py", "Interval.hul", "x"), UnknownDefinition,
			[]string{"src/spans/interval.py::Interval.hull", "src/spans/interval.py::Interval.cuts", "src/spans/interval.py::Interval"}},
		{"another case", line("SRC/Spans/interval.py", "interval.HULL", "x"), UnknownDefinition,
			[]string{"src/spans/interval.py::Interval.hull", "src/spans/interval.py::Interval.cuts", "src/spans/interval.py::Interval.split"}},
		{"a folder forgotten", line("spans/notation.py", "parse_interval", "x"), UnknownDefinition,
			[]string{"src/spans/notation.py::parse_interval", "src/spans/notation.py::format_interval"}},
		{"a number too high", strings.Replace(hull, `"docstring"`, `"ordinal":1,"docstring"`, 1), UnknownDefinition,
			[]string{"src/spans/interval.py::Interval.hull", "src/spans/interval.py::Interval.cuts", "src/spans/interval.py::Interval.flags"}},
		{"nothing like it", line("a", "b", "x"), UnknownDefinition, []string{}},
		{"another owner", strings.Replace(hull, "touchstone/spans", "whetstone/spans", 1), UnknownRepository,
			[]string{"touchstone/spans"}},
		{"another repository", strings.Replace(hull, "touchstone/spans", "psf/requests", 1), UnknownRepository, []string{}},
	} {
		r, _ := preflight(t, c.line)
		if r.Unmatched.Count != 1 || r.Unmatched.First[0].Problem != c.problem || !slices.Equal(r.Unmatched.First[0].Nearest, c.nearest) {
			t.Errorf("%s: %+v", c.rule, r.Unmatched)
		}
	}
}

func TestOfTwoRowsTheLaterCounts(t *testing.T) {
	for _, c := range []struct {
		rule, text string
		documented int
		blank      int
		superseded []Duplicate
	}{
		{"the last of three", hull + hull + line("src/spans/interval.py", "Interval.hull", "Last."), 1, 0,
			[]Duplicate{{Row{1, hullID}, 3}, {Row{2, hullID}, 3}}},
		{"also when it is blank", hull + line("src/spans/interval.py", "Interval.hull", " \\n "), 0, 1, []Duplicate{{Row{1, hullID}, 2}}},
		{"also when the first is blank", line("src/spans/interval.py", "Interval.hull", "") + hull, 1, 0, []Duplicate{{Row{1, hullID}, 2}}},
		{"a row that cannot be read replaces nothing", hull + strings.Replace(hull, `"docstring"`, `"path":"x","docstring"`, 1), 1, 0, nil},
	} {
		r, docs := preflight(t, c.text)
		if !slices.Equal(r.Superseded.First, c.superseded) || r.Documented != c.documented || r.Blank.Count != c.blank || docs.Len() != c.documented {
			t.Errorf("%s: %+v, %d documented, %d blank", c.rule, r.Superseded, r.Documented, r.Blank.Count)
		}
		if slices.Contains(r.Missing, hullID) != (c.documented == 0) {
			t.Errorf("%s: missing %v", c.rule, r.Missing)
		}
	}
}

// TestDocstringsOfOthersAreContext: a class and a nested function stand in the
// prompts of their file's tasks; a test file has no task.
func TestDocstringsOfOthersAreContext(t *testing.T) {
	r, docs := preflight(t, line("src/spans/interval.py", "Interval", "x")+line("tests/test_interval.py", "TestFlags", "x"))
	if r.Context != 1 || r.Unused != 1 || r.Documented != 0 || docs.Len() != 2 {
		t.Errorf("%d context, %d unused, %d documented", r.Context, r.Unused, r.Documented)
	}
	for _, c := range r.Repositories {
		want := 0
		if c.Repository == "touchstone/spans" {
			want = 1
		}
		if c.Context != want {
			t.Errorf("%+v", c)
		}
	}
}

func TestATextForManyTasksIsReported(t *testing.T) {
	known, err := namesOf(starter)
	if err != nil {
		t.Fatal(err)
	}
	same := func(n int, text string) string {
		var b strings.Builder
		for _, d := range known.definitions {
			if d.task && n > 0 {
				fmt.Fprintf(&b, `{"task_id":"%s","docstring":"%s"}`+"\n", d.id, text)
				n--
			}
		}
		return b.String()
	}
	if r, _ := preflight(t, same(RepeatedFrom, "Does what it does.")); len(r.Repeated) != 0 {
		t.Errorf("%d tasks: %+v", RepeatedFrom, r.Repeated)
	}
	if r, _ := preflight(t, same(RepeatedFrom+1, "Does what it does.")); len(r.Repeated) != 1 || !slices.Contains(r.Repeated[0].Tasks, hullID) {
		t.Errorf("%d tasks: %+v", RepeatedFrom+1, r.Repeated)
	}
	if r, _ := preflight(t, same(RepeatedFrom+1, "Does what it does.")+hull); len(r.Repeated) != 0 {
		t.Errorf("a row that was replaced counts: %+v", r.Repeated)
	}
	r, _ := preflight(t, same(83, "Does\\n what it does. ")+same(30, "Does what it does."))
	if len(r.Repeated) != 1 || r.Repeated[0].Count != 83 || len(r.Repeated[0].Tasks) != 83 || r.Repeated[0].Text != "Does what it does." {
		t.Errorf("white space matters: %+v", r.Repeated)
	}
	r, _ = preflight(t, same(83, "Second.")+same(40, "First."))
	if len(r.Repeated) != 2 || r.Repeated[0].Count != 43 || r.Repeated[1].Count != 40 || r.Repeated[1].Text != "First." {
		t.Errorf("the most frequent is not first: %+v", r.Repeated)
	}
}

func TestALongDocstringIsListedAndUsed(t *testing.T) {
	at, over := strings.Repeat("x", DefaultLimits.Docstring), strings.Repeat("x", DefaultLimits.Docstring+1)
	r, docs := preflight(t, line("src/spans/interval.py", "Interval.cuts", at)+line("src/spans/interval.py", "Interval.hull", over))
	if want := (Long{Row{2, hullID}, len(over)}); r.Long.Count != 1 || r.Long.First[0] != want || r.Documented != 2 || docs.Len() != 2 {
		t.Errorf("%+v", r.Long)
	}
}

// brokenAfter gives a text and then an error.
func brokenAfter(text string, err error) io.Reader {
	return io.MultiReader(strings.NewReader(text), failing{err})
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestAnUploadThatCannotBeUsed(t *testing.T) {
	many := strings.Repeat(hull, 2000)
	packed, zpacked := gzipped(submission(t, "detailed")), zstandard(hull)
	var wide bytes.Buffer
	w, err := zstd.NewWriter(&wide, zstd.WithWindowSize(2*largestWindow))
	if err != nil {
		t.Fatal(err)
	}
	io.WriteString(w, hull)
	w.Flush()
	io.WriteString(w, hull)
	w.Close()
	var tar [512]byte
	copy(tar[257:], "ustar")
	for _, c := range []struct {
		rule   string
		in     string
		limits Limits
		want   string
	}{
		{"empty", "", Limits{}, "docs.jsonl: is empty; " + saveAsLines},
		{"blank lines only", "\ufeff\r\n \n", Limits{}, "docs.jsonl: is empty; " + saveAsLines},
		{"empty once unpacked", gzipped(""), Limits{}, "docs.jsonl: is empty; " + saveAsLines},
		{"a zip archive", "PK\x03\x04rest", Limits{}, "docs.jsonl: is a zip archive; " + saveAsLines},
		{"a tar archive", gzipped(string(tar[:])), Limits{}, "docs.jsonl: is a tar archive; " + saveAsLines},
		{"packed twice", gzipped(gzipped(hull)), Limits{}, "docs.jsonl: is packed twice; " + saveAsLines},
		{"UTF-16", "\xff\xfe{\x00}\x00", Limits{}, "docs.jsonl: is UTF-16; save it as UTF-8"},
		{"UTF-16 without a mark", "{\x00\"\x00r\x00", Limits{}, "docs.jsonl: is not text; " + saveAsLines},
		{"a picture", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x90", Limits{}, "docs.jsonl: is not text; " + saveAsLines},
		{"too large", many, Limits{Bytes: 1 << 10}, "docs.jsonl: is larger than 1 KiB; pack it with gzip or zstd, or leave out what is not for this release"},
		{"too large though packed", packed, Limits{Bytes: 1000}, "docs.jsonl: is larger than 1000 bytes; pack it with gzip or zstd, or leave out what is not for this release"},
		{"too large once unpacked", gzipped(many), Limits{Unpacked: 1 << 10}, "docs.jsonl: unpacks to more than 1 KiB; leave out what is not for this release"},
		{"too large once unpacked, zstd", zstandard(many), Limits{Unpacked: 1 << 10}, "docs.jsonl: unpacks to more than 1 KiB; leave out what is not for this release"},
		{"a bomb", gzipped(strings.Repeat("\n", 16<<20)), Limits{}, "docs.jsonl: unpacks to more than 200 times its size; upload it unpacked"},
		{"too many lines", many, Limits{Lines: 1999}, "docs.jsonl: has more than 1999 lines; leave out what is not for this release"},
		{"gzip without its checksum", packed[:len(packed)-4], Limits{}, "docs.jsonl:83: the gzip data breaks off after 83 lines; pack and upload it again, whole"},
		{"the head of gzip alone", "\x1f\x8b", Limits{}, "docs.jsonl: the gzip data breaks off after 0 lines; pack and upload it again, whole"},
		{"gzip with a wrong checksum", packed[:len(packed)-8] + "\x00\x00\x00\x00" + packed[len(packed)-4:], Limits{},
			"docs.jsonl:83: the gzip data is damaged behind 83 lines; pack and upload it again, whole"},
		{"something behind gzip", gzipped(hull) + "more, and more", Limits{}, "docs.jsonl:1: the gzip data is damaged behind 1 line; pack and upload it again, whole"},
		{"zstd that looks back too far", wide.String(), Limits{}, "docs.jsonl: the zstd data looks back further than 32 MiB; pack it without --long and --ultra"},
		{"zstd damaged", zpacked[:len(zpacked)-4] + "\x00\x00\x00\x00", Limits{}, "docs.jsonl: the zstd data is damaged behind 0 lines; pack and upload it again, whole"},
	} {
		report, docs, err := Preflight(t.Context(), strings.NewReader(c.in), "docs.jsonl", starter, c.limits)
		if _, ok := errors.AsType[*benchmark.InputError](err); !ok || err.Error() != c.want || report != nil || docs.Len() != 0 {
			t.Errorf("%s:\n got %v\nwant %s", c.rule, err, c.want)
		}
	}
}

// TestAnUploadThatBreaksOffSaysHowFarItWasRead: as many lines as another
// reader of the packing gets out of it.
func TestAnUploadThatBreaksOffSaysHowFarItWasRead(t *testing.T) {
	var blocks bytes.Buffer // of zstd, with several blocks
	w, err := zstd.NewWriter(&blocks)
	if err != nil {
		t.Fatal(err)
	}
	chance := rand.New(rand.NewPCG(1, 1))
	var text strings.Builder
	for range 5000 {
		text.WriteString(line("src/spans/interval.py", "Interval.hull", fmt.Sprintf("%x", chance.Uint64())))
	}
	io.WriteString(w, text.String())
	w.Close()
	for _, c := range []struct {
		packing Packing
		bytes   string
		unpack  func(io.Reader) (io.Reader, error)
	}{
		{Gzip, gzipped(text.String()), func(r io.Reader) (io.Reader, error) { return stdgzip.NewReader(r) }},
		{Zstd, blocks.String(), func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) }},
	} {
		half := c.bytes[:len(c.bytes)/2]
		unpack, err := c.unpack(strings.NewReader(half))
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(unpack)
		if err == nil {
			t.Fatal("half a file is whole")
		}
		lines := bytes.Count(part, []byte("\n"))
		if lines == 0 {
			t.Fatalf("%s: no line in half a file", c.packing)
		}
		want := fmt.Sprintf("docs.jsonl:%d: the %s data breaks off after %d lines; pack and upload it again, whole", lines, c.packing, lines)
		if _, _, err := Preflight(t.Context(), strings.NewReader(half), "docs.jsonl", starter, Limits{}); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestLimitsAreMetExactly(t *testing.T) {
	three := strings.Repeat(hull, 3)
	for _, c := range []struct {
		rule   string
		in     string
		limits Limits
	}{
		{"as many bytes", three, Limits{Bytes: int64(len(three))}},
		{"as many unpacked", gzipped(three), Limits{Unpacked: int64(len(three))}},
		{"as many lines, blank ones aside", three + "\n\n", Limits{Lines: 3}},
		{"lines as long", three, Limits{Line: len(hull)}},
		{"rows that repeat pack well", gzipped(strings.Repeat(hull, (freely-1)/len(hull))), Limits{}},
	} {
		r, _, err := Preflight(t.Context(), strings.NewReader(c.in), "docs.jsonl", starter, c.limits)
		if err != nil || r.Rejected.Count != 0 || r.Documented != 1 {
			t.Errorf("%s: %v", c.rule, err)
		}
	}
}

// TestWhatIsNotTheUploadersFault is no InputError.
func TestWhatIsNotTheUploadersFault(t *testing.T) {
	packed := gzipped(strings.Repeat(submission(t, "detailed"), 9))
	cut := errors.New("connection reset")
	for _, in := range []io.Reader{brokenAfter(hull, cut), brokenAfter(packed[:len(packed)/2], cut), brokenAfter("", cut), brokenAfter("\x1f\x8b\x08", cut)} {
		_, _, err := Preflight(t.Context(), in, "docs.jsonl", starter, Limits{})
		if _, ok := errors.AsType[*benchmark.InputError](err); ok || !errors.Is(err, cut) {
			t.Errorf("%v", err)
		}
	}
	// An interrupted request ends so, too; that must not look like a bad file.
	if _, _, err := Preflight(t.Context(), brokenAfter(packed[:len(packed)/2], io.ErrUnexpectedEOF), "docs.jsonl", starter, Limits{}); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Preflight(gone, strings.NewReader(hull), "docs.jsonl", starter, Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func FuzzPreflight(f *testing.F) {
	known, err := namesOf(starter)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(hull + "\n{\"docstring\":1}\r\n" + hull[:50]))
	f.Add([]byte(gzipped(hull + line("src/spans/interval.py", "Interval", "..."))))
	f.Add([]byte(zstandard("\ufeff" + line("a.py", "f", "\\ud800"))))
	f.Add([]byte(strings.Repeat("x", 300) + "\n" + hull))
	limits := Limits{Line: 256, Bytes: 1 << 16, Unpacked: 1 << 20, Lines: 100, Docstring: 64}.orDefault()
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := match(t.Context(), bytes.NewReader(data), "docs.jsonl", known, limits)
		if err != nil {
			if _, ok := errors.AsType[*benchmark.InputError](err); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		r, docs := m.finish()
		placed(t, r)
		if docs.Len() != r.Documented+r.Context+r.Unused {
			t.Fatalf("%d docstrings: %+v", docs.Len(), r)
		}
		for i, bad := range r.Rejected.First {
			if bad.Problem == "" || bad.Mend == "" || i > 0 && bad.Line <= r.Rejected.First[i-1].Line {
				t.Fatalf("%+v", bad)
			}
		}
	})
}
