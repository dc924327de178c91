"""Exchanging a function's code object in a process that has already
collected the tests.

Only the outermost function around the target is compiled: its text is put
back under headers like those that enclose it, at its own line numbers.
"""

import ast
import gc
import types


class Unsupported(Exception):
    """This task cannot be swapped; another strategy has to be used."""


def wrap(segment, line, classes, indented):
    """(source, depth): the segment under `class` headers of the same names
    (so that name mangling and the __class__ cell work), beginning at its
    line; depth is how many headers stand above it.

    classes: names of the enclosing classes, outermost first. indented:
    whether the segment is indented although no class encloses it.
    """
    headers = ["class %s:" % name for name in classes]
    if not headers and indented:
        headers = ["if 1:"]
    width = len(segment) - len(segment.lstrip(" \t\f"))
    lead = segment[:width]
    if len(headers) > 1 and width < len(headers):
        raise Unsupported("the indentation is too shallow to wrap")
    lines = [lead[:i] + header for i, header in enumerate(headers)]
    blank = line - 1 - len(lines)
    if blank < 0:
        # Too near the top for a header a line: they share the first one.
        raise Unsupported("no room for the enclosing headers above the first line")
    return "\n" * blank + "".join(l + "\n" for l in lines) + segment, len(lines)


def parse(source, depth):
    """The one statement under the headers. Raises SyntaxError; returns None
    when there is anything else beside it."""
    body = ast.parse(source).body
    for _ in range(depth):
        if len(body) != 1 or not isinstance(body[0], (ast.ClassDef, ast.If)):
            return None
        if getattr(body[0], "orelse", None):
            return None
        body = body[0].body
    if len(body) != 1:
        return None
    return body[0]


def find(code, name, first_line):
    """The code object of a function in the constants of another, or None."""
    stack = [code]
    while stack:
        top = stack.pop()
        for constant in top.co_consts:
            if isinstance(constant, types.CodeType):
                if constant.co_name == name and constant.co_firstlineno == first_line:
                    return constant
                stack.append(constant)
    return None


class Functions:
    """Every live function of the repository's files, by where its code stands."""

    def __init__(self, root):
        self._by_place = {}
        for thing in gc.get_objects():
            if type(thing) is types.FunctionType:
                code = thing.__code__
                if code.co_filename.startswith(root):
                    place = (code.co_filename, code.co_name, code.co_firstlineno)
                    self._by_place.setdefault(place, []).append(thing)

    def at(self, filename, name, first_line):
        return self._by_place.get((filename, name, first_line), [])

    def swap(self, filename, outer, nested):
        """Puts the new code into every live function.

        outer: (name, first line, new code) of the outermost function; nested:
        the same for the target inside it, or None.
        """
        name, line, code = outer
        live = self._by_place.pop((filename, name, line), [])
        if not live:
            raise Unsupported("no live function to exchange")
        if nested is not None:
            live_nested = self._by_place.pop((filename, nested[0], nested[1]), [])
            pairs = [(f, nested[2]) for f in live_nested]
        else:
            pairs = []
        pairs += [(f, code) for f in live]
        for function, new in pairs:
            if function.__code__.co_freevars != new.co_freevars:
                raise Unsupported("the free variables differ")
        for function, new in pairs:
            function.__code__ = new
        self._by_place.clear()
