"""Loading missing values in async code."""

from __future__ import annotations

import asyncio
import functools
from types import TracebackType
from typing import Any, Awaitable, Callable, Dict, Hashable, Optional, Type

from .store import Cache
from .timing import Duration, parse_duration

_MISSING: Any = object()


class AsyncLoader:
    """Fills a cache by means of an async `fetch` function, once per key.

    To be used as an async context manager; loading is possible only inside.
    """

    cache: Cache
    fetch: Callable[[Hashable], Awaitable[Any]]
    refresh_within: float
    _flights: "Dict[Hashable, asyncio.Future[Any]]"
    _open: bool

    def __init__(
        self,
        cache: Cache,
        fetch: Callable[[Hashable], Awaitable[Any]],
        refresh_within: Optional[Duration] = 0,
    ) -> None:
        if not callable(fetch):
            raise TypeError("fetch must be callable")
        self.cache = cache
        self.fetch = fetch
        self.refresh_within = parse_duration(refresh_within) or 0.0
        self._flights = {}
        self._open = False

    def _land(self, key: Hashable, flight: "asyncio.Future[Any]") -> None:
        """Done-callback of a flight."""
        if self._flights.get(key) is flight:
            del self._flights[key]
        if not flight.cancelled() and flight.exception() is None:
            self.cache.set(key, flight.result())

    async def load(self, key: Hashable) -> Any:
        """Fetch `key` and store the result, whether or not it is cached.

        Concurrent calls for one key share a single fetch, and its error if it
        fails.  Cancelling one of the callers does not cancel the fetch.
        """
        if not self._open:
            raise RuntimeError("the loader is not open")
        flight = self._flights.get(key)
        if flight is None:
            flight = asyncio.ensure_future(self.fetch(key))
            self._flights[key] = flight
            flight.add_done_callback(functools.partial(self._land, key))
        return await asyncio.shield(flight)

    async def get(self, key: Hashable) -> Any:
        """Return the cached value, or load it.

        When the entry is about to expire, a refresh is started as well.
        """
        if not self._open:
            raise RuntimeError("the loader is not open")
        value = self.cache.get(key, _MISSING)
        if value is _MISSING:
            return await self.load(key)
        expires = self.cache._entries[key].expires
        if expires is not None and key not in self._flights:
            if expires - self.cache._clock() <= self.refresh_within:
                flight = asyncio.ensure_future(self.fetch(key))
                self._flights[key] = flight
                flight.add_done_callback(functools.partial(self._land, key))
        return value

    async def __aenter__(self) -> "AsyncLoader":
        if self._open:
            raise RuntimeError("the loader is open already")
        self._open = True
        return self

    async def __aexit__(
        self,
        exc_type: Optional[Type[BaseException]],
        exc: Optional[BaseException],
        tb: Optional[TracebackType],
    ) -> None:
        """Close the loader, waiting for the fetches which are under way."""
        self._open = False
        flights = list(self._flights.values())
        if exc_type is not None:
            for flight in flights:
                flight.cancel()
        await asyncio.gather(*flights, return_exceptions=True)
