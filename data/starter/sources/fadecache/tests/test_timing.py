import itertools

import pytest

from fadecache import backoff_schedule, format_duration, parse_duration


@pytest.mark.parametrize(
    "text, seconds",
    [
        ("45s", 45.0),
        ("1h30m", 5400.0),
        ("2d 12h", 216000.0),
        ("1.5h", 5400.0),
        ("250ms", 0.25),
        ("1w", 604800.0),
        ("  10 M ", 600.0),
        ("1m500ms", 60.5),
    ],
)
def test_parse_text(text, seconds):
    assert parse_duration(text) == pytest.approx(seconds)


def test_parse_numbers_and_no_limit():
    assert parse_duration(90) == 90.0
    assert isinstance(parse_duration(90), float)
    assert parse_duration(0) == 0.0
    assert parse_duration(None) is None
    assert parse_duration("Never") is None


@pytest.mark.parametrize(
    "bad",
    ["", "   ", "90", "h", "5x", "1h and 5m", "-5s", "30m1h", "1h2h", -1, float("inf"), float("nan")],
)
def test_parse_rejects_values(bad):
    with pytest.raises(ValueError):
        parse_duration(bad)


@pytest.mark.parametrize("bad", [True, [5], b"5s"])
def test_parse_rejects_types(bad):
    with pytest.raises(TypeError):
        parse_duration(bad)


@pytest.mark.parametrize(
    "seconds, text",
    [
        (0, "0s"),
        (45, "45s"),
        (5400, "1h30m"),
        (0.25, "250ms"),
        (1.5, "1s500ms"),
        (691200, "1w1d"),
        (None, "never"),
        (59.9996, "1m"),
        (0.0001, "0s"),
    ],
)
def test_format(seconds, text):
    assert format_duration(seconds) == text


def test_format_parts_are_neighbouring_units():
    seconds = 86400 + 3 * 60 + 5
    assert format_duration(seconds) == "1d"
    assert format_duration(seconds, parts=3) == "1d3m"
    assert format_duration(seconds, parts=9) == "1d3m5s"
    assert format_duration(7199, parts=1) == "1h"


def test_format_errors():
    for bad in (-1, float("inf"), float("nan")):
        with pytest.raises(ValueError):
            format_duration(bad)
    with pytest.raises(ValueError):
        format_duration(5, parts=0)


def test_backoff_grows_up_to_the_cap():
    delays = list(itertools.islice(backoff_schedule(1, 3, cap=10), 5))
    assert delays == [1, 3, 9, 10, 10]
    assert next(backoff_schedule(5, cap=2)) == 2
    assert list(itertools.islice(backoff_schedule(), 3)) == [0.5, 1.0, 2.0]


def test_backoff_budget():
    assert list(backoff_schedule(1, 2, budget=7)) == [1, 2, 4]
    assert list(backoff_schedule(1, 2, budget=6.9)) == [1, 2]
    assert list(backoff_schedule(20, 2, cap=60, budget="1m")) == [20, 40]
    assert list(backoff_schedule(1, budget=0.5)) == []


def test_backoff_jitter_is_clamped_and_does_not_accumulate():
    seen = []

    def jitter(delay):
        seen.append(delay)
        return delay * 10 if delay > 2 else delay - 1.5

    delays = list(itertools.islice(backoff_schedule(1, 2, cap=20, jitter=jitter), 4))
    assert delays == [0.0, 0.5, 20, 20]
    assert seen == [1, 2, 4, 8]
    halves = backoff_schedule(4, 1, budget=5, jitter=lambda delay: delay / 2)
    assert list(halves) == [2, 2]


def test_backoff_large_counts_do_not_overflow():
    assert next(itertools.islice(backoff_schedule(1, 10, cap=50), 2000, None)) == 50


@pytest.mark.parametrize("bad", [{"base": 0}, {"factor": 0.5}, {"cap": 0}, {"budget": "soon"}])
def test_backoff_errors(bad):
    with pytest.raises(ValueError):
        next(backoff_schedule(**bad))
