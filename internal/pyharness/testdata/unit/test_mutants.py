import ast
import textwrap

import pytest

from touchstone_harness import mutants

SOURCE = textwrap.dedent('''
    def f(a, b=1):
        """Doc, 5."""
        if a < b and a != 3:
            return a + b * 2
        else:
            x = [i for i in range(b, 10)]
        for y in x:
            a += y if y else -1
        try:
            g(a, b)
        except ValueError:
            raise KeyError("key") from None
        finally:
            a -= 1
        return f"{a:>5}" + "text", b"b", 2.5, True, None, ..., not a


    class C:
        async def f(self):
            await self.g()
            return {"a": 1}
''')


def of(line=2, name="f", most=1000, seed=1, source=SOURCE):
    return list(mutants.of(source, line, name, most, seed))


def test_the_same_for_the_same_seed():
    assert of() == of()
    assert of(seed=2) != of()
    assert of(most=3) == of()[:3]


def test_every_mutant_is_another_body_that_parses():
    found = of()
    assert len(found) > 30
    original = ast.dump(ast.parse("def f():\n" + textwrap.indent(ast.unparse(ast.parse(SOURCE).body[0].body[1:]), "    ")))
    dumps = {ast.dump(ast.parse("def f():\n" + textwrap.indent(m["body"], "    "))) for m in found}
    assert len(dumps) == len(found) and original not in dumps


def test_every_operator_is_used_and_the_docstring_left_alone():
    assert {m["operator"] for m in of()} == {"operator", "compare", "constant", "remove", "negate", "swap", "return", "arguments"}
    assert not any("Doc" in m["body"] for m in of())


def test_methods_and_coroutines():
    line = SOURCE.splitlines().index("    async def f(self):") + 1
    assert "await self.g()\nreturn {'ax': 1}" in [m["body"] for m in of(line=line)]


def test_a_function_that_is_not_there():
    with pytest.raises(LookupError):
        of(line=3)


@pytest.mark.parametrize("body", ["pass", '"""Doc."""', "..."])
def test_what_cannot_be_changed(body):
    assert of(line=1, source="def f():\n    %s\n" % body) == []
