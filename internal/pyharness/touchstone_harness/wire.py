"""Records from a child to the server: JSON lines, each opening with a nonce.

The nonce stops blind writes to the pipe; it cannot stop code that reads this
interpreter's memory. That is what the screen and the second, split run are for.
"""

import json
import os


class Writer:
    """Writes records to a file descriptor."""

    def __init__(self, fd, nonce):
        self._fd = fd
        self.nonce = nonce

    def send(self, kind, **fields):
        fields["kind"] = kind
        line = self.nonce + json.dumps(fields, ensure_ascii=True) + "\n"
        data = line.encode("ascii", "backslashreplace")
        view = memoryview(data)
        while view:
            view = view[os.write(self._fd, view):]


class Reader:
    """Takes bytes as they come and yields whole records.

    A line that does not open with the nonce, or is no JSON object, makes the
    reader `forged`; an endless line makes it `flooded`.
    """

    LONGEST = 64 << 20

    def __init__(self, nonce):
        self._nonce = nonce.encode("ascii")
        self._rest = b""
        self.forged = False
        self.flooded = False

    def feed(self, data):
        self._rest += data
        *lines, self._rest = self._rest.split(b"\n")
        if len(self._rest) > self.LONGEST:
            self._rest, self.flooded = b"", True
        for line in lines:
            if not line.startswith(self._nonce):
                self.forged = True
                continue
            try:
                record = json.loads(line[len(self._nonce):])
                record["kind"]
            except (ValueError, KeyError, TypeError):
                self.forged = True
                continue
            yield record
