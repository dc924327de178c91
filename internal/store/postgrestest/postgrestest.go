// Package postgrestest gives tests a PostgreSQL of their own: a cluster in a
// temporary folder that listens on a socket only, and a database for each test.
package postgrestest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

var (
	start = sync.OnceValues(startCluster)
	count atomic.Int64
	stops []func()
)

// Main runs a package's tests and stops the cluster behind them.
func Main(m *testing.M) int {
	defer func() {
		for _, stop := range stops {
			stop()
		}
	}()
	return m.Run()
}

// Database is the address of an empty database. Without PostgreSQL the test is
// skipped, or fails where everything is required.
func Database(t testing.TB) string {
	t.Helper()
	socket, err := start()
	if err != nil {
		if os.Getenv("TOUCHSTONE_REQUIRE") == "all" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	name := "test" + strconv.FormatInt(count.Add(1), 10)
	connection, err := pgx.Connect(t.Context(), address(socket, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close(context.Background())
	if _, err := connection.Exec(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	return address(socket, name)
}

func address(socket, database string) string {
	return (&url.URL{Scheme: "postgres", User: url.User("touchstone"), Path: "/" + database,
		RawQuery: url.Values{"host": {socket}, "sslmode": {"disable"}}.Encode()}).String()
}

// startCluster makes a cluster and returns the folder of its socket.
func startCluster() (string, error) {
	initdb, err := program("initdb")
	if err != nil {
		return "", err
	}
	postgres, err := program("postgres")
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "touchstone-postgres-")
	if err != nil {
		return "", err
	}
	stops = append(stops, func() { os.RemoveAll(dir) })
	attributes, err := ordinaryUser(dir)
	if err != nil {
		return "", err
	}
	cluster := filepath.Join(dir, "cluster")
	made := exec.Command(initdb, "-D", cluster, "-U", "touchstone", "-A", "trust", "--no-sync", "--locale=C.UTF-8", "-E", "UTF8")
	made.SysProcAttr, made.Dir = attributes, dir
	if out, err := made.CombinedOutput(); err != nil {
		return "", fmt.Errorf("initdb: %w: %s", err, out)
	}
	server := exec.Command(postgres, "-D", cluster, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off")
	server.SysProcAttr, server.Dir = attributes, dir
	if err := server.Start(); err != nil {
		return "", err
	}
	stops = append([]func(){func() {
		_ = server.Process.Signal(syscall.SIGQUIT)
		_ = server.Wait()
	}}, stops...)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(100 * time.Millisecond) {
		connection, err := pgx.Connect(context.Background(), address(dir, "postgres"))
		if err == nil {
			return dir, connection.Close(context.Background())
		}
		if time.Now().After(deadline) {
			return "", fmt.Errorf("PostgreSQL does not answer: %w", err)
		}
	}
}

// program finds a program of PostgreSQL, which Debian keeps off the path.
func program(name string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return path, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil || len(found) == 0 {
		return "", errors.New("PostgreSQL is not installed: there is no " + name)
	}
	return found[len(found)-1], nil
}

// ordinaryUser is who runs the cluster: PostgreSQL refuses to run as root.
func ordinaryUser(dir string) (*syscall.SysProcAttr, error) {
	attributes := &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if os.Geteuid() != 0 {
		return attributes, nil
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return nil, err
	}
	uid, err := strconv.Atoi(nobody.Uid)
	if err != nil {
		return nil, err
	}
	gid, err := strconv.Atoi(nobody.Gid)
	if err != nil {
		return nil, err
	}
	attributes.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return attributes, os.Chown(dir, uid, gid)
}
