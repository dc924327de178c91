package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/containerd/errdefs"
	"github.com/docker/docker/api/types"
	"github.com/docker/docker/api/types/container"
	"github.com/docker/docker/client"
	"github.com/docker/docker/pkg/stdcopy"
)

// DefaultImage is the image used when DockerConfig names none.
const DefaultImage = "touchstone-base:bookworm"

// DockerConfig says which daemon and which image to use.
type DockerConfig struct {
	Image string // default DefaultImage; it is never pulled
	Host  string // for example unix:///var/run/docker.sock; default as the docker command
}

// Docker runs every program in a hardened container of its own, which is
// removed when the program ends. It is safe for concurrent use.
type Docker struct {
	client  *client.Client
	image   string
	owner   string // labels our containers
	watcher func() error
}

// NewDocker connects to the daemon and makes sure the image is there;
// otherwise the error is an *UnavailableError. The program must have called
// Init.
func NewDocker(config DockerConfig) (*Docker, error) {
	if !initialised.Load() {
		return nil, errors.New("sandbox: main must call sandbox.Init first")
	}
	if config.Image == "" {
		config.Image = DefaultImage
	}
	cli, err := dial(config.Host)
	if err != nil {
		return nil, daemonUnavailable(err)
	}
	d := &Docker{client: cli, image: config.Image, owner: thisProcess().String()}
	d.watcher = sync.OnceValue(func() error { return startWatcher(config.Host, d.owner) })

	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if _, err := cli.Ping(ctx); err != nil {
		return nil, daemonUnavailable(err)
	}
	if _, err := cli.ImageInspect(ctx, config.Image); err != nil {
		return nil, d.explain(err)
	}
	return d, nil
}

func dial(host string) (*client.Client, error) {
	options := []client.Opt{client.FromEnv, client.WithAPIVersionNegotiation()}
	if host != "" {
		options = append(options, client.WithHost(host))
	}
	return client.NewClientWithOpts(options...)
}

func daemonUnavailable(err error) *UnavailableError {
	return &UnavailableError{Sandbox: "docker", Reason: err.Error(),
		Mend: "install and start Docker Engine 20.10 or later, and add this user to the docker group"}
}

// explain turns the daemon's errors that the user can mend into advice.
func (d *Docker) explain(err error) error {
	switch {
	case errdefs.IsNotFound(err):
		return &UnavailableError{Sandbox: "docker", Reason: "there is no image " + d.image,
			Mend: fmt.Sprintf("make one, with docker build -t %s, or with debootstrap --variant=minbase --include=python3 bookworm rootfs && tar -C rootfs -c . | docker import - %s", d.image, d.image)}
	case client.IsErrConnectionFailed(err):
		return daemonUnavailable(err)
	}
	return fmt.Errorf("sandbox: %w", err)
}

// Name returns "docker".
func (d *Docker) Name() string { return "docker" }

// Start runs spec in a new container.
func (d *Docker) Start(ctx context.Context, spec Spec) (Process, error) {
	spec, err := spec.prepared()
	if err != nil {
		return nil, err
	}
	if err := containable(spec); err != nil {
		return nil, err
	}
	if err := d.watcher(); err != nil {
		return nil, fmt.Errorf("sandbox: start the watcher: %w", err)
	}
	config, host := d.containerOf(spec)
	created, err := d.client.ContainerCreate(ctx, config, host, nil, nil, "")
	if err != nil {
		return nil, d.explain(err)
	}
	p, err := d.run(ctx, created.ID, spec.Limits)
	if err != nil {
		d.remove(created.ID)
		return nil, d.explain(err)
	}
	return p, nil
}

// containable refuses what Docker would get wrong.
func containable(spec Spec) error {
	for _, text := range append(append([]string{}, spec.Argv...), spec.Env...) {
		if !utf8.ValidString(text) {
			return fmt.Errorf("sandbox: Docker cannot pass %q, which is not UTF-8", text)
		}
	}
	for _, m := range spec.Mounts {
		info, err := os.Stat(m.Source)
		if err != nil {
			continue // the daemon may see more than we do; it has the last word
		}
		need, advice := os.FileMode(0o4), "o+r"
		if info.IsDir() {
			need, advice = need|0o1, "o+rx"
		}
		if m.Writable {
			need, advice = need|0o2, advice+"w"
		}
		stat, ok := info.Sys().(*syscall.Stat_t)
		if ok && stat.Uid != sandboxUID && info.Mode()&need != need {
			return fmt.Errorf("sandbox: mount %s: the sandboxed user may not use it (chmod %s): %w", m.Source, advice, os.ErrPermission)
		}
	}
	return nil
}

// run attaches to a created container before it starts it, so that no byte is
// lost, and begins to wait before that, so that no exit is.
func (d *Docker) run(ctx context.Context, id string, limits Limits) (*dockerProcess, error) {
	stream, err := d.client.ContainerAttach(ctx, id, container.AttachOptions{
		Stream: true, Stdin: true, Stdout: true, Stderr: true,
	})
	if err != nil {
		return nil, err
	}
	waiting, stopWaiting := context.WithCancel(context.Background())
	exits, failures := d.client.ContainerWait(waiting, id, container.WaitConditionRemoved)
	stdout, fromStream, err := os.Pipe()
	if err == nil {
		err = d.client.ContainerStart(ctx, id, container.StartOptions{})
	}
	if err != nil {
		stopWaiting()
		stream.Close()
		if stdout != nil {
			stdout.Close()
			fromStream.Close()
		}
		return nil, err
	}
	p := &dockerProcess{
		stream: stream, stdout: &output{file: stdout}, fromStream: fromStream,
		stderr: newTail(limits.StderrBytes), exits: exits, failures: failures,
	}
	p.life = newLife(ctx, limits.Wall, func() {
		// Nobody needs to read the output of a killed program, but the daemon
		// cannot end it before it has got rid of that.
		_ = fromStream.SetWriteDeadline(time.Now().Add(drainTime))
		d.kill(id)
	})
	go func() {
		defer stopWaiting()
		p.watch()
	}()
	return p, nil
}

const (
	// drainTime is how long the output of a killed program may still be read.
	drainTime = 200 * time.Millisecond
	// daemonTime bounds a request that must not be given up with a context.
	daemonTime = 20 * time.Second
)

// kill ends a container, which removes itself then.
func (d *Docker) kill(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), daemonTime)
	defer cancel()
	err := d.client.ContainerKill(ctx, id, "KILL")
	if err != nil && !errdefs.IsNotFound(err) {
		d.remove(id) // for example, it has stopped but could not be removed
	}
}

func (d *Docker) remove(id string) {
	ctx, cancel := context.WithTimeout(context.Background(), daemonTime)
	defer cancel()
	_ = d.client.ContainerRemove(ctx, id, container.RemoveOptions{Force: true, RemoveVolumes: true})
}

type dockerProcess struct {
	*life
	stream     types.HijackedResponse
	stdout     *output
	fromStream *os.File // the other end of stdout
	stderr     *tail
	exits      <-chan container.WaitResponse
	failures   <-chan error
}

func (p *dockerProcess) Stdin() io.WriteCloser { return dockerStdin{p.stream} }
func (p *dockerProcess) Stdout() io.Reader     { return p.stdout }
func (p *dockerProcess) Stderr() string        { return p.stderr.String() }

// watch separates the two outputs and sees the container out.
func (p *dockerProcess) watch() {
	_, _ = stdcopy.StdCopy(p.fromStream, p.stderr, p.stream.Reader)
	p.fromStream.Close()
	_, _ = io.Copy(io.Discard, p.stream.Reader)
	exit := Exit{Code: -1}
	select {
	case response := <-p.exits:
		exit = exitOf(response)
	case err := <-p.failures:
		exit.Signal = "unknown: " + err.Error()
	}
	p.stream.Close()
	exit.Stderr = p.stderr.String()
	p.end(exit)
}

// exitOf undoes Docker's coding of signals as 128+n. A program that exits with
// such a status by itself looks the same.
func exitOf(response container.WaitResponse) Exit {
	if response.Error != nil {
		return Exit{Code: -1, Signal: "unknown: " + response.Error.Message}
	}
	code := int(response.StatusCode)
	if signal := code - 128; signal > 0 && signal < 32 {
		return Exit{Code: -1, Signal: syscall.Signal(signal).String()}
	}
	return Exit{Code: code}
}

// dockerStdin closes one direction of the stream only.
type dockerStdin struct{ stream types.HijackedResponse }

func (s dockerStdin) Write(p []byte) (int, error) { return s.stream.Conn.Write(p) }
func (s dockerStdin) Close() error                { return s.stream.CloseWrite() }
