"""setup.cfg: the metadata and options of setuptools."""
from licenses import from_classifiers
from lists import lines_of, pairs
from versions import version_attr, version_file_text


def read(repo):
    cfg = repo.ini("setup.cfg")
    get = lambda section, key: cfg.get(section, key, fallback="").strip()
    repo.name = repo.name or get("metadata", "name")
    version = get("metadata", "version")
    if version and not repo.version:
        kind, _, rest = version.partition(":")
        repo.version = {"attr": version_attr, "file": version_file_text}.get(kind, lambda *_: version)(repo, rest.strip()) or ""
    repo.license = repo.license or get("metadata", "license") or from_classifiers(get("metadata", "classifiers").splitlines())
    repo.requires_python = repo.requires_python or get("options", "python_requires")
    if cfg.has_section("options.extras_require"):
        for extra, texts in cfg.items("options.extras_require"):
            repo.extra(extra, lines_of(texts), "setup.cfg [options.extras_require] " + extra)
    requires = get("options", "install_requires")
    if requires.startswith("file:"):
        repo.declared = repo.declared or "setup.cfg install_requires"
        for name in requires[5:].split(","):
            repo.requirements_file(name.strip(), "runtime")
    elif cfg.has_section("options"):
        repo.declare(lines_of(requires), "setup.cfg [options] install_requires")
    for text in lines_of(get("options", "tests_require")):
        repo.add(text, "setup.cfg [options] tests_require", "test")
    if get("options.packages.find", "where"):
        repo.add_src(get("options.packages.find", "where"))
    repo.add_package_dir(dict(tuple(part.strip() for part in line.split("=", 1)) for line in lines_of(get("options", "package_dir")) if "=" in line))
    if cfg.has_section("options.entry_points"):
        for group, points in cfg.items("options.entry_points"):
            repo.add_entry_points(group, pairs(lines_of(points)))
