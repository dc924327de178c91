"""Records from a child to the server: JSON lines, each opening with a nonce.

The nonce stops blind writes to the pipe; it cannot stop code that reads this
interpreter's memory. That is what the screens and the second, split run are for.
"""

import json
import os
import threading


class Writer:
    """Writes records to a file descriptor, whole ones even from several threads."""

    def __init__(self, fd, nonce):
        self._fd = fd
        self._lock = threading.RLock()
        self._held = []
        self.nonce = nonce

    def send(self, kind, **fields):
        """Writes a record, behind those that were held."""
        with self._lock:
            self.hold(kind, **fields)
            view = memoryview("".join(self._held).encode("ascii"))
            self._held = []
            while view:
                view = view[os.write(self._fd, view):]

    def hold(self, kind, **fields):
        """Keeps a record back until the next one is sent: every write wakes the server."""
        fields["kind"] = kind
        line = self.nonce + json.dumps(fields, ensure_ascii=True) + "\n"
        with self._lock:
            self._held.append(line)


class Reader:
    """Takes bytes as they come and yields whole records.

    A line that does not open with the nonce, or is no JSON object with a
    kind, makes the reader `forged`; more bytes than `most` in all make it
    `flooded`. It yields nothing after either.
    """

    def __init__(self, nonce, most):
        self._nonce = nonce.encode("ascii")
        self._left = most
        self._rest = []  # of a line that has not ended yet
        self.forged = False
        self.flooded = False

    def feed(self, data):
        self._left -= len(data)
        self.flooded = self.flooded or self._left < 0
        if self.flooded or self.forged:
            return
        if b"\n" not in data:
            self._rest.append(data)
            return
        *lines, rest = b"".join([*self._rest, data]).split(b"\n")
        self._rest = [rest]
        for line in lines:
            record = self._record(line)
            if record is None:
                self.forged = True
                return
            yield record

    def _record(self, line):
        if not line.startswith(self._nonce):
            return None
        try:
            record = json.loads(line[len(self._nonce):])
        except (ValueError, RecursionError):
            return None
        if not isinstance(record, dict) or not isinstance(record.get("kind"), str):
            return None
        return record
