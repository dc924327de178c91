from datetime import date

import pytest

from spans import Interval, format_interval, parse_interval


class TestParse:
    @pytest.mark.parametrize(
        "text, expected",
        [
            ("[1, 5)", Interval(1.0, 5.0)),
            ("  ( 1,5 ]  ", Interval(1.0, 5.0, "(]")),
            ("[1..5]", Interval(1.0, 5.0, "[]")),
            ("]1, 5[", Interval(1.0, 5.0, "()")),
            ("[1.5, 2.5)", Interval(1.5, 2.5)),
            ("[-2, -1)", Interval(-2.0, -1.0)),
            ("{7}", Interval(7.0, 7.0, "[]")),
            (" { 7 } ", Interval(7.0, 7.0, "[]")),
            ("1..5", Interval(1.0, 5.0, "[]")),
            (" 1 .. 5.5 ", Interval(1.0, 5.5, "[]")),
        ],
    )
    def test_forms(self, text, expected):
        assert parse_interval(text) == expected

    @pytest.mark.parametrize(
        "text, expected",
        [
            ("[3, )", Interval(3.0, None)),
            ("[3, inf]", Interval(3.0, None)),
            ("[3,+inf)", Interval(3.0, None)),
            ("(-inf, 3]", Interval(None, 3.0, "(]")),
            ("(..)", Interval(None, None)),
        ],
    )
    def test_unbounded(self, text, expected):
        assert parse_interval(text) == expected
        assert parse_interval(text).bounds == expected.bounds

    def test_convert(self):
        assert parse_interval("[ 1 , 5 )", int) == Interval(1, 5)
        assert type(parse_interval("[1, 5)").lower) is float
        assert type(parse_interval("[1, 5)", int).lower) is int
        assert parse_interval("{ab}", str) == Interval("ab", "ab", "[]")
        year = parse_interval("[2024-01-01, 2025-01-01)", date.fromisoformat)
        assert year.upper == date(2025, 1, 1)

    @pytest.mark.parametrize(
        "text",
        ["", "1", "[1 5)", "[1, 5", "1, 5", "<1, 5>", "[a, b)", "[5, 1)", "{}", "[1, 5)x", "1..5 7"],
    )
    def test_errors(self, text):
        with pytest.raises(ValueError):
            parse_interval(text)


class TestFormat:
    def test_bounds(self):
        assert format_interval(Interval(1, 5)) == "[1, 5)"
        assert format_interval(Interval(1, 5, "(]")) == "(1, 5]"

    def test_point(self):
        assert format_interval(Interval(7, 7, "[]")) == "{7}"
        assert format_interval(Interval(7, 7, "[]"), render=hex) == "{0x7}"

    def test_unbounded(self):
        assert format_interval(Interval(None, 5)) == "(-inf, 5)"
        assert format_interval(Interval(5, None)) == "[5, inf)"
        assert format_interval(Interval(None, None)) == "(-inf, inf)"

    def test_options(self):
        span = Interval(date(2024, 1, 1), None)
        text = format_interval(span, render=date.isoformat, separator="..", infinity="oo")
        assert text == "[2024-01-01..oo)"
        assert format_interval(Interval(None, 0), infinity="oo") == "(-oo, 0)"

    def test_blank_infinity_has_no_sign(self):
        assert format_interval(Interval(None, 0), infinity="") == "(, 0)"
        assert format_interval(Interval(None, None), separator=",", infinity="") == "(,)"

    def test_round_trip(self):
        for text in ("[1.0, 5.0)", "(-inf, 3.5]", "{2.0}", "(0.0, inf)"):
            assert format_interval(parse_interval(text)) == text
