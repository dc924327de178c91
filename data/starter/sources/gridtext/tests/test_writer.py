import pytest

from gridtext import Column, Table, column_widths, read_grid, read_pipe, render_grid, render_pipe


class TestColumnWidths:
    def test_widest_cell(self):
        assert column_widths([["a", "bcd"], ["efgh", ""]]) == [4, 3]
        assert column_widths([["日本", "x"]]) == [4, 1]

    def test_minimum(self):
        assert column_widths([["", "ab"]]) == [1, 2]
        assert column_widths([["a", "abcd"]], minimum=3) == [3, 4]
        assert column_widths([["", ""]], minimum=0) == [0, 0]

    def test_maximum(self):
        assert column_widths([["abcdef", "ab"]], maximum=4) == [4, 2]
        assert column_widths([["a"]], minimum=5, maximum=2) == [2]
        assert column_widths([["abc"]], maximum=0) == [0]

    def test_longest_line_of_a_cell(self):
        assert column_widths([["ab\nabcd\nabc"]]) == [4]

    def test_ragged_rows(self):
        assert column_widths([["a"], ["b", "cc"], []]) == [1, 2]

    def test_nothing(self):
        assert column_widths([]) == []
        assert column_widths(iter([("ab",), ("abc",)])) == [3]


class TestRenderPipe:
    def test_table(self):
        table = Table(
            ["Fruit", Column("Qty", "right"), Column("Mid", "c")], [["apple", "10", "x"], ["日本", "1", ""]]
        )
        assert render_pipe(table) == (
            "| Fruit | Qty | Mid |\n"
            "| ----- | --: | :-: |\n"
            "| apple |  10 |  x  |\n"
            "| 日本  |   1 |     |\n"
        )

    def test_narrow_and_empty(self):
        assert render_pipe(Table(["a"])) == "| a   |\n| --- |\n"
        assert render_pipe(Table([])) == ""

    def test_escapes_count_for_the_width(self):
        table = Table(["a", "b"], [["x|yz", "1\n2"]])
        assert render_pipe(table) == (
            "| a     | b      |\n"
            "| ----- | ------ |\n"
            "| x\\|yz | 1<br>2 |\n"
        )

    def test_wide_rules(self):
        table = Table([Column("abcde", "right"), Column("fghij", "center")])
        assert render_pipe(table).splitlines()[1] == "| ----: | :---: |"

    def test_reading_back(self):
        table = Table(["a|b", Column("c", "r")], [["1\\", "2"], ["", "x | y"]])
        again = read_pipe(render_pipe(table))
        assert again.columns == table.columns
        assert again.rows == table.rows


class TestRenderGrid:
    def test_table(self):
        table = Table(["Fruit", Column("Qty", "right")], [["apple", "10"], ["日本", ""]])
        assert render_grid(table) == (
            "+-------+-----+\n"
            "| Fruit | Qty |\n"
            "+=======+=====+\n"
            "| apple |  10 |\n"
            "+-------+-----+\n"
            "| 日本  |     |\n"
            "+-------+-----+\n"
        )

    def test_tall_cells(self):
        table = Table(["a", Column("b", "c")], [["one\ntwo", "xyz"]])
        assert render_grid(table) == (
            "+-----+-----+\n"
            "| a   |  b  |\n"
            "+=====+=====+\n"
            "| one | xyz |\n"
            "| two |     |\n"
            "+-----+-----+\n"
        )

    def test_without_header(self):
        table = Table(["long name"], [["a"], ["-b"]])
        assert render_grid(table, header=False) == "+----+\n| a  |\n+----+\n| -b |\n+----+\n"

    def test_nothing_to_show(self):
        assert render_grid(Table([])) == ""
        assert render_grid(Table(["ab"])) == "+----+\n| ab |\n+====+\n"
        assert render_grid(Table(["ab", "c"]), header=False) == "+---+---+\n"

    def test_empty_cells_take_one_column(self):
        assert render_grid(Table(["a"], [[""]]), header=False) == "+---+\n|   |\n+---+\n"

    def test_escapes(self):
        assert render_grid(Table(["a"], [["x|y"]])).splitlines()[3] == "| x\\|y |"

    @pytest.mark.parametrize("text", ["a|b", "a\n\nb", "\\", "日本\nx"])
    def test_reading_back(self, text):
        table = Table(["k", "v"], [["1", text], ["2", ""]])
        again = read_grid(render_grid(table))
        assert again.header == table.header
        assert again.rows == table.rows
