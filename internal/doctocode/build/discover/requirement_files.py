"""Requirements files, by their names."""
import fnmatch
import os

from names import kind_of


def read(repo):
    found = []
    for folder in ("", "requirements", "requires", "tests", "test", "ci", "dev"):
        for name in repo.names(folder):
            if folder in ("requirements", "requires") and fnmatch.fnmatch(name, "*.txt") or fnmatch.fnmatch(name.lower(), "*requirement*.txt"):
                found.append(os.path.join(folder, name))
    for name in found:
        kind = kind_of(name[:-4])
        if os.path.dirname(name) in ("tests", "test"):
            kind = "test"
        plain = os.path.basename(name) in ("requirements.txt", "base.txt", "main.txt", "install.txt", "common.txt") and kind is None
        if plain:
            repo.requirements_file(name, "runtime" if repo.declared is None else "hint")
        elif kind == "test" or kind == "dev":
            repo.requirements_file(name, kind)
