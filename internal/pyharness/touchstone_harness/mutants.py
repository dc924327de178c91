"""Small changes to a function's body, the kind that tests should notice:
operators, constants, removed statements, negated and swapped branches."""

import ast
import copy
import random

_BINARY = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
}
_COMPARE = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}


def of(source, line, name, most, seed):
    """Up to `most` mutants of the function that begins at `line`, as
    {"operator", "body"}; the same for the same arguments."""
    body = _without_docstring(_function(source, line, name).body)
    original = _text(body)
    count = sum(1 for _ in _sites(body))
    order = list(range(count))
    random.Random(seed).shuffle(order)
    seen = {original, "pass", ""}
    given = 0
    for index in order:
        if given >= most:
            return
        changed = copy.deepcopy(body)
        for i, (operator, apply) in enumerate(_sites(changed)):
            if i == index:
                apply()
                break
        text = _text(changed)
        if text in seen:
            continue
        seen.add(text)
        given += 1
        yield {"operator": operator, "body": text}


def _function(source, line, name):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.lineno == line and node.name == name:
            return node
    raise LookupError("no function %s in line %d" % (name, line))


def _without_docstring(body):
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        return body[1:]
    return body


def _text(body):
    module = ast.fix_missing_locations(ast.Module(body=body, type_ignores=[]))
    return ast.unparse(module).strip("\n")


def _sites(body):
    """(operator, change) for every place; the change edits the tree."""
    holder = ast.Module(body=body, type_ignores=[])
    for node in ast.walk(holder):
        yield from _statements(node)
        yield from _expressions(node)


def _statements(node):
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if not isinstance(block, list):
            continue
        for i, statement in enumerate(block):
            if not isinstance(statement, ast.stmt) or isinstance(statement, (ast.Pass, ast.Import, ast.ImportFrom, ast.Nonlocal, ast.Global)):
                continue

            def remove(block=block, i=i):
                block[i] = ast.Pass()

            yield "remove", remove
    if isinstance(node, ast.If):

        def negate():
            node.test = ast.UnaryOp(op=ast.Not(), operand=node.test)

        yield "negate", negate
        if node.orelse:

            def swap():
                node.body, node.orelse = node.orelse, node.body

            yield "swap", swap
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):

        def empty():
            node.value = ast.Constant(None)

        yield "return", empty


def _expressions(node):
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _BINARY:

        def other():
            node.op = _BINARY[type(node.op)]()

        yield "operator", other
    elif isinstance(node, ast.BoolOp):

        def flip():
            node.op = ast.And() if isinstance(node.op, ast.Or) else ast.Or()

        yield "operator", flip
    elif isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:

        def compare():
            node.ops[0] = _COMPARE[type(node.ops[0])]()

        yield "compare", compare
    elif isinstance(node, ast.IfExp):

        def branches():
            node.body, node.orelse = node.orelse, node.body

        yield "swap", branches
    elif isinstance(node, ast.Call) and len(node.args) > 1 and not any(isinstance(a, ast.Starred) for a in node.args):

        def arguments():
            node.args[0], node.args[1] = node.args[1], node.args[0]

        yield "arguments", arguments
    for field, value in ast.iter_fields(node):
        if isinstance(node, (ast.JoinedStr, ast.FormattedValue)):
            continue  # constants in there are text of the string
        if isinstance(value, ast.Constant):
            yield from _constant(value)
        elif isinstance(value, list):
            for item in value:
                if isinstance(item, ast.Constant):
                    yield from _constant(item)


def _constant(node):
    value = node.value
    if value is None or value is Ellipsis:
        return
    if isinstance(value, bool):
        new = not value
    elif isinstance(value, (int, float, complex)):
        new = value + 1
    elif isinstance(value, str):
        new = value + "x" if value else "x"
    elif isinstance(value, bytes):
        new = value + b"x"
    else:
        return

    def change():
        node.value = new

    yield "constant", change


def _is_none(node):
    return isinstance(node, ast.Constant) and node.value is None
