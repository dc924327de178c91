"""Says which functions and docstrings Python files have. A line of standard
input is {"path", "data"}, the file in base64; its answer has the same path and
either functions or error."""

import base64
import json
import sys

sys.path.insert(0, sys.argv[1])

from touchstone_harness import definitions  # noqa: E402

for line in sys.stdin.buffer:
    request = json.loads(line)
    answer = {"path": request["path"]}
    try:
        found = definitions.describe(request["path"], base64.b64decode(request["data"]))
        answer["functions"] = [
            {
                "qualname": d["qualname"],
                "ordinal": d["ordinal"],
                "line": d["line"],
                "documented": d["doc"][1] > d["doc"][0],
                "docstring": d["doc_text"],
            }
            for d in found["definitions"]
            if d["kind"] != "class"
        ]
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        answer["error"] = "%s: %s" % (type(error).__name__, error)
    print(json.dumps(answer), flush=True)
