package sandbox

import (
	"context"
	"errors"
	"fmt"
)

// Open returns the sandbox called name: "local", "docker", or "auto" for local
// where the machine allows it, else Docker. The error is an *UnavailableError
// when it cannot be had; there is no sandbox that does not isolate.
func Open(ctx context.Context, name string, config DockerConfig) (Sandbox, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch name {
	case "local":
		return orError(NewLocal())
	case "docker":
		return orError(NewDocker(config))
	case "auto":
		local, localErr := NewLocal()
		if localErr == nil {
			return local, nil
		}
		docker, dockerErr := NewDocker(config)
		if dockerErr == nil {
			return docker, nil
		}
		return nil, neither(localErr, dockerErr)
	}
	return nil, fmt.Errorf("sandbox: there is no sandbox %q, only local, docker and auto", name)
}

// orError keeps a nil pointer from becoming a Sandbox that is not nil.
func orError[S Sandbox](s S, err error) (Sandbox, error) {
	if err != nil {
		return nil, err
	}
	return s, nil
}

func neither(localErr, dockerErr error) error {
	var local, docker *UnavailableError
	if !errors.As(localErr, &local) || !errors.As(dockerErr, &docker) {
		return errors.Join(localErr, dockerErr)
	}
	return &UnavailableError{
		Sandbox: "auto",
		Reason:  fmt.Sprintf("local: %s; docker: %s", local.Reason, docker.Reason),
		Mend:    fmt.Sprintf("for local: %s; for docker: %s", local.Mend, docker.Mend),
	}
}
