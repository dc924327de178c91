package intake

import "touchstone/internal/jsonlines"

// A Report says what an upload is worth before anything is queued. Every line
// that is not blank is in one place: Rejected, Unmatched, Superseded, Blank,
// or a docstring that counts: of a task (Documented), of another function or
// class in the file of a task (Context), or of one elsewhere, where no prompt
// shows it (Unused). Line numbers are of the unpacked file, from 1 on.
type Report struct {
	File     string  `json:"file"`
	Release  string  `json:"release"` // name@version
	Format   Format  `json:"format"`
	Packing  Packing `json:"packing"`
	Bytes    int64   `json:"bytes"`    // as uploaded
	Unpacked int64   `json:"unpacked"` // bytes

	Lines int `json:"lines"` // that are not blank
	Rows  int `json:"rows"`  // lines that could be read

	Rejected   jsonlines.Listed[jsonlines.Rejection] `json:"rejected"`
	Unmatched  jsonlines.Listed[Unmatched]           `json:"unmatched"`
	Superseded jsonlines.Listed[Duplicate]           `json:"superseded"`
	Blank      jsonlines.Listed[Row]                 `json:"blank"`

	Tasks      int      `json:"tasks"`      // of the release
	Documented int      `json:"documented"` // tasks with a docstring that counts
	Missing    []string `json:"missing"`    // ids of the other tasks, file by file: they are judged without a docstring
	Context    int      `json:"context"`
	Unused     int      `json:"unused"`

	// What follows is about docstrings that count, and is no reason to refuse them.
	Placeholders jsonlines.Listed[Placeholder] `json:"placeholders"` // of tasks
	Repeated     []Repeated                    `json:"repeated"`     // of tasks, the most frequent first
	Long         jsonlines.Listed[Long]        `json:"long"`

	Repositories []Coverage `json:"repositories"` // with tasks, in the release's order
	Prompts      Prompts    `json:"prompts"`
}

// A Row is a line and what it is for: a task, or another function or class.
type Row struct {
	Line int    `json:"line"`
	ID   string `json:"id"` // owner/name:path::qualname
}

// Why a row is for nothing that the release has.
const (
	UnknownRepository = "the release has no such repository"
	UnknownDefinition = "the repository has no such function or class"
)

// An Unmatched row names nothing that the release has.
type Unmatched struct {
	Row
	Problem string   `json:"problem"` // UnknownRepository or UnknownDefinition
	Nearest []string `json:"nearest"` // up to three: repositories, or path::qualname in the repository's files with tasks
}

// A Duplicate is a row that a later one for the same definition replaces.
type Duplicate struct {
	Row
	Counts int `json:"counts"` // the line that counts
}

// A Placeholder is a docstring that documents nothing.
type Placeholder struct {
	Row
	Text string `json:"text"` // its beginning
	Why  string `json:"why"`
}

// RepeatedFrom is how many tasks may share a docstring before it is reported.
const RepeatedFrom = 20

// A Repeated text, white space aside, is the docstring of more than
// RepeatedFrom tasks.
type Repeated struct {
	Text  string   `json:"text"` // its beginning
	Count int      `json:"count"`
	Tasks []string `json:"tasks"` // all of them
}

// A Long docstring is over Limits.Docstring.
type Long struct {
	Row
	Bytes int `json:"bytes"`
}

// Coverage is how much of a repository is documented.
type Coverage struct {
	Repository string  `json:"repository"`
	Tasks      int     `json:"tasks"`
	Documented int     `json:"documented"`
	Missing    int     `json:"missing"`
	Context    int     `json:"context"`
	Share      float64 `json:"share"` // Documented of Tasks, 0 to 1
}

// newReport has no list that is nil, so that JSON shows [].
func newReport() *Report {
	return &Report{
		Rejected: jsonlines.NewListed[jsonlines.Rejection](), Unmatched: jsonlines.NewListed[Unmatched](),
		Superseded: jsonlines.NewListed[Duplicate](), Blank: jsonlines.NewListed[Row](),
		Missing: []string{}, Placeholders: jsonlines.NewListed[Placeholder](), Repeated: []Repeated{},
		Long: jsonlines.NewListed[Long](), Repositories: []Coverage{},
	}
}
