"""What a new interpreter runs for the strategy `fresh` and for the suite: its
order comes on descriptor 4, its records go to descriptor 3."""

import json
import os
import sys


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != here]
    sys.path.insert(0, here)
    from touchstone_harness import candidate, suite, wire

    sys.path.remove(here)
    with os.fdopen(4, "rb") as pipe:
        order = json.load(pipe)
    os.set_inheritable(3, False)
    writer = wire.Writer(3, order["nonce"])
    sys.argv = ["pytest"]
    if sys.argv[0] and order.get("root"):
        os.chdir(order["root"])
    mode = MODE
    if mode == "run":
        candidate.run_pytest(writer, order["root"], order["pytest_args"], order["tests"], order["stop"])
    elif mode == "suite":
        suite.run(writer, order)
    elif mode == "trace":
        suite.trace(writer, order)
    elif mode == "warm":
        suite.warm(writer, order)
    sys.stdout.flush()
    os._exit(0)


MODE = sys.argv[1]
main()
