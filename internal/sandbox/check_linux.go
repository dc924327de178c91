package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"time"
)

// probePath is where our own binary is mounted inside. Its name makes Init run
// the probes.
const probePath = "/opt/" + probeName

// checkTime is far more than a check needs.
const checkTime = 20 * time.Second

// The limits under which the probes run: small, so that reaching them is fast.
var probeLimits = Limits{Processes: 64, FileSize: 4 << 20, Scratch: 16 << 20}

// checkInside runs our own binary inside s as a program that tries to get out.
func checkInside(ctx context.Context, s Sandbox) []Finding {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	findings := checkPromises(ctx, s)
	if !findings[0].OK {
		return findings // nothing can be started
	}
	findings = append(findings, checkEnd(ctx, s), checkWall(ctx, s))
	if s.Name() == "local" {
		findings = append(findings, checkLandlock())
	}
	return findings
}

// checkPromises offers the probe a piece of the host of each kind.
func checkPromises(ctx context.Context, s Sandbox) []Finding {
	const what = "starts a program"
	bait, err := newBait()
	if err != nil {
		return []Finding{{What: what, Detail: err.Error()}}
	}
	defer bait.remove()
	bait.request.Limits = probeLimits.withDefaults()
	before := time.Now()
	p, err := startProbe(ctx, s, probeEscape, probeLimits)
	if err != nil {
		return []Finding{{What: what, Detail: err.Error(), Mend: "make this program's file readable for everyone, and let the daemon see it"}}
	}
	go func() {
		_ = json.NewEncoder(p.Stdin()).Encode(bait.request)
		p.Stdin().Close()
	}()
	var results []probeResult
	err = json.NewDecoder(p.Stdout()).Decode(&results)
	_, _ = io.Copy(io.Discard, p.Stdout())
	exit := p.Wait()
	if err != nil {
		return []Finding{{What: what, Detail: fmt.Sprintf("the probe did not answer: %v (status %d %s) %s", err, exit.Code, exit.Signal, exit.Stderr)}}
	}
	findings := []Finding{{What: what, OK: true, Detail: fmt.Sprintf("in %d ms with all probes", time.Since(before).Milliseconds())}}
	for _, result := range results {
		findings = append(findings, finding(result.What, result.Problems...))
	}
	return findings
}

// checkEnd: a child that left its session and holds the output ends with the
// program.
func checkEnd(ctx context.Context, s Sandbox) Finding {
	const what = "all processes end with the program"
	p, err := startProbe(ctx, s, probeLinger, probeLimits)
	if err != nil {
		return finding(what, err.Error())
	}
	started := time.Now()
	_, _ = io.Copy(io.Discard, p.Stdout())
	exit := p.Wait()
	if time.Since(started) > idleTime-time.Second {
		return finding(what, "a child that left its session lived on")
	}
	if exit.Code != lingerStatus {
		return finding(what, fmt.Sprintf("status %d %s, not %d: %s", exit.Code, exit.Signal, lingerStatus, exit.Stderr))
	}
	return finding(what)
}

func checkWall(ctx context.Context, s Sandbox) Finding {
	const what = "bounded time"
	limits := probeLimits
	limits.Wall = 100 * time.Millisecond
	p, err := startProbe(ctx, s, probeIdle, limits)
	if err != nil {
		return finding(what, err.Error())
	}
	if exit := p.Wait(); !exit.TimedOut {
		return finding(what, fmt.Sprintf("status %d %s", exit.Code, exit.Signal))
	}
	return finding(what)
}

func checkLandlock() Finding {
	f := Finding{What: "Landlock as a second fence", OK: true, Detail: fmt.Sprintf("version %d", landlockVersion())}
	if landlockVersion() == 0 {
		f.Detail = "not in this kernel; the namespaces alone keep files apart"
		f.Mend = "use Linux 5.13 or later with landlock among the lsm= boot parameter's values"
	}
	return f
}

func startProbe(ctx context.Context, s Sandbox, mode string, limits Limits) (Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return s.Start(ctx, Spec{
		Argv:   []string{probePath, mode},
		Mounts: []Mount{{Source: self, Target: probePath}},
		Limits: limits,
		Label:  "check",
	})
}

// bait is what a probe must not reach.
type bait struct {
	request  probeRequest
	folder   string
	tcp      net.Listener
	abstract net.Listener
}

func newBait() (*bait, error) {
	folder, err := os.MkdirTemp("", "touchstone-check-")
	if err != nil {
		return nil, err
	}
	b := &bait{folder: folder}
	secret := filepath.Join(folder, "secret")
	if err := os.Chmod(folder, 0o755); err != nil {
		b.remove()
		return nil, err
	}
	if err := os.WriteFile(secret, []byte("secret"), 0o644); err != nil {
		b.remove()
		return nil, err
	}
	if b.tcp, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		b.remove()
		return nil, err
	}
	name := "@touchstone-check-" + rand.Text()
	if b.abstract, err = net.Listen("unix", name); err != nil {
		b.remove()
		return nil, err
	}
	b.request = probeRequest{TCP: b.tcp.Addr().String(), Unix: name, Secret: secret}
	return b, nil
}

func (b *bait) remove() {
	os.RemoveAll(b.folder)
	if b.tcp != nil {
		b.tcp.Close()
	}
	if b.abstract != nil {
		b.abstract.Close()
	}
}
