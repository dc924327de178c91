"""pyproject.toml: the groups of requirements that are for tests, and those for
development."""
from names import kind_of, normal
from poetry import poetry_requirement


def read(repo):
    """Requirements of the groups that are for tests, then those for development."""
    tool = repo.pyproject.get("tool") or {}
    groups = repo.pyproject.get("dependency-groups") or {}
    by_name = {normal(k): v for k, v in groups.items()}

    def group(name, source, kind, depth=0):
        for item in by_name.get(normal(name), []):
            if isinstance(item, str):
                repo.add(item, source, kind)
            elif isinstance(item, dict) and "include-group" in item and depth < 10 and kind_of(item["include-group"]) == kind:
                group(item["include-group"], source, kind, depth + 1)

    for kind in ("test", "dev"):
        for extra, (texts, source) in list(repo.extras.items()):
            if kind_of(extra) == kind:
                for text in texts:
                    repo.add(text, source, kind)
        for name in groups:
            if kind_of(name) == kind:
                group(name, "pyproject.toml [dependency-groups] " + name, kind)
        poetry = tool.get("poetry") or {}
        tables = {name: (g or {}).get("dependencies") or {} for name, g in (poetry.get("group") or {}).items()}
        tables.setdefault("dev", {}).update(poetry.get("dev-dependencies") or {})
        for name, table in tables.items():
            if kind_of(name) == kind:
                for package, spec in table.items():
                    for text in poetry_requirement(repo, package, spec):
                        repo.add(text, "pyproject.toml [tool.poetry.group.%s]" % name, kind)
        for name, env in ((tool.get("hatch") or {}).get("envs") or {}).items():
            if kind_of(name) == kind and isinstance(env, dict):
                source = "pyproject.toml [tool.hatch.envs.%s]" % name
                for key in ("dependencies", "extra-dependencies"):
                    for text in env.get(key) or []:
                        repo.add(text, source, kind)
                repo.add_extras(",".join(env.get("features") or []), kind)
        for name, texts in ((tool.get("pdm") or {}).get("dev-dependencies") or {}).items():
            if kind_of(name) == kind:
                for text in texts:
                    repo.add(text, "pyproject.toml [tool.pdm.dev-dependencies] " + name, kind)
    for text in (tool.get("uv") or {}).get("dev-dependencies") or []:
        repo.add(text, "pyproject.toml [tool.uv] dev-dependencies", "dev")
