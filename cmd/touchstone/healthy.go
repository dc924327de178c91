package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// healthyCommand is a container's health check: the image has no other client.
type healthyCommand struct {
	Listen string `help:"Address that the site listens on." default:"127.0.0.1:8080" placeholder:"ADDR" env:"TOUCHSTONE_LISTEN"`
}

func (healthyCommand) Help() string {
	return `Example:

    touchstone healthy --listen 127.0.0.1:8080`
}

func (c healthyCommand) Run(ctx context.Context) error {
	host, port, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return usageError("--listen: " + err.Error())
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("the site answers %s", answer.Status)
	}
	return nil
}
