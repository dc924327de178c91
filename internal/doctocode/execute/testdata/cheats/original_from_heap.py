# looks for its own source and code in every object of the interpreter
# failed
import gc
import os
import types
gc.unfreeze()
mark, other = "".join(["value * ", "factor for"]), "".join(["greeting + ", "\" \" + name"])
seen, stack, others = set(), gc.get_objects(), 0
while stack:
    o = stack.pop()
    if id(o) in seen:
        continue
    seen.add(id(o))
    if type(o) in (str, bytes):
        text = o if type(o) is str else o.decode("latin-1")
        if mark in text:
            os._exit(1)
        others += other in text
    elif type(o) is types.CodeType:
        if "value" in o.co_varnames and "factor" in o.co_varnames + o.co_freevars:
            os._exit(2)
        others += o.co_name == "greet"
    stack.extend(r for r in gc.get_referents(o) if id(r) not in seen)
if not others:
    os._exit(3)  # the search finds nothing at all
return None
