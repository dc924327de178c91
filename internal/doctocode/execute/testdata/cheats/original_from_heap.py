# looks for its own source and code in every object of the interpreter
# failed
import gc
import os
import types
gc.unfreeze()
mark = "".join(["value * ", "factor for"])
seen, batch, others = set(), gc.get_objects(), 0
while batch:
    new = [o for o in {id(o): o for o in batch}.values() if id(o) not in seen]
    seen.update(map(id, new))
    for o in new:
        kind = type(o)
        if kind is str and mark in o or kind is bytes and mark.encode() in o:
            os._exit(1)
        if kind is types.CodeType:
            if "value" in o.co_varnames and "factor" in o.co_varnames + o.co_freevars:
                os._exit(2)
            others += o.co_name == "greet"
    batch = gc.get_referents(*new)
if not others:
    os._exit(3)  # the search finds nothing at all
return None
