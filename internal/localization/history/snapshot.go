package history

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"

	"touchstone/internal/benchmark"
	"touchstone/internal/git"
	"touchstone/internal/spawn"
)

// SnapshotBranch is the only branch of a snapshot.
const SnapshotBranch = "refs/heads/main"

// Snapshot makes a bare repository that ends at a commit: its one branch is
// that commit, and it holds exactly the objects that are reachable from it, in
// a pack of its own. Nothing later can be read there by any means, which is
// what whoever builds knowledge for the augmented condition is given. Objects
// that the repository itself lacks, as some mirrors lack their largest files,
// are lacking there, too. cleanup removes it.
func Snapshot(ctx context.Context, dir, commit string) (path string, cleanup func(), err error) {
	r, err := Open(ctx, dir)
	if err != nil {
		return "", nil, err
	}
	if !fullSHA.MatchString(commit) {
		return "", nil, &benchmark.InputError{Field: "commit", Problem: fmt.Sprintf("%q is not the full SHA of a commit", commit), Mend: "give the snapshot as the release names it"}
	}
	if _, err := r.Resolve(ctx, commit); err != nil {
		return "", nil, &benchmark.InputError{Field: "repo", Problem: fmt.Sprintf("%s does not hold the commit %s", dir, commit), Mend: "give a clone of the repository that the release was built from, or fetch"}
	}
	path, err = os.MkdirTemp("", "touchstone-snapshot-")
	if err != nil {
		return "", nil, err
	}
	cleanup = func() { os.RemoveAll(path) }
	if err := r.copyUpTo(ctx, commit, path); err != nil {
		cleanup()
		return "", nil, err
	}
	return path, cleanup, nil
}

func (r Repository) copyUpTo(ctx context.Context, commit, path string) error {
	format := "sha1"
	if len(commit) == 64 {
		format = "sha256"
	}
	if _, err := git.Output(ctx, "", "init", "--quiet", "--bare", "--template=", "--object-format="+format, "--end-of-options", path); err != nil {
		return err
	}
	if err := r.pack(ctx, commit, path); err != nil {
		return err
	}
	for _, args := range [][]string{{"symbolic-ref", "HEAD", SnapshotBranch}, {"update-ref", SnapshotBranch, commit}} {
		if _, err := git.Output(ctx, path, args...); err != nil {
			return err
		}
	}
	return nil
}

// pack copies the objects through a pipe between two gits: the sender walks
// the history from the commit alone, so that no alternates, no links and no
// object of the same pack come along.
func (r Repository) pack(ctx context.Context, commit, path string) error {
	ctx, cancel := context.WithTimeout(ctx, git.Timeout)
	defer cancel()
	from, to, err := os.Pipe()
	if err != nil {
		return err
	}
	send := git.Command(ctx, r.own, r.here([]string{"pack-objects", "--revs", "--stdout", "--delta-base-offset", "--missing=allow-any", "--no-use-bitmap-index", "--quiet"})...)
	receive := git.Command(ctx, path, "index-pack", "--stdin")
	var sent, received bytes.Buffer
	send.Stdin, send.Stdout, send.Stderr = bytes.NewBufferString(commit+"\n"), to, &sent
	receive.Stdin, receive.Stderr = from, &received
	err = startBoth(send, receive)
	to.Close()
	from.Close()
	if err != nil {
		return git.Ended(ctx, err, "", "pack-objects")
	}
	sendErr, receiveErr := send.Wait(), receive.Wait()
	if err := git.Ended(ctx, sendErr, sent.String(), "pack-objects"); err != nil {
		return unreadable(r.dir, err)
	}
	return git.Ended(ctx, receiveErr, received.String(), "index-pack")
}

func startBoth(first, second *exec.Cmd) error {
	if err := spawn.Start(first); err != nil {
		return err
	}
	if err := spawn.Start(second); err != nil {
		first.Cancel()
		first.Wait()
		return err
	}
	return nil
}
