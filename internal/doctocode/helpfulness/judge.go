package helpfulness

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"touchstone/internal/jsonlines"
	"touchstone/internal/llm"
)

// An Asker is a language model: an *llm.Client.
type Asker interface {
	Complete(ctx context.Context, r llm.Request) (llm.Completion, error)
}

// Grades are from 1 to 5 by part, for those that the docstring has.
type Grades map[string]int

// Mean is the plain mean; NaN without a grade.
func (g Grades) Mean() float64 {
	sum := 0
	for _, grade := range g {
		sum += grade
	}
	return float64(sum) / float64(len(g))
}

// Grade asks for the grades of a docstring's parts, of which there is at least
// one. Errors are the asker's, or an *UnparsableError.
func Grade(ctx context.Context, a Asker, id, code string, parts Parts) (Grades, error) {
	reply, err := a.Complete(ctx, llm.Request{ID: id, Prompt: prompt(code, parts)})
	if err != nil {
		return nil, err
	}
	var names []string
	for _, name := range Names {
		if parts.Of(name) != "" {
			names = append(names, name)
		}
	}
	return ParseGrades(reply.Text, names)
}

// An UnparsableError is a reply that does not hold the grades. It stands for
// no grade.
type UnparsableError struct{ Problem, Reply string }

func (e *UnparsableError) Error() string {
	return fmt.Sprintf("the judge's reply holds no grades (%s): %q", e.Problem, shortened(e.Reply))
}

// shortened is a reply's end, where the grades should be.
func shortened(reply string) string {
	const most = 120
	reply = strings.TrimSpace(reply)
	if len(reply) > most {
		return "…" + strings.ToValidUTF8(reply[len(reply)-most:], "")
	}
	return reply
}

// longestReply is how much of a reply's end is searched for grades, in bytes.
const longestReply = 16 << 10

// ParseGrades reads a reply: its last JSON object that has a part's name
// decides, and has to hold a whole number from 1 to 5 for each.
func ParseGrades(reply string, names []string) (Grades, error) {
	bad := func(problem string) (Grades, error) { return nil, &UnparsableError{problem, reply} }
	if len(reply) > longestReply {
		reply = reply[len(reply)-longestReply:]
	}
	for end := len(reply); ; {
		start := strings.LastIndexByte(reply[:end], '{')
		if start < 0 {
			return bad("there is no JSON object with a grade")
		}
		end = start
		var object json.RawMessage
		values := map[string]any{}
		if json.NewDecoder(strings.NewReader(reply[start:])).Decode(&object) != nil || json.Unmarshal(object, &values) != nil ||
			!slices.ContainsFunc(names, func(name string) bool { _, ok := values[name]; return ok }) {
			continue
		}
		if key, twice := jsonlines.NewKeys().Twice(object); twice {
			return bad(key + " is there twice")
		}
		grades := Grades{}
		for _, name := range names {
			v, ok := values[name].(float64)
			if !ok || v != math.Trunc(v) || v < 1 || v > 5 {
				return bad(name + " is no whole number from 1 to 5")
			}
			grades[name] = int(v)
		}
		return grades, nil
	}
}
