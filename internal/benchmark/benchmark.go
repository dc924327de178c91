// Package benchmark holds the words of the project as types: tracks, tasks,
// docstrings, samples, verdicts and the errors that a person may read. It
// imports nothing else of the project.
package benchmark

import (
	"fmt"
	"strconv"
	"strings"
)

// A Track is one of the two benchmarks.
type Track string

const (
	DocToCode    Track = "doc-to-code"
	Localization Track = "localization"
)

// A TaskID names a target function of a repository. Its text form is
// owner/name:path::qualname, with #n appended for the n-th further definition
// of the same qualified name in the file (n from 1 on).
type TaskID struct {
	Repository string // owner/name
	Path       string // of the file, from the repository's root, with forward slashes
	Qualname   string // as Python's __qualname__: Class.method, outer.<locals>.inner
	Ordinal    int    // 0 for the first definition of this name in the file
}

func (id TaskID) String() string {
	s := id.Repository + ":" + id.Path + "::" + id.Qualname
	if id.Ordinal > 0 {
		s += "#" + strconv.Itoa(id.Ordinal)
	}
	return s
}

// ParseTaskID reads the text form of a task id.
func ParseTaskID(s string) (TaskID, error) {
	bad := func(why string) (TaskID, error) {
		return TaskID{}, &InputError{Field: "task_id", Problem: fmt.Sprintf("%q %s", s, why),
			Mend: "write it as owner/name:path::qualname, for example acme/tool:src/tool.py::Parser.read"}
	}
	repository, rest, ok := strings.Cut(s, ":")
	if !ok || !validRepository(repository) {
		return bad("does not begin with owner/name and a colon")
	}
	path, qualname, ok := strings.Cut(rest, "::")
	if !ok || path == "" || qualname == "" {
		return bad("has no path::qualname after the repository")
	}
	id := TaskID{Repository: repository, Path: path, Qualname: qualname}
	if i := strings.LastIndexByte(qualname, '#'); i >= 0 {
		n, err := strconv.Atoi(qualname[i+1:])
		if err != nil || n < 1 || qualname[i+1:] != strconv.Itoa(n) || i == 0 {
			return bad("has a # that is not followed by a number from 1 on")
		}
		id.Qualname, id.Ordinal = qualname[:i], n
	}
	return id, nil
}

func validRepository(s string) bool {
	owner, name, ok := strings.Cut(s, "/")
	return ok && owner != "" && name != "" && !strings.ContainsAny(s, " \t\r\n\\:") && !strings.Contains(name, "/") &&
		owner != "." && owner != ".." && name != "." && name != ".."
}

// ParseRepository checks an owner/name and returns it, or says what is wrong.
func ParseRepository(s string) (string, error) {
	if !validRepository(s) {
		return "", &InputError{Field: "repository", Problem: fmt.Sprintf("%q is not a repository name", s), Mend: "write it as owner/name"}
	}
	return s, nil
}

// A Docstring is one row of a documentation submission.
type Docstring struct {
	Task TaskID
	Text string
}

// A Verdict says what happened when a sample ran.
type Verdict string

const (
	// Passed: exactly the expected tests ran, and each passed in setup, call and teardown.
	Passed Verdict = "passed"
	// Failed: a test ran to its end and did not pass (skipped and xfailed are not passed).
	Failed Verdict = "failed"
	// Error: a test could not be set up or torn down, could not be collected, or the process ended early.
	Error Verdict = "error"
	// Timeout: the time limit of the task was reached.
	Timeout Verdict = "timeout"
	// ResourceLimit: memory, processes, file size or output went over the limit.
	ResourceLimit Verdict = "resource_limit"
	// SyntaxError: the candidate does not parse where the body stood.
	SyntaxError Verdict = "syntax_error"
	// NoCode: the reply holds no code.
	NoCode Verdict = "no_code"
	// Tampered: the candidate changed something other than the body, or forged its own result.
	Tampered Verdict = "tampered"
	// InfraError: the machine failed, not the candidate; it is retried and never counted.
	InfraError Verdict = "infra_error"
)

// Verdicts lists every verdict in the order in which tables show them.
var Verdicts = []Verdict{Passed, Failed, Error, Timeout, ResourceLimit, SyntaxError, NoCode, Tampered, InfraError}

// Counts reports whether a verdict counts for or against a docstring.
func (v Verdict) Counts() bool { return v != InfraError }
