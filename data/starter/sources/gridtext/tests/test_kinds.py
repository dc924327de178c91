import pytest

from gridtext import classify, convert, infer_kind


class TestClassify:
    @pytest.mark.parametrize("text", ["0", "42", "-7", "+3", " 12 ", "007", "1,234", "-12,345,678"])
    def test_int(self, text):
        assert classify(text) == "int"

    @pytest.mark.parametrize("text", ["1.5", "-.5", "5.", "1e3", "2.5E-4", "+0.0"])
    def test_float(self, text):
        assert classify(text) == "float"

    @pytest.mark.parametrize("text", ["true", "False", "YES", " no "])
    def test_bool(self, text):
        assert classify(text) == "bool"

    @pytest.mark.parametrize("text", ["", "   ", "-", "N/A", "null"])
    def test_empty(self, text):
        assert classify(text) == "empty"

    @pytest.mark.parametrize(
        "text",
        ["abc", "1,23", "1234,567", ",123", "1,234.5", "1_000", "nan", "inf", ".", "e5", "1e",
         "1 2", "--1", "٣", "none"],
    )
    def test_text(self, text):
        assert classify(text) == "text"

    def test_results_are_cached(self):
        classify("cached value")
        before = classify.cache_info().hits
        assert classify("cached value") == "text"
        assert classify.cache_info().hits == before + 1


class TestInferKind:
    def test_uniform(self):
        assert infer_kind(["1", "2"]) == "int"
        assert infer_kind(["1.5", ".2"]) == "float"
        assert infer_kind(["yes", "false"]) == "bool"
        assert infer_kind(["a", "b"]) == "text"

    def test_blanks_do_not_count(self):
        assert infer_kind(["", "3", "n/a"]) == "int"
        assert infer_kind(["-", "no"]) == "bool"

    def test_whole_numbers_widen(self):
        assert infer_kind(["1", "2.5"]) == "float"
        assert infer_kind(["2.5", "", "1"]) == "float"

    def test_other_mixtures_are_text(self):
        assert infer_kind(["1", "x"]) == "text"
        assert infer_kind(["1", "yes"]) == "text"
        assert infer_kind(["1", "2.5", "no"]) == "text"

    def test_nothing_to_go_by(self):
        assert infer_kind([]) == "empty"
        assert infer_kind(["", "-"]) == "empty"

    def test_any_iterable(self):
        assert infer_kind(iter(["4", "5.5"])) == "float"


class TestConvert:
    def test_int(self):
        assert convert(" 12 ", "int") == 12
        assert convert("-1,234", "int") == -1234

    def test_float(self):
        assert convert("1.5", "float") == 1.5
        value = convert("1,000", "float")
        assert value == 1000.0
        assert isinstance(value, float)

    def test_bool(self):
        assert convert("Yes", "bool") is True
        assert convert("false ", "bool") is False

    def test_text_is_only_stripped(self):
        assert convert("  a b ", "text") == "a b"
        assert convert("12", "text") == "12"
        assert convert("n/a", "text") == "n/a"
        assert convert("", "text") == ""

    @pytest.mark.parametrize("kind", ["int", "float", "bool", "empty"])
    def test_blank(self, kind):
        assert convert("", kind) is None
        assert convert(" N/A ", kind) is None

    @pytest.mark.parametrize(
        "text, kind",
        [("x", "int"), ("1.0", "int"), ("yes", "int"), ("inf", "float"), ("1_0", "int"),
         ("1", "bool"), ("maybe", "bool"), ("a", "empty"), ("1,23", "float")],
    )
    def test_mismatch(self, text, kind):
        with pytest.raises(ValueError):
            convert(text, kind)

    @pytest.mark.parametrize("text", ["1", "", "abc"])
    def test_unknown_kind(self, text):
        with pytest.raises(ValueError):
            convert(text, "date")
