package documented

// A Standing says whether a function can be measured, and why not.
type Standing string

const (
	Paired          Standing = "paired"                 // both sides have a docstring
	NoCandidate     Standing = "not_in_candidate"       // only the reference has the function
	NoReference     Standing = "not_in_reference"       // only the candidate has it
	CandidateSilent Standing = "no_candidate_docstring" // the reference has a docstring
	ReferenceSilent Standing = "no_reference_docstring" // the candidate has a docstring
	BothSilent      Standing = "no_docstrings"
)

// Standings lists them in the order of summaries.
var Standings = []Standing{Paired, CandidateSilent, ReferenceSilent, BothSilent, NoCandidate, NoReference}

// A Pair is a function of either tree or of both.
type Pair struct {
	ID                   string
	Standing             Standing
	Reference, Candidate string // docstrings
}

// Match pairs the functions of two trees by path, qualified name and ordinal:
// those of the reference in its order, then those of the candidate only.
func Match(reference, candidate Tree) []Pair {
	there := make(map[string]Function, len(candidate.Functions))
	for _, f := range candidate.Functions {
		there[f.ID()] = f
	}
	var pairs []Pair
	matched := make(map[string]bool, len(reference.Functions))
	for _, f := range reference.Functions {
		matched[f.ID()] = true
		p := Pair{ID: f.ID(), Reference: f.Docstring, Standing: NoCandidate}
		if c, ok := there[f.ID()]; ok {
			p.Candidate = c.Docstring
			switch {
			case f.Documented && c.Documented:
				p.Standing = Paired
			case f.Documented:
				p.Standing = CandidateSilent
			case c.Documented:
				p.Standing = ReferenceSilent
			default:
				p.Standing = BothSilent
			}
		}
		pairs = append(pairs, p)
	}
	for _, f := range candidate.Functions {
		if !matched[f.ID()] {
			pairs = append(pairs, Pair{ID: f.ID(), Candidate: f.Docstring, Standing: NoReference})
		}
	}
	return pairs
}
