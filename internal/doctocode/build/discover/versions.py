"""The version, as files of the tree state it, and the files that a build would
write it to."""
import os
import re

from constants import assigned


def version_attr(repo, attr):
    """The constant that an attribute such as package.__version__ is assigned."""
    if not isinstance(attr, str) or "." not in attr:
        return ""
    module, _, variable = attr.rpartition(".")
    path = module.replace(".", "/")
    for src in repo.src + ["", "src"]:
        for name in (path + ".py", path + "/__init__.py"):
            text = repo.text(os.path.join(src, name))
            if text is not None:
                value = assigned(text, variable)
                if value:
                    return value
    return ""


def version_file_text(repo, names):
    for name in [names] if isinstance(names, str) else names or []:
        text = repo.text(name.strip())
        if text and re.match(r"^\s*v?\d[\w.!+-]*\s*$", text):
            return text.strip()
    return ""


def version_pattern(repo, name):
    text = repo.text(name) or ""
    m = re.search(r"""(?mi)^(?:__version__|version)(?:\s*:\s*str)?\s*=\s*(['"])v?(.+?)\1""", text)
    return m.group(2) if m else ""


def search_version(repo):
    """__version__ in the package's own files, when nothing declares one."""
    module = repo.flit_module or repo.name
    for base in {module, module.replace("-", "_"), module.replace("-", "_").lower()}:
        if not base:
            continue
        path = base.replace(".", "/")
        for src in repo.src + ["", "src"]:
            for name in (path + ".py", path + "/__init__.py", path + "/_version.py", path + "/version.py", path + "/__version__.py", path + "/__about__.py", path + "/about.py"):
                value = version_pattern(repo, os.path.join(src, name))
                if value:
                    return value
    return ""


def version_texts(repo):
    version = repo.version or "0"
    parts = tuple(int(p) if p.isdigit() else p for p in re.split(r"[.+]", version))
    texts = []
    for name, template in repo.version_files:
        text = "__version__ = version = %r\n__version_tuple__ = version_tuple = %r\n" % (version, parts)
        if not name.endswith(".py"):
            text = version + "\n"
        if template:
            try:
                text = template.format(version=version, version_tuple=parts)
            except (KeyError, IndexError, ValueError, AttributeError):
                pass
        texts.append({"path": name, "text": text})
    return texts
