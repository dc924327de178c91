"""The Python that runs inside the sandbox.

`server` is process 1 of the sandbox: it answers requests that arrive as JSON
lines on standard input, forking a child for everything that runs code of the
repository or of a candidate. Nothing here is importable by name from that
code: the server takes its own folder off the path once it is loaded.
"""
