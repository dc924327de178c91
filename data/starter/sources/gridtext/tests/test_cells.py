import pytest

from gridtext import display_width, escape_cell, pad, split_row


class TestDisplayWidth:
    def test_plain(self):
        assert display_width("") == 0
        assert display_width("abc de") == 6
        assert display_width("é£ñ") == 3

    def test_wide_characters_take_two_columns(self):
        assert display_width("日本") == 4
        assert display_width("Ａb") == 3
        assert display_width("한글!") == 5

    def test_half_width_katakana_take_one(self):
        assert display_width("ｱｲ") == 2

    def test_combining_marks_take_none(self):
        assert display_width("e\u0301") == 1
        assert display_width("a\u20dd") == 1

    def test_control_and_format_characters_take_none(self):
        assert display_width("a\u200bb") == 2
        assert display_width("a\tb\n") == 2


class TestPad:
    def test_sides(self):
        assert pad("ab", 5) == "ab   "
        assert pad("ab", 5, "left") == "ab   "
        assert pad("ab", 5, "right") == "   ab"

    def test_center_puts_odd_space_on_the_right(self):
        assert pad("ab", 6, "center") == "  ab  "
        assert pad("ab", 5, "center") == " ab  "
        assert pad("a", 4, "center") == " a  "

    def test_measures_display_columns(self):
        assert pad("日", 4) == "日  "
        assert pad("日本", 6, "right") == "  日本"
        assert pad("日", 5, "center") == " 日  "

    @pytest.mark.parametrize("align", ["left", "right", "center"])
    def test_never_cuts(self, align):
        assert pad("abcdef", 3, align) == "abcdef"
        assert pad("日本", 3, align) == "日本"

    @pytest.mark.parametrize("align", ["middle", "", "LEFT"])
    def test_unknown_alignment(self, align):
        with pytest.raises(ValueError):
            pad("a", 3, align)

    def test_unknown_alignment_of_wide_text(self):
        with pytest.raises(ValueError):
            pad("abcdef", 3, "justify")


class TestSplitRow:
    def test_outer_pipes_are_optional(self):
        assert split_row("| a | b c |") == ["a", "b c"]
        assert split_row("a | b c") == ["a", "b c"]
        assert split_row("  | a | b c  \n") == ["a", "b c"]
        assert split_row("a | b c |") == ["a", "b c"]

    def test_single_cell(self):
        assert split_row("alone") == ["alone"]
        assert split_row("| alone |") == ["alone"]

    def test_empty_cells(self):
        assert split_row("| a || b |") == ["a", "", "b"]
        assert split_row("|  | b |  |") == ["", "b", ""]
        assert split_row("| |") == [""]
        assert split_row("|") == [""]

    def test_blank_line_has_no_cells(self):
        assert split_row("") == []
        assert split_row("  \t\n") == []

    def test_escaped_pipe(self):
        assert split_row(r"| a\|b | c |") == ["a|b", "c"]
        assert split_row(r"\| a | b") == ["| a", "b"]
        assert split_row(r"| a | b\|") == ["a", "b|"]

    def test_escaped_backslash(self):
        assert split_row(r"| a\\ | b |") == ["a\\", "b"]
        assert split_row(r"| a\\| b |") == ["a\\", "b"]

    def test_other_backslashes_are_kept(self):
        assert split_row(r"| C:\new | \d+ |") == [r"C:\new", r"\d+"]
        assert split_row("a | b\\") == ["a", "b\\"]


class TestEscapeCell:
    def test_plain_text_is_kept(self):
        assert escape_cell("a b-c") == "a b-c"
        assert escape_cell("") == ""

    def test_outer_space_goes(self):
        assert escape_cell("  a  b \n") == "a  b"

    def test_pipes_and_backslashes(self):
        assert escape_cell("a|b") == "a\\|b"
        assert escape_cell("a\\b") == "a\\\\b"
        assert escape_cell("\\|") == "\\\\\\|"

    def test_line_breaks(self):
        assert escape_cell("a\nb") == "a<br>b"
        assert escape_cell("a\r\nb\rc") == "a<br>b<br>c"
        assert escape_cell("a\n\nb") == "a<br><br>b"

    @pytest.mark.parametrize("text", ["a|b", "a\\", "\\|x", "||", "C:\\n"])
    def test_split_row_undoes_it(self, text):
        assert split_row(f"| {escape_cell(text)} | z |") == [text, "z"]
