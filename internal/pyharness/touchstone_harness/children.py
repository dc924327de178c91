"""Forking a child for everything untrusted, and watching it from outside."""

import gc
import os
import secrets
import select
import signal
import sys
import time

from . import limits, scratch, wire

OUTPUT_KEPT = 16 << 10
OUTPUT_MOST = 32 << 20
RECORDS_MOST = 1 << 30
MEMORY_GLANCE = 0.1  # seconds between looks at the memory that the children use
WAITING_MOST = 40.0  # seconds by which a busy machine may put off a child's deadline


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
        self.overfed = False  # its processes together used more memory than allowed
        self.forged = False
        self.meddled = False  # it changed limits or priority of the server
        self.leave = False  # the server cannot be used for another child
        self.output = b""
        self.seconds = 0.0


class Bounds:
    """How much a child may use; None is no bound."""

    def __init__(self, wall, run_wall=None, test_wall=None, memory=None, records=RECORDS_MOST):
        self.wall = wall  # seconds for all of it
        self.run_wall = run_wall  # seconds from the moment the tests are collected
        self.test_wall = test_wall  # seconds for any one test
        self.memory = memory  # bytes, of all its processes
        self.records = records  # bytes


class Children:
    """Runs one child at a time."""

    def __init__(self, stdin_fd, folders=("/tmp", "/dev/shm")):
        self._stdin = stdin_fd
        self._folders = folders
        self._state = limits.state()
        wake_read, wake_write = os.pipe()
        os.set_blocking(wake_read, False)
        os.set_blocking(wake_write, False)
        self._wake = wake_read
        signal.set_wakeup_fd(wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def run(self, work, bounds, on_record):
        """Forks; work(writer) runs in the child, which then exits with 0.
        Every record is handed to on_record as it comes. Afterwards no process
        of the child is left and the scratch folders are empty."""
        nonce = secrets.token_hex(8)
        result_read, result_write = os.pipe()
        output_read, output_write = os.pipe()
        started = time.monotonic()
        pid = os.fork()
        if pid == 0:
            _be_child(work, nonce, result_write, output_write)
        os.close(result_write)
        os.close(output_write)
        watch = _Watch(pid, bounds, wire.Reader(nonce, bounds.records), result_read, output_read, on_record)
        try:
            watch.until_over(started, self._stdin, self._wake)
        except (OSError, MemoryError):
            if limits.state() == self._state:
                raise
            # The child has taken away what this process needs for watching.
        finally:
            watch.kill_all()
            watch.take_the_rest()
            os.close(result_read)
            os.close(output_read)
        watch.ended.seconds = time.monotonic() - started
        self._tidy(watch.ended)
        return watch.ended

    def _tidy(self, ended):
        try:
            ended.meddled = limits.state() != self._state
            if ended.meddled:
                ended.leave = True
                return
            for folder in self._folders:
                scratch.empty(folder)
            scratch.remove_shared_memory()
        except (OSError, MemoryError):
            ended.leave = True  # another server begins with empty folders


def _be_child(work, nonce, result_write, output_write):
    code = 70
    try:
        os.setsid()
        signal.set_wakeup_fd(-1)
        limits.default_signals()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(output_write, 1)
        os.dup2(output_write, 2)
        os.dup2(result_write, 3, inheritable=False)
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


class _Watch:
    """A child from its start to its end, as its server sees it."""

    def __init__(self, pid, bounds, reader, result, output, on_record):
        self.ended = Ended()
        self._pid = pid
        self._bounds = bounds
        self._reader = reader
        self._result = result
        self._output = output
        self._on_record = on_record
        self._printed = 0
        self._deadline = None
        self._test_deadline = None
        self._next_glance = None
        self._waited = 0.0  # seconds by which the deadlines were put off
        os.set_blocking(result, False)
        os.set_blocking(output, False)

    def until_over(self, started, stdin, wake):
        """Returns when the child has ended or has used up what it may."""
        poll = select.poll()
        for fd in (self._result, self._output, wake):
            poll.register(fd, select.POLLIN)
        if stdin is not None:
            poll.register(stdin, 0)  # only a hang-up
        self._deadline = started + self._bounds.wall
        if self._bounds.memory:
            self._next_glance = started + MEMORY_GLANCE
        while not self._over():
            for fd, event in poll.poll(self._rest() * 1000 + 1):
                if fd == stdin:
                    if event & (select.POLLHUP | select.POLLERR):
                        raise ParentGone()
                elif fd == wake:
                    _read(wake)
                    self._reap()
                elif not self._take(fd):
                    poll.unregister(fd)

    def _rest(self):
        moments = [self._deadline, self._test_deadline, self._next_glance]
        return max(0, min(m for m in moments if m is not None) - time.monotonic())

    def _over(self):
        ended, now = self.ended, time.monotonic()
        if ended.code is not None or ended.signal is not None:
            return True
        if self._next_glance is not None and now >= self._next_glance:
            most = self._bounds.memory
            ended.overfed = limits.memory_used() > most and limits.memory_used_exactly() > most
            self._next_glance = time.monotonic() + MEMORY_GLANCE
        self._put_off(now)
        ended.timed_out = now >= self._deadline
        ended.test_timed_out = not ended.timed_out and self._test_deadline is not None and now >= self._test_deadline
        self._note_bytes()
        return ended.timed_out or ended.test_timed_out or ended.overfed or ended.flooded or ended.forged

    def _put_off(self, now):
        """Gives back the time for which the children were kept from running: a
        verdict must not depend on what else the machine does."""
        if now < min(d for d in (self._deadline, self._test_deadline) if d is not None):
            return
        waited = min(limits.waited(), WAITING_MOST)
        if waited - self._waited < 0.01:
            return
        self._deadline += waited - self._waited
        if self._test_deadline is not None:
            self._test_deadline += waited - self._waited
        self._waited = waited

    def _note_bytes(self):
        self.ended.flooded = self._printed > OUTPUT_MOST or self._reader.flooded
        self.ended.forged = self._reader.forged

    def _take(self, fd):
        """Takes what there is to read; false at the pipe's end."""
        data = _read(fd)
        if fd == self._output:
            self._printed += len(data)
            self.ended.output = (self.ended.output + data)[-OUTPUT_KEPT:]
        else:
            for record in self._reader.feed(data):
                self._time(record["kind"])
                self._on_record(record)
        return bool(data)

    def _time(self, kind):
        bounds = self._bounds
        if bounds.test_wall and kind == "test":
            self._test_deadline = time.monotonic() + bounds.test_wall
        if bounds.run_wall and kind == "collected":
            self._deadline = min(self._deadline, time.monotonic() + bounds.run_wall)

    def take_the_rest(self):
        """What stands in the pipes; a child's child cannot hold them open any more."""
        for fd in (self._result, self._output):
            while self._take(fd):
                pass
        self._note_bytes()

    def _reap(self):
        while True:
            try:
                done, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if done == 0:
                return
            self._note(done, status)

    def kill_all(self):
        """As process 1 of its namespace the server can end everything else in it."""
        while True:
            try:
                os.kill(-1, signal.SIGKILL)
            except ProcessLookupError:
                pass
            try:
                done, status = os.waitpid(-1, 0)
            except ChildProcessError:
                return
            self._note(done, status)

    def _note(self, done, status):
        if done != self._pid or self.ended.code is not None or self.ended.signal is not None:
            return
        if os.WIFSIGNALED(status):
            self.ended.signal = os.WTERMSIG(status)
        else:
            self.ended.code = os.WEXITSTATUS(status)


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
