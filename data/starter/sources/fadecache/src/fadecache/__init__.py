"""An in-process cache with expiry, tags and coalesced async loading."""

from .aio import AsyncLoader
from .decorators import cached
from .keys import call_key, estimate_size, normalise_key
from .store import Cache, Entry, Stats
from .timing import backoff_schedule, format_duration, parse_duration

__version__ = "1.0.0"

__all__ = [
    "AsyncLoader",
    "Cache",
    "Entry",
    "Stats",
    "backoff_schedule",
    "cached",
    "call_key",
    "estimate_size",
    "format_duration",
    "normalise_key",
    "parse_duration",
]
