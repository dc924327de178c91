"""The configuration of pytest, from the first file that holds one."""
import shlex


def read(repo):
    tables = repo.pyproject.get("tool", {}).get("pytest") or {}
    native = {k: v for k, v in tables.items() if k != "ini_options"}
    for name in ("pytest.toml", ".pytest.toml"):
        if repo.exists(name):
            return set_pytest(repo, name, repo.toml(name).get("pytest") or {})
    for name in ("pytest.ini", ".pytest.ini"):
        if repo.exists(name):
            return set_pytest(repo, name, options_of(repo.ini(name), "pytest"))
    if "ini_options" in tables or native:
        return set_pytest(repo, "pyproject.toml", tables.get("ini_options") or native)
    for name, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
        parser = repo.ini(name)
        if parser.has_section(section):
            return set_pytest(repo, name, options_of(parser, section))


def options_of(parser, name):
    return dict(parser.items(name)) if parser.has_section(name) else {}


def set_pytest(repo, name, options):
    addopts = options.get("addopts") or []
    if isinstance(addopts, str):
        try:
            addopts = shlex.split(addopts, comments=True)
        except ValueError as e:
            repo.note(name, "addopts cannot be read: %s" % e)
            addopts = []
    required = options.get("required_plugins") or []
    repo.pytest = {"file": name, "addopts": [str(a) for a in addopts], "options": sorted(options),
                   "required_plugins": required.split() if isinstance(required, str) else list(required)}
