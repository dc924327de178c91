package sandbox

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/docker/docker/api/types/container"
)

func testDocker(t testing.TB) *Docker {
	t.Helper()
	d, err := NewDocker(DockerConfig{Image: os.Getenv("TOUCHSTONE_TEST_IMAGE")})
	if err != nil {
		if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return d
}

func TestReapRemovesOnlyWhatDeadOwnersLeft(t *testing.T) {
	d := testDocker(t)
	ctx := context.Background()
	leave := func(owner string) string {
		spec, err := Spec{Argv: []string{"/bin/sleep", "60"}}.prepared()
		if err != nil {
			t.Fatal(err)
		}
		config, host := d.containerOf(spec)
		config.Labels[labelOwner] = owner
		created, err := d.client.ContainerCreate(ctx, config, host, nil, nil, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.remove(created.ID) })
		if err := d.client.ContainerStart(ctx, created.ID, container.StartOptions{}); err != nil {
			t.Fatal(err)
		}
		return created.ID
	}
	dead, foreign := thisProcess(), thisProcess()
	dead.pid = 1 << 30
	foreign.boot = "another"
	kept := []string{leave(d.owner), leave(foreign.String())}
	gone := leave(dead.String())

	if n, err := d.Reap(ctx); n < 1 || err != nil {
		t.Errorf("removed %d, %v", n, err)
	}
	if _, err := d.client.ContainerInspect(ctx, gone); err == nil {
		t.Error("the container of a dead owner is still there")
	}
	for _, id := range kept {
		if _, err := d.client.ContainerInspect(ctx, id); err != nil {
			t.Error(err)
		}
	}
}

func TestDockerSaysHowToMend(t *testing.T) {
	testDocker(t)
	for name, c := range map[string]struct {
		config DockerConfig
		mend   string
	}{
		"no image":  {DockerConfig{Image: "touchstone-no-such-image:none"}, "docker import"},
		"no daemon": {DockerConfig{Host: "unix:///does/not/exist.sock"}, "Docker Engine"},
	} {
		_, err := NewDocker(c.config)
		var unavailable *UnavailableError
		if !errors.As(err, &unavailable) || unavailable.Sandbox != "docker" || !strings.Contains(unavailable.Mend, c.mend) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func BenchmarkDocker(b *testing.B) {
	d := testDocker(b)
	for b.Loop() {
		p, err := d.Start(context.Background(), Spec{Argv: []string{"/bin/true"}})
		if err != nil {
			b.Fatal(err)
		}
		if exit := p.Wait(); exit.Code != 0 {
			b.Fatalf("%+v", exit)
		}
	}
}
