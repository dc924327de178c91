"""Values as plain data, for crossing between the two processes of the split
run without pickle: what arrives can only be built of known, harmless types.

Containers and instances carry numbers, so that shared references and cycles
survive, and so that the caller's own objects can be brought up to date after
a call that changed them.
"""

import datetime
import decimal
import fractions
import pathlib
import re
import sys
import uuid


class Untransferable(Exception):
    """A value that cannot be taken across."""


_TEXTUAL = {
    decimal.Decimal: str,
    fractions.Fraction: str,
    uuid.UUID: str,
    pathlib.PurePosixPath: str,
    pathlib.PosixPath: str,
}
_TEXTUAL_BY_NAME = {kind.__name__: kind for kind in _TEXTUAL}
_DATES = {kind.__name__: kind for kind in (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)}
_LIMIT = 200_000


class Codec:
    """known: number → object, shared by successive messages of one call."""

    def __init__(self, root, first):
        self._root = root
        self._next = first
        self.known = {}
        self._numbers = {}
        self._count = 0

    # Out.

    def encode(self, value):
        self._count += 1
        if self._count > _LIMIT:
            raise Untransferable("too many values")
        kind = type(value)
        if value is None or kind in (bool, str) or (kind is int and abs(value) < 1 << 53):
            return value
        if kind is int:
            return {"int": str(value)}
        if kind is float:
            return {"float": value.hex() if value == value and abs(value) != float("inf") else repr(value)}
        if kind is complex:
            return {"complex": [self.encode(value.real), self.encode(value.imag)]}
        if kind is bytes:
            return {"bytes": value.hex()}
        if value is Ellipsis:
            return {"ellipsis": 1}
        if value is NotImplemented:
            return {"notimplemented": 1}
        if kind in _TEXTUAL:
            return {"text": [kind.__name__, str(value)]}
        if kind.__name__ in _DATES and _DATES[kind.__name__] is kind:
            return {"date": [kind.__name__, _date_fields(value)]}
        if kind is range:
            return {"range": [value.start, value.stop, value.step]}
        if kind is slice:
            return {"slice": [self.encode(value.start), self.encode(value.stop), self.encode(value.step)]}
        if isinstance(value, type) or _is_function(value):
            return {"name": self._name(value)}
        number = self._numbers.get(id(value))
        if number is not None:
            return {"known": number}
        return self.describe(value, self._remember(value))

    def describe(self, value, number):
        """The contents of a container or instance that has a number."""
        kind = type(value)
        if kind in (list, tuple, set, frozenset, bytearray):
            items = list(value)
            return {kind.__name__: [self.encode(v) for v in items], "n": number}
        if kind is dict:
            return {"dict": [[self.encode(k), self.encode(v)] for k, v in list(value.items())], "n": number}
        if kind is re.Pattern:
            return {"pattern": [self.encode(value.pattern), value.flags], "n": number}
        if isinstance(value, BaseException):
            state = {k: v for k, v in vars(value).items() if not k.startswith("__")}
            return {"exception": [self._name(kind), [self.encode(a) for a in value.args],
                                  [[k, self.encode(v)] for k, v in state.items()]], "n": number}
        if hasattr(kind, "__members__") and isinstance(getattr(value, "name", None), str):
            return {"member": [self._name(kind), value.name], "n": number}
        name = self._name(kind)
        if not self._ours(kind):
            raise Untransferable("an instance of " + name)
        for base in kind.__mro__[:-1]:
            if not self._ours(base) and base.__module__ not in ("abc", "typing", "collections.abc"):
                raise Untransferable("an instance of %s, which derives from %s" % (name, base.__name__))
        return {"instance": [name, [[k, self.encode(v)] for k, v in _state(value)]], "n": number}

    def _remember(self, value):
        number = self._next
        self._next += 1
        self._numbers[id(value)] = number
        self.known[number] = value
        return number

    def _name(self, thing):
        module, name = getattr(thing, "__module__", None), getattr(thing, "__qualname__", None)
        if not module or not name or self._find(module, name) is not thing:
            raise Untransferable("%r cannot be named" % (name,))
        return module + ":" + name

    def _find(self, module, name):
        found = sys.modules.get(module)
        for part in name.split("."):
            found = getattr(found, part, None)
        return found

    def _ours(self, kind):
        """Whether a class stands in the repository's own, non-test files."""
        file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
        if not file.startswith(self._root + "/"):
            return False
        from .definitions import is_test_path

        return not is_test_path(file[len(self._root) + 1 :])

    # In.

    def decode(self, data):
        if data is None or isinstance(data, (bool, int, str)):
            return data
        if not isinstance(data, dict):
            raise Untransferable("malformed")
        number = data.get("n")
        (tag, content), *_ = data.items()
        if tag == "known":
            return self.known[content]
        if tag == "int":
            return int(content)
        if tag == "float":
            return float.fromhex(content) if "x" in content else float(content)
        if tag == "complex":
            return complex(self.decode(content[0]), self.decode(content[1]))
        if tag == "bytes":
            return bytes.fromhex(content)
        if tag == "ellipsis":
            return Ellipsis
        if tag == "notimplemented":
            return NotImplemented
        if tag == "text":
            return _TEXTUAL_BY_NAME[content[0]](content[1])
        if tag == "date":
            return _date(content)
        if tag == "range":
            return range(*content)
        if tag == "slice":
            return slice(*map(self.decode, content))
        if tag == "name":
            return self._named(content)
        return self._build(tag, content, number)

    def _build(self, tag, content, number):
        if tag in ("list", "set", "dict", "bytearray", "instance"):
            if tag == "instance":
                kind = self._named(content[0])
                if not isinstance(kind, type) or not self._ours(kind):
                    raise Untransferable("an instance of something else")
                made = object.__new__(kind)
            else:
                made = {"list": list, "set": set, "dict": dict, "bytearray": bytearray}[tag]()
            self._keep(number, made)
            self._fill(made, tag, content)
            return made
        if tag == "tuple":
            made = tuple(map(self.decode, content))
        elif tag == "frozenset":
            made = frozenset(map(self.decode, content))
        elif tag == "pattern":
            made = re.compile(self.decode(content[0]), content[1])
        elif tag == "member":
            made = self._named(content[0])[content[1]]
        elif tag == "exception":
            kind = self._named(content[0])
            if not (isinstance(kind, type) and issubclass(kind, Exception)) or not (
                kind.__module__ == "builtins" or self._ours(kind)
            ):
                raise Untransferable("an exception of another kind")
            made = kind.__new__(kind)
            made.args = tuple(map(self.decode, content[1]))
            for key, value in content[2]:
                made.__dict__[key] = self.decode(value)
        else:
            raise Untransferable("malformed")
        self._keep(number, made)
        return made

    def _keep(self, number, made):
        self.known[number] = made
        self._numbers[id(made)] = number
        self._next = max(self._next, number + 1)

    def update(self, data):
        """Brings an object known on this side up to date with its description."""
        number = data["n"]
        (tag, content), *_ = data.items()
        mine = self.known[number]
        self._fill(mine, tag, content)

    def _fill(self, made, tag, content):
        if tag == "list":
            made[:] = [self.decode(v) for v in content]
        elif tag == "bytearray":
            made[:] = bytes(content)
        elif tag == "set":
            values = [self.decode(v) for v in content]
            made.clear()
            made.update(values)
        elif tag == "dict":
            pairs = [(self.decode(k), self.decode(v)) for k, v in content]
            made.clear()
            made.update(pairs)
        elif tag == "instance":
            values = [(k, self.decode(v)) for k, v in content[1]]
            for key in list(getattr(made, "__dict__", ())):
                del made.__dict__[key]
            for key, value in values:
                object.__setattr__(made, key, value)

    def _named(self, name):
        module, _, qualname = name.partition(":")
        found = self._find(module, qualname)
        if found is None:
            raise Untransferable(name + " is not loaded here")
        return found

    def changed(self):
        """Descriptions of everything mutable that is known, for the other side."""
        out = []
        for number, value in sorted(self.known.items()):
            if type(value) in (list, set, dict, bytearray) or self._ours(type(value)):
                if not isinstance(value, BaseException) and not hasattr(type(value), "__members__"):
                    out.append(self.describe(value, number))
        return out


def _is_function(value):
    import types

    return isinstance(value, (types.FunctionType, types.BuiltinFunctionType)) and getattr(value, "__self__", None) is None or (
        isinstance(value, types.BuiltinFunctionType) and getattr(value.__self__, "__name__", "") == "builtins"
    )


def _state(value):
    pairs = list(getattr(value, "__dict__", {}).items())
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            if slot not in ("__dict__", "__weakref__"):
                name = slot
                if slot.startswith("__") and not slot.endswith("__"):
                    name = "_" + base.__name__.lstrip("_") + slot
                if hasattr(value, name):
                    pairs.append((name, getattr(value, name)))
    return pairs


def _date_fields(value):
    if isinstance(value, datetime.timedelta):
        return [value.days, value.seconds, value.microseconds]
    if getattr(value, "tzinfo", None) is not None:
        offset = value.utcoffset()
        if type(value.tzinfo) is not datetime.timezone or offset is None:
            raise Untransferable("a time zone")
        return [value.replace(tzinfo=None).isoformat(), offset.total_seconds()]
    return [value.isoformat()]


def _date(content):
    kind = _DATES[content[0]]
    if kind is datetime.timedelta:
        return datetime.timedelta(*content[1])
    value = kind.fromisoformat(content[1][0])
    if len(content[1]) > 1:
        value = value.replace(tzinfo=datetime.timezone(datetime.timedelta(seconds=content[1][1])))
    return value
