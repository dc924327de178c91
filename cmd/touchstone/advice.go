package main

import (
	"cmp"
	"errors"
	"io/fs"
	"net"
	"os"
	"strings"
	"time"

	"github.com/docker/docker/client"

	"touchstone/internal/sandbox"
)

// advised gives a user whom Docker's socket turns away the one advice that
// helps: Docker is installed. Every other error stays as it is.
func advised(err error) error {
	var unavailable *sandbox.UnavailableError
	if !errors.As(err, &unavailable) || unavailable.Sandbox != "docker" || !turnedAway(dialDocker()) {
		return err
	}
	better := *unavailable
	better.Mend = "add this user to the docker group (sudo usermod -aG docker $USER) and log in again"
	return &better
}

// turnedAway reports whether there is a socket that this user may not use.
func turnedAway(err error) bool { return errors.Is(err, fs.ErrPermission) }

// dialDocker tries the socket that Docker is asked at; nil when it answers, or
// when Docker is asked over the network.
func dialDocker() error {
	socket, ok := strings.CutPrefix(cmp.Or(os.Getenv(client.EnvOverrideHost), client.DefaultDockerHost), "unix://")
	if !ok {
		return nil
	}
	connection, err := net.DialTimeout("unix", socket, time.Second)
	if err != nil {
		return err
	}
	return connection.Close()
}
