"""What tox installs into its test environments: tox.ini and pyproject.toml."""
import os
import re
import sys

from lists import lines_of
from names import TEST_WORDS, kind_of


def read(repo):
    sources = [("tox.ini", repo.text("tox.ini"))]
    tox = (repo.pyproject.get("tool") or {}).get("tox") or {}
    sources.append(("pyproject.toml [tool.tox]", tox.get("legacy_tox_ini")))
    for source, text in sources:
        if not isinstance(text, str):
            continue
        ini = repo.ini(source, text)
        for section in ini.sections():
            name = section.partition(":")[2]
            if section == "testenv" or section.startswith("testenv:") and kind_of(name) == "test":
                for line in lines_of(ini.get(section, "deps", fallback="")):
                    tox_line(repo, line, "%s [%s]" % (source, section))
                repo.add_extras(",".join(lines_of(ini.get(section, "extras", fallback=""))), "test")
    for name, env in [("env_run_base", tox.get("env_run_base"))] + list((tox.get("env") or {}).items()):
        if isinstance(env, dict) and (name == "env_run_base" or kind_of(name) == "test"):
            for text in env.get("deps") or []:
                if isinstance(text, str):
                    tox_line(repo, text, "pyproject.toml [tool.tox.%s]" % name)
            repo.add_extras(",".join(x for x in env.get("extras") or [] if isinstance(x, str)), "test")
            for group in env.get("dependency_groups") or []:
                for item in (repo.pyproject.get("dependency-groups") or {}).get(group) or []:
                    if isinstance(item, str):
                        repo.add(item, "pyproject.toml [dependency-groups] " + group, "test")


def tox_line(repo, line, source):
    factor = re.match(r"^([\w{},!.\-]+):\s+(.*)$", line) or re.match(r"^([\w{},!.\-]+):\s*([A-Za-z].*)$", line)
    if factor:
        names = set(re.split(r"[{},!\-]+", factor.group(1)))
        if "!" in factor.group(1) or not names & (TEST_WORDS | {"py%d%d" % sys.version_info[:2], "py3", "py"}):
            return
        line = factor.group(2)
    line = re.sub(r"\{tox(?:inidir|_root)\}/?", "", line).strip()
    include = re.match(r"^(?:-r|--requirement)[ =]*(\S+)", line)
    if include:
        repo.requirements_file(os.path.normpath(include.group(1)), "test")
    elif line and "{" not in line and not line.startswith("-c"):
        repo.add(line, source, "test")
