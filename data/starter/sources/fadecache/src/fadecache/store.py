"""The cache itself."""

from __future__ import annotations

import functools
import math
import time
import warnings
from collections import OrderedDict
from dataclasses import dataclass
from typing import (
    Any,
    Callable,
    Dict,
    FrozenSet,
    Hashable,
    Iterable,
    List,
    Mapping,
    Optional,
    Type,
    TypeVar,
    Union,
)

from .timing import Duration, parse_duration

Hook = Callable[[str, Hashable, Any], None]
C = TypeVar("C", bound="Cache")

EVENTS = ("hit", "miss", "set", "evict", "expire", "invalidate")
FORMAT = 1

_UNSET: Any = object()
_COUNTED = {"hit": "hits", "miss": "misses", "evict": "evictions", "expire": "expirations"}


@dataclass
class Entry:
    """A stored value; `expires` is a reading of the cache's clock."""

    value: Any
    expires: Optional[float] = None
    tags: FrozenSet[str] = frozenset()


@dataclass
class Stats:
    hits: int = 0
    misses: int = 0
    evictions: int = 0
    expirations: int = 0


class Cache:
    """Least-recently-used cache whose entries may expire and carry tags."""

    stats: Stats
    ttl: Optional[float]
    _clock: Callable[[], float]
    _capacity: float  # math.inf when there is no bound
    _entries: "OrderedDict[Hashable, Entry]"  # least recently used first
    _hooks: Dict[str, List[Hook]]

    def __init__(
        self,
        capacity: Optional[int] = None,
        ttl: Optional[Duration] = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.stats = Stats()
        self.ttl = parse_duration(ttl)
        self._clock = clock
        self._entries = OrderedDict()
        self._hooks = {name: [] for name in EVENTS + ("*",)}
        self.capacity = capacity

    def on(self, event: str, hook: Optional[Hook] = None) -> Any:
        """Have `hook` called as ``hook(event, key, value)`` whenever `event` happens.

        `event` is one of `EVENTS`.  Can be used as a decorator too::

            @cache.on("evict")
            def log(event, key, value): ...
        """
        if event not in self._hooks:
            raise ValueError(f"unknown event: {event!r}")
        if hook is None:
            return functools.partial(self.on, event)
        if not callable(hook):
            raise TypeError("a hook must be callable")
        if hook not in self._hooks[event]:
            self._hooks[event].append(hook)
        return hook

    def _emit(self, event: str, key: Hashable, value: Any = None) -> None:
        """Count the event and run the hooks.  Errors in hooks are logged."""
        counter = _COUNTED.get(event)
        if counter is not None:
            setattr(self.stats, counter, getattr(self.stats, counter) + 1)
        for hook in self._hooks[event] + self._hooks["*"]:
            try:
                hook(event, key, value)
            except Exception as error:
                warnings.warn(f"{event} hook failed: {error!r}", RuntimeWarning, stacklevel=2)

    @property
    def capacity(self) -> Optional[int]:
        """How many entries the cache may hold, or None if there is no bound."""
        return None if math.isinf(self._capacity) else int(self._capacity)

    @capacity.setter
    def capacity(self, value: Optional[int]) -> None:
        if value is None:
            self._capacity = math.inf
            return
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError("capacity must be an int or None")
        if value < 1:
            raise ValueError("capacity must be at least 1")
        self._capacity = value
        while len(self._entries) > value:
            key, entry = self._entries.popitem(last=False)
            self._emit("evict", key, entry.value)

    def get(self, key: Hashable, default: Any = None) -> Any:
        """Return the value stored for `key`, or `default`.

        Counts as a use of the entry.
        """
        entry = self._entries.get(key)
        if entry is not None and entry.expires is not None and entry.expires <= self._clock():
            del self._entries[key]
            self._emit("expire", key, entry.value)
            entry = None
        if entry is None:
            self._emit("miss", key)
            return default
        self._entries.move_to_end(key)
        self._emit("hit", key, entry.value)
        return entry.value

    def set(
        self,
        key: Hashable,
        value: Any,
        ttl: Optional[Duration] = _UNSET,
        tags: Union[str, Iterable[str]] = (),
    ) -> None:
        """Store `value`, replacing what was there.

        Without `ttl` the cache's own applies; None means that the entry never
        expires.  If the cache is full the least recently used entry goes.

        Returns True if the key was new.
        """
        lifetime = self.ttl if ttl is _UNSET else parse_duration(ttl)
        now = self._clock()
        labels = frozenset([tags] if isinstance(tags, str) else tags)
        self._entries.pop(key, None)
        if lifetime == 0:
            return
        expires = None if lifetime is None else now + lifetime
        self._entries[key] = Entry(value, expires, labels)
        self._emit("set", key, value)
        if len(self._entries) <= self._capacity:
            return
        for old, entry in list(self._entries.items()):
            if entry.expires is not None and entry.expires <= now:
                del self._entries[old]
                self._emit("expire", old, entry.value)
        while len(self._entries) > self._capacity:
            old, entry = self._entries.popitem(last=False)
            self._emit("evict", old, entry.value)

    def get_or_compute(
        self,
        key: Hashable,
        factory: Callable[[Hashable], Any],
        ttl: Optional[Duration] = _UNSET,
        tags: Union[str, Iterable[str]] = (),
        keep: Optional[Callable[[Any], bool]] = None,
    ) -> Any:
        """Get, or call `factory`, store what it returns and return it."""
        found = self.get(key, _UNSET)
        if found is not _UNSET:
            return found
        value = factory(key)
        if keep is None or keep(value):
            self.set(key, value, ttl=ttl, tags=tags)
        return value

    def invalidate(self, *tags: str, match: str = "any") -> int:
        """Drop the entries with the given tags and return how many there were.

        With ``match="all"`` an entry must carry all of the tags.  Tags are
        hierarchical: ``user`` also covers ``user:7`` and ``user:7:photo``.
        """
        if not tags:
            raise ValueError("no tags given")
        if match not in ("any", "all"):
            raise ValueError(f"match must be 'any' or 'all', not {match!r}")
        decide = any if match == "any" else all
        now = self._clock()
        dropped = 0
        for key, entry in list(self._entries.items()):
            if not decide(
                any(own == tag or own.startswith(tag + ":") for own in entry.tags)
                for tag in tags
            ):
                continue
            del self._entries[key]
            if entry.expires is not None and entry.expires <= now:
                self._emit("expire", key, entry.value)
            else:
                dropped += 1
                self._emit("invalidate", key, entry.value)
        return dropped

    def __contains__(self, key: Hashable) -> bool:
        entry = self._entries.get(key)
        if entry is None:
            return False
        return entry.expires is None or entry.expires > self._clock()

    def snapshot(self) -> Dict[str, Any]:
        """Return the cache's contents as plain data, to be given to `restore`.

        The result has the keys ``format``, ``capacity``, ``ttl`` and
        ``entries``; each entry is a dict with ``key``, ``value``, ``left``
        (seconds until it expires, or None) and ``tags`` (a sorted list).
        """
        now = self._clock()
        entries = []
        for key, entry in self._entries.items():
            left = None if entry.expires is None else entry.expires - now
            if left is not None and left <= 0:
                continue
            entries.append(
                {"key": key, "value": entry.value, "left": left, "tags": sorted(entry.tags)}
            )
        return {
            "format": FORMAT,
            "capacity": self.capacity,
            "ttl": self.ttl,
            "entries": entries,
        }

    @classmethod
    def restore(
        cls: Type[C],
        data: Mapping[str, Any],
        elapsed: Duration = 0,
        clock: Callable[[], float] = time.monotonic,
    ) -> C:
        """Make a cache from a snapshot taken `elapsed` seconds ago."""
        if data.get("format") != FORMAT:
            raise ValueError(f"unknown snapshot format: {data.get('format')!r}")
        gone = parse_duration(elapsed) or 0.0
        cache = cls(capacity=data["capacity"], ttl=data["ttl"], clock=clock)
        for item in data["entries"]:
            left = item["left"]
            if left is not None and left <= gone:
                continue
            cache.set(
                item["key"],
                item["value"],
                ttl=None if left is None else left - gone,
                tags=item["tags"],
            )
        cache.stats = Stats()
        return cache
