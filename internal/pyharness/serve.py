"""Starts the server. Nothing of the harness can be imported by the code that
it is going to run: its folder leaves the path, its modules their table."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != HERE]
sys.path.insert(0, HERE)

from touchstone_harness import server  # noqa: E402

sys.path.remove(HERE)
for name in [n for n in sys.modules if n.split(".")[0] == "touchstone_harness"]:
    del sys.modules[name]
server.main()
