"""What an index says of a file is what the interpreter sees in it."""

import ast
import glob
import os
import sys
import sysconfig

import pytest

from touchstone_harness import definitions, text

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
# The standard library: the largest collection of odd files at hand.
LIBRARY = sorted(glob.glob(os.path.join(sysconfig.get_path("stdlib"), "*.py")) + glob.glob(os.path.join(sysconfig.get_path("stdlib"), "[a-l]*", "*.py")))
LIBRARY = [path for path in LIBRARY if "/lib2to3/tests/data/" not in path and os.path.getsize(path) < 150_000][:400]


def describe(data):
    found = definitions.describe("x.py", data)
    return found["text"].encode("utf-8", "surrogatepass"), found["definitions"]


def check(data):
    """Holds an index against the syntax tree."""
    raw, found = describe(data)
    tree = ast.parse(text.decode(data)[0])
    nodes = {}
    for node in ast.walk(tree):
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            nodes[node.lineno, node.name] = node
    assert len(nodes) == len(found)
    masked, masks = [], []
    for d in found:
        name = d["qualname"].rpartition(".")[2]
        node = nodes[d["line"], name]
        header = raw[d["start"] : d["header_end"]]
        assert ast.dump(parsed(header)) == ast.dump(bare(node)), name
        assert (d["doc"] != [0, 0]) == (ast.get_docstring(node, clean=False) is not None)
        if d["doc"] != [0, 0]:
            assert ast.literal_eval(raw[d["doc"][0] : d["doc"][1]].decode()) == ast.get_docstring(node, clean=False) == d["doc_text"]
        assert d["header_end"] <= d["body"][0] <= d["body"][1] <= d["outer_end"]
        assert d["outer"] <= d["start"]
        if isinstance(node, FUNCTIONS) and not d["nested"] and not ast_only_doc(node):
            masked.append((d, node))
    # Every outermost body exchanged at once leaves the rest as it was.
    new, at = [], 0
    for d, node in sorted(masked, key=lambda m: m[0]["start"]):
        if d["start"] < at:
            continue  # inside a class in a function
        end = b"\n" if raw[d["body"][0] : d["body"][1]].endswith((b"\n", b"\r")) else b""
        if d["inline"]:
            filler = b"; 0" if d["doc"] != [0, 0] else b" 0"
        else:
            filler = d["indent"].encode() + b"0"
        new += [raw[at : d["body"][0]], filler, end]
        at = d["body"][1]
        masks.append(node)
    new.append(raw[at:])
    for node in masks:
        node.body = node.body[: ast.get_docstring(node) is not None] + [ast.Expr(ast.Constant(0))]
    assert ast.dump(ast.parse(b"".join(new).decode("utf-8", "surrogatepass"))) == ast.dump(tree)


def ast_only_doc(node):
    return len(node.body) == 1 and ast.get_docstring(node) is not None


def parsed(header):
    """The definition with this header, wherever it stood."""
    lines = header.decode("utf-8", "surrogatepass").lstrip("\f")
    return bare(ast.parse("if 1:\n" + lines + " 0\n" if lines[:1] in " \t\f" else lines + " 0\n").body[0], dig=lines[:1] in " \t\f")


def bare(node, dig=False):
    node = node.body[0] if dig and isinstance(node, ast.If) else node
    fields = {name: value for name, value in ast.iter_fields(node) if name != "body"}
    return type(node)(body=[], **fields)


@pytest.mark.parametrize("part", range(8))
def test_the_standard_library(part):
    seen = 0
    for path in LIBRARY[part::8]:
        with open(path, "rb") as file:
            data = file.read()
        try:
            ast.parse(data)
        except (SyntaxError, ValueError):
            continue
        try:
            check(data)
        except AssertionError as error:
            raise AssertionError(path) from error
        seen += data.count(b"def ")
    assert seen > 200


NASTY = {
    "one line": b"def f(): return 1\n",
    "one line without an end": b"def f(): return 1",
    "a string with a colon": b"def f(a=':', b={1: 2}): return a\n",
    "a lambda": b"def f(a=lambda: 1, *, b=lambda x: {x: 1}):\n    return a\n",
    "annotations": b"def f(a: 'x: y', b: dict[1:2] = {}) -> 'z: w':  # a: b\n    return a\n",
    "several lines": b"def f(\n    a,  # first: (\n    b=(\n        1),\n):  # then: )\n    # body: x\n    return a\n",
    "a backslash": b"def f(a) \\\n  -> int \\\n  :\n    return a\n",
    "a backslash in the suite": b"def f(a): \\\n    return a\n",
    "decorators": b"@a\n\n@b(lambda: 1,\n   ':')\n# between\ndef f():\n    return 1\n",
    "an async method": b"class A:\n    @a\n    async  def  f ( self ) :\n     return 1\n",
    "tabs": b"class A:\n\tdef f(self):\n\t\treturn 1\n\n\tdef g(self):\n\t\tif 1:\n\t\t\treturn 2\n",
    "form feeds": b"\x0cdef f():\n    return 1\n\x0c\nclass A:\n\x0c    def g(self):\n        return 1\n",
    "semicolons": b"def f(): a = 1; return a;\ndef g():\n    'doc'; return 1\ndef h(): 'doc'; return 2\n",
    "a docstring on the line": b"def f(): 'doc'\ndef g(): 'doc'; x = 1\n",
    "a docstring in parts": b"def f():\n    'a' \"b\" \\\n    'c'\n    return 1\n",
    "a docstring with a comment": b"def f():\n    # before\n    '''doc\n    '''  # behind: x\n    # below\n    return 1  # end\n    # last\n\n# outside\n",
    "no docstring": b"def f():\n    f'not {1}'\n\ndef g():\n    b'not'\n",
    "a raw docstring": b"def f():\n    r'\\d: \\''\n    return 1\n",
    "nothing but a docstring": b"def f():\n    'doc'\n\ndef g():\n    ...\n",
    "carriage returns": b"class A:\r    def f(self):\r        'doc'\r        return 1\r\r    x = 1\r",
    "Windows line ends": b"def f():\r\n    'doc'\r\n    return 1\r\n",
    "mixed line ends": b"def f():\r    return '''\n'''\r\ndef g():\n    return 1\r\n",
    "a mark of UTF-8": b"\xef\xbb\xbfdef f():\n    return '\xc3\xa9'\n",
    "Latin 1": b"# coding: latin-1\ndef f(a='\xe9:'):\n    '\xfc'\n    return '\xe9'\n",
    "beyond ASCII before the colon": "def f(a='é→😀', b=lambda ß: 'ü'):\n    'é'; return 1\n".encode(),
    "nested": b"def f():\n    class A:\n        def g(self):\n            def h(): return 1\n            return h\n    return A\n",
    "under other statements": b"if 1:\n    def f(): return 1\nelse:\n    def f(): return 2\ntry:\n    def g():\n        return 1\nexcept E:\n    pass\nwith a: \n  def h():\n    return 1\n",
    "deeper than it needs": b"def f():\n            return 1\n",
    "a comment at the margin": b"def f():\n# margin\n    return 1\n# margin\n    # end\n",
    "the end of the file": b"def f():\n    if 1:\n        return 1\n    # end",
    "bases with colons": b"class A(B[1:2], metaclass=lambda *a: 1): x = 1\nclass C: pass\nclass D():\n    def f(self): return 1\n",
    "star arguments": b"def f(a, /, *b: 'c:d', c=1, **d: {1: 2}): return a\n",
}
NASTY_NEW = {  # name → the first version that knows it
    "type parameters": ((3, 12), b"def f[T: (int, str), *U, **P](a: T) -> T:\n    return a\nclass A[T: int]:\n    def g[S](self): return 1\n"),
    "an f-string with quotes": ((3, 12), b"def f(a=f'{f':'}:{1:{2}}'): return a\n"),
    "default type parameters": ((3, 13), b"def f[T = int](a: T): return a\nclass A[T = dict[str, int]]: pass\n"),
    "match": ((3, 10), b"def f(a):\n    match a:\n        case {1: b}:\n            def g(): return b\n            return g\n"),
}


@pytest.mark.parametrize("name", NASTY)
def test_nasty_files(name):
    check(NASTY[name])


@pytest.mark.parametrize("name", NASTY_NEW)
def test_nasty_new_files(name):
    version, data = NASTY_NEW[name]
    if sys.version_info < version:
        pytest.skip("needs Python %d.%d" % version)
    check(data)


@pytest.mark.parametrize("path, test", [
    ("a/tests/b.py", True), ("test/b.py", True), ("test_a.py", True), ("a/b_test.py", True), ("conftest.py", True), ("a/setup.py", True),
    ("a/testing/b.py", False), ("a/tests.py", False), ("a/latest.py", False), ("a/test_data.txt", False), ("contest.py", False),
])
def test_test_paths(path, test):
    assert definitions.is_test_path(path) is test


def test_candidates_of_the_paper():
    data = b"""
def a():
    def b(): pass
    class C:
        def d(self): pass
    if 1:
        def no(): pass
class E:
    def f(self): pass
    async def no(self):
        def no(): pass
    for x in y:
        def no(): pass
try:
    def no(): pass
finally:
    pass
"""
    _, found = describe(data)
    assert [d["qualname"] for d in found if d["candidate"]] == ["a", "a.<locals>.b", "a.<locals>.C.d", "E.f"]


def test_names_and_ordinals():
    data = b"class A:\n    @property\n    def x(self): return 1\n    @x.setter\n    def x(self, v): pass\ndef f():\n    def g(): pass\ndef f(): pass\n"
    _, found = describe(data)
    assert [(d["qualname"], d["ordinal"], d["nested"]) for d in found] == [
        ("A", 0, False), ("A.x", 0, False), ("A.x", 1, False), ("f", 0, False), ("f.<locals>.g", 0, True), ("f", 1, False)]
