"""Whatever a child does to the tree, the next one finds it as it was."""

import mmap
import os
import shutil
import socket

import pytest

from touchstone_harness import scratch, tree

FILES = {
    "a.py": (0o644, b"a = 1\n"),
    "run.sh": (0o755, b"#!/bin/sh\n"),
    "pkg/__init__.py": (0o644, b""),
    "pkg/deep/er/b.py": (0o644, b"b = 2\n" * 1000),
    "pkg/__pycache__/__init__.cpython-311.pyc": (0o644, b"bytecode"),
    "pkg/link": (None, b"deep/er/b.py"),
    "pkg/gone": (None, b"/nowhere"),
}


def state(root):
    """Everything of a folder that a program can ask for, but inodes and change times."""
    found = {}
    for folder, folders, names in os.walk(root):
        for name in [".", *folders, *names]:
            path = os.path.join(folder, name)
            info = os.lstat(path)
            content = os.readlink(path) if os.path.islink(path) else open(path, "rb").read() if os.path.isfile(path) else None
            found[os.path.relpath(path, root)] = (info.st_mode, info.st_nlink, int(info.st_mtime), content, tuple(os.listxattr(path, follow_symlinks=False)))
    return found


@pytest.fixture
def there(tmp_path):
    os.chmod(tmp_path, scratch.OPEN)
    made = tree.Tree(str(tmp_path), dict(FILES))
    made.restore()
    return made


def test_the_tree_is_as_the_files(there):
    found = state(there.root)
    assert found["a.py"][0] & 0o777 == 0o644 and found["run.sh"][0] & 0o777 == 0o755
    assert found["pkg/deep/er/b.py"][3] == b"b = 2\n" * 1000
    assert found["pkg/link"][3] == "deep/er/b.py"
    assert found["a.py"][2] == found["pkg"][2] == tree.MTIME


def same_size_same_times(root):
    path = root + "/a.py"
    info = os.stat(path)
    with open(path, "r+b") as f:
        f.write(b"a = 9\n")
    os.utime(path, ns=(info.st_atime_ns, info.st_mtime_ns))


def through_a_map(root):
    """Changes no time at all, on a file system in memory."""
    with open(root + "/a.py", "r+b") as f, mmap.mmap(f.fileno(), 0) as m:
        m[:] = b"a = 8\n"


def through_a_map_unseen(root):
    """As before, and without an access time."""
    fd = os.open(root + "/pkg/deep/er/b.py", os.O_RDWR | os.O_NOATIME)
    with mmap.mmap(fd, 0) as m:
        m[:5] = b"b = 7"
    os.close(fd)


def replaced_by_a_folder(root):
    os.unlink(root + "/a.py")
    os.makedirs(root + "/a.py/inner")


def folder_replaced_by_a_file(root):
    shutil.rmtree(root + "/pkg")
    open(root + "/pkg", "w").close()


def folder_replaced_by_a_link(root):
    os.rename(root + "/pkg", root + "/moved")
    os.symlink("moved", root + "/pkg")


def deep_folders(root):
    here = os.getcwd()
    os.chdir(root)
    for _ in range(1500):
        os.mkdir("d" * 200)
        os.chdir("d" * 200)
        open("f", "w").close()
    os.chdir(here)


def shut_folders(root):
    os.makedirs(root + "/new/inner")
    open(root + "/new/inner/f", "w").close()
    for path in ("/new/inner", "/new", "/pkg/deep/er", "/pkg/deep", "/pkg", ""):
        os.chmod(root + path, 0)


def special_files(root):
    os.mkfifo(root + "/fifo")
    os.unlink(root + "/a.py")
    os.mkfifo(root + "/a.py")
    with socket.socket(socket.AF_UNIX) as s:
        s.bind(root + "/socket")


def strange_names(root):
    for name in (b"\xff\xfe", b"new\nline", b" ", b"-rf", "ü".encode()):
        open(os.fsencode(root) + b"/" + name, "w").close()


def attributes(root):
    for name in ("", "/pkg", "/a.py"):
        os.setxattr(root + name, "user.note", b"1")


CHANGES = {
    "rewritten": lambda root: open(root + "/a.py", "w").write("a = 2\n"),
    "rewritten with the same size and times": same_size_same_times,
    "changed through a memory map": through_a_map,
    "changed through a memory map, unseen": through_a_map_unseen,
    "emptied": lambda root: os.truncate(root + "/run.sh", 0),
    "a file's mode": lambda root: os.chmod(root + "/a.py", 0),
    "deleted": lambda root: os.unlink(root + "/a.py"),
    "a folder deleted": lambda root: shutil.rmtree(root + "/pkg"),
    "all deleted": lambda root: [shutil.rmtree(root + "/pkg"), os.unlink(root + "/a.py"), os.unlink(root + "/run.sh")],
    "a file moved": lambda root: os.rename(root + "/a.py", root + "/pkg/deep/er/b.py"),
    "exchanged": lambda root: [os.rename(root + "/a.py", root + "/x"), os.rename(root + "/run.sh", root + "/a.py"), os.rename(root + "/x", root + "/run.sh")],
    "replaced by a folder": replaced_by_a_folder,
    "a folder replaced by a file": folder_replaced_by_a_file,
    "a folder replaced by a link": folder_replaced_by_a_link,
    "replaced by a link": lambda root: [os.unlink(root + "/a.py"), os.symlink("/etc/passwd", root + "/a.py")],
    "a link elsewhere": lambda root: [os.unlink(root + "/pkg/link"), os.symlink("/etc", root + "/pkg/link")],
    "a second name": lambda root: os.link(root + "/a.py", root + "/pkg/other"),
    "new files": lambda root: open(root + "/pkg/deep/new.py", "w").write("x"),
    "bytecode": lambda root: open(root + "/pkg/__pycache__/__init__.cpython-311.pyc", "w").write("otherwise"),
    "new bytecode": lambda root: [os.mkdir(root + "/__pycache__"), open(root + "/__pycache__/a.cpython-311.pyc", "w").write("x")],
    "deep folders": deep_folders,
    "shut folders": shut_folders,
    "special files": special_files,
    "strange names": strange_names,
    "attributes": attributes,
    "a folder's times": lambda root: os.utime(root + "/pkg", (5, 5)),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_is_undone(there, what):
    before = state(there.root)
    try:
        CHANGES[what](there.root)
    except OSError as error:
        pytest.skip("this file system has none: %s" % error)
    there.restore()
    assert state(there.root) == before
    there.restore()
    assert state(there.root) == before


def test_one_file_exchanged_and_back(there):
    before = state(there.root)
    there.restore_with("pkg/__init__.py", b"x = 1\n")
    assert open(there.root + "/pkg/__init__.py").read() == "x = 1\n"
    assert not os.path.exists(there.root + "/pkg/__pycache__")
    there.restore_with("a.py", b"a = 2\n")
    assert open(there.root + "/pkg/__init__.py").read() == ""
    there.restore()
    assert state(there.root) == before


def test_untouched_files_are_not_written_again(there):
    inode = os.stat(there.root + "/a.py").st_ino
    there.restore_with("pkg/__init__.py", b"x = 1\n")
    assert os.stat(there.root + "/a.py").st_ino == inode


def test_a_forgotten_file_is_nowhere_in_memory(there):
    there.forget_file("pkg/__init__.py")
    assert not [p for p in there.files if "__init__" in p]


def test_scratch_is_emptied(tmp_path):
    for name in ("deep folders", "shut folders", "special files", "strange names"):
        root = tmp_path / "scratch"
        root.mkdir()
        if name == "shut folders":
            (root / "pkg/deep/er").mkdir(parents=True)
        (root / "a.py").touch()
        CHANGES[name](str(root))
        scratch.empty(str(root))
        assert os.listdir(root) == []
        assert os.stat(root).st_mode & 0o7777 == scratch.OPEN
        root.rmdir()
    scratch.empty(str(tmp_path / "nowhere"))
