import asyncio

import pytest

from fadecache import AsyncLoader, Cache


class FakeClock:
    def __init__(self, now=100.0):
        self.now = now

    def __call__(self):
        return self.now


class Source:
    """A fetch function whose calls wait until they are let go."""

    def __init__(self, gated=False):
        self.asked = []
        self.gated = gated
        self.gate = asyncio.Event()
        self.error = None

    async def __call__(self, key):
        self.asked.append(key)
        number = len(self.asked)
        if self.gated:
            await self.gate.wait()
        else:
            await asyncio.sleep(0)
        if self.error is not None:
            raise self.error
        return f"{key}{number}"


def run(scenario):
    async def limited():
        await asyncio.wait_for(scenario(), timeout=1)

    asyncio.run(limited())


async def settle():
    for _ in range(5):
        await asyncio.sleep(0)


def test_new_loader():
    async def fetch(key):
        return key

    cache = Cache()
    loader = AsyncLoader(cache, fetch, refresh_within="1m")
    assert loader.cache is cache
    assert loader.fetch is fetch
    assert loader.refresh_within == 60.0
    assert AsyncLoader(cache, fetch).refresh_within == 0.0
    assert AsyncLoader(cache, fetch, refresh_within=None).refresh_within == 0.0
    with pytest.raises(TypeError):
        AsyncLoader(cache, "fetch")
    with pytest.raises(ValueError):
        AsyncLoader(cache, fetch, refresh_within="soon")


def test_only_inside_the_context():
    async def scenario():
        cache, source = Cache(), Source()
        cache.set("a", 1)
        loader = AsyncLoader(cache, source)
        for method in (loader.get, loader.load):
            with pytest.raises(RuntimeError):
                await method("a")
        async with loader as entered:
            assert entered is loader
            assert await loader.get("a") == 1
            with pytest.raises(RuntimeError):
                async with loader:
                    pass
            assert await loader.get("a") == 1
        for method in (loader.get, loader.load):
            with pytest.raises(RuntimeError):
                await method("a")
        assert source.asked == []
        async with loader:
            assert await loader.load("a") == "a1"

    run(scenario)


def test_load_stores_and_fetches_anew():
    async def scenario():
        cache, source = Cache(ttl=50, clock=FakeClock()), Source()
        async with AsyncLoader(cache, source) as loader:
            assert await loader.load("a") == "a1"
            assert cache.get("a") == "a1"
            assert await loader.load("a") == "a2"
            assert cache.get("a") == "a2"
            assert cache.snapshot()["entries"][0]["left"] == 50

    run(scenario)


def test_concurrent_loads_share_one_fetch():
    async def scenario():
        cache, source = Cache(), Source()
        stored = []
        cache.on("set", lambda event, key, value: stored.append(key))
        async with AsyncLoader(cache, source) as loader:
            results = await asyncio.gather(*(loader.load(key) for key in "abaa"))
            assert results == ["a1", "b2", "a1", "a1"]
            assert source.asked == ["a", "b"]
            assert sorted(stored) == ["a", "b"]

    run(scenario)


def test_error_goes_to_all_callers_and_is_not_kept():
    async def scenario():
        cache, source = Cache(), Source()
        source.error = KeyError("down")
        async with AsyncLoader(cache, source) as loader:
            results = await asyncio.gather(
                loader.load("a"), loader.load("a"), return_exceptions=True
            )
            assert [type(result) for result in results] == [KeyError, KeyError]
            assert source.asked == ["a"]
            assert "a" not in cache
            source.error = None
            assert await loader.get("a") == "a2"

    run(scenario)


def test_cancelling_a_caller_leaves_the_fetch():
    async def scenario():
        cache, source = Cache(), Source(gated=True)
        async with AsyncLoader(cache, source) as loader:
            first = asyncio.ensure_future(loader.load("a"))
            second = asyncio.ensure_future(loader.load("a"))
            await settle()
            first.cancel()
            await settle()
            assert first.cancelled()
            assert not second.done()
            source.gate.set()
            assert await second == "a1"
            assert source.asked == ["a"]
            alone = asyncio.ensure_future(loader.load("b"))
            await settle()
            source.gate.clear()
            alone.cancel()
            source.gate.set()
            await settle()
            assert cache.get("b") == "b2"

    run(scenario)


def test_get_answers_from_the_cache():
    async def scenario():
        cache, source = Cache(), Source()
        cache.set("none", None)
        async with AsyncLoader(cache, source) as loader:
            assert await loader.get("a") == "a1"
            assert await loader.get("a") == "a1"
            assert await loader.get("none") is None
            assert await asyncio.gather(loader.get("b"), loader.get("b")) == ["b2", "b2"]
            assert source.asked == ["a", "b"]
            assert (cache.stats.hits, cache.stats.misses) == (2, 3)

    run(scenario)


def test_get_refreshes_ahead():
    async def scenario():
        clock = FakeClock()
        cache, source = Cache(ttl=60, clock=clock), Source()
        async with AsyncLoader(cache, source, refresh_within=10) as loader:
            assert await loader.get("a") == "a1"
            clock.now += 49
            assert await loader.get("a") == "a1"
            await settle()
            assert source.asked == ["a"]
            clock.now += 1
            assert await loader.get("a") == "a1"
            assert await loader.get("a") == "a1"
            await settle()
            assert source.asked == ["a", "a"]
            assert await loader.get("a") == "a2"
            clock.now += 60
            assert await loader.get("a") == "a3"
            cache.set("forever", 1, ttl=None)
            assert await loader.get("forever") == 1
            await settle()
            assert source.asked == ["a", "a", "a"]

    run(scenario)


def test_failed_refresh_is_silent():
    async def scenario():
        problems = []
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: problems.append(context)
        )
        clock = FakeClock()
        cache, source = Cache(ttl=60, clock=clock), Source()
        async with AsyncLoader(cache, source, refresh_within=10) as loader:
            await loader.get("a")
            source.error = OSError("down")
            clock.now += 55
            assert await loader.get("a") == "a1"
            await settle()
            assert source.asked == ["a", "a"]
            assert await loader.get("a") == "a1"
            await settle()
            assert source.asked == ["a", "a", "a"]
        assert problems == []

    run(scenario)


def test_leaving_waits_for_fetches():
    async def scenario():
        clock = FakeClock()
        cache, source = Cache(ttl=60, clock=clock), Source(gated=True)
        cache.set("a", "old", ttl=5)
        loader = AsyncLoader(cache, source, refresh_within=10)

        async def use():
            async with loader:
                assert await loader.get("a") == "old"

        user = asyncio.ensure_future(use())
        await settle()
        assert not user.done()
        with pytest.raises(RuntimeError):
            await loader.get("a")
        source.gate.set()
        await user
        assert cache.get("a") == "a1"

    run(scenario)


def test_leaving_ignores_failed_fetches():
    async def scenario():
        cache, source = Cache(clock=FakeClock()), Source(gated=True)
        source.error = OSError("down")
        cache.set("a", "old", ttl=5)
        async with AsyncLoader(cache, source, refresh_within=10) as loader:
            await loader.get("a")
            await settle()
            source.gate.set()
        assert source.asked == ["a"]

    run(scenario)


def test_leaving_with_an_error_cancels_fetches():
    async def scenario():
        cache, source = Cache(clock=FakeClock()), Source(gated=True)
        loader = AsyncLoader(cache, source)
        waiters = []
        with pytest.raises(ZeroDivisionError):
            async with loader:
                waiters.append(asyncio.ensure_future(loader.load("a")))
                await settle()
                raise ZeroDivisionError
        await settle()
        assert waiters[0].cancelled()
        assert "a" not in cache
        source.gate.set()
        async with loader:
            assert await loader.load("a") == "a2"

    run(scenario)
