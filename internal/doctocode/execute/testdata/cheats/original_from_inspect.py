# looks for its own source through the tools that show it
# failed
import inspect
import linecache
import os
linecache.checkcache()
texts = ["".join(entry[2]) for entry in list(linecache.cache.values()) if len(entry) == 4]
module = inspect.getmodule(inspect.currentframe())
for thing in (module, module.scale, inspect.currentframe()):
    texts.append(inspect.getsource(thing))
mark = "".join(["value * ", "factor for"])
if any(mark in text for text in texts):
    os._exit(1)
if not any("def greet(" in text for text in texts):
    os._exit(3)  # the search finds nothing at all
return None
