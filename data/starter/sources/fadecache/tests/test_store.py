import warnings

import pytest

from fadecache import Cache, Stats


class FakeClock:
    def __init__(self, now=100.0):
        self.now = now

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return FakeClock()


def record(cache):
    events = []
    cache.on("*", lambda event, key, value: events.append((event, key, value)))
    return events


def keys(cache):
    return [item["key"] for item in cache.snapshot()["entries"]]


def filled(clock, capacity=None):
    cache = Cache(capacity, clock=clock)
    for key in "abc":
        cache.set(key, key.upper())
    return cache


def test_new_cache(clock):
    cache = Cache(3, ttl="1m", clock=clock)
    assert cache.ttl == 60.0
    assert cache.capacity == 3
    assert cache.stats == Stats(0, 0, 0, 0)
    assert cache.snapshot()["entries"] == []
    assert Cache().ttl is None
    assert Cache().capacity is None
    assert Cache().stats is not Cache().stats
    cache.on("*", lambda *args: None)
    for event in ("hit", "miss", "set", "evict", "expire", "invalidate"):
        cache.on(event, lambda *args: None)
    clock.now += 5
    cache.set("a", 1)
    assert cache.snapshot()["entries"][0]["left"] == 60.0


@pytest.mark.parametrize(
    "arguments, error",
    [
        ({"capacity": 0}, ValueError),
        ({"capacity": -1}, ValueError),
        ({"capacity": "3"}, TypeError),
        ({"capacity": True}, TypeError),
        ({"capacity": 2.0}, TypeError),
        ({"ttl": "soon"}, ValueError),
        ({"ttl": -1}, ValueError),
    ],
)
def test_new_cache_errors(arguments, error):
    with pytest.raises(error):
        Cache(**arguments)


def test_capacity_reads_back(clock):
    cache = Cache(clock=clock)
    assert cache.capacity is None
    cache.capacity = 7
    assert cache.capacity == 7
    assert isinstance(cache.capacity, int)
    cache.capacity = None
    assert cache.capacity is None
    with pytest.raises(ValueError):
        cache.capacity = 0
    with pytest.raises(TypeError):
        cache.capacity = 1.5
    assert cache.capacity is None


def test_shrinking_evicts_least_recent_first(clock):
    cache = filled(clock)
    cache.get("a")
    events = record(cache)
    cache.capacity = 3
    assert events == []
    cache.capacity = 1
    assert events == [("evict", "b", "B"), ("evict", "c", "C")]
    assert keys(cache) == ["a"]
    assert cache.stats.evictions == 2


def test_on_registers_once_and_returns_the_hook(clock):
    cache = Cache(clock=clock)
    calls = []

    def hook(event, key, value):
        calls.append((event, key, value))

    assert cache.on("set", hook) is hook
    assert cache.on("set", hook) is hook
    cache.set("a", 1)
    cache.get("a")
    assert calls == [("set", "a", 1)]


def test_on_as_a_decorator(clock):
    cache = Cache(clock=clock)
    calls = []

    @cache.on("miss")
    def hook(event, key, value):
        calls.append((event, key, value))

    assert callable(hook)
    cache.get("x")
    assert calls == [("miss", "x", None)]


def test_on_errors(clock):
    cache = Cache(clock=clock)
    with pytest.raises(ValueError):
        cache.on("explode", print)
    with pytest.raises(ValueError):
        cache.on("explode")
    with pytest.raises(TypeError):
        cache.on("set", 5)


def test_hooks_run_in_order_specific_ones_first(clock):
    cache = Cache(clock=clock)
    calls = []
    cache.on("*", lambda *event: calls.append("star"))
    cache.on("set", lambda *event: calls.append("first"))
    cache.on("set", lambda *event: calls.append("second"))
    cache.set("a", 1)
    assert calls == ["first", "second", "star"]


def test_failing_hook_is_a_warning(clock):
    cache = Cache(clock=clock)
    calls = []

    def broken(event, key, value):
        raise KeyError("oops")

    cache.on("set", broken)
    cache.on("set", lambda *event: calls.append(event))
    with pytest.warns(RuntimeWarning, match="oops"):
        cache.set("a", 1)
    assert calls == [("set", "a", 1)]
    assert cache.get("a") == 1


def test_hook_may_register_hooks(clock):
    cache = Cache(clock=clock)
    calls = []

    def late(event, key, value):
        calls.append(key)

    cache.on("set", lambda *event: cache.on("set", late))
    cache.set("a", 1)
    assert calls == []
    cache.set("b", 2)
    assert calls == ["b"]


def test_every_event_is_counted_once(clock):
    cache = Cache(2, clock=clock)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cache.set("a", 1, ttl=5)
        cache.get("a")
        cache.get("a")
        clock.now += 5
        cache.get("a")
        for key in "bcd":
            cache.set(key, key, tags="t")
        cache.invalidate("t")
    assert cache.stats == Stats(hits=2, misses=1, evictions=1, expirations=1)


def test_get(clock):
    cache = Cache(clock=clock)
    cache.set("a", None)
    events = record(cache)
    assert cache.get("a", "default") is None
    assert cache.get("b") is None
    assert cache.get("b", "default") == "default"
    assert events == [("hit", "a", None), ("miss", "b", None), ("miss", "b", None)]


def test_get_expires_at_the_exact_time(clock):
    cache = Cache(ttl=10, clock=clock)
    cache.set("a", 1)
    cache.set("b", 2)
    events = record(cache)
    clock.now += 9.5
    assert cache.get("a") == 1
    clock.now += 0.5
    assert cache.get("a", "gone") == "gone"
    assert cache.get("a") is None
    assert events == [("hit", "a", 1), ("expire", "a", 1), ("miss", "a", None), ("miss", "a", None)]
    assert cache.get("b") is None


def test_get_makes_most_recent(clock):
    cache = filled(clock, capacity=3)
    cache.get("a")
    assert keys(cache) == ["b", "c", "a"]
    cache.set("d", "D")
    assert keys(cache) == ["c", "a", "d"]


def test_set_lifetimes(clock):
    cache = Cache(ttl=10, clock=clock)
    cache.set("default", 1)
    cache.set("own", 1, ttl="30s")
    cache.set("forever", 1, ttl=None)
    assert [item["left"] for item in cache.snapshot()["entries"]] == [10, 30, None]
    with pytest.raises(ValueError):
        cache.set("forever", 2, ttl="soon")
    assert cache.get("forever") == 1


def test_set_replaces_everything(clock):
    cache = filled(clock)
    cache.set("a", 1, ttl=5, tags=["x"])
    cache.set("a", 2, tags="yes")
    assert cache.snapshot()["entries"][-1] == {"key": "a", "value": 2, "left": None, "tags": ["yes"]}
    assert keys(cache) == ["b", "c", "a"]


def test_set_with_no_lifetime_stores_nothing(clock):
    cache = filled(clock, capacity=3)
    events = record(cache)
    cache.set("a", 1, ttl=0)
    cache.set("z", 1, ttl="0s")
    assert keys(cache) == ["b", "c"]
    assert events == []


def test_set_evicts(clock):
    cache = filled(clock, capacity=3)
    events = record(cache)
    cache.set("a", 1)
    assert events == [("set", "a", 1)]
    cache.set("d", 2)
    assert events[1:] == [("set", "d", 2), ("evict", "b", "B")]
    assert keys(cache) == ["c", "a", "d"]


def test_set_prefers_to_drop_expired(clock):
    cache = Cache(3, clock=clock)
    cache.set("a", 1)
    cache.set("b", 2, ttl=5)
    cache.set("c", 3, ttl=6)
    clock.now += 6
    events = record(cache)
    cache.set("a", 4)
    assert events == [("set", "a", 4)]
    cache.set("d", 5)
    assert events[1:] == [("set", "d", 5), ("expire", "b", 2), ("expire", "c", 3)]
    assert keys(cache) == ["a", "d"]
    assert cache.stats.evictions == 0


def test_get_or_compute(clock):
    cache = Cache(clock=clock)
    asked = []

    def factory(key):
        asked.append(key)
        return None

    assert cache.get_or_compute("a", factory, ttl=5, tags="t") is None
    assert cache.get_or_compute("a", factory) is None
    assert asked == ["a"]
    assert cache.snapshot()["entries"] == [{"key": "a", "value": None, "left": 5, "tags": ["t"]}]
    assert (cache.stats.hits, cache.stats.misses) == (1, 1)
    clock.now += 5
    cache.get_or_compute("a", factory)
    assert asked == ["a", "a"]


def test_get_or_compute_uses_the_default_ttl(clock):
    cache = Cache(ttl=9, clock=clock)
    cache.get_or_compute("a", str)
    cache.get_or_compute("b", str, ttl=None)
    assert [item["left"] for item in cache.snapshot()["entries"]] == [9, None]


def test_get_or_compute_keep_and_errors(clock):
    cache = Cache(clock=clock)
    assert cache.get_or_compute("a", lambda key: 5, keep=lambda value: value > 5) == 5
    assert "a" not in cache
    assert cache.get_or_compute("a", lambda key: 6, keep=lambda value: value > 5) == 6
    assert cache.get_or_compute("a", lambda key: 7, keep=lambda value: False) == 6
    with pytest.raises(ZeroDivisionError):
        cache.get_or_compute("b", lambda key: 1 / 0)
    assert keys(cache) == ["a"]


def tagged(clock):
    cache = Cache(clock=clock)
    cache.set("one", 1, tags=["user:7", "photo"])
    cache.set("two", 2, tags=["user:77"])
    cache.set("three", 3, tags=["user:7:photo"])
    cache.set("four", 4, tags=["username"])
    cache.set("five", 5)
    return cache


def test_invalidate_any(clock):
    cache = tagged(clock)
    events = record(cache)
    assert cache.invalidate("user:7") == 2
    assert events == [("invalidate", "one", 1), ("invalidate", "three", 3)]
    assert keys(cache) == ["two", "four", "five"]
    assert cache.invalidate("user:7") == 0
    assert cache.invalidate("user", "username", "nothing") == 2
    assert keys(cache) == ["five"]
    assert tagged(clock).invalidate("photo") == 1


def test_invalidate_all(clock):
    cache = tagged(clock)
    assert cache.invalidate("user", "photo", match="all") == 1
    assert keys(cache) == ["two", "three", "four", "five"]
    assert cache.invalidate("user:7", "user:77", match="all") == 0


def test_invalidate_does_not_count_expired(clock):
    cache = Cache(clock=clock)
    cache.set("old", 1, ttl=5, tags="t")
    cache.set("new", 2, tags="t")
    cache.set("other", 3, ttl=5)
    clock.now += 5
    events = record(cache)
    assert cache.invalidate("t") == 1
    assert events == [("expire", "old", 1), ("invalidate", "new", 2)]
    assert cache.stats.expirations == 1


def test_invalidate_errors(clock):
    cache = tagged(clock)
    with pytest.raises(ValueError):
        cache.invalidate()
    with pytest.raises(ValueError):
        cache.invalidate("user", match="some")
    assert len(keys(cache)) == 5


def test_contains(clock):
    cache = filled(clock)
    cache.set("short", None, ttl=5)
    events = record(cache)
    assert "a" in cache
    assert "short" in cache
    assert "z" not in cache
    assert keys(cache) == ["a", "b", "c", "short"]
    clock.now += 5
    assert "short" not in cache
    assert events == []
    cache.get("short")
    assert events == [("expire", "short", None), ("miss", "short", None)]


def test_snapshot(clock):
    cache = Cache(5, ttl="1m", clock=clock)
    cache.set("a", 1, tags=["y", "x"])
    cache.set("b", 2, ttl=5)
    cache.set("c", [3], ttl=None)
    clock.now += 5
    cache.get("a")
    events = record(cache)
    assert cache.snapshot() == {
        "format": 1,
        "capacity": 5,
        "ttl": 60.0,
        "entries": [
            {"key": "c", "value": [3], "left": None, "tags": []},
            {"key": "a", "value": 1, "left": 55.0, "tags": ["x", "y"]},
        ],
    }
    assert events == []
    cache.set("many", 1, tags="hbdgcafe")
    assert cache.snapshot()["entries"][-1]["tags"] == ["hbdgcafe"]
    cache.set("many", 1, tags=iter("hbdgcafe"))
    assert cache.snapshot()["entries"][-1]["tags"] == list("abcdefgh")
    events.clear()
    assert Cache(clock=clock).snapshot() == {
        "format": 1,
        "capacity": None,
        "ttl": None,
        "entries": [],
    }
    cache.get("b")
    assert events[0] == ("expire", "b", 2)


def test_restore(clock):
    cache = Cache(5, ttl="1m", clock=clock)
    cache.set("a", 1, ttl=30, tags=["x"])
    cache.set("b", 2, ttl=10)
    cache.set("c", 3, ttl=None)
    data = cache.snapshot()
    later = FakeClock(7.0)
    copy = Cache.restore(data, elapsed="10s", clock=later)
    assert (copy.capacity, copy.ttl) == (5, 60.0)
    assert copy.snapshot()["entries"] == [
        {"key": "a", "value": 1, "left": 20.0, "tags": ["x"]},
        {"key": "c", "value": 3, "left": None, "tags": []},
    ]
    assert copy.stats == Stats()
    later.now += 20
    assert "a" not in copy
    assert data == cache.snapshot()
    assert Cache.restore(data, clock=later).snapshot() == data


def test_restore_trims_and_keeps_the_class(clock):
    class Special(Cache):
        pass

    data = dict(filled(clock).snapshot(), capacity=2)
    copy = Special.restore(data, clock=clock)
    assert type(copy) is Special
    assert keys(copy) == ["b", "c"]
    assert copy.stats == Stats()


def test_restore_errors(clock):
    data = filled(clock).snapshot()
    with pytest.raises(ValueError):
        Cache.restore(dict(data, format=2))
    with pytest.raises(ValueError):
        Cache.restore({"entries": []})
    with pytest.raises(ValueError):
        Cache.restore(data, elapsed=-1)
