import asyncio
import inspect

import pytest

from fadecache import Cache, cached


class FakeClock:
    def __init__(self, now=100.0):
        self.now = now

    def __call__(self):
        return self.now


def test_results_are_cached():
    calls = []

    @cached()
    def add(left, right=1):
        """Add two numbers."""
        calls.append((left, right))
        return left + right

    assert add(2) == add(2, 1) == add(left=2) == 3
    assert add(2, 3) == 5
    assert calls == [(2, 1), (2, 3)]
    assert add.__name__ == "add"
    assert add.__doc__ == "Add two numbers."
    assert isinstance(add.cache, Cache)
    assert add.cache.capacity is None
    assert add.cache.stats.hits == 2


def test_none_is_cached_and_errors_are_not():
    calls = []

    @cached()
    def half(number):
        calls.append(number)
        if number % 2:
            raise ValueError("odd")

    assert half(4) is None
    assert half(4) is None
    for _ in range(2):
        with pytest.raises(ValueError, match="odd"):
            half(3)
    assert calls == [4, 3, 3]
    with pytest.raises(TypeError):
        half()


def test_each_function_has_its_own_cache_by_default():
    use = cached()
    assert cached()(len).cache is not cached()(len).cache
    cache = Cache()

    @cached(cache)
    def one(x):
        return "one"

    @cached(cache)
    def two(x):
        return "two"

    assert one.cache is two.cache is cache
    assert (one(1), two(1), one(1)) == ("one", "two", "one")
    assert callable(use)


def test_ttl():
    clock = FakeClock()
    cache = Cache(ttl=60, clock=clock)

    @cached(cache)
    def by_default(x):
        return x

    @cached(cache, ttl="10s")
    def short(x):
        return x

    @cached(cache, ttl=None)
    def forever(x):
        return x

    by_default(1), short(1), forever(1)
    assert [item["left"] for item in cache.snapshot()["entries"]] == [60, 10, None]


def test_tags():
    cache = Cache()

    @cached(cache, tags="fixed")
    def plain(x):
        return x

    @cached(cache, tags=["b", "a"])
    def several(x):
        return x

    @cached(cache, tags=lambda ident, deep=False: f"user:{ident}")
    def user(ident, deep=False):
        return ident

    plain(1), several(1), user(7, deep=True)
    tags = [item["tags"] for item in cache.snapshot()["entries"]]
    assert tags == [["fixed"], ["a", "b"], ["user:7"]]


@pytest.mark.parametrize("ignore", ["log", ["log"], ("log", "debug")])
def test_ignore(ignore):
    calls = []

    @cached(ignore=ignore)
    def work(x, log=None, debug=None):
        calls.append(x)
        return x

    work(1, log=print)
    work(1, log=len)
    work(1)
    assert calls == [1]


def test_ignore_may_be_an_iterator():
    @cached(ignore=iter(["log"]))
    def work(x, log=None):
        return log

    assert work(1, log=5) == work(1, log=6) == 5


def test_refused_functions():
    with pytest.raises(ValueError, match="lgo"):
        @cached(ignore=["lgo"])
        def work(x, log=None):
            return x

    with pytest.raises(TypeError):
        @cached()
        def generate():
            yield 1

    with pytest.raises(TypeError):
        @cached()
        async def agenerate():
            yield 1


def test_methods():
    class Shop:
        def __init__(self, name):
            self.name = name

        def cache_key(self):
            return self.name

        @cached()
        def price(self, item):
            return (self.name, item)

    assert Shop("a").price("tea") == ("a", "tea")
    assert Shop("b").price("tea") == ("b", "tea")
    assert Shop("a").price(item="tea") == ("a", "tea")
    assert Shop.price.cache.stats.hits == 1


def test_async_results_are_cached():
    calls = []
    clock = FakeClock()
    cache = Cache(clock=clock)

    @cached(cache, ttl=10, tags=lambda x, y=0: [f"x:{x}"], ignore="y")
    async def fetch(x, y=0):
        """Fetch."""
        calls.append(x)
        await asyncio.sleep(0)
        return None if x == 0 else x

    async def scenario():
        assert await fetch(1) == 1
        assert await fetch(x=1, y=5) == 1
        assert await fetch(0) is None
        assert await fetch(0) is None
        assert calls == [1, 0]
        assert [item["tags"] for item in cache.snapshot()["entries"]] == [["x:1"], ["x:0"]]
        clock.now += 10
        assert await fetch(1) == 1
        assert calls == [1, 0, 1]

    assert inspect.iscoroutinefunction(fetch)
    assert not inspect.iscoroutinefunction(cached()(len))
    assert (fetch.__name__, fetch.__doc__, fetch.cache) == ("fetch", "Fetch.", cache)
    asyncio.run(scenario())


def test_concurrent_calls_share_one():
    calls, stored = [], []
    cache = Cache()
    cache.on("set", lambda event, key, value: stored.append(value))

    @cached(cache)
    async def fetch(x):
        calls.append(x)
        await asyncio.sleep(0.001)
        return x * 10

    async def scenario():
        results = await asyncio.gather(fetch(1), fetch(2), fetch(x=1))
        assert results == [10, 20, 10]
        assert calls == [1, 2]
        assert stored == [10, 20]
        assert cache.stats.misses == 3

    asyncio.run(scenario())


def test_async_errors_are_shared_but_not_cached():
    calls = []

    @cached()
    async def fetch(x):
        calls.append(x)
        await asyncio.sleep(0)
        raise ValueError(f"failure {len(calls)}")

    async def scenario():
        results = await asyncio.gather(fetch(1), fetch(1), return_exceptions=True)
        assert [str(result) for result in results] == ["failure 1", "failure 1"]
        with pytest.raises(ValueError, match="failure 2"):
            await fetch(1)

    asyncio.run(scenario())


def test_cancelling_one_caller_leaves_the_call():
    @cached()
    async def fetch(x):
        await gate.wait()
        return x

    gate = None

    async def scenario():
        nonlocal gate
        gate = asyncio.Event()
        first = asyncio.ensure_future(fetch(1))
        second = asyncio.ensure_future(fetch(1))
        for _ in range(5):
            await asyncio.sleep(0)
        first.cancel()
        await asyncio.sleep(0)
        assert first.cancelled()
        gate.set()
        assert await asyncio.wait_for(second, timeout=1) == 1

    asyncio.run(scenario())
