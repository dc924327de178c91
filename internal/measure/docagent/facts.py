"""Says what code is like, so that one can tell which sections its docstring needs.

Each line of standard input is a request, a JSON object:

    id        any string; it comes back with the answer
    source    the text of a Python file, or of one definition, indented or not
    qualname  of the definition, as Python's __qualname__; all when it is missing
    ordinal   which of several definitions of that name, from 0 on (default 0)

Each is answered by a line of standard output: {"id", "definitions": [...]} in
the order of the source, or {"id", "error"}. The source is parsed, never run.
"""

import ast
import json
import sys

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def parse(source):
    """The tree of a file, or of a definition that stands indented."""
    try:
        return ast.parse(source)
    except IndentationError:
        if source[:1] not in (" ", "\t"):
            raise
        return ast.parse("if True:\n" + source)


def definitions(tree):
    """Every function and class with its qualified name and ordinal."""
    seen = {}
    waiting = [(tree, "")]
    while waiting:
        node, prefix = waiting.pop()
        if isinstance(node, FUNCTIONS + (ast.ClassDef,)):
            qualname = prefix + node.name
            ordinal = seen.get(qualname, 0)
            seen[qualname] = ordinal + 1
            yield qualname, ordinal, node
            prefix = qualname + (".<locals>." if isinstance(node, FUNCTIONS) else ".")
        children = list(ast.iter_child_nodes(node))
        waiting.extend((child, prefix) for child in reversed(children))


def outside_handlers(node):
    """What is in a node, except what is in an except clause."""
    waiting = [node]
    while waiting:
        found = waiting.pop()
        yield found
        if not isinstance(found, ast.ExceptHandler):
            waiting.extend(ast.iter_child_nodes(found))


def function_facts(node):
    inside = list(ast.walk(node))
    uncaught = list(outside_handlers(node))
    return {
        "kind": "function",
        "name": node.name,
        **parameters(node.args),
        "returns": any(isinstance(n, ast.Return) and n.value is not None for n in inside),
        "yields": any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in inside),
        "raises": any(isinstance(n, ast.Raise) for n in uncaught),
        "calls": any(isinstance(n, ast.Call) for n in uncaught),
    }


def parameters(args):
    return {
        "positional_only": [a.arg for a in args.posonlyargs],
        "positional": [a.arg for a in args.args],
        "variadic": [a.arg for a in (args.vararg, args.kwarg) if a],
        "keyword_only": [a.arg for a in args.kwonlyargs],
    }


def class_facts(node):
    facts = {
        "kind": "class",
        "name": node.name,
        "assigns": any(isinstance(n, (ast.Assign, ast.AnnAssign)) for n in node.body),
        "enum": any(isinstance(b, ast.Name) and b.id == "Enum" for b in node.bases),
    }
    for statement in node.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "__init__":
            facts["init"] = parameters(statement.args)
            facts["init_assigns"] = any(assigns_to_self(n) for n in ast.walk(statement))
            break
    return facts


def assigns_to_self(node):
    """self.x = …, alone or first of several targets; without an annotation."""
    if not isinstance(node, ast.Assign):
        return False
    target = node.targets[0]
    return (
        isinstance(target, ast.Attribute)
        and isinstance(target.value, ast.Name)
        and target.value.id == "self"
    )


class Answerer:
    """Answers requests; of a source that comes several times in a row the tree
    is made once."""

    def __init__(self):
        self.source = self.found = None

    def answer(self, line):
        try:
            request = json.loads(line)
            name, source = request["id"], request["source"]
            wanted = request.get("qualname"), request.get("ordinal", 0)
        except (ValueError, TypeError, KeyError) as wrong:
            return {"id": None, "error": f"no request: {type(wrong).__name__}: {wrong}"}
        try:
            return {"id": name, "definitions": self.facts(source, *wanted)}
        except LookupError as wrong:
            reason = wrong.args[0]
        except SyntaxError as wrong:
            reason = f"the source is no Python: {wrong.msg} (line {wrong.lineno})"
        except (ValueError, TypeError, RecursionError, MemoryError) as wrong:
            reason = f"the source cannot be read: {wrong}"
        return {"id": name, "error": reason}

    def facts(self, source, qualname, ordinal):
        if source != self.source:
            self.source = self.found = None
            self.found = list(definitions(parse(source)))
            self.source = source
        found = self.found
        if qualname is not None:
            found = [f for f in found if f[:2] == (qualname, ordinal)]
            if not found:
                raise LookupError(f"the source has no definition {ordinal} of {qualname}")
        return [
            {
                "qualname": name,
                "ordinal": number,
                **(class_facts(node) if isinstance(node, ast.ClassDef) else function_facts(node)),
            }
            for name, number, node in found
        ]


def main():
    answerer = Answerer()
    for line in sys.stdin.buffer:
        if line.strip():
            sys.stdout.write(json.dumps(answerer.answer(line)) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
