package history

import (
	"bufio"
	"bytes"
	"context"
	"io"

	"touchstone/internal/git"
	"touchstone/internal/spawn"
)

// stream runs one git command and hands its output to read as it comes. When
// read returns early, git is ended.
func (r Repository) stream(ctx context.Context, stdin io.Reader, read func(*bufio.Reader) error, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, git.Timeout)
	defer cancel()
	args = r.here(args)
	cmd := git.Command(ctx, r.own, args...)
	cmd.Stdin = stdin
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := spawn.Start(cmd); err != nil {
		return unreadable(r.dir, git.Ended(ctx, err, "", args...))
	}
	err = read(bufio.NewReaderSize(out, 1<<16))
	if err != nil {
		if ended := ctx.Err(); ended != nil {
			err = ended
		}
		cancel() // git would wait for somebody to read on
		failed := cmd.Wait()
		// Output that breaks off is explained by what git said, when it ended by itself.
		if failed != nil && stderr.Len() > 0 && err == io.ErrUnexpectedEOF {
			return unreadable(r.dir, &git.Error{Args: args, Stderr: stderr.String(), Err: failed})
		}
		return err
	}
	return unreadable(r.dir, git.Ended(ctx, cmd.Wait(), stderr.String(), args...))
}
