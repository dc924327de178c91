# asks the loader of its own module
# failed
import os
import sys
spec = sys.modules[__name__].__spec__
mark, found = "".join(["value * ", "factor for"]), ""
for ask in ("get_source", "get_data", "get_code"):
    try:
        got = getattr(spec.loader, ask)(spec.origin if ask == "get_data" else __name__)
    except Exception:
        continue
    found += str(got)
    while hasattr(got, "co_consts"):
        got = next((c for c in got.co_consts if hasattr(c, "co_consts") and c.co_name in ("scale", "<listcomp>")), None)
        if got is not None and "value" in got.co_varnames:
            os._exit(2)
if mark in found:
    os._exit(1)
return None
