package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// systemFolders are the host's programs and libraries, seen read-only.
var systemFolders = []string{"/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// systemFiles are the files of /etc that programs need and that say nothing
// about the host.
var systemFiles = []string{
	"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d",
	"/etc/alternatives", "/etc/localtime", "/etc/ssl/certs", "/etc/ssl/openssl.cnf",
}

var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// writtenFiles replace the host's own.
var writtenFiles = map[string]string{
	"/etc/passwd":        "root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/tmp:/bin/sh\n",
	"/etc/group":         "root:x:0:\nnogroup:x:65534:\n",
	"/etc/hosts":         "127.0.0.1 localhost\n::1 localhost\n",
	"/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
}

var deviceLinks = map[string]string{
	"/dev/fd": "/proc/self/fd", "/dev/stdin": "/proc/self/fd/0",
	"/dev/stdout": "/proc/self/fd/1", "/dev/stderr": "/proc/self/fd/2",
}

const (
	// rootBase is where the new root is put together before it becomes /.
	rootBase = "/tmp"
	// rootBytes bounds the new root itself: folders, links, small files.
	rootBytes = 1 << 20
	// scratchName is where the memory of all writable folders is mounted
	// while the root is put together.
	scratchName = "/.scratch"
)

// newRoot is a root folder under construction.
type newRoot struct {
	fd      int      // of the root
	own     []uint64 // devices in which missing folders may be made
	scratch int      // number of scratch folders made
}

// tree is a detached copy of a mount, ready to be put somewhere.
type tree struct {
	fd     int
	target string
	folder bool
}

// buildRoot makes a root of the system's folders, the mounts and memory, and
// makes it the only thing this mount namespace has.
func buildRoot(spec Spec) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return &unavailable{fmt.Errorf("make the mounts private: %w", err)}
	}
	// Everything of the host is taken before the new root covers rootBase.
	system, links, err := takeSystem()
	if err != nil {
		return &unavailable{err}
	}
	given := make([]tree, 0, len(spec.Mounts))
	for _, m := range spec.Mounts {
		t, err := take(m.Source, m.Target, mountAttributes(m.Writable))
		if err != nil {
			return fmt.Errorf("mount %s: %w", m.Source, err)
		}
		given = append(given, t)
	}

	root, err := beginRoot(spec.Limits.Scratch)
	if err != nil {
		return &unavailable{err}
	}
	if err := root.addSystem(system, links); err != nil {
		return &unavailable{err}
	}
	if err := root.addGiven(given, spec.Tmpfs); err != nil {
		return err
	}
	if err := root.enter(); err != nil {
		return &unavailable{err}
	}
	return nil
}

func mountAttributes(writable bool) uint64 {
	attributes := uint64(unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV)
	if !writable {
		attributes |= unix.MOUNT_ATTR_RDONLY
	}
	return attributes
}

// take copies the mount at source, with everything mounted below it.
func take(source, target string, attributes uint64) (tree, error) {
	fd, err := unix.OpenTree(unix.AT_FDCWD, source, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
	if err != nil {
		return tree{}, err
	}
	attr := unix.MountAttr{Attr_set: attributes}
	if err := unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr); err != nil {
		return tree{}, fmt.Errorf("set mount attributes: %w", err)
	}
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return tree{}, err
	}
	return tree{fd: fd, target: target, folder: stat.Mode&unix.S_IFMT == unix.S_IFDIR}, nil
}

// takeSystem copies the system's folders, files and devices; top-level links
// such as /lib are to be made again.
func takeSystem() (trees []tree, links map[string]string, err error) {
	links = map[string]string{}
	for _, folder := range systemFolders {
		if to, err := os.Readlink(folder); err == nil {
			links[folder] = to
			continue
		}
		t, err := take(folder, folder, mountAttributes(false))
		if errors.Is(err, unix.ENOENT) {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("mount %s: %w", folder, err)
		}
		trees = append(trees, t)
	}
	for _, file := range systemFiles {
		t, err := take(file, file, mountAttributes(false))
		if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.EACCES) {
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("mount %s: %w", file, err)
		}
		trees = append(trees, t)
	}
	for _, device := range devices {
		t, err := take(device, device, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NOEXEC)
		if err != nil {
			return nil, nil, fmt.Errorf("mount %s: %w", device, err)
		}
		trees = append(trees, t)
	}
	return trees, links, nil
}

// beginRoot mounts the empty root and the memory of the writable folders,
// which together may take scratch bytes and as many files as pages.
func beginRoot(scratch int64) (*newRoot, error) {
	options := fmt.Sprintf("mode=755,size=%d", rootBytes)
	if err := unix.Mount("tmpfs", rootBase, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return nil, fmt.Errorf("mount a tmpfs: %w", err)
	}
	if err := unix.Chdir(rootBase); err != nil {
		return nil, err
	}
	if err := unix.Mkdir("."+scratchName, 0o755); err != nil {
		return nil, err
	}
	options = fmt.Sprintf("mode=755,size=%d,nr_inodes=%d", scratch, scratchFiles(scratch))
	if err := unix.Mount("tmpfs", "."+scratchName, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, options); err != nil {
		return nil, fmt.Errorf("mount a tmpfs: %w", err)
	}
	fd, err := unix.Open(".", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	root := &newRoot{fd: fd}
	for _, name := range []string{".", "." + scratchName} {
		var stat unix.Stat_t
		if err := unix.Stat(name, &stat); err != nil {
			return nil, err
		}
		root.own = append(root.own, uint64(stat.Dev))
	}
	return root, nil
}

func (r *newRoot) addSystem(trees []tree, links map[string]string) error {
	for name, to := range links {
		if err := unix.Symlinkat(to, r.fd, relative(name)); err != nil {
			return fmt.Errorf("link %s: %w", name, err)
		}
	}
	for _, t := range trees {
		if err := r.put(t); err != nil {
			return fmt.Errorf("mount %s: %w", t.target, err)
		}
	}
	for name, content := range writtenFiles {
		if err := os.WriteFile("."+name, []byte(content), 0o644); err != nil {
			return err
		}
	}
	for name, to := range deviceLinks {
		if err := unix.Symlinkat(to, r.fd, relative(name)); err != nil {
			return fmt.Errorf("link %s: %w", name, err)
		}
	}
	for _, folder := range []string{"/tmp", "/dev/shm"} {
		if err := r.putScratch(folder); err != nil {
			return fmt.Errorf("make %s: %w", folder, err)
		}
	}
	if err := unix.Mkdir("proc", 0o555); err != nil {
		return err
	}
	if err := unix.Mount("proc", "proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	return nil
}

// addGiven puts the mounts and empty folders of the spec in place, outer ones
// first.
func (r *newRoot) addGiven(trees []tree, tmpfs []string) error {
	for _, folder := range tmpfs {
		trees = append(trees, tree{fd: -1, target: folder, folder: true})
	}
	slices.SortStableFunc(trees, func(a, b tree) int { return strings.Compare(a.target, b.target) })
	for _, t := range trees {
		var err error
		if t.fd < 0 {
			err = r.putScratch(t.target)
		} else {
			err = r.put(t)
		}
		if err != nil {
			return fmt.Errorf("mount at %s: %w", t.target, err)
		}
	}
	return nil
}

// put moves a tree to its target, which is made if it is missing.
func (r *newRoot) put(t tree) error {
	defer unix.Close(t.fd)
	at, err := r.makeTarget(t.target, t.folder)
	if err != nil {
		return err
	}
	defer unix.Close(at)
	return unix.MoveMount(t.fd, "", at, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}

// putScratch makes an empty folder in memory that anyone inside may write.
func (r *newRoot) putScratch(target string) error {
	name := fmt.Sprintf(".%s/%d", scratchName, r.scratch)
	r.scratch++
	if err := unix.Mkdir(name, 0o777); err != nil {
		return err
	}
	if err := unix.Chmod(name, 0o1777); err != nil {
		return err
	}
	t, err := take(name, target, mountAttributes(true))
	if err != nil {
		return err
	}
	return r.put(t)
}

// makeTarget opens the place where something is to be mounted. Links are
// followed as the program would, never out of the new root; what is missing is
// made, but only in our own memory, never in a folder of the host.
func (r *newRoot) makeTarget(target string, folder bool) (int, error) {
	fd, err := r.resolve(target)
	if !errors.Is(err, unix.ENOENT) {
		return fd, err
	}
	parent, err := r.makeTarget(path.Dir(target), true)
	if err != nil {
		return -1, err
	}
	defer unix.Close(parent)
	var stat unix.Stat_t
	if err := unix.Fstat(parent, &stat); err != nil {
		return -1, err
	}
	if !slices.Contains(r.own, uint64(stat.Dev)) {
		return -1, fmt.Errorf("%s does not exist in the folder mounted there", target)
	}
	if folder {
		err = unix.Mkdirat(parent, path.Base(target), 0o755)
	} else {
		err = unix.Mknodat(parent, path.Base(target), unix.S_IFREG|0o644, 0)
	}
	if err != nil {
		return -1, err
	}
	return r.resolve(target)
}

func (r *newRoot) resolve(target string) (int, error) {
	return unix.Openat2(r.fd, relative(target), &unix.OpenHow{
		Flags:   unix.O_PATH | unix.O_CLOEXEC,
		Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS,
	})
}

// enter makes the new root /, and forgets the host's.
func (r *newRoot) enter() error {
	if err := unix.Unmount("."+scratchName, unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount %s: %w", scratchName, err)
	}
	if err := unix.Rmdir("." + scratchName); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("pivot_root: %w", err)
	}
	// The old root now lies over the new one.
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("unmount the old root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return err
	}
	readOnly := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	if err := unix.MountSetattr(unix.AT_FDCWD, "/", 0, &readOnly); err != nil {
		return fmt.Errorf("make / read-only: %w", err)
	}
	return unix.Close(r.fd)
}

// relative turns an absolute path into one below the new root.
func relative(name string) string {
	if name == "/" {
		return "."
	}
	return strings.TrimPrefix(name, "/")
}
