"""Reads what a repository says of itself: its metadata, its requirements and
its pytest configuration. It only parses; nothing of the repository is
imported. argv: TREE PIP_PARENT. stdin: {"info": {...}, "version": "..."}.
Prints one JSON object."""
import json
import sys

sys.path.append(sys.argv[2])  # before the readers, which use the parsers that pip carries

from pip._vendor.packaging.specifiers import InvalidSpecifier, SpecifierSet

import groups
import nox
import published
import pyproject
import pytest_config
import requirement_files
import setup_cfg
import setup_py
import tox
from repository import Repository
from versions import search_version, version_texts


def discover(repo):
    for reader in (pyproject, setup_cfg, setup_py, published):
        reader.read(repo)
    repo.python_path()
    for reader in (groups, tox, nox, requirement_files):
        reader.read(repo)
    repo.version = repo.version or repo.hint or search_version(repo) or ""
    pytest_config.read(repo)
    return {
        "name": repo.name, "version": repo.version, "license": repo.license, "requires_python": repo.requires_python, "python_fits": python_fits(repo),
        "python_path": repo.python_path(), "requirements": repo.requirements, "entry_points": repo.entry_points,
        "pytest": repo.pytest, "version_files": version_texts(repo), "compiled": repo.compiled, "notes": repo.notes,
    }


def python_fits(repo):
    try:
        return not repo.requires_python or SpecifierSet(repo.requires_python).contains("%d.%d.%d" % sys.version_info[:3], prereleases=True)
    except InvalidSpecifier:
        repo.note(repo.requires_python, "requires-python is not a version specifier")
        return True


print(json.dumps(discover(Repository(sys.argv[1], json.load(sys.stdin)))))
