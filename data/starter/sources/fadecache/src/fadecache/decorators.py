"""Caching the results of functions."""

from __future__ import annotations

import asyncio
import functools
import inspect
from typing import Any, Callable, Dict, Hashable, Iterable, Optional, Union

from .keys import call_key
from .store import _UNSET, Cache
from .timing import Duration

Tags = Union[str, Iterable[str], Callable[..., Union[str, Iterable[str]]]]


def cached(
    cache: Optional[Cache] = None,
    ttl: Optional[Duration] = _UNSET,
    tags: Tags = (),
    ignore: Union[str, Iterable[str]] = (),
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate a function, plain or async, so that its results are cached.

    :param cache: where to keep the results; a new unbounded one by default
    :param ttl: how long to keep them; the cache's own by default
    :param tags: tags for the entries, or a function which is called with the
        arguments of the call and returns them
    :param ignore: names of parameters which play no part in the key
    """
    store = Cache() if cache is None else cache
    skip = frozenset([ignore] if isinstance(ignore, str) else ignore)

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.isgeneratorfunction(func) or inspect.isasyncgenfunction(func):
            raise TypeError("the results of a generator function cannot be cached")
        unknown = skip.difference(inspect.signature(func).parameters)
        if unknown:
            raise ValueError(f"no such parameters: {', '.join(sorted(unknown))}")
        flights: Dict[Hashable, "asyncio.Future[Any]"] = {}

        @functools.wraps(func)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            """Answer from the cache, or call the function."""
            key = call_key(func, args, kwargs, skip)
            labels = tags(*args, **kwargs) if callable(tags) else tags
            return store.get_or_compute(key, lambda _: func(*args, **kwargs), ttl, labels)

        @functools.wraps(func)
        async def async_wrapper(*args: Any, **kwargs: Any) -> Any:
            """Answer from the cache, join a call under way, or start one."""
            key = call_key(func, args, kwargs, skip)
            value = store.get(key, _UNSET)
            if value is not _UNSET:
                return value
            if key in flights:
                return await asyncio.shield(flights[key])
            flight = asyncio.ensure_future(func(*args, **kwargs))
            flights[key] = flight
            flight.add_done_callback(lambda _: flights.pop(key))
            value = await asyncio.shield(flight)
            labels = tags(*args, **kwargs) if callable(tags) else tags
            store.set(key, value, ttl, labels)
            return value

        chosen = async_wrapper if inspect.iscoroutinefunction(func) else wrapper
        chosen.cache = store  # type: ignore[attr-defined]
        return chosen

    return decorate
