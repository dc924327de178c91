"""Turning arguments into cache keys, and weighing values."""

from __future__ import annotations

import inspect
import sys
import types
import unicodedata
from collections.abc import Mapping, Set
from typing import Any, Callable, Collection, Dict, Hashable, Optional, Tuple

_UNWEIGHED = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType)


def normalise_key(value: Any) -> Hashable:
    """Return a hashable stand-in for `value`, for use as a cache key.

    Values which mean the same give equal keys: the order of a mapping's items
    or of a set does not matter, and a list counts as a tuple.  Objects may
    define a ``cache_key()`` method to say what they are known by.
    """
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value)
    if isinstance(value, bool):
        return ("bool", value)
    if isinstance(value, Mapping):
        pairs = ((normalise_key(k), normalise_key(v)) for k, v in value.items())
        return ("map", frozenset(pairs))
    if isinstance(value, Set):
        return ("set", frozenset(normalise_key(item) for item in value))
    if isinstance(value, (list, tuple)):
        return ("seq",) + tuple(normalise_key(item) for item in value)
    if not isinstance(value, type) and callable(getattr(value, "cache_key", None)):
        return (type(value).__qualname__, normalise_key(value.cache_key()))
    try:
        hash(value)
    except TypeError:
        raise TypeError(f"cannot make a cache key of {type(value).__name__}") from None
    return value


def call_key(
    func: Callable[..., Any],
    args: Tuple[Any, ...],
    kwargs: Dict[str, Any],
    ignore: Collection[str] = (),
) -> Hashable:
    # Calls which mean the same must share a key, however they are spelled.
    bound = inspect.signature(func).bind(*args, **kwargs)
    bound.apply_defaults()
    named = {k: v for k, v in bound.arguments.items() if k not in ignore}
    return (f"{func.__module__}.{func.__qualname__}", normalise_key(named))


def estimate_size(obj: Any, limit: Optional[int] = None) -> int:
    """Estimate how many bytes `obj` takes, with everything it holds."""
    total = 0
    seen = set()
    waiting = [obj]
    while waiting:
        item = waiting.pop()
        if id(item) in seen or isinstance(item, _UNWEIGHED):
            continue
        seen.add(id(item))
        total += sys.getsizeof(item)
        if limit is not None and total > limit:
            return limit + 1
        if isinstance(item, Mapping):
            waiting.extend(item.keys())
            waiting.extend(item.values())
        elif isinstance(item, (list, tuple, Set)):
            waiting.extend(item)
        if hasattr(item, "__dict__"):
            waiting.append(vars(item))
        for cls in type(item).__mro__:
            slots = cls.__dict__.get("__slots__", ())
            for name in (slots,) if isinstance(slots, str) else slots:
                if name not in ("__dict__", "__weakref__") and hasattr(item, name):
                    waiting.append(getattr(item, name))
    return total
