import types

import pytest

from gridtext import Column, Table


@pytest.fixture
def fruit():
    return Table(
        ["Fruit", Column("Qty", "right"), "Note"],
        [
            ["cherry", "9", "b10"],
            ["apple", "1,000", ""],
            ["plum", "", "b9"],
            ["Banana", "9", "A1"],
        ],
    )


class TestColumn:
    def test_defaults(self):
        assert Column("a") == Column("a", "left")

    def test_name_is_tidied(self):
        assert Column("  a \n b\tc ").name == "a b c"
        assert Column(" ").name == ""

    @pytest.mark.parametrize(
        "given, align",
        [("l", "left"), ("R", "right"), (" Center ", "center"), ("ri", "right"), ("cent", "center")],
    )
    def test_short_alignments(self, given, align):
        assert Column("a", given).align == align

    @pytest.mark.parametrize("given", ["", " ", "x", "leftmost", "eft"])
    def test_bad_alignment(self, given):
        with pytest.raises(ValueError):
            Column("a", given)


class TestInit:
    def test_names_and_columns(self, fruit):
        assert fruit.columns == [Column("Fruit"), Column("Qty", "right"), Column("Note")]

    def test_cells_become_text(self):
        assert Table("ab", [[1, None], (2.5, True)]).rows == [["1", ""], ["2.5", "True"]]

    def test_short_rows_are_filled_up(self):
        assert Table(["a", "b", "c"], [["x"], []]).rows == [["x", "", ""], ["", "", ""]]

    def test_long_rows(self):
        with pytest.raises(ValueError):
            Table(["a"], [["1"], ["1", "2"]])

    def test_blank_names_are_numbered(self):
        assert Table(["", "b", " "]).header == ("col1", "b", "col3")

    def test_repeated_names(self):
        with pytest.raises(ValueError):
            Table(["a", "b", " a "])
        with pytest.raises(ValueError):
            Table(["col2", ""])
        assert Table(["a", "A"]).header == ("a", "A")

    def test_arguments_are_copied(self):
        column, row = Column("a"), ["1"]
        table = Table([column], [row])
        table.columns[0].name = "b"
        table.rows[0][0] = "2"
        assert column.name == "a"
        assert row == ["1"]

    def test_iterators(self):
        table = Table(iter(["a", "b"]), (iter(row) for row in ["12", "34"]))
        assert table.rows == [["1", "2"], ["3", "4"]]


class TestFromRecords:
    def test_columns_are_collected_in_order(self):
        table = Table.from_records([{"a": 1, "b": 2}, {"c": 3, "a": 4}])
        assert table.header == ("a", "b", "c")
        assert table.rows == [["1", "2", ""], ["4", "", "3"]]

    def test_given_columns(self):
        table = Table.from_records([{"a": 1, "b": 2}, {"b": 3}], columns=["b", "z"])
        assert table.header == ("b", "z")
        assert table.rows == [["2", ""], ["3", ""]]

    def test_none_is_blank(self):
        assert Table.from_records([{"a": None}]).rows == [[""]]

    def test_nothing(self):
        assert Table.from_records([]).header == ()
        assert Table.from_records([], columns=["a"]).header == ("a",)

    def test_iterators(self):
        table = Table.from_records(({"n": n} for n in range(2)), columns=iter(["n"]))
        assert table.rows == [["0"], ["1"]]

    def test_subclass(self):
        class Special(Table):
            pass

        assert type(Special.from_records([{"a": 1}])) is Special


class TestHeader:
    def test_get(self, fruit):
        assert fruit.header == ("Fruit", "Qty", "Note")
        assert Table([]).header == ()

    def test_set_all(self, fruit):
        fruit.header = iter(["x", " y  z ", "w"])
        assert fruit.header == ("x", "y z", "w")
        assert [column.align for column in fruit.columns] == ["left", "right", "left"]
        assert fruit["x"][0] == "cherry"

    def test_blank_name(self, fruit):
        fruit.header = ["a", "", "c"]
        assert fruit.header == ("a", "col2", "c")

    def test_set_some(self, fruit):
        fruit.header = {"note": "Remark", "Fruit": "Note"}
        assert fruit.header == ("Note", "Qty", "Remark")
        assert fruit.columns[1].align == "right"

    def test_swap(self, fruit):
        fruit.header = {"Fruit": "Note", "Note": "Fruit"}
        assert fruit.header == ("Note", "Qty", "Fruit")

    @pytest.mark.parametrize(
        "names, error",
        [
            (["a", "b"], ValueError),
            (["a", "b", "c", "d"], ValueError),
            (["a", "b", "a"], ValueError),
            ({"Fruit": "Note"}, ValueError),
            ({"Fruit": "x", "nope": "y"}, KeyError),
        ],
    )
    def test_errors_change_nothing(self, fruit, names, error):
        with pytest.raises(error):
            fruit.header = names
        assert fruit.header == ("Fruit", "Qty", "Note")


class TestIndexOf:
    def test_exact(self, fruit):
        assert fruit.index_of("Fruit") == 0
        assert fruit.index_of("Note") == 2

    def test_case_is_second_choice(self, fruit):
        assert fruit.index_of("qty") == 1
        assert Table(["ID", "id"]).index_of("id") == 1
        assert Table(["straße"]).index_of("STRASSE") == 0

    def test_ambiguous(self):
        with pytest.raises(KeyError):
            Table(["ID", "id"]).index_of("Id")

    def test_unknown(self, fruit):
        with pytest.raises(KeyError):
            fruit.index_of("Fru")


class TestGetItem:
    def test_row(self, fruit):
        assert fruit[0] == {"Fruit": "cherry", "Qty": "9", "Note": "b10"}
        assert fruit[-1]["Fruit"] == "Banana"

    def test_row_out_of_range(self, fruit):
        with pytest.raises(IndexError):
            fruit[4]

    def test_slice(self, fruit):
        part = fruit[1:3]
        assert isinstance(part, Table)
        assert part.columns == fruit.columns
        assert part.rows == fruit.rows[1:3]
        part.rows[0][0] = "changed"
        assert fruit.rows[1][0] == "apple"

    def test_column(self, fruit):
        assert fruit["Qty"] == ["9", "1,000", "", "9"]
        assert fruit["qty"] == fruit["Qty"]

    def test_errors(self, fruit):
        with pytest.raises(KeyError):
            fruit["nope"]
        with pytest.raises(TypeError):
            fruit[1.0]
        with pytest.raises(TypeError):
            fruit[None]


class TestRecords:
    def test_text(self, fruit):
        found = list(fruit.records())
        assert found[1] == {"Fruit": "apple", "Qty": "1,000", "Note": ""}
        assert len(found) == 4

    def test_is_lazy(self, fruit):
        found = fruit.records()
        assert isinstance(found, types.GeneratorType)
        assert next(found)["Fruit"] == "cherry"

    def test_typed(self):
        table = Table(
            ["n", "x", "ok", "t", "none"],
            [["1", "1", "yes", "7", ""], ["-", "2.5", "", "n/a", "-"], ["3", "", "no", " a ", ""]],
        )
        assert list(table.records(typed=True)) == [
            {"n": 1, "x": 1.0, "ok": True, "t": "7", "none": None},
            {"n": None, "x": 2.5, "ok": None, "t": "n/a", "none": None},
            {"n": 3, "x": None, "ok": False, "t": "a", "none": None},
        ]

    def test_untyped_cells_are_untouched(self):
        assert list(Table(["a"], [[" 1 "]]).records()) == [{"a": " 1 "}]


class TestSelect:
    def test_order(self, fruit):
        table = fruit.select("Note", "fruit")
        assert table.header == ("Note", "Fruit")
        assert table.rows[0] == ["b10", "cherry"]

    def test_aliases(self, fruit):
        table = fruit.select("Note", Item="Fruit", Count="qty")
        assert table.header == ("Note", "Item", "Count")
        assert [column.align for column in table.columns] == ["left", "left", "right"]
        assert table.rows[1] == ["", "apple", "1,000"]

    def test_same_column_twice_under_another_name(self, fruit):
        assert fruit.select("Qty", again="Qty").rows[0] == ["9", "9"]
        with pytest.raises(ValueError):
            fruit.select("Qty", "Qty")

    def test_original_is_left_alone(self, fruit):
        table = fruit.select(Item="Fruit")
        table.rows[0][0] = "changed"
        table.columns[0].align = "right"
        assert fruit.header == ("Fruit", "Qty", "Note")
        assert fruit.rows[0][0] == "cherry"
        assert fruit.columns[0].align == "left"

    def test_errors(self, fruit):
        with pytest.raises(ValueError):
            fruit.select()
        with pytest.raises(KeyError):
            fruit.select("Fruit", "nope")
        with pytest.raises(KeyError):
            fruit.select(x="nope")


class TestWhere:
    def test_cell_equals(self, fruit):
        assert fruit.where(Qty="9")["Fruit"] == ["cherry", "Banana"]
        assert fruit.where(qty=9)["Fruit"] == ["cherry", "Banana"]
        assert fruit.where(Fruit="banana")["Fruit"] == []

    def test_space_around_cells_is_ignored(self):
        assert Table(["a"], [[" x "], ["y"]]).where(a="x").rows == [[" x "]]

    def test_none_is_any_blank(self, fruit):
        assert fruit.where(Qty=None)["Fruit"] == ["plum"]
        assert Table(["a"], [["-"], ["x"], ["N/A"]]).where(a=None).rows == [["-"], ["N/A"]]

    def test_choice(self, fruit):
        assert fruit.where(Fruit=["plum", "apple"])["Fruit"] == ["apple", "plum"]
        assert fruit.where(Qty={9, 10})["Fruit"] == ["cherry", "Banana"]
        assert fruit.where(Qty=())["Fruit"] == []

    def test_function(self, fruit):
        assert fruit.where(lambda row: row["Note"].startswith("b"))["Fruit"] == ["cherry", "plum"]
        assert fruit.where(lambda row: row["Qty"])["Fruit"] == ["cherry", "apple", "Banana"]

    def test_all_conditions_must_hold(self, fruit):
        assert fruit.where(Qty="9", Note="A1")["Fruit"] == ["Banana"]
        assert fruit.where(lambda row: len(row["Note"]) == 3, Qty=9)["Fruit"] == ["cherry"]

    def test_no_condition(self, fruit):
        table = fruit.where()
        assert table.rows == fruit.rows
        assert table.columns == fruit.columns
        table.rows[0][0] = "changed"
        assert fruit.rows[0][0] == "cherry"

    def test_a_column_called_test(self):
        assert Table(["test"], [["1"], ["2"]]).where(test=2).rows == [["2"]]

    def test_unknown_column(self, fruit):
        with pytest.raises(KeyError):
            fruit.where(nope=1)
        with pytest.raises(KeyError):
            Table(["a"]).where(nope=1)


class TestSortBy:
    def test_numbers(self, fruit):
        assert fruit.sort_by("Qty")["Fruit"] == ["cherry", "Banana", "apple", "plum"]

    def test_reverse_is_stable_and_keeps_blanks_last(self, fruit):
        assert fruit.sort_by("qty", reverse=True)["Fruit"] == ["apple", "cherry", "Banana", "plum"]

    def test_mixed_numbers(self):
        table = Table(["x"], [["2.5"], ["10"], ["-1"], ["n/a"]])
        assert table.sort_by("x")["x"] == ["-1", "2.5", "10", "n/a"]
        assert table.sort_by("x", reverse=True)["x"] == ["10", "2.5", "-1", "n/a"]

    def test_text_ignores_case(self, fruit):
        assert fruit.sort_by("Fruit")["Fruit"] == ["apple", "Banana", "cherry", "plum"]

    def test_natural_order(self, fruit):
        assert fruit.sort_by("Note")["Note"] == ["A1", "b9", "b10", ""]
        table = Table(["v"], [["2b"], ["v1.10"], ["v1.9"], ["10a"], [" 2a"], ["v"]])
        assert table.sort_by("v")["v"] == [" 2a", "2b", "10a", "v", "v1.9", "v1.10"]
        assert table.sort_by("v", reverse=True)["v"] == ["v1.10", "v1.9", "v", "10a", "2b", " 2a"]

    def test_blanks_among_text(self):
        table = Table(["v", "n"], [["-", "1"], ["b", "2"], ["", "3"], ["a", "4"]])
        assert table.sort_by("v")["n"] == ["4", "2", "1", "3"]
        assert table.sort_by("v", reverse=True)["n"] == ["2", "4", "1", "3"]

    def test_bools(self):
        table = Table(["ok"], [["yes"], ["No"], [""], ["true"]])
        assert table.sort_by("ok")["ok"] == ["No", "yes", "true", ""]

    def test_all_blank(self):
        table = Table(["v", "n"], [["", "1"], ["-", "2"]])
        assert table.sort_by("v")["n"] == ["1", "2"]
        assert table.sort_by("v", reverse=True)["n"] == ["1", "2"]

    def test_original_is_left_alone(self, fruit):
        table = fruit.sort_by("Fruit")
        table.rows[0][0] = "changed"
        assert table.columns == fruit.columns
        assert fruit["Fruit"] == ["cherry", "apple", "plum", "Banana"]

    def test_unknown_column(self, fruit):
        with pytest.raises(KeyError):
            fruit.sort_by("nope")


class TestTranspose:
    def test_swap(self):
        table = Table(["k", Column("x", "right"), "y"], [["a", "1", "2"], ["b", "3", "4"]]).transpose()
        assert table.columns == [Column("k"), Column("a"), Column("b")]
        assert table.rows == [["x", "1", "3"], ["y", "2", "4"]]

    def test_twice_is_the_same(self, fruit):
        twice = fruit.transpose().transpose()
        assert twice.header == fruit.header
        assert twice.rows == fruit.rows

    def test_no_rows(self):
        table = Table(["k", "x", "y"]).transpose()
        assert table.header == ("k",)
        assert table.rows == [["x"], ["y"]]

    def test_one_column(self):
        table = Table(["k"], [["a"], ["b"]]).transpose()
        assert table.header == ("k", "a", "b")
        assert table.rows == []

    def test_no_columns(self):
        assert Table([]).transpose().header == ()

    def test_blank_and_repeated_names(self):
        assert Table(["k", "x"], [["", "1"]]).transpose().header == ("k", "col2")
        with pytest.raises(ValueError):
            Table(["k", "x"], [["a", "1"], ["a", "2"]]).transpose()


class TestJoin:
    @pytest.fixture
    def prices(self):
        return Table(
            [Column("Price", "right"), "fruit", "Note"],
            [["3", "plum", "x"], ["5", "cherry ", "y"], ["6", "cherry", "z"], ["8", "kiwi", ""]],
        )

    def test_inner(self, fruit, prices):
        table = fruit.join(prices, "Fruit")
        assert table.header == ("Fruit", "Qty", "Note", "Price", "Note_right")
        assert table.rows == [
            ["cherry", "9", "b10", "5", "y"],
            ["cherry", "9", "b10", "6", "z"],
            ["plum", "", "b9", "3", "x"],
        ]
        assert [column.align for column in table.columns] == ["left", "right", "left", "right", "left"]

    def test_left(self, fruit, prices):
        table = fruit.join(prices, on="Fruit", how="left")
        assert table["Fruit"] == ["cherry", "cherry", "apple", "plum", "Banana"]
        assert table["Price"] == ["5", "6", "", "3", ""]

    def test_blank_keys_never_match(self):
        left = Table(["k", "a"], [["", "1"], ["x", "2"]])
        right = Table(["k", "b"], [["", "3"], ["x", "4"]])
        assert left.join(right, "k").rows == [["x", "2", "4"]]
        assert left.join(right, "k", "left").rows == [["", "1", ""], ["x", "2", "4"]]

    def test_operands_are_left_alone(self, fruit, prices):
        table = fruit.join(prices, "Fruit")
        table.rows[0][0] = "changed"
        assert fruit.rows[0][0] == "cherry"
        assert prices.header == ("Price", "fruit", "Note")
        assert fruit.header == ("Fruit", "Qty", "Note")

    def test_clash_that_cannot_be_avoided(self):
        left = Table(["k", "a", "a_right"])
        with pytest.raises(ValueError):
            left.join(Table(["k", "a"]), "k")

    def test_errors(self, fruit, prices):
        with pytest.raises(ValueError):
            fruit.join(prices, "Fruit", how="outer")
        with pytest.raises(KeyError):
            fruit.join(prices, "Qty")
        with pytest.raises(KeyError):
            fruit.join(prices, "Price")
