"""Starts the server. Its own folder leaves the path before anything else is
imported from there by the code it is going to run."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != HERE]
sys.path.insert(0, HERE)

from touchstone_harness import candidate, codec, judge, mutants, server, suite  # noqa: E402,F401

sys.path.remove(HERE)
server.main()
