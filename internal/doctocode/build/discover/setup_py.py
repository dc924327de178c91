"""setup.py, as far as the arguments of setup are constants."""
import ast

from constants import called, constant
from licenses import from_classifiers
from lists import pairs, strings


def read(repo):
    text = repo.text("setup.py")
    if text is None:
        return
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError) as e:
        repo.note("setup.py", "it does not parse%s" % (" (line %d)" % e.lineno if getattr(e, "lineno", 0) else ""))
        return
    known = {}
    keywords = {}
    for node in ast.walk(module):
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            value = constant(node.value, known)
            if value is not None:
                known.setdefault(node.targets[0].id, value)
    for node in ast.walk(module):
        if isinstance(node, ast.Call) and called(node) in ("setup", "setuptools.setup", "core.setup", "distutils.core.setup"):
            for keyword in node.keywords:
                if keyword.arg:
                    keywords.setdefault(keyword.arg, keyword.value)
                else:
                    unpacked = constant(keyword.value, known)
                    if isinstance(unpacked, dict):
                        for key, value in unpacked.items():
                            keywords.setdefault(key, ast.Constant(value) if isinstance(value, (str, int)) else value)
    get = lambda key: constant(keywords[key], known) if isinstance(keywords.get(key), ast.AST) else keywords.get(key)
    string = lambda key: get(key) if isinstance(get(key), str) else ""
    repo.name = repo.name or string("name")
    repo.version = repo.version or string("version")
    repo.license = repo.license or string("license") or from_classifiers(get("classifiers") or [])
    repo.requires_python = repo.requires_python or string("python_requires")
    extras = get("extras_require")
    for extra, texts in (extras if isinstance(extras, dict) else {}).items():
        repo.extra(str(extra), strings(texts), "setup.py extras_require " + str(extra))
    requires = get("install_requires")
    if requires is not None:
        repo.declare(strings(requires), "setup.py install_requires")
    elif "install_requires" not in keywords and keywords and not repo.pyproject.get("project"):
        repo.declare([], "setup.py")
    for text in strings(get("tests_require")):
        repo.add(text, "setup.py tests_require", "test")
    repo.add_package_dir(get("package_dir") or {})
    points = get("entry_points")
    if isinstance(points, dict):
        for group, lines in points.items():
            repo.add_entry_points(group, pairs(strings(lines)))
    elif isinstance(points, str):
        repo.add_entry_points_text(points)
    if "ext_modules" in keywords or "rust_extensions" in keywords or "cffi_modules" in keywords:
        repo.compiled = repo.compiled or "setup.py"
    scm = get("use_scm_version")
    if isinstance(scm, dict):
        repo.add_version_file(scm.get("write_to") or scm.get("version_file"), scm.get("write_to_template"))
