"""pyproject.toml as poetry writes it."""
import re

from names import normal


def read(repo, poetry):
    if not poetry:
        return
    runtime, optional = [], {}
    for name, spec in (poetry.get("dependencies") or {}).items():
        if normal(name) == "python":
            repo.requires_python = repo.requires_python or caret(spec if isinstance(spec, str) else spec.get("version", ""))
            continue
        texts = poetry_requirement(repo, name, spec)
        if isinstance(spec, dict) and spec.get("optional"):
            optional[normal(name)] = texts
        else:
            runtime += texts
    if "dependencies" in poetry:
        repo.declare(runtime, "pyproject.toml [tool.poetry.dependencies]")
    for extra, names in (poetry.get("extras") or {}).items():
        repo.extra(extra, [t for n in names for t in optional.get(normal(n), [n])], "pyproject.toml [tool.poetry.extras] " + extra)
    repo.add_entry_points("console_scripts", {k: v for k, v in (poetry.get("scripts") or {}).items() if isinstance(v, str)})
    for group, points in (poetry.get("plugins") or {}).items():
        repo.add_entry_points(group, points)
    for package in poetry.get("packages") or []:
        if isinstance(package, dict) and package.get("from"):
            repo.add_src(package["from"])


def poetry_requirement(repo, name, spec):
    texts = []
    for one in spec if isinstance(spec, list) else [spec]:
        if isinstance(one, str):
            one = {"version": one}
        if any(k in one for k in ("git", "path", "url", "file")):
            repo.note(name, "only requirements on the package index are installed (poetry)")
            continue
        text = name + ("[%s]" % ",".join(one["extras"]) if one.get("extras") else "") + caret(one.get("version", "*"))
        markers = [one["markers"]] if one.get("markers") else []
        for part in caret(one.get("python", "*")).split(","):
            m = re.match(r"^([<>=!~]+)\s*([\d.*]+)$", part.strip())
            if m:
                key = "python_full_version" if m.group(2).count(".") > 1 and "*" not in m.group(2) else "python_version"
                markers.append('%s %s "%s"' % (key, m.group(1), m.group(2)))
        texts.append(text + (" ; " + " and ".join("(%s)" % m if " or " in m else m for m in markers) if markers else ""))
    return texts


def caret(spec):
    """poetry's version constraints as PEP 440 writes them."""
    if not isinstance(spec, str) or spec.strip() in ("*", "") or "|" in spec:
        return ""
    parts = []
    for part in spec.split(","):
        part = part.strip()
        m = re.match(r"^(\^|~(?!=))\s*(.+)$", part)
        if not m:
            parts.append(part if re.match(r"^[<>=!~]", part) else "==" + part)
            continue
        numbers = [int(n) for n in re.findall(r"\d+", re.split(r"[a-zA-Z+-]", m.group(2))[0])] or [0]
        if m.group(1) == "~":
            keep = min(len(numbers), 2)
        else:
            keep = next((i + 1 for i, n in enumerate(numbers) if n), len(numbers))
        upper = numbers[:keep - 1] + [numbers[keep - 1] + 1]
        parts.append(">=%s,<%s" % (m.group(2), ".".join(map(str, upper))))
    return ",".join(parts)
