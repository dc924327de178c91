"""Running pytest, in this interpreter or in a new one. Small, since a new
interpreter has to compile it every time."""

import json
import os
import secrets
import sys

from . import plugin, watch

_LAUNCHER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "fresh.py")


def run_pytest(writer, root, pytest_args, tests, stop):
    import pytest

    canary = plugin.Canary(writer, secrets.token_hex(8))
    selection = plugin.Selection(writer, tests, stop, canary=canary)
    files = list(dict.fromkeys(os.path.join(root, test.split("::")[0]) for test in tests))
    pytest.main(plugin.arguments(root, pytest_args, files), plugins=[selection, selection.reporter])
    writer.send("end")


def replace(mode, order):
    """Replaces this child by a new interpreter that reads its order from
    descriptor 4 and reports on descriptor 3."""
    read, write = os.pipe()
    data = json.dumps(order).encode()
    if os.fork() == 0:
        os.close(read)
        view = memoryview(data)
        try:
            while view:
                view = view[os.write(write, view):]
        finally:
            os._exit(0)
    os.close(write)
    if read != 4:
        os.dup2(read, 4)
    os.set_inheritable(4, True)
    os.set_inheritable(3, True)
    os.execv(sys.executable, [sys.executable, _LAUNCHER, mode])


def run(writer, order):
    """What the new interpreter does for a candidate."""
    filename, lines, known = order["watch"]
    watch.install(writer, filename, lines, set(known))
    run_pytest(writer, order["root"], order["pytest_args"], order["tests"], order["stop"])
