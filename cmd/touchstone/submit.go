package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"touchstone/internal/benchmark"
	"touchstone/internal/intake"
	"touchstone/internal/jsonlines"
	"touchstone/internal/localization"
)

type submitCommand struct {
	File string `arg:"" help:"A docs.jsonl, or a predictions.jsonl with --track localization; plain or packed with gzip or zstd." type:"existingfile" placeholder:"FILE"`

	URL     string `help:"Address of the site." default:"http://127.0.0.1:8080" placeholder:"URL" env:"TOUCHSTONE_URL"`
	Token   string `help:"What the site's operator gave you; the demonstration on this machine needs none." placeholder:"TOKEN" env:"TOUCHSTONE_TOKEN"`
	Track   string `help:"The track: doc-to-code or localization." enum:"doc-to-code,localization" default:"doc-to-code"`
	Release string `help:"The release, as name@version; default the site's newest." placeholder:"NAME@VERSION"`
	System  string `help:"The agent that wrote the docstrings or found the files." required:"" placeholder:"NAME"`
	Version string `name:"system-version" help:"Version of the system." placeholder:"TEXT"`
	Model   string `help:"The model that the system ran on." placeholder:"NAME"`
	Link    string `help:"Where others find the system." placeholder:"URL"`
	Notes   string `help:"What others need to know to believe and repeat it. Public." placeholder:"TEXT"`
	Level   string `help:"Level of predictions that do not name theirs: minimal, concise, contextual or guided." enum:",minimal,concise,contextual,guided" default:"" placeholder:"LEVEL"`
	Arm     string `name:"condition" help:"Condition of predictions that do not name theirs: baseline or augmented (with knowledge derived from the repository)." enum:",baseline,augmented" default:"" placeholder:"CONDITION"`
	Wait    bool   `help:"Wait until it is over; exit with 1 when it did not finish."`
}

func (submitCommand) Help() string {
	return `Examples:

    touchstone submit docs.jsonl --system "My agent" --model gpt-5-mini --wait
    touchstone submit found.jsonl --track localization --condition augmented --level guided --system "My agent"
    TOUCHSTONE_TOKEN=ts_… touchstone submit docs.jsonl.gz --url https://touchstone.example.org --system "My agent"

The submission goes to standard output as one JSON object. Lines of the file
that count for nothing are named on standard error.`
}

// A siteClient calls the API of a site.
type siteClient struct {
	url, token string
	http       http.Client
}

// submitted is what the command reads of a submission.
type submitted struct {
	ID          string `json:"id"`
	URL         string `json:"url"`
	State       string `json:"state"`
	Samples     int    `json:"samples"`
	Done        int    `json:"samples_done"`
	Evaluations []struct {
		Evaluator string `json:"evaluator"`
		State     string `json:"state"`
		Error     string `json:"error"`
	} `json:"evaluations"`
	Report *struct {
		Tasks      int `json:"tasks"`
		Documented int `json:"documented"`
		Rejected   struct {
			Count int `json:"count"`
			First []struct {
				Line                 int
				Field, Problem, Mend string
			} `json:"first"`
		} `json:"rejected"`
		Unmatched struct {
			Count int `json:"count"`
			First []struct {
				Line    int
				ID      string
				Problem string
				Nearest []string
			} `json:"first"`
		} `json:"unmatched"`
	} `json:"report"`
	Error       string `json:"error"`
	Predictions *struct {
		Tasks     int                                                `json:"tasks"`
		Answered  int                                                `json:"answered"`
		Rejected  jsonlines.Listed[jsonlines.Rejection]              `json:"rejected"`
		Unmatched jsonlines.Listed[localization.UnmatchedPrediction] `json:"unmatched"`
		Arms      []intake.ArmCoverage                               `json:"arms"`
	} `json:"prediction_report"`
}

func (c submitCommand) Run(ctx context.Context, p *place) error {
	client, err := newSiteClient(c.URL, c.Token)
	if err != nil {
		return err
	}
	draft, _, err := client.upload(ctx, c)
	if err != nil {
		return err
	}
	draft.tell(p)
	sub, raw, err := client.call(ctx, http.MethodPost, "/api/v1/submissions/"+draft.ID+"/confirm", "", nil)
	if err != nil {
		return err
	}
	p.say("queued: %s", draft.URL)
	if c.Wait {
		if sub, raw, err = client.wait(ctx, p, sub, raw); err != nil {
			return err
		}
	}
	if err := printLine(p.stdout, raw); err != nil {
		return err
	}
	return sub.failure()
}

// tell names what of the file counts for nothing.
func (s *submitted) tell(p *place) {
	s.tellPredictions(p)
	r := s.Report
	if r == nil {
		return
	}
	for _, x := range r.Rejected.First {
		where := fmt.Sprintf("line %d", x.Line)
		if x.Field != "" {
			where += ": " + x.Field
		}
		p.say("%s: %s; %s", where, x.Problem, x.Mend)
	}
	p.more(r.Rejected.Count, len(r.Rejected.First), "lines that could not be read")
	for _, x := range r.Unmatched.First {
		near := ""
		if len(x.Nearest) > 0 {
			near = "; nearest: " + strings.Join(x.Nearest, ", ")
		}
		p.say("line %d: %s: %s%s", x.Line, x.ID, x.Problem, near)
	}
	p.more(r.Unmatched.Count, len(r.Unmatched.First), "lines for nothing in the release")
	p.say("%d of %d tasks have a docstring", r.Documented, r.Tasks)
}

// tellPredictions does the same for a file of predictions.
func (s *submitted) tellPredictions(p *place) {
	r := s.Predictions
	if r == nil {
		return
	}
	for _, x := range r.Rejected.First {
		p.say("%v", &benchmark.InputError{Line: x.Line, Field: x.Field, Problem: x.Problem, Mend: x.Mend})
	}
	p.more(r.Rejected.Count, len(r.Rejected.First), "lines that could not be read")
	for _, x := range r.Unmatched.First {
		near := ""
		if len(x.Nearest) > 0 {
			near = "; nearest: " + strings.Join(x.Nearest, ", ")
		}
		p.say("line %d: %s: the release has no such task%s", x.Line, x.ID, near)
	}
	p.more(r.Unmatched.Count, len(r.Unmatched.First), "lines for no task of the release")
	for _, arm := range r.Arms {
		p.say("%s, %s: %s", arm.Level, arm.Condition, answeredInWords(arm.Answered, r.Tasks))
	}
}

// answeredInWords says for how many tasks there is a prediction.
func answeredInWords(answered, tasks int) string {
	if answered == tasks {
		return fmt.Sprintf("each of %s has a prediction", many(tasks, "task", "tasks"))
	}
	return fmt.Sprintf("%d of %s have a prediction; the others count as empty ones", answered, many(tasks, "task", "tasks"))
}

func (p *place) more(count, shown int, what string) {
	if count > shown {
		p.say("… and %d more %s", count-shown, what)
	}
}

// failure is why a submission that is over did not finish, nil when it did or
// is still under way.
func (s *submitted) failure() error {
	if s.State != "failed" && s.State != "cancelled" {
		return nil
	}
	var reasons []string
	if s.Error != "" && len(s.Evaluations) == 0 {
		reasons = append(reasons, s.Error)
	}
	for _, e := range s.Evaluations {
		if e.State == "failed" || e.State == "cancelled" {
			reasons = append(reasons, strings.TrimSuffix(e.Evaluator+" "+e.State+": "+e.Error, ": "))
		}
	}
	return fmt.Errorf("the submission %s: %s; see %s", s.State, strings.Join(reasons, "; "), s.URL)
}

func newSiteClient(address, token string) (*siteClient, error) {
	at, err := url.Parse(address)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, usageError(fmt.Sprintf("--url: %q is not an address; begin it with https://", address))
	}
	return &siteClient{url: strings.TrimRight(address, "/"), token: strings.TrimSpace(token)}, nil
}

// upload sends the form, the file as it is read.
func (s *siteClient) upload(ctx context.Context, c submitCommand) (*submitted, []byte, error) {
	file, err := os.Open(c.File)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	reader, writer := io.Pipe()
	defer reader.Close()
	form := multipart.NewWriter(writer)
	go func() { writer.CloseWithError(c.fill(form, file)) }()
	return s.call(ctx, http.MethodPost, "/api/v1/submissions", form.FormDataContentType(), reader)
}

func (c submitCommand) fill(form *multipart.Writer, file io.Reader) error {
	for _, f := range []struct{ name, value string }{{"track", c.Track}, {"release", c.Release}, {"system", c.System}, {"version", c.Version},
		{"model", c.Model}, {"link", c.Link}, {"notes", c.Notes}, {"prompt", c.Level}, {"condition", c.Arm}} {
		if f.value == "" {
			continue
		}
		if err := form.WriteField(f.name, f.value); err != nil {
			return err
		}
	}
	part, err := form.CreateFormFile("file", filepath.Base(c.File))
	if err != nil {
		return err
	}
	if _, err := io.Copy(part, file); err != nil {
		return err
	}
	return form.Close()
}

// errSilent is returned when the site could not be reached, or answers that it
// cannot answer now.
var errSilent = errors.New("the site does not answer")

// mostAnswer bounds what is read of an answer, in bytes.
const mostAnswer = 64 << 20

// call sends a request and reads the submission that it is answered with.
func (s *siteClient) call(ctx context.Context, method, path, kind string, body io.Reader) (*submitted, []byte, error) {
	request, err := http.NewRequestWithContext(ctx, method, s.url+path, body)
	if err != nil {
		return nil, nil, err
	}
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	if s.token != "" {
		request.Header.Set("Authorization", "Bearer "+s.token)
	}
	answer, err := s.http.Do(request)
	if err != nil {
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		return nil, nil, fmt.Errorf("%w at %s: %w", errSilent, s.url, err)
	}
	defer answer.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errSilent, err)
	}
	if answer.StatusCode >= 300 {
		return nil, nil, refusal(answer, raw)
	}
	var sub submitted
	if err := json.Unmarshal(raw, &sub); err != nil || sub.ID == "" {
		return nil, nil, fmt.Errorf("%s answers %s, but with no submission: is it the address of a Touchstone site?", s.url+path, answer.Status)
	}
	return &sub, raw, nil
}

// refusal is what the site says is wrong.
func refusal(answer *http.Response, raw []byte) error {
	var said struct{ Error, Mend string }
	if err := json.Unmarshal(raw, &said); err != nil || said.Error == "" {
		said.Error = "the site answers " + answer.Status
	}
	text := strings.TrimSuffix(said.Error, ".")
	if said.Mend != "" {
		text += "; " + said.Mend
	}
	if answer.StatusCode == http.StatusUnauthorized {
		text += " (give it with --token or TOUCHSTONE_TOKEN)"
	}
	if answer.StatusCode >= 500 {
		return fmt.Errorf("%w: %s", errSilent, text)
	}
	return errors.New(text)
}

const (
	askAgain = time.Second     // between two looks at a submission
	patience = 5 * time.Minute // that a site may be silent while its submission is waited for
)

// wait looks at a submission until it is over. A site that is started again
// meanwhile goes on, and so does waiting for it.
func (s *siteClient) wait(ctx context.Context, p *place, sub *submitted, raw []byte) (*submitted, []byte, error) {
	defer p.stderr.close()
	id, answered := sub.ID, time.Now()
	for {
		if sub != nil {
			answered = time.Now()
			p.stderr.show("evaluating", sub.Done, sub.Samples)
			switch sub.State {
			case "finished", "failed", "cancelled":
				return sub, raw, nil
			}
		}
		select {
		case <-ctx.Done():
			return nil, nil, fmt.Errorf("%w; the evaluation goes on at the site", ctx.Err())
		case <-time.After(askAgain):
		}
		var err error
		sub, raw, err = s.call(ctx, http.MethodGet, "/api/v1/submissions/"+id, "", nil)
		if err != nil && (!errors.Is(err, errSilent) || time.Since(answered) > patience) && ctx.Err() == nil {
			return nil, nil, err
		}
	}
}

// printLine writes a JSON object on one line.
func printLine(out io.Writer, raw []byte) error {
	var line bytes.Buffer
	if err := json.Compact(&line, raw); err != nil {
		return err
	}
	line.WriteByte('\n')
	_, err := out.Write(line.Bytes())
	return err
}
