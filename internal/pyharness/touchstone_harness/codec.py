"""Values as plain data, for crossing between the two processes of the split
run without pickle: what arrives can only be built of known, harmless types.

Containers and instances carry numbers, so that shared references and cycles
survive, and so that the caller's own objects can be brought up to date after
a call that changed them.
"""

import collections
import datetime
import decimal
import enum
import fractions
import pathlib
import re
import sys
import types
import uuid

from .definitions import is_test_path


class Untransferable(Exception):
    """A value that cannot be taken across."""


class Opaque:
    """Stands for an object whose class the candidate made itself and which
    wants to decide comparisons itself: here it decides nothing."""


_ITEMS = {kind.__name__: kind for kind in (list, tuple, set, frozenset, bytearray, collections.deque)}
_PAIRS = {kind.__name__: kind for kind in (dict, collections.OrderedDict, collections.Counter)}
_MUTABLE = {*_ITEMS.values(), *_PAIRS.values()} - {tuple, frozenset}
_TEXTUAL = {kind.__name__: kind for kind in (decimal.Decimal, fractions.Fraction, uuid.UUID, pathlib.PurePosixPath, pathlib.PosixPath)}
_DATES = {kind.__name__: kind for kind in (datetime.datetime, datetime.date, datetime.time, datetime.timedelta)}
_DECIDING = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__bool__", "__len__", "__contains__", "__class__", "__getattr__",
             "__getattribute__", "__iter__", "__getitem__", "__call__", "__str__", "__repr__"}
_HARMLESS_BASES = {"abc", "typing", "collections.abc"}
_MOST = 200_000


def _one_of(kind, table):
    return table.get(kind.__name__) is kind


class Codec:
    """known: number → object, shared by the two messages of one call."""

    def __init__(self, root, first):
        self._root = root
        self._first = self._next = first  # number that this side gives out
        self.known = {}
        self._numbers = {}
        self._count = 0

    # Out.

    def encode(self, value):
        self._count += 1
        if self._count > _MOST:
            raise Untransferable("too many values")
        kind = type(value)
        if value is None or kind in (bool, str) or (kind is int and -(1 << 53) < value < 1 << 53):
            return value
        if kind is int:
            return {"int": hex(value)}
        if kind is float:
            return {"float": value.hex()}
        if kind is complex:
            return {"complex": [self.encode(value.real), self.encode(value.imag)]}
        if kind is bytes:
            return {"bytes": value.hex()}
        if value is Ellipsis:
            return {"ellipsis": 1}
        if value is NotImplemented:
            return {"notimplemented": 1}
        if _one_of(kind, _TEXTUAL):
            return {"text": [kind.__name__, str(value)]}
        if _one_of(kind, _DATES):
            return {"date": [kind.__name__, _date_fields(value)]}
        if kind is range:
            return {"range": [self.encode(v) for v in (value.start, value.stop, value.step)]}
        if kind is slice:
            return {"slice": [self.encode(v) for v in (value.start, value.stop, value.step)]}
        if issubclass(kind, type) or _is_function(value):
            return {"name": self._name(value)}
        number = self._numbers.get(id(value))
        if number is not None:
            return {"known": number}
        return self.describe(value, self._remember(value))

    def describe(self, value, number):
        """The contents of a container or instance that has a number."""
        kind = type(value)
        if _one_of(kind, _ITEMS):
            if getattr(value, "maxlen", None) is not None:
                raise Untransferable("a deque of bounded length")
            return {kind.__name__: [self.encode(v) for v in list(value)], "n": number}
        if _one_of(kind, _PAIRS):
            return {kind.__name__: [[self.encode(k), self.encode(v)] for k, v in list(value.items())], "n": number}
        if kind is re.Pattern:
            return {"pattern": [self.encode(value.pattern), value.flags], "n": number}
        if issubclass(kind, BaseException):
            state = [[k, self.encode(v)] for k, v in _state(value) if not k.startswith("__")]
            return {"exception": [self._name(kind), [self.encode(a) for a in BaseException.args.__get__(value)], state], "n": number}
        if issubclass(kind, enum.Enum) and value.name is not None:
            return {"member": [self._name(kind), value.name], "n": number}
        if self._own_made(kind):
            return {"opaque": 1, "n": number}
        name = self._name(kind)
        if not self._ours(kind):
            raise Untransferable("an instance of " + name)
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return {"named": [name, [self.encode(v) for v in tuple(value)]], "n": number}
        for base in kind.__mro__[:-1]:
            if not self._ours(base) and base.__module__ not in _HARMLESS_BASES:
                raise Untransferable("an instance of %s, which derives from %s" % (name, base.__name__))
        return {"instance": [name, [[k, self.encode(v)] for k, v in _state(value)]], "n": number}

    def _own_made(self, kind):
        """Whether a class stands in no module and has a say in comparisons."""
        module = sys.modules.get(kind.__module__)
        if self._find(kind.__module__, kind.__qualname__) is kind and getattr(module, "__name__", "").split(".")[0] != "unittest":
            return False
        return any(not _DECIDING.isdisjoint(vars(base)) for base in kind.__mro__ if base.__flags__ & _HEAP)

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
        return file.startswith(self._root + "/") and not is_test_path(file[len(self._root) + 1 :])

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
            return int(content, 16)
        if tag == "float":
            return float.fromhex(content)
        if tag == "complex":
            return complex(self.decode(content[0]), self.decode(content[1]))
        if tag == "bytes":
            return bytes.fromhex(content)
        if tag == "ellipsis":
            return Ellipsis
        if tag == "notimplemented":
            return NotImplemented
        if tag == "text":
            return _TEXTUAL[content[0]](content[1])
        if tag == "date":
            return _date(content)
        if tag == "range":
            return range(*map(self.decode, content))
        if tag == "slice":
            return slice(*map(self.decode, content))
        if tag == "name":
            return self._named(content)
        made = self._build(tag, content, number)
        self._keep(number, made)
        if tag == "instance" or type(made) in _MUTABLE:
            self._fill(made, tag, content)
        return made

    def _build(self, tag, content, number):
        """The object; what can hold itself is still empty."""
        if tag == "tuple":
            return tuple(map(self.decode, content))
        if tag == "frozenset":
            return frozenset(map(self.decode, content))
        if tag in _ITEMS:
            return _ITEMS[tag]()
        if tag in _PAIRS:
            return _PAIRS[tag]()
        if tag == "pattern":
            return re.compile(self.decode(content[0]), content[1])
        if tag == "opaque":
            return Opaque()
        if tag == "instance":
            return object.__new__(self._our_class(content[0], object))
        if tag == "named":
            return tuple.__new__(self._our_class(content[0], tuple), map(self.decode, content[1]))
        if tag == "member":
            kind = self._named(content[0])
            if not issubclass(kind, enum.Enum):
                raise Untransferable("a member of something else")
            return kind[content[1]]
        if tag == "exception":
            kind = self._named(content[0])
            if not issubclass(kind, Exception) or kind.__module__ != "builtins" and not self._ours(kind):
                raise Untransferable("an exception of another kind")
            made = kind.__new__(kind)
            made.args = tuple(map(self.decode, content[1]))
            vars(made).update((_plain(key), self.decode(value)) for key, value in content[2])
            return made
        raise Untransferable("malformed")

    def _our_class(self, name, base):
        kind = self._named(name)
        if not isinstance(kind, type) or not issubclass(kind, base) or not self._ours(kind):
            raise Untransferable("an instance of something else")
        return kind

    def _keep(self, number, made):
        self.known[number] = made
        self._numbers[id(made)] = number
        self._next = max(self._next, number + 1)

    def update(self, data):
        """Brings an object known on this side up to date with its description."""
        (tag, content), *_ = data.items()
        mine = self.known[data["n"]]
        if tag != "instance" and not (type(mine) in _MUTABLE and type(mine).__name__ == tag):
            raise Untransferable("an object that changed its type")
        self._fill(mine, tag, content)

    def _fill(self, made, tag, content):
        if tag in ("list", "bytearray"):
            made[:] = [self.decode(v) for v in content]
        elif tag == "deque":
            values = [self.decode(v) for v in content]
            made.clear()
            made.extend(values)
        elif tag == "set":
            values = [self.decode(v) for v in content]
            made.clear()
            made.update(values)
        elif tag in _PAIRS:
            pairs = [(self.decode(k), self.decode(v)) for k, v in content]
            made.clear()
            for key, value in pairs:
                made[key] = value
        elif tag == "instance":
            values = [(_plain(k), self.decode(v)) for k, v in content[1]]
            for key in list(getattr(made, "__dict__", ())):
                del made.__dict__[key]
            for key, value in values:
                object.__setattr__(made, key, value)

    def _named(self, name):
        """A class or function that is loaded here; no other object."""
        module, _, qualname = name.partition(":")
        found = self._find(module, qualname)
        if not isinstance(found, type) and not _is_function(found):
            raise Untransferable(name + " is not loaded here")
        return found

    def changed(self):
        """Descriptions of everything mutable that came from the other side."""
        out = []
        for number, value in sorted(self.known.items()):
            kind = type(value)
            if number >= self._first:
                continue
            if kind in _MUTABLE or self._ours(kind) and not issubclass(kind, (BaseException, enum.Enum, tuple)):
                out.append(self.describe(value, number))
        return out


_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that Python code can have made


def _is_function(value):
    if type(value) is types.FunctionType:
        return True
    return type(value) is types.BuiltinFunctionType and isinstance(value.__self__, (types.ModuleType, type(None)))


def _plain(name):
    """An attribute's name, unless it would change what an object is."""
    if not isinstance(name, str) or name.startswith("__") and name.endswith("__"):
        raise Untransferable("the attribute %r" % (name,))
    return name


def _state(value):
    pairs = []
    if type(value).__dictoffset__:
        pairs += object.__getattribute__(value, "__dict__").items()
    for base in type(value).__mro__:
        slots = base.__dict__.get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            if slot not in ("__dict__", "__weakref__"):
                name = slot
                if slot.startswith("__") and not slot.endswith("__"):
                    name = "_" + base.__name__.lstrip("_") + slot
                try:
                    pairs.append((name, object.__getattribute__(value, name)))
                except AttributeError:
                    pass  # not set
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
