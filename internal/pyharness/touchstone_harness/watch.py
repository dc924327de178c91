"""The dynamic screen: what the candidate's own code is seen to do.

The interpreter announces sensitive operations (PEP 578), however their names
were spelled. When the announcement comes straight from the candidate's code,
a flag is sent before the operation takes place, so it cannot be held back.
Like the static screen's, it never fails a candidate.
"""

import _thread
import os
import sys

_EVENTS = {
    "open": "call:open", "compile": "call:compile", "exec": "call:exec",
    "sys._getframe": "name:_getframe", "sys._current_frames": "name:_current_frames",
    "sys.settrace": "name:settrace", "sys.setprofile": "name:setprofile", "sys.addaudithook": "name:addaudithook",
    "code.__new__": "name:__code__", "function.__new__": "name:FunctionType",
}
_MODULES = {"gc", "ctypes", "marshal", "mmap", "fcntl", "resource", "socket", "signal", "subprocess", "pty", "_thread"}
_ATTRIBUTES = {"object.__getattr__", "object.__setattr__", "object.__delattr__"}


def codes(event, arguments):
    """The codes by which the static screen may know an event; none for a
    harmless one. A candidate is not flagged for what the original does."""
    if event in _EVENTS:
        return [_EVENTS[event]]
    if event in _ATTRIBUTES:
        return ["name:%s" % (arguments[1],)]
    module, _, name = event.partition(".")
    if module in _MODULES:
        return ["module:" + module]
    if module == "os" and name not in ("putenv", "unsetenv"):
        return ["name:os." + name, "call:" + name, "name:" + name]
    return []


def install(writer, filename, lines, known):
    """Watches the functions between two lines of a file, in this process and
    those forked from it, until they end. known: codes that are not reported."""
    first, last = lines
    harmless = set()  # events, so that most calls of the hook are short
    inside = set()  # threads in which the hook is at work
    channel = os.fstat(3).st_ino
    get_frame, this_thread = sys._getframe, _thread.get_ident

    def hook(event, arguments):
        if event in harmless or this_thread() in inside:
            return
        found = codes(event, arguments)
        if not found:
            harmless.add(event)
            return
        inside.add(this_thread())
        try:
            code = get_frame(1).f_code
            if code.co_filename != filename or not first <= code.co_firstlineno <= last or code.co_name == "<module>":
                return
            if known.isdisjoint(found):
                known.add(found[0])
                _tell(writer, found[0], channel)
        finally:
            inside.discard(this_thread())

    sys.addaudithook(hook)


def _tell(writer, code, channel):
    """Whoever has exchanged the descriptor on which the flag is to be sent
    does not get any further."""
    try:
        if os.fstat(3).st_ino != channel:
            os._exit(71)
        writer.send("watched", code=code)
    except OSError:
        os._exit(71)
