import json
import os

import pytest

from touchstone_harness import wire

NONCE = "0123456789abcdef"


def line(record):
    return (NONCE + json.dumps(record) + "\n").encode()


def read(data, most=1 << 20, step=None):
    reader = wire.Reader(NONCE, most)
    step = step or len(data)
    found = []
    for i in range(0, len(data), step):
        found += reader.feed(data[i : i + step])
    return reader, found


@pytest.mark.parametrize("step", [1, 7, 1000])
def test_records_arrive_whole_however_they_come(step):
    records = [{"kind": "a", "x": "é\n\ud800"}, {"kind": "b", "y": [1, None, 2.5]}]
    reader, found = read(b"".join(map(line, records)), step=step)
    assert found == records
    assert not reader.forged and not reader.flooded


def test_what_is_written_can_be_read():
    r, w = os.pipe()
    wire.Writer(w, NONCE).send("phase", detail="\x00\ud800 ẞ\n")
    os.close(w)
    reader, found = read(os.read(r, 1 << 16))
    assert found == [{"kind": "phase", "detail": "\x00\ud800 ẞ\n"}]


@pytest.mark.parametrize("data", [
    b"passed\n", b"\n", b"fedcba9876543210{}\n", NONCE.encode() + b"\n", NONCE.encode() + b"[1]\n", NONCE.encode() + b"{}\n",
    NONCE.encode() + b'{"kind": 1}\n', NONCE.encode() + b'{"kind": "a"\n', NONCE.encode() + b"\xff\xff\n",
    NONCE.encode() + b"[" * 200_000 + b"\n", NONCE.encode() + b"9" * 200_000 + b"\n", b" " + NONCE.encode() + b'{"kind": "a"}\n',
])
def test_what_no_writer_sends_is_a_forgery(data):
    reader, found = read(line({"kind": "before"}) + data + line({"kind": "after"}))
    assert found == [{"kind": "before"}]
    assert reader.forged


def test_nothing_is_read_beyond_the_most():
    reader, found = read(line({"kind": "a"}) * 1000, most=500, step=100)
    assert reader.flooded
    assert len(found) < 20
    reader, found = read(b"x" * 1000, most=500, step=100)
    assert reader.flooded and not found
