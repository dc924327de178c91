"""Forking a child for everything untrusted, and watching it from outside."""

import gc
import os
import secrets
import select
import shutil
import signal
import sys
import time

from . import limits, wire

OUTPUT_KEPT = 16 << 10
OUTPUT_MOST = 32 << 20


class ParentGone(Exception):
    """The program that started this server has closed its pipe."""


class Ended:
    """How a child ended."""

    def __init__(self):
        self.code = None  # exit status
        self.signal = None  # its number
        self.timed_out = False
        self.test_timed_out = False
        self.flooded = False
        self.forged = False
        self.meddled = False  # it changed limits or priority of the server
        self.output = b""
        self.seconds = 0.0


class Children:
    """Runs one child at a time."""

    def __init__(self, stdin_fd, scratch=("/tmp", "/dev/shm")):
        self._stdin = stdin_fd
        self._scratch = scratch
        self._state = limits.state()
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_read, False)
        os.set_blocking(wake_write, False)
        self._wake = wake_read
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def run(self, work, wall, on_record, test_wall=None, run_wall=None):
        """Forks; work(writer) runs in the child, which then exits with 0.
        Every record is handed to on_record as it comes. Afterwards no process
        of the child is left and the scratch folders are empty.

        wall: seconds for all of it. run_wall: seconds from the moment the
        tests are collected. test_wall: seconds for any one test."""
        ended = Ended()
        nonce = secrets.token_hex(8)
        result_read, result_write = os.pipe()
        output_read, output_write = os.pipe()
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            self._be_child(work, nonce, result_write, output_write)
        os.close(result_write)
        os.close(output_write)
        try:
            self._watch(pid, nonce, result_read, output_read, started, wall, test_wall, run_wall, on_record, ended)
        finally:
            os.close(result_read)
            os.close(output_read)
            self._clean()
        ended.seconds = time.monotonic() - started
        ended.meddled = limits.state() != self._state
        return ended

    def _be_child(self, work, nonce, result_write, output_write):
        code = 70
        try:
            os.setsid()
            signal.set_wakeup_fd(-1)
            limits.default_signals()
            null = os.open(os.devnull, os.O_RDONLY)
            os.dup2(null, 0)
            os.dup2(output_write, 1)
            os.dup2(output_write, 2)
            os.dup2(result_write, 3)
            os.closerange(4, 1024)
            limits.show()
            work(wire.Writer(3, nonce))
            sys.stdout.flush()
            code = 0
        except BaseException:
            import traceback

            try:
                traceback.print_exc()
            except BaseException:
                pass
        finally:
            os._exit(code)

    def _watch(self, pid, nonce, result_read, output_read, started, wall, test_wall, run_wall, on_record, ended):
        reader = wire.Reader(nonce)
        os.set_blocking(result_read, False)
        os.set_blocking(output_read, False)
        poll = select.poll()
        for fd in (result_read, output_read, self._wake):
            poll.register(fd, select.POLLIN)
        if self._stdin is not None:
            poll.register(self._stdin, 0)  # only a hang-up
        total = 0
        deadline = started + wall
        test_deadline = None
        alive = True
        while alive:
            now = time.monotonic()
            end = deadline if test_deadline is None else min(deadline, test_deadline)
            if now >= end:
                ended.timed_out = now >= deadline
                ended.test_timed_out = not ended.timed_out
                break
            for fd, event in poll.poll(min(end - now, 3600) * 1000 + 1):
                if fd == self._stdin:
                    if event & (select.POLLHUP | select.POLLERR):
                        raise ParentGone()
                elif fd == self._wake:
                    try:
                        os.read(self._wake, 512)
                    except BlockingIOError:
                        pass
                    alive = not self._reap(pid, ended)
                else:
                    data = _read(fd)
                    if not data:
                        poll.unregister(fd)
                    elif fd == output_read:
                        total += len(data)
                        ended.output = (ended.output + data)[-OUTPUT_KEPT:]
                    else:
                        for record in reader.feed(data):
                            if test_wall and record["kind"] == "test":
                                test_deadline = time.monotonic() + test_wall
                            if run_wall and record["kind"] == "collected":
                                deadline = min(deadline, time.monotonic() + run_wall)
                            on_record(record)
            if total > OUTPUT_MOST or reader.flooded:
                ended.flooded = True
                break
        # A child's child may hold the pipes open: take what is there, wait for nothing.
        self._kill_all(pid, ended)
        for fd in (result_read, output_read):
            while True:
                data = _read(fd)
                if not data:
                    break
                if fd == result_read:
                    for record in reader.feed(data):
                        on_record(record)
                else:
                    ended.output = (ended.output + data)[-OUTPUT_KEPT:]
        ended.forged = reader.forged

    def _reap(self, pid, ended):
        gone = False
        while True:
            try:
                done, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if done == 0:
                return gone
            if done == pid:
                gone = True
                self._note(status, ended)

    def _note(self, status, ended):
        if os.WIFSIGNALED(status):
            ended.signal = os.WTERMSIG(status)
        else:
            ended.code = os.WEXITSTATUS(status)

    def _kill_all(self, pid, ended):
        """As process 1 of its namespace the server can end everything else
        in it; elsewhere (in its tests) it ends the child's session."""
        if os.getpid() == 1:
            while True:
                try:
                    os.kill(-1, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                try:
                    done, status = os.waitpid(-1, 0)
                except ChildProcessError:
                    return
                if done == pid and ended.signal is None and ended.code is None:
                    self._note(status, ended)
        else:
            try:
                os.killpg(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            try:
                done, status = os.waitpid(pid, 0)
                if ended.signal is None and ended.code is None:
                    self._note(status, ended)
            except ChildProcessError:
                pass

    def _clean(self):
        if os.getpid() != 1:
            return
        for folder in self._scratch:
            for entry in _entries(folder):
                path = os.path.join(folder, entry)
                if os.path.isdir(path) and not os.path.islink(path):
                    _remove_tree(path)
                else:
                    os.unlink(path)
        limits.remove_shared_memory()


def _entries(folder):
    try:
        return os.listdir(folder)
    except FileNotFoundError:
        return []


def _remove_tree(path):
    def allow(function, failed, _):
        os.chmod(os.path.dirname(failed), 0o700)
        if os.path.isdir(failed) and not os.path.islink(failed):
            os.chmod(failed, 0o700)
            shutil.rmtree(failed, ignore_errors=True)
        elif os.path.lexists(failed):
            os.unlink(failed)

    shutil.rmtree(path, onerror=allow)


def _read(fd):
    try:
        return os.read(fd, 1 << 16)
    except BlockingIOError:
        return b""


def settle():
    """Called once before the first fork: what lives now stays where it is,
    so that children share its memory and gc does not show it to them."""
    gc.collect()
    gc.freeze()
