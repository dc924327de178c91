package dispatch

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"os"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// MaxPayload is the size in bytes of the largest message that the embedded
// server takes, headers included: 64 MB, the most that NATS supports.
const MaxPayload = 64 << 20

// embed starts a server that listens on nothing and keeps everything in
// memory.
func embed(log *slog.Logger) (*server.Server, error) {
	// JetStream asks for a folder even when it stores nothing in it. It is
	// removed as soon as the server runs, so that a killed process leaves none.
	dir, err := os.MkdirTemp("", "touchstone-nats-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for the embedded NATS server: %w", err)
	}
	defer os.RemoveAll(dir)
	s, err := server.NewServer(&server.Options{
		ServerName: "touchstone",
		DontListen: true,
		NoSigs:     true,

		JetStream:              true,
		DisableJetStreamBanner: true,
		StoreDir:               dir,
		JetStreamMaxMemory:     math.MaxInt64, // Config.Backlog bounds it

		MaxPayload:    MaxPayload,
		MaxPending:    16 * MaxPayload, // what may be on its way to one connection
		WriteDeadline: time.Minute,     // the reader is this process, however busy it is
	})
	if err != nil {
		return nil, fmt.Errorf("making the embedded NATS server: %w", err)
	}
	messages := &serverLog{log: log}
	s.SetLoggerV2(messages, false, false, false)
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		stop(s)
		return nil, errors.New("the embedded NATS server did not start within 10 s")
	}
	messages.started.Store(true)
	return s, nil
}

func stop(s *server.Server) {
	s.Shutdown()
	s.WaitForShutdown()
}

// serverLog passes the server's messages on. What it finds notable, and what
// it warns of while it starts (that large messages are allowed), is of no
// interest to who runs a site.
type serverLog struct {
	log     *slog.Logger
	started atomic.Bool
}

func (l *serverLog) Noticef(format string, v ...any) { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l *serverLog) Debugf(format string, v ...any)  { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l *serverLog) Tracef(format string, v ...any)  { l.log.Debug(fmt.Sprintf(format, v...)) }
func (l *serverLog) Errorf(format string, v ...any)  { l.log.Error(fmt.Sprintf(format, v...)) }
func (l *serverLog) Fatalf(format string, v ...any)  { l.log.Error(fmt.Sprintf(format, v...)) }
func (l *serverLog) Warnf(format string, v ...any) {
	level := slog.LevelDebug
	if l.started.Load() {
		level = slog.LevelWarn
	}
	l.log.Log(context.Background(), level, fmt.Sprintf(format, v...))
}
