"""pyproject.toml: its own metadata and what setuptools, flit and hatch add."""
import os

import poetry
from licenses import from_classifiers, license_of
from versions import version_attr, version_file_text, version_pattern


def read(repo):
    doc = repo.toml("pyproject.toml")
    repo.pyproject = doc
    project, tool = doc.get("project") or {}, doc.get("tool") or {}
    poetry_table = tool.get("poetry") or {}
    repo.name = project.get("name") or poetry_table.get("name") or ""
    repo.version = project.get("version") or poetry_table.get("version") or ""
    repo.requires_python = project.get("requires-python") or ""
    repo.license = license_of(project.get("license")) or license_of(poetry_table.get("license")) or from_classifiers(project.get("classifiers") or [])
    dynamic = project.get("dynamic") or []
    for extra, texts in (project.get("optional-dependencies") or {}).items():
        repo.extra(extra, texts, "pyproject.toml [project.optional-dependencies] " + extra)
    if "dependencies" in project or project and "dependencies" not in dynamic:
        repo.declare(project.get("dependencies") or [], "pyproject.toml [project] dependencies")
    for group, key in (("console_scripts", "scripts"), ("gui_scripts", "gui-scripts")):
        repo.add_entry_points(group, project.get(key) or {})
    for group, points in (project.get("entry-points") or {}).items():
        repo.add_entry_points(group, points)
    read_setuptools(repo, tool.get("setuptools") or {})
    poetry.read(repo, poetry_table)
    read_flit(repo, tool.get("flit") or {})
    read_hatch(repo, tool.get("hatch") or {})
    for table, key in ((tool.get("setuptools_scm"), "version_file"), (tool.get("setuptools_scm"), "write_to"), (tool.get("pdm", {}).get("version"), "write_to")):
        if isinstance(table, dict) and isinstance(table.get(key), str):
            prefix = "src/" if table is tool.get("pdm", {}).get("version") and repo.exists("src") else ""
            repo.add_version_file(prefix + table[key], table.get("version_file_template") or table.get("write_to_template") or table.get("write_template"))
    backend = (doc.get("build-system") or {}).get("build-backend") or ""
    if backend.split(".")[0] in ("mesonpy", "maturin", "scikit_build_core", "setuptools_rust", "sipbuild"):
        repo.compiled = "pyproject.toml build-backend " + backend


def read_setuptools(repo, table):
    where = ((table.get("packages") or {}) if isinstance(table.get("packages"), dict) else {}).get("find") or {}
    for folder in where.get("where") or []:
        repo.add_src(folder)
    repo.add_package_dir(table.get("package-dir") or {})
    if table.get("ext-modules"):
        repo.compiled = "pyproject.toml [tool.setuptools] ext-modules"
    dynamic = table.get("dynamic") or {}
    version = dynamic.get("version") or {}
    if not repo.version and isinstance(version, dict):
        repo.version = version_attr(repo, version.get("attr")) or version_file_text(repo, version.get("file")) or ""
    for key, declare in (("dependencies", True), ("optional-dependencies", False)):
        spec = dynamic.get(key)
        if declare and isinstance(spec, dict):
            files = spec.get("file") or []
            for name in [files] if isinstance(files, str) else files:
                repo.declared = repo.declared or "pyproject.toml dynamic dependencies"
                repo.requirements_file(name, "runtime")
        elif isinstance(spec, dict):
            for extra, of in spec.items():
                files = of.get("file") if isinstance(of, dict) else []
                lines = []
                for name in [files] if isinstance(files, str) else files or []:
                    lines += [l for l in (repo.text(name) or "").splitlines() if l.strip() and not l.strip().startswith(("#", "-"))]
                repo.extra(extra, lines, "pyproject.toml dynamic optional-dependencies " + extra)


def read_flit(repo, flit):
    metadata = flit.get("metadata") or {}
    module = metadata.get("module") or (flit.get("module") or {}).get("name") or ""
    if metadata:
        repo.name = repo.name or metadata.get("dist-name") or module
        repo.license = repo.license or license_of(metadata.get("license")) or from_classifiers(metadata.get("classifiers") or [])
        repo.requires_python = repo.requires_python or metadata.get("requires-python", "")
        for extra, texts in (metadata.get("requires-extra") or {}).items():
            repo.extra(extra, texts, "pyproject.toml [tool.flit.metadata.requires-extra] " + extra)
        repo.declare(metadata.get("requires") or [], "pyproject.toml [tool.flit.metadata] requires")
    repo.add_entry_points("console_scripts", flit.get("scripts") or {})
    for group, points in (flit.get("entrypoints") or {}).items():
        repo.add_entry_points(group, points)
    repo.flit_module = module


def read_hatch(repo, hatch):
    version = hatch.get("version") or {}
    if not repo.version and version.get("path"):
        repo.version = version_pattern(repo, version["path"])
    build = hatch.get("build") or {}
    wheel = (build.get("targets") or {}).get("wheel") or {}
    for folder in list(wheel.get("packages") or []) + list(build.get("packages") or []):
        if os.path.dirname(folder.rstrip("/")):
            repo.add_src(os.path.dirname(folder.rstrip("/")))
    for folder in list(wheel.get("sources") or []) + list(build.get("sources") or []):
        repo.add_src(folder)
    hook = (build.get("hooks") or {}).get("vcs") or {}
    if hook.get("version-file"):
        repo.add_version_file(hook["version-file"], hook.get("template"))
