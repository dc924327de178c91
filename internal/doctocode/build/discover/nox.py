"""What nox installs into its test sessions: noxfile.py."""
import ast
import os

from constants import called
from names import kind_of


def read(repo):
    text = repo.text("noxfile.py")
    if text is None:
        return
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return
    for function in module.body:
        if not isinstance(function, ast.FunctionDef) or kind_of(function.name) != "test":
            continue
        for node in ast.walk(function):
            if isinstance(node, ast.Call) and called(node) == "session.install":
                given = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                for before, value in zip([""] + given, given):
                    if before in ("-r", "--requirement"):
                        repo.requirements_file(os.path.normpath(value), "test")
                    elif not value.startswith("-"):
                        repo.add(value, "noxfile.py " + function.name, "test")
