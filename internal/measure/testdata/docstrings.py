"""Prints pairs of docstrings of Python's standard library, as JSON lines.

A pair is the docstrings of two functions that follow each other in a module,
as the input of beside.py. The argument is how many there shall be.
"""

import ast
import inspect
import json
import pathlib
import sys
import sysconfig


def docstrings(path):
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if text := ast.get_docstring(node, clean=False):
                yield inspect.cleandoc(text)


def main():
    left = int(sys.argv[1])
    for path in sorted(pathlib.Path(sysconfig.get_path("stdlib")).glob("**/*.py")):
        if "site-packages" in path.parts or "test" in path.parts:
            continue
        texts = list(docstrings(path))
        for reference, candidate in zip(texts, texts[1:]):
            if not left:
                return
            print(json.dumps({"candidate": candidate, "references": [reference]}))
            left -= 1


main()
