import pytest

from gridtext import Column, parse_alignment, read_fixed, read_grid, read_pipe


class TestParseAlignment:
    def test_all_forms(self):
        assert parse_alignment("|---|:--|--:|:-:|") == ["left", "left", "right", "center"]

    def test_loose_forms(self):
        assert parse_alignment(" - | :-") == ["left", "left"]
        assert parse_alignment("-----:") == ["right"]

    @pytest.mark.parametrize(
        "line",
        ["", "   ", "| a | b |", "|---|x|", "|---||", "| - - |", "|:|", "|::|", "|:-::|", "|===|"],
    )
    def test_other_lines(self, line):
        assert parse_alignment(line) is None


class TestReadPipe:
    def test_table(self):
        table = read_pipe("| Fruit | Qty |\n|---|--:|\n| apple | 10 |\n| a\\|b | |\n")
        assert table.columns == [Column("Fruit"), Column("Qty", "right")]
        assert table.rows == [["apple", "10"], ["a|b", ""]]

    def test_no_outer_pipes_and_leading_blank_lines(self):
        table = read_pipe("\n  \n  a | b\n  - | :-:\n  1 | 2")
        assert table.header == ("a", "b")
        assert table.columns[1].align == "center"
        assert table.rows == [["1", "2"]]

    def test_ragged_rows(self):
        table = read_pipe("|a|b|\n|-|-|\n|1|\n|1|2|3|")
        assert table.rows == [["1", ""], ["1", "2"]]

    def test_end_of_table(self):
        table = read_pipe("|a|\n|-|\n|1|\nSome prose.\n|2|\n")
        assert table.rows == [["1"]]
        assert read_pipe("|a|\n|-|\n|1|\n\n|2|\n").rows == [["1"]]

    def test_no_rows(self):
        assert read_pipe("|a|\n|-|").rows == []

    @pytest.mark.parametrize(
        "text", ["", "  \n", "|a|b|", "|a|b|\n|1|2|", "|a|b|\n|---|", "|a|\n\n|-|\n", "|a|\n|-|-|"]
    )
    def test_not_a_table(self, text):
        with pytest.raises(ValueError):
            read_pipe(text)


class TestReadFixed:
    def test_table(self):
        table = read_fixed("name     qty\n=======  ===\napple     10\nsour cherry 9\n")
        assert table.columns == [Column("name"), Column("qty")]
        assert table.rows == [["apple", "10"], ["sour cher", "ry 9"]]

    def test_last_column_runs_to_the_end(self):
        assert read_fixed("a b\n- -\n1 long text here").rows == [["1", "long text here"]]

    def test_rulers_above_and_below(self):
        table = read_fixed("== ==\na  b\n== ==\n1  2\n3  4\n== ==\n")
        assert table.header == ("a", "b")
        assert table.rows == [["1", "2"], ["3", "4"]]

    def test_header_of_several_lines(self):
        table = read_fixed("unit   net\nprice\n-----  ---\n1      2\n")
        assert table.header == ("unit price", "net")

    def test_blank_header_cell(self):
        assert read_fixed("a\n-  -\n1  2").header == ("a", "col2")

    def test_continued_rows(self):
        table = read_fixed("k  text\n-  -----\na  one\n   two\nb\n   x\n")
        assert table.rows == [["a", "one two"], ["b", "x"]]

    def test_blank_lines_and_short_lines(self):
        table = read_fixed("\na  b\n-- --\n\n1\n2  3\n\n")
        assert table.rows == [["1", ""], ["2", "3"]]

    def test_first_row_may_begin_blank(self):
        assert read_fixed("a  b\n-- --\n   2\n1  3").rows == [["", "2"], ["1", "3"]]

    def test_tabs(self):
        assert read_fixed("a\tb\n-----\t---\n1\t2").rows == [["1", "2"]]

    @pytest.mark.parametrize("text", ["", "a b\n1 2", "-- --", "-- --\n-- --\na b", "-- --\na b"])
    def test_not_a_table(self, text):
        with pytest.raises(ValueError):
            read_fixed(text)


class TestReadGrid:
    def test_table(self):
        table = read_grid(
            """
            +-------+-----+
            | Fruit | Qty |
            +=======+=====+
            | apple | 10  |
            +-------+-----+
            | plum  |     |
            +-------+-----+
            """
        )
        assert table.header == ("Fruit", "Qty")
        assert table.rows == [["apple", "10"], ["plum", ""]]

    def test_no_header(self):
        table = read_grid("+--+--+\n|a |b |\n+--+--+\n|c |d |\n+--+--+")
        assert table.header == ("col1", "col2")
        assert table.rows == [["a", "b"], ["c", "d"]]

    def test_cells_of_several_lines(self):
        table = read_grid(
            "+---+---+\n| h | i |\n| j |   |\n+===+===+\n| a |   |\n|   | x |\n| b |   |\n+---+---+"
        )
        assert table.header == ("h j", "i")
        assert table.rows == [["a\n\nb", "x"]]

    def test_only_a_header(self):
        table = read_grid("+--+\n|a |\n+==+")
        assert table.header == ("a",)
        assert table.rows == []

    def test_escapes(self):
        assert read_grid("+----+\n|a\\|b|\n+----+").rows == [["a|b"]]

    def test_top_border_of_equals_signs(self):
        assert read_grid("+==+\n|a |\n+--+").header == ("col1",)

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "+--+\n+--+",
            "+--+\n|a |",
            "+--+\n|a \n+--+",
            "+--+\nabc\n+--+",
            "+--+\n|a |\n+-=x+",
        ],
    )
    def test_not_a_grid(self, text):
        with pytest.raises(ValueError):
            read_grid(text)
