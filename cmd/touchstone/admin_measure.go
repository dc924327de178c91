package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"touchstone/internal/benchmark"
	"touchstone/internal/doctocode/measures"
	"touchstone/internal/store"
)

type adminMeasure struct {
	Import adminMeasureImport `cmd:"" help:"Show values that were computed elsewhere beside the site's own."`
	Remove adminMeasureRemove `cmd:"" help:"Forget imported values."`
}

// measureFlags say which column is meant.
type measureFlags struct {
	Submission string `help:"The submission, as in its address." required:"" placeholder:"ID"`
	Measure    string `help:"The measure's key in files, such as bertscore_f_doc_doc." required:"" placeholder:"NAME"`
	Evaluator  string `help:"Of a measure of replies: whose." placeholder:"NAME"`
}

// mostImport is the most bytes that are read of a file.
const mostImport = 256 << 20

type adminMeasureImport struct {
	File       string `arg:"" help:"A JSON object a line: {\"task_id\":\"…\",\"value\":0.5}." type:"existingfile"`
	Provenance string `help:"Who computed the values, with what, and when; shown with them." required:"" placeholder:"TEXT"`
	measureFlags
}

func (adminMeasureImport) Help() string {
	return `Example:

    touchstone admin measure import values.jsonl --submission xiwjodjaufft7jl2 --measure bertscore_f_doc_doc --provenance "bert_score 0.3.13, roberta-large, run by Ada on 2026-04-01"

Either the whole file is imported or nothing. What was imported of the same
measure before is replaced. The site's own values stay in their own column.`
}

func (c adminMeasureImport) Run(ctx context.Context, p *place, site *adminCommand) error {
	if err := measures.CheckProvenance(c.Provenance); err != nil {
		return err
	}
	info, err := os.Stat(c.File)
	if err != nil {
		return err
	}
	if info.Size() > mostImport {
		return &benchmark.InputError{File: c.File, Problem: fmt.Sprintf("is larger than %d MiB", mostImport>>20), Mend: "give a line for each task of the release"}
	}
	data, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	return site.with(ctx, func(db *store.Store) error {
		m, sub, subject, err := c.column(ctx, db)
		if err != nil {
			return err
		}
		tasks, err := db.Tasks(ctx, sub.ReleaseID)
		if err != nil {
			return err
		}
		ids := make([]string, len(tasks))
		for i, t := range tasks {
			ids[i] = t.Key
		}
		values, missing, err := measures.ReadImported(bytes.NewReader(data), c.File, m, ids)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(data)
		row := store.Measurement{SubmissionID: subject.SubmissionID, EvaluationID: subject.EvaluationID, Measure: string(m.Key.Imported()),
			Version: "sha256 " + hex.EncodeToString(sum[:]), Provenance: strings.TrimSpace(c.Provenance), Values: measures.Pack(values), Reason: missing}
		if err := db.PutMeasurements(ctx, []store.Measurement{row}); err != nil {
			return err
		}
		s := measures.Summarize(values, nil)
		if missing != "" {
			p.say("%s", missing)
		}
		return list(p, []map[string]any{{"submission": sub.PublicID, "measure": m.Key.Imported(), "tasks": len(values), "defined": s.Defined, "undefined": s.Undefined, "missing": s.NotComputed}})
	})
}

type adminMeasureRemove struct{ measureFlags }

func (adminMeasureRemove) Help() string {
	return "Example:\n\n    touchstone admin measure remove --submission xiwjodjaufft7jl2 --measure bertscore_f_doc_doc"
}

func (c adminMeasureRemove) Run(ctx context.Context, p *place, site *adminCommand) error {
	return site.with(ctx, func(db *store.Store) error {
		m, sub, subject, err := c.column(ctx, db)
		if err != nil {
			return err
		}
		err = db.RemoveMeasurement(ctx, subject, string(m.Key.Imported()))
		if errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("nothing was imported of %s for %s", m.Key, sub.PublicID)
		}
		if err == nil {
			p.say("the imported values of %s are gone", m.Key)
		}
		return err
	})
}

// column finds the measure and what it is of.
func (f measureFlags) column(ctx context.Context, db *store.Store) (m measures.Measure, sub store.Submission, subject store.Subject, err error) {
	key, _ := measures.Key(f.Measure).Base()
	m, ok := measures.Lookup(key)
	if !ok {
		return m, sub, subject, measures.NoMeasure("measure", f.Measure)
	}
	sub, err = db.SubmissionByPublicID(ctx, f.Submission)
	if errors.Is(err, store.ErrNotFound) || err == nil && sub.Track != benchmark.DocToCode {
		return m, sub, subject, fmt.Errorf("there is no submission %q of docstrings; its id is the last part of its address", f.Submission)
	}
	if err != nil {
		return m, sub, subject, err
	}
	subject.SubmissionID = sub.ID
	switch {
	case !m.OfReplies() && f.Evaluator == "":
		return m, sub, subject, nil
	case !m.OfReplies():
		return m, sub, subject, usageError("--evaluator: " + string(m.Key) + " is of docstrings, whoever judges them; leave it out")
	case f.Evaluator == "":
		return m, sub, subject, usageError("--evaluator is missing: " + string(m.Key) + " is of what an evaluator wrote")
	}
	evaluations, err := db.Evaluations(ctx, sub.ID)
	if err != nil {
		return m, sub, subject, err
	}
	for _, e := range evaluations {
		if e.Evaluator.Name == f.Evaluator {
			subject.EvaluationID = e.ID
			return m, sub, subject, nil
		}
	}
	return m, sub, subject, fmt.Errorf("%s has no evaluation by %q", sub.PublicID, f.Evaluator)
}
