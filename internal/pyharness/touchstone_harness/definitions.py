"""Where every function and class of a source file stands.

Offsets are bytes into the file's text encoded as UTF-8 (see the release
format); lines are the interpreter's own, so a form feed ends none.
"""

import ast
import re

from . import text

_LINE_END = re.compile(r"\r\n|\r|\n")

TEST_FOLDERS = {"test", "tests"}


def is_test_path(path):
    """Whether a path is test code by the rules of the track."""
    *folders, name = path.split("/")
    if TEST_FOLDERS.intersection(folders):
        return True
    return (
        (name.startswith("test_") and name.endswith(".py"))
        or name.endswith("_test.py")
        or name in ("conftest.py", "setup.py")
    )


class _Lines:
    """Turns (line, UTF-8 column) into a byte offset."""

    def __init__(self, source):
        self.data = source.encode("utf-8", "surrogatepass")
        self.starts = [0]
        position = 0
        for end in _LINE_END.finditer(source):
            position += len(source[self._last(end) : end.end()].encode("utf-8", "surrogatepass"))
            self.starts.append(position)
        self.starts.append(len(self.data))
        self.count = len(self.starts) - 1

    def _last(self, match):
        start = getattr(self, "_previous", 0)
        self._previous = match.end()
        return start

    def offset(self, line, column):
        return self.starts[line - 1] + column

    def start(self, line):
        return self.starts[line - 1]

    def end(self, line):
        """Behind the line's newline."""
        return self.starts[line] if line < len(self.starts) else len(self.data)

    def line_text(self, line):
        return self.data[self.start(line) : self.end(line)].decode("utf-8", "surrogatepass")


def describe(path, data):
    """The index line of one file. Raises SyntaxError or UnicodeDecodeError
    when this interpreter cannot read the file."""
    source, encoding, bom = text.decode(data)
    tree = ast.parse(source)
    lines = _Lines(source)
    found = []
    _walk(tree, lines, found, prefix="", reachable=True, outer=None, nested=False)
    ordinals = {}
    for definition in found:
        name = definition["qualname"]
        definition["ordinal"] = ordinals.get(name, 0)
        ordinals[name] = definition["ordinal"] + 1
    return {
        "path": path,
        "encoding": encoding,
        "bom": bom,
        "text": source,
        "test": is_test_path(path),
        "definitions": found,
    }


def _walk(node, lines, found, prefix, reachable, outer, nested):
    """reachable: through the bodies of Module, ClassDef and FunctionDef only,
    which is what the paper's n_candidates counts."""
    for field, value in ast.iter_fields(node):
        children = value if isinstance(value, list) else [value]
        for child in children:
            if not isinstance(child, ast.AST):
                continue
            inside = reachable and field == "body" and isinstance(
                node, (ast.Module, ast.ClassDef, ast.FunctionDef)
            )
            if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                place = _place(child, lines, prefix, inside, outer, nested)
                found.append(place)
                name = place["qualname"]
                if isinstance(child, ast.ClassDef):
                    # A class in a function belongs to that function's segment.
                    _walk(child, lines, found, name + ".", inside, outer, nested)
                else:
                    frame = outer or (place["start"], place["body"][1])
                    _walk(child, lines, found, name + ".<locals>.", inside, frame, True)
            else:
                _walk(child, lines, found, prefix, inside, outer, nested)


def _place(node, lines, prefix, reachable, outer, nested):
    first_line = min([node.lineno] + [d.lineno for d in node.decorator_list])
    start = lines.start(first_line)
    statements = list(node.body)
    doc, doc_text, doc_node = [0, 0], "", None
    first = statements[0]
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        doc_node, doc_text = first, first.value.value
        doc = [
            lines.offset(first.lineno, first.col_offset),
            lines.offset(first.end_lineno, first.end_col_offset),
        ]
        statements = statements[1:]
    header_end = _header_end(node, lines)
    end = lines.end(node.end_lineno)
    before = doc[1] if doc_node is not None else header_end
    before_line = doc_node.end_lineno if doc_node is not None else _line_of(header_end, lines)
    header_line_end = lines.end(before_line)
    inline = bool(
        (statements and lines.offset(statements[0].lineno, 0) < header_line_end)
        or (doc_node is not None and doc_node.lineno == _line_of(header_end, lines))
    )
    body_start = before if inline else min(header_line_end, end)
    anchor = doc_node if doc_node is not None else first
    if anchor.lineno == _line_of(header_end, lines):
        indent = _leading(lines.line_text(node.lineno)) + "    "
    else:
        indent = _leading(lines.line_text(anchor.lineno))
    kind = "class"
    if isinstance(node, ast.FunctionDef):
        kind = "function"
    elif isinstance(node, ast.AsyncFunctionDef):
        kind = "async"
    returns = getattr(node, "returns", None)
    outer_start, outer_end = outer or (start, end)
    return {
        "qualname": prefix + node.name,
        "kind": kind,
        "line": node.lineno,
        "first_line": first_line,
        "candidate": reachable and kind == "function",
        "start": start,
        "outer": outer_start,
        "outer_end": outer_end,
        "header_end": header_end,
        "doc": doc,
        "doc_text": doc_text,
        "body": [body_start, max(end, body_start)],
        "inline": inline,
        "indent": indent,
        "returns": ast.unparse(returns) if returns is not None else "",
        "nested": nested,
    }


def _leading(line):
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _line_of(offset, lines):
    import bisect

    return max(1, bisect.bisect_right(lines.starts, offset, 0, lines.count))


_STRING = re.compile(
    rb"""[A-Za-z]{0,2}('''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"|'(?:\\.|[^\\'\n])*'|"(?:\\.|[^\\"\n])*")""",
    re.S,
)


def _header_end(node, lines):
    """Just behind the colon that opens the suite. The search starts behind
    the last part of the header that has a position of its own."""
    data = lines.data
    position = lines.offset(node.lineno, node.col_offset)
    parts = []
    if isinstance(node, ast.ClassDef):
        parts += node.bases + [k.value for k in node.keywords]
    else:
        arguments = node.args
        parts += arguments.defaults + [d for d in arguments.kw_defaults if d is not None]
        every = arguments.posonlyargs + arguments.args + arguments.kwonlyargs
        every += [a for a in (arguments.vararg, arguments.kwarg) if a is not None]
        parts += every
        if node.returns is not None:
            parts.append(node.returns)
    last = position
    for part in parts:
        last = max(last, lines.offset(part.end_lineno, part.end_col_offset))
    # Between `last` and the colon there can be closing brackets, commas,
    # comments, type parameters and line breaks; before the first part also the name.
    depth = _depth(data, position, last)
    i = last
    limit = lines.offset(node.body[0].lineno, node.body[0].col_offset)
    while i < limit:
        c = data[i : i + 1]
        if c == b"#":
            while i < limit and data[i : i + 1] not in (b"\n", b"\r"):
                i += 1
            continue
        if c in (b"(", b"["):
            depth += 1
        elif c in (b")", b"]"):
            depth -= 1
        elif c == b":" and depth <= 0:
            return i + 1
        i += 1
    return limit


def _depth(data, start, end):
    depth, i = 0, start
    while i < end:
        string = _STRING.match(data, i, end)
        if string:
            i = string.end()
            continue
        c = data[i : i + 1]
        if c == b"#":
            while i < end and data[i : i + 1] not in (b"\n", b"\r"):
                i += 1
            continue
        if c in (b"(", b"[", b"{"):
            depth += 1
        elif c in (b")", b"]", b"}"):
            depth -= 1
        i += 1
    return depth
