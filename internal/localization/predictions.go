package localization

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"

	"touchstone/internal/benchmark"
	"touchstone/internal/jsonlines"
	"touchstone/internal/nearest"
)

// Limits of a file of predictions.
const (
	longestPrediction = 16 << 20 // bytes of a line, which may hold a whole patch
	mostPredictions   = 1_000_000
	mostFilesFound    = 10_000 // of a line
	longestPath       = 4096   // bytes
)

// An Arm is what predictions are scored together for.
type Arm struct {
	Level     Level     `json:"prompt"`
	Condition Condition `json:"condition"`
}

// compareArms puts levels from minimal to guided and the baseline first.
func compareArms(a, b Arm) int {
	return cmp.Or(cmp.Compare(slices.Index(Levels, a.Level), slices.Index(Levels, b.Level)),
		cmp.Compare(slices.Index(Conditions, a.Condition), slices.Index(Conditions, b.Condition)))
}

// Predictions collects what a system answered for the tasks of a release, out
// of one file or several. It holds no more than one answer for each task, level
// and condition: the last one read.
type Predictions struct {
	tasks   map[string]int // id → place in the release
	names   []nearest.Candidate
	answers map[answerKey]answer
}

type answerKey struct {
	task int
	arm  Arm
}

type answer struct {
	prediction Prediction
	file       string
	line       int
}

// NewPredictions is a collection without any.
func NewPredictions(tasks []Task) *Predictions {
	p := &Predictions{tasks: make(map[string]int, len(tasks)), answers: map[answerKey]answer{}}
	for i, t := range tasks {
		p.tasks[t.ID] = i
		p.names = append(p.names, nearest.NewCandidate(t.ID))
	}
	return p
}

// A PredictionReport says what became of the lines of a file. Every line that
// is not blank is in one place: Rejected, Unmatched, or an answer that counts
// unless it is in Superseded, too.
type PredictionReport struct {
	File       string                                 `json:"file"`
	Lines      int                                    `json:"lines"` // that are not blank
	Rows       int                                    `json:"rows"`  // lines that could be read
	Rejected   jsonlines.Listed[jsonlines.Rejection]  `json:"rejected"`
	Unmatched  jsonlines.Listed[UnmatchedPrediction]  `json:"unmatched"`
	Superseded jsonlines.Listed[SupersededPrediction] `json:"superseded"`
	Normalised jsonlines.Listed[NormalisedPath]       `json:"normalised"`
	Empty      int                                    `json:"empty"`     // answers without a file
	Added      int                                    `json:"added"`     // files that patches add; as they are not in the snapshot, they are no predictions
	Level      int                                    `json:"level"`     // lines without a prompt, which took the default
	Condition  int                                    `json:"condition"` // lines without a condition, likewise
}

// An UnmatchedPrediction is for no task of the release.
type UnmatchedPrediction struct {
	Line    int      `json:"line"`
	ID      string   `json:"instance_id"`
	Nearest []string `json:"nearest"` // up to three ids of tasks
}

// A SupersededPrediction is one that a later line for the same task, level and
// condition replaces.
type SupersededPrediction struct {
	File string `json:"file"`
	Line int    `json:"line"`
	ID   string `json:"instance_id"`
	Arm
	By int `json:"by"` // the line of the report's file that counts instead, unless it is superseded itself
}

// A NormalisedPath was written in another way than git writes it.
type NormalisedPath struct {
	Line int    `json:"line"`
	Path string `json:"path"`
	Read string `json:"read"`
}

// Read takes in a file of predictions, a JSON object a line, in either form
// that ParsePrediction takes. otherwise is the arm of lines that do not name
// theirs. A bad line does not end the reading: it is named in the report, and
// the lines behind it are read. A file with no line at all, or too many, is a
// *benchmark.InputError; any other error is one of reading.
func (p *Predictions) Read(r io.Reader, file string, otherwise Arm) (*PredictionReport, error) {
	report := &PredictionReport{File: file, Rejected: jsonlines.NewListed[jsonlines.Rejection](), Unmatched: jsonlines.NewListed[UnmatchedPrediction](),
		Superseded: jsonlines.NewListed[SupersededPrediction](), Normalised: jsonlines.NewListed[NormalisedPath]()}
	keys := jsonlines.NewKeys(predictionFields...)
	lines := jsonlines.NewReader(r, file, longestPrediction)
	for {
		number, data, err := lines.Next()
		if err == io.EOF {
			break
		}
		bad, input := errors.AsType[*benchmark.InputError](err)
		if err != nil && (!input || bad.Line == 0) {
			return nil, err
		}
		if report.Lines++; report.Lines > mostPredictions {
			return nil, &benchmark.InputError{File: file, Problem: fmt.Sprintf("has more than %d lines", mostPredictions), Mend: "leave out what is not for this release"}
		}
		var row PredictionLine
		if err == nil {
			row, err = parsePrediction(file, number, data, keys)
		}
		if err != nil {
			report.Rejected.Add(func() jsonlines.Rejection { return jsonlines.RejectionOf(number, err) })
			continue
		}
		report.Rows++
		p.take(row, file, number, otherwise, report)
	}
	if report.Lines == 0 {
		return nil, &benchmark.InputError{File: file, Problem: "is empty", Mend: predictionForm}
	}
	return report, nil
}

// take files a row under its task.
func (p *Predictions) take(row PredictionLine, file string, line int, otherwise Arm, report *PredictionReport) {
	task, known := p.tasks[row.Task]
	if !known {
		report.Unmatched.Add(func() UnmatchedPrediction {
			return UnmatchedPrediction{line, jsonlines.Clip(row.Task), nearest.Names(row.Task, p.names)}
		})
		return
	}
	if row.Level == "" {
		row.Level = otherwise.Level
		report.Level++
	}
	if row.Condition == "" {
		row.Condition = otherwise.Condition
		report.Condition++
	}
	for _, path := range row.Normalised {
		report.Normalised.Add(func() NormalisedPath {
			return NormalisedPath{line, jsonlines.Clip(path.Path), jsonlines.Clip(path.Read)}
		})
	}
	report.Added += row.Added
	if len(row.Files) == 0 {
		report.Empty++
	}
	key := answerKey{task, Arm{row.Level, row.Condition}}
	if before, twice := p.answers[key]; twice {
		report.Superseded.Add(func() SupersededPrediction {
			return SupersededPrediction{before.file, before.line, row.Task, key.arm, line}
		})
	}
	p.answers[key] = answer{row.Prediction, file, line}
}

// All are the predictions that count: by level, condition, and the order of
// the release's tasks.
func (p *Predictions) All() []Prediction {
	type placed struct {
		answerKey
		Prediction
	}
	all := make([]placed, 0, len(p.answers))
	for key, a := range p.answers {
		all = append(all, placed{key, a.prediction})
	}
	slices.SortFunc(all, func(a, b placed) int {
		return cmp.Or(compareArms(a.arm, b.arm), cmp.Compare(a.task, b.task))
	})
	predictions := make([]Prediction, len(all))
	for i, a := range all {
		predictions[i] = a.Prediction
	}
	return predictions
}
