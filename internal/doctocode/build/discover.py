"""Reads what a repository says of itself: its metadata, its requirements and
its pytest configuration. It only parses; nothing of the repository is
imported. argv: TREE PIP_PARENT. stdin: {"info": {...}, "version": "..."}.
Prints one JSON object."""
import ast
import configparser
import fnmatch
import json
import os
import re
import shlex
import sys
from email.parser import HeaderParser

TREE, PIP_PARENT = sys.argv[1], sys.argv[2]
sys.path.append(PIP_PARENT)
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
from pip._vendor.packaging.requirements import InvalidRequirement, Requirement
from pip._vendor.packaging.specifiers import InvalidSpecifier, SpecifierSet

TEST_WORDS = {"test", "tests", "testing", "pytest", "unittest", "unittests", "unit"}
DEV_WORDS = {"dev", "devel", "develop", "development", "default"}
OTHER_WORDS = {"lint", "typing", "mypy", "doc", "docs", "style", "format", "type", "types", "typecheck", "bench",
               "benchmark", "benchmarks", "release", "coverage", "sphinx", "pre", "build", "publish", "packaging"}
MAX_FILE = 4 << 20


def words(name):
    return set(re.split(r"[-_./\s]+", name.lower()))


def kind_of(name):
    """test, dev or None: what a group of requirements of that name is for."""
    found = words(name)
    if found & OTHER_WORDS:
        return None
    if found & TEST_WORDS:
        return "test"
    return "dev" if found & DEV_WORDS else None


def normal(name):
    return re.sub(r"[-_.]+", "-", name).lower()


class Discovery:
    def __init__(self, given):
        self.info = given.get("info") or {}
        self.hint = given.get("version") or ""
        self.name = self.version = self.license = self.requires_python = ""
        self.declared = None  # runtime dependencies, once something declares them
        self.extras = {}  # extra -> (requirements, from)
        self.requirements = []
        self.seen = set()
        self.src = []
        self.entry_points = {}
        self.pytest = {"file": "", "addopts": [], "options": [], "required_plugins": []}
        self.version_files = []
        self.compiled = ""
        self.notes = []
        self.read_files = set()

    # Files of the tree

    def text(self, name):
        """The text of a file inside the tree, or None."""
        full = os.path.realpath(os.path.join(TREE, name))
        if not (full + "/").startswith(os.path.realpath(TREE) + "/") or not os.path.isfile(full):
            return None
        if os.path.getsize(full) > MAX_FILE:
            self.note(name, "it is too large to be read")
            return None
        with open(full, "rb") as f:
            return f.read().decode("utf-8-sig", "replace")

    def exists(self, name):
        return os.path.exists(os.path.join(TREE, name))

    def names(self, folder):
        try:
            return sorted(os.listdir(os.path.join(TREE, folder)))
        except OSError:
            return []

    def toml(self, name):
        text = self.text(name)
        if text is None:
            return {}
        try:
            return tomllib.loads(text)
        except ValueError as e:
            self.note(name, "it is not TOML%s" % "".join(re.findall(r" \(at .*\)$", str(e))))
            return {}

    def ini(self, name, text=None):
        text = self.text(name) if text is None else text
        parser = configparser.ConfigParser(interpolation=None, strict=False)
        parser.optionxform = lambda option: option.replace("-", "_").lower()
        if text is not None:
            try:
                parser.read_string(text)
            except configparser.Error as e:
                self.note(name, "it cannot be read%s" % (" (line %d)" % e.lineno if getattr(e, "lineno", 0) else ""))
        return parser

    def note(self, subject, text):
        note = {"subject": subject, "text": text}
        if note not in self.notes:
            self.notes.append(note)

    # Requirements

    def add(self, text, source, kind):
        """Adds one requirement; one on the repository itself becomes its extras'."""
        text = re.split(r"\s#", " " + text.strip())[0].strip().rstrip("\\").strip()
        text = re.split(r"\s--", text)[0].strip()  # options of one line: hashes
        if not text:
            return
        local = re.match(r"^(?:-e\s*|--editable[ =])?\s*(?:file:)?\.(?:\[([^\]]*)\])?\s*$", text)
        if local:
            self.add_extras(local.group(1) or "", kind)
            return
        if text.startswith("-"):
            self.note(text, "pip options in %s are not followed" % source)
            return
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            self.note(text, "it is not a requirement on the package index (%s)" % source)
            return
        if self.name and normal(requirement.name) == normal(self.name):
            self.add_extras(",".join(sorted(requirement.extras)), kind)
            return
        if requirement.url:
            self.note(text, "only requirements on the package index are installed (%s)" % source)
            return
        if (text, kind) not in self.seen:
            self.seen.add((text, kind))
            self.requirements.append({"requirement": text, "from": source, "kind": kind})

    def add_extras(self, extras, kind):
        for extra in extras.split(","):
            listed = self.extras.get(normal(extra.strip()))
            if listed and ("extra", extra, kind) not in self.seen:
                self.seen.add(("extra", extra, kind))
                for text in listed[0]:
                    self.add(text, listed[1], kind)

    def declare(self, texts, source):
        if self.declared is None:
            self.declared = source
            for text in texts:
                if isinstance(text, str):
                    self.add(text, source, "runtime")

    def extra(self, name, texts, source):
        self.extras.setdefault(normal(name), ([t for t in texts if isinstance(t, str)], source))

    def requirements_file(self, name, kind, depth=0):
        if name in self.read_files or depth > 5:
            return
        self.read_files.add(name)
        text = self.text(name)
        if text is None:
            self.note(name, "there is no such requirements file")
            return
        for line in re.sub(r"\\\r?\n", " ", text).splitlines():
            line = line.strip()
            include = re.match(r"^(?:-r|--requirement)[ =]*(\S+)", line)
            if include:
                self.requirements_file(os.path.normpath(os.path.join(os.path.dirname(name), include.group(1))), kind, depth + 1)
            elif line and not line.startswith("#") and not re.match(r"^(-c|--constraint|-i|--index-url|--extra-index-url|-f|--find-links|--pre|--no-)", line):
                self.add(line, name, kind)

    # pyproject.toml

    def read_pyproject(self):
        doc = self.toml("pyproject.toml")
        self.pyproject = doc
        project, tool = doc.get("project") or {}, doc.get("tool") or {}
        poetry = tool.get("poetry") or {}
        self.name = project.get("name") or poetry.get("name") or ""
        self.version = project.get("version") or poetry.get("version") or ""
        self.requires_python = project.get("requires-python") or ""
        self.license = license_of(project.get("license")) or license_of(poetry.get("license")) or from_classifiers(project.get("classifiers") or [])
        dynamic = project.get("dynamic") or []
        for extra, texts in (project.get("optional-dependencies") or {}).items():
            self.extra(extra, texts, "pyproject.toml [project.optional-dependencies] " + extra)
        if "dependencies" in project or project and "dependencies" not in dynamic:
            self.declare(project.get("dependencies") or [], "pyproject.toml [project] dependencies")
        for group, key in (("console_scripts", "scripts"), ("gui_scripts", "gui-scripts")):
            self.add_entry_points(group, project.get(key) or {})
        for group, points in (project.get("entry-points") or {}).items():
            self.add_entry_points(group, points)
        self.read_setuptools(tool.get("setuptools") or {})
        self.read_poetry(poetry)
        self.read_flit(tool.get("flit") or {})
        self.read_hatch(tool.get("hatch") or {})
        for table, key in ((tool.get("setuptools_scm"), "version_file"), (tool.get("setuptools_scm"), "write_to"), (tool.get("pdm", {}).get("version"), "write_to")):
            if isinstance(table, dict) and isinstance(table.get(key), str):
                prefix = "src/" if table is tool.get("pdm", {}).get("version") and self.exists("src") else ""
                self.add_version_file(prefix + table[key], table.get("version_file_template") or table.get("write_to_template") or table.get("write_template"))
        backend = (doc.get("build-system") or {}).get("build-backend") or ""
        if backend.split(".")[0] in ("mesonpy", "maturin", "scikit_build_core", "setuptools_rust", "sipbuild"):
            self.compiled = "pyproject.toml build-backend " + backend

    def read_setuptools(self, table):
        where = ((table.get("packages") or {}) if isinstance(table.get("packages"), dict) else {}).get("find") or {}
        for folder in where.get("where") or []:
            self.add_src(folder)
        self.add_package_dir(table.get("package-dir") or {})
        if table.get("ext-modules"):
            self.compiled = "pyproject.toml [tool.setuptools] ext-modules"
        dynamic = table.get("dynamic") or {}
        version = dynamic.get("version") or {}
        if not self.version and isinstance(version, dict):
            self.version = self.version_attr(version.get("attr")) or self.version_file_text(version.get("file")) or ""
        for key, declare in (("dependencies", True), ("optional-dependencies", False)):
            spec = dynamic.get(key)
            if declare and isinstance(spec, dict):
                files = spec.get("file") or []
                for name in [files] if isinstance(files, str) else files:
                    self.declared = self.declared or "pyproject.toml dynamic dependencies"
                    self.requirements_file(name, "runtime")
            elif isinstance(spec, dict):
                for extra, of in spec.items():
                    files = of.get("file") if isinstance(of, dict) else []
                    lines = []
                    for name in [files] if isinstance(files, str) else files or []:
                        lines += [l for l in (self.text(name) or "").splitlines() if l.strip() and not l.strip().startswith(("#", "-"))]
                    self.extra(extra, lines, "pyproject.toml dynamic optional-dependencies " + extra)

    def read_poetry(self, poetry):
        if not poetry:
            return
        runtime, optional = [], {}
        for name, spec in (poetry.get("dependencies") or {}).items():
            if normal(name) == "python":
                self.requires_python = self.requires_python or caret(spec if isinstance(spec, str) else spec.get("version", ""))
                continue
            texts = self.poetry_requirement(name, spec)
            if isinstance(spec, dict) and spec.get("optional"):
                optional[normal(name)] = texts
            else:
                runtime += texts
        if "dependencies" in poetry:
            self.declare(runtime, "pyproject.toml [tool.poetry.dependencies]")
        for extra, names in (poetry.get("extras") or {}).items():
            self.extra(extra, [t for n in names for t in optional.get(normal(n), [n])], "pyproject.toml [tool.poetry.extras] " + extra)
        self.add_entry_points("console_scripts", {k: v for k, v in (poetry.get("scripts") or {}).items() if isinstance(v, str)})
        for group, points in (poetry.get("plugins") or {}).items():
            self.add_entry_points(group, points)
        for package in poetry.get("packages") or []:
            if isinstance(package, dict) and package.get("from"):
                self.add_src(package["from"])

    def poetry_requirement(self, name, spec):
        texts = []
        for one in spec if isinstance(spec, list) else [spec]:
            if isinstance(one, str):
                one = {"version": one}
            if any(k in one for k in ("git", "path", "url", "file")):
                self.note(name, "only requirements on the package index are installed (poetry)")
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

    def read_flit(self, flit):
        metadata = flit.get("metadata") or {}
        module = metadata.get("module") or (flit.get("module") or {}).get("name") or ""
        if metadata:
            self.name = self.name or metadata.get("dist-name") or module
            self.license = self.license or license_of(metadata.get("license")) or from_classifiers(metadata.get("classifiers") or [])
            self.requires_python = self.requires_python or metadata.get("requires-python", "")
            for extra, texts in (metadata.get("requires-extra") or {}).items():
                self.extra(extra, texts, "pyproject.toml [tool.flit.metadata.requires-extra] " + extra)
            self.declare(metadata.get("requires") or [], "pyproject.toml [tool.flit.metadata] requires")
        self.add_entry_points("console_scripts", flit.get("scripts") or {})
        for group, points in (flit.get("entrypoints") or {}).items():
            self.add_entry_points(group, points)
        self.flit_module = module

    def read_hatch(self, hatch):
        version = hatch.get("version") or {}
        if not self.version and version.get("path"):
            self.version = self.version_pattern(version["path"])
        build = hatch.get("build") or {}
        wheel = (build.get("targets") or {}).get("wheel") or {}
        for folder in list(wheel.get("packages") or []) + list(build.get("packages") or []):
            if os.path.dirname(folder.rstrip("/")):
                self.add_src(os.path.dirname(folder.rstrip("/")))
        for folder in list(wheel.get("sources") or []) + list(build.get("sources") or []):
            self.add_src(folder)
        hook = (build.get("hooks") or {}).get("vcs") or {}
        if hook.get("version-file"):
            self.add_version_file(hook["version-file"], hook.get("template"))

    def read_groups(self):
        """Requirements of the groups that are for tests, then those for development."""
        tool = self.pyproject.get("tool") or {}
        groups = self.pyproject.get("dependency-groups") or {}
        by_name = {normal(k): v for k, v in groups.items()}

        def group(name, source, kind, depth=0):
            for item in by_name.get(normal(name), []):
                if isinstance(item, str):
                    self.add(item, source, kind)
                elif isinstance(item, dict) and "include-group" in item and depth < 10 and kind_of(item["include-group"]) == kind:
                    group(item["include-group"], source, kind, depth + 1)

        for kind in ("test", "dev"):
            for extra, (texts, source) in list(self.extras.items()):
                if kind_of(extra) == kind:
                    for text in texts:
                        self.add(text, source, kind)
            for name in groups:
                if kind_of(name) == kind:
                    group(name, "pyproject.toml [dependency-groups] " + name, kind)
            poetry = tool.get("poetry") or {}
            tables = {name: (g or {}).get("dependencies") or {} for name, g in (poetry.get("group") or {}).items()}
            tables.setdefault("dev", {}).update(poetry.get("dev-dependencies") or {})
            for name, table in tables.items():
                if kind_of(name) == kind:
                    for package, spec in table.items():
                        for text in self.poetry_requirement(package, spec):
                            self.add(text, "pyproject.toml [tool.poetry.group.%s]" % name, kind)
            for name, env in ((tool.get("hatch") or {}).get("envs") or {}).items():
                if kind_of(name) == kind and isinstance(env, dict):
                    source = "pyproject.toml [tool.hatch.envs.%s]" % name
                    for key in ("dependencies", "extra-dependencies"):
                        for text in env.get(key) or []:
                            self.add(text, source, kind)
                    self.add_extras(",".join(env.get("features") or []), kind)
            for name, texts in ((tool.get("pdm") or {}).get("dev-dependencies") or {}).items():
                if kind_of(name) == kind:
                    for text in texts:
                        self.add(text, "pyproject.toml [tool.pdm.dev-dependencies] " + name, kind)
        for text in (tool.get("uv") or {}).get("dev-dependencies") or []:
            self.add(text, "pyproject.toml [tool.uv] dev-dependencies", "dev")

    # setup.cfg and setup.py

    def read_setup_cfg(self):
        cfg = self.ini("setup.cfg")
        get = lambda section, key: cfg.get(section, key, fallback="").strip()
        self.name = self.name or get("metadata", "name")
        version = get("metadata", "version")
        if version and not self.version:
            kind, _, rest = version.partition(":")
            self.version = {"attr": self.version_attr, "file": self.version_file_text}.get(kind, lambda _: version)(rest.strip()) or ""
        self.license = self.license or get("metadata", "license") or from_classifiers(get("metadata", "classifiers").splitlines())
        self.requires_python = self.requires_python or get("options", "python_requires")
        if cfg.has_section("options.extras_require"):
            for extra, texts in cfg.items("options.extras_require"):
                self.extra(extra, lines_of(texts), "setup.cfg [options.extras_require] " + extra)
        requires = get("options", "install_requires")
        if requires.startswith("file:"):
            self.declared = self.declared or "setup.cfg install_requires"
            for name in requires[5:].split(","):
                self.requirements_file(name.strip(), "runtime")
        elif cfg.has_section("options"):
            self.declare(lines_of(requires), "setup.cfg [options] install_requires")
        for text in lines_of(get("options", "tests_require")):
            self.add(text, "setup.cfg [options] tests_require", "test")
        if get("options.packages.find", "where"):
            self.add_src(get("options.packages.find", "where"))
        self.add_package_dir(dict(tuple(part.strip() for part in line.split("=", 1)) for line in lines_of(get("options", "package_dir")) if "=" in line))
        if cfg.has_section("options.entry_points"):
            for group, points in cfg.items("options.entry_points"):
                self.add_entry_points(group, pairs(lines_of(points)))

    def read_setup_py(self):
        text = self.text("setup.py")
        if text is None:
            return
        try:
            module = ast.parse(text)
        except (SyntaxError, ValueError) as e:
            self.note("setup.py", "it does not parse%s" % (" (line %d)" % e.lineno if getattr(e, "lineno", 0) else ""))
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
        self.name = self.name or string("name")
        self.version = self.version or string("version")
        self.license = self.license or string("license") or from_classifiers(get("classifiers") or [])
        self.requires_python = self.requires_python or string("python_requires")
        extras = get("extras_require")
        for extra, texts in (extras if isinstance(extras, dict) else {}).items():
            self.extra(str(extra), strings(texts), "setup.py extras_require " + str(extra))
        requires = get("install_requires")
        if requires is not None:
            self.declare(strings(requires), "setup.py install_requires")
        elif "install_requires" not in keywords and keywords and not self.pyproject.get("project"):
            self.declare([], "setup.py")
        for text in strings(get("tests_require")):
            self.add(text, "setup.py tests_require", "test")
        self.add_package_dir(get("package_dir") or {})
        points = get("entry_points")
        if isinstance(points, dict):
            for group, lines in points.items():
                self.add_entry_points(group, pairs(strings(lines)))
        elif isinstance(points, str):
            self.add_entry_points_text(points)
        if "ext_modules" in keywords or "rust_extensions" in keywords or "cffi_modules" in keywords:
            self.compiled = self.compiled or "setup.py"
        scm = get("use_scm_version")
        if isinstance(scm, dict):
            self.add_version_file(scm.get("write_to") or scm.get("version_file"), scm.get("write_to_template"))

    # What a source archive was published with

    def read_published(self):
        published = self.info.get("PKG-INFO") or ""
        if not published:
            return
        head = HeaderParser().parsestr(published)
        self.name = self.name or head.get("Name") or ""
        if head.get("Version") and head["Version"] != "0.0.0":
            self.version = head["Version"]
        self.license = self.license or head.get("License-Expression") or from_classifiers(head.get_all("Classifier") or []) or head.get("License") or ""
        self.requires_python = self.requires_python or head.get("Requires-Python") or ""
        listed = head.get_all("Requires-Dist") or []
        if listed:
            runtime = []
            extras = {}
            for text in listed:
                m = re.search(r"""extra\s*==\s*['"]([^'"]+)['"]""", text)
                if not m:
                    runtime.append(text)
                    continue
                body, _, marker = text.partition(";")
                marker = re.sub(r"""\s*(and\s+)?extra\s*==\s*['"][^'"]+['"]""", "", marker).strip()
                extras.setdefault(m.group(1), []).append(body.strip() + (" ; " + marker if marker and marker != "()" else ""))
            for extra, texts in extras.items():
                self.extra(extra, texts, "PKG-INFO Requires-Dist " + extra)
            self.declare(runtime, "PKG-INFO Requires-Dist")
        elif self.info.get("requires.txt"):
            self.read_requires_txt(self.info["requires.txt"])
        if not self.entry_points:
            self.add_entry_points_text(self.info.get("entry_points.txt") or "")

    def read_requires_txt(self, text):
        sections, section = {"": []}, ""
        for line in lines_of(text):
            m = re.match(r"^\[(.*)\]$", line)
            if m:
                section = m.group(1)
                sections.setdefault(section, [])
            else:
                sections[section].append(line)
        runtime = []
        for section, texts in sections.items():
            extra, _, marker = section.partition(":")
            texts = [t + (" ; " + marker if marker else "") for t in texts]
            if extra:
                self.extra(extra, texts, "requires.txt [%s]" % extra)
            else:
                runtime += texts
        self.declare(runtime, "requires.txt")

    # Files of requirements, tox and nox

    def read_requirement_files(self):
        found = []
        for folder in ("", "requirements", "requires", "tests", "test", "ci", "dev"):
            for name in self.names(folder):
                if folder in ("requirements", "requires") and fnmatch.fnmatch(name, "*.txt") or fnmatch.fnmatch(name.lower(), "*requirement*.txt"):
                    found.append(os.path.join(folder, name))
        for name in found:
            kind = kind_of(name[:-4])
            if os.path.dirname(name) in ("tests", "test"):
                kind = "test"
            plain = os.path.basename(name) in ("requirements.txt", "base.txt", "main.txt", "install.txt", "common.txt") and kind is None
            if plain:
                self.requirements_file(name, "runtime" if self.declared is None else "hint")
            elif kind == "test" or kind == "dev":
                self.requirements_file(name, kind)

    def read_tox(self):
        sources = [("tox.ini", self.text("tox.ini"))]
        tox = (self.pyproject.get("tool") or {}).get("tox") or {}
        sources.append(("pyproject.toml [tool.tox]", tox.get("legacy_tox_ini")))
        for source, text in sources:
            if not isinstance(text, str):
                continue
            ini = self.ini(source, text)
            for section in ini.sections():
                name = section.partition(":")[2]
                if section == "testenv" or section.startswith("testenv:") and kind_of(name) == "test":
                    for line in lines_of(ini.get(section, "deps", fallback="")):
                        self.tox_line(line, "%s [%s]" % (source, section))
                    self.add_extras(",".join(lines_of(ini.get(section, "extras", fallback=""))), "test")
        for name, env in [("env_run_base", tox.get("env_run_base"))] + list((tox.get("env") or {}).items()):
            if isinstance(env, dict) and (name == "env_run_base" or kind_of(name) == "test"):
                for text in env.get("deps") or []:
                    if isinstance(text, str):
                        self.tox_line(text, "pyproject.toml [tool.tox.%s]" % name)
                self.add_extras(",".join(x for x in env.get("extras") or [] if isinstance(x, str)), "test")
                for group in env.get("dependency_groups") or []:
                    for item in (self.pyproject.get("dependency-groups") or {}).get(group) or []:
                        if isinstance(item, str):
                            self.add(item, "pyproject.toml [dependency-groups] " + group, "test")

    def tox_line(self, line, source):
        factor = re.match(r"^([\w{},!.\-]+):\s+(.*)$", line) or re.match(r"^([\w{},!.\-]+):\s*([A-Za-z].*)$", line)
        if factor:
            names = set(re.split(r"[{},!\-]+", factor.group(1)))
            if "!" in factor.group(1) or not names & (TEST_WORDS | {"py%d%d" % sys.version_info[:2], "py3", "py"}):
                return
            line = factor.group(2)
        line = re.sub(r"\{tox(?:inidir|_root)\}/?", "", line).strip()
        include = re.match(r"^(?:-r|--requirement)[ =]*(\S+)", line)
        if include:
            self.requirements_file(os.path.normpath(include.group(1)), "test")
        elif line and "{" not in line and not line.startswith("-c"):
            self.add(line, source, "test")

    def read_nox(self):
        text = self.text("noxfile.py")
        if text is None:
            return
        try:
            module = ast.parse(text)
        except (SyntaxError, ValueError):
            return
        for function in module.body:
            if not isinstance(function, ast.FunctionDef) or kind_of(function.name) != "test":
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and called(node) == "session.install":
                    given = [a.value for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                    for before, value in zip([""] + given, given):
                        if before in ("-r", "--requirement"):
                            self.requirements_file(os.path.normpath(value), "test")
                        elif not value.startswith("-"):
                            self.add(value, "noxfile.py " + function.name, "test")

    # pytest

    def read_pytest(self):
        tables = self.pyproject.get("tool", {}).get("pytest") or {}
        native = {k: v for k, v in tables.items() if k != "ini_options"}
        for name in ("pytest.toml", ".pytest.toml"):
            if self.exists(name):
                return self.set_pytest(name, self.toml(name).get("pytest") or {})
        for name in ("pytest.ini", ".pytest.ini"):
            if self.exists(name):
                return self.set_pytest(name, self.section(self.ini(name), "pytest"))
        if "ini_options" in tables or native:
            return self.set_pytest("pyproject.toml", tables.get("ini_options") or native)
        for name, section in (("tox.ini", "pytest"), ("setup.cfg", "tool:pytest")):
            parser = self.ini(name)
            if parser.has_section(section):
                return self.set_pytest(name, self.section(parser, section))

    @staticmethod
    def section(parser, name):
        return dict(parser.items(name)) if parser.has_section(name) else {}

    def set_pytest(self, name, options):
        addopts = options.get("addopts") or []
        if isinstance(addopts, str):
            try:
                addopts = shlex.split(addopts, comments=True)
            except ValueError as e:
                self.note(name, "addopts cannot be read: %s" % e)
                addopts = []
        required = options.get("required_plugins") or []
        self.pytest = {"file": name, "addopts": [str(a) for a in addopts], "options": sorted(options),
                       "required_plugins": required.split() if isinstance(required, str) else list(required)}

    # Versions, entry points, folders

    def version_attr(self, attr):
        """The constant that an attribute such as package.__version__ is assigned."""
        if not isinstance(attr, str) or "." not in attr:
            return ""
        module, _, variable = attr.rpartition(".")
        path = module.replace(".", "/")
        for src in self.src + ["", "src"]:
            for name in (path + ".py", path + "/__init__.py"):
                text = self.text(os.path.join(src, name))
                if text is not None:
                    value = assigned(text, variable)
                    if value:
                        return value
        return ""

    def version_file_text(self, names):
        for name in [names] if isinstance(names, str) else names or []:
            text = self.text(name.strip())
            if text and re.match(r"^\s*v?\d[\w.!+-]*\s*$", text):
                return text.strip()
        return ""

    def version_pattern(self, name):
        text = self.text(name) or ""
        m = re.search(r"""(?mi)^(?:__version__|version)(?:\s*:\s*str)?\s*=\s*(['"])v?(.+?)\1""", text)
        return m.group(2) if m else ""

    def search_version(self):
        """__version__ in the package's own files, when nothing declares one."""
        module = getattr(self, "flit_module", "") or self.name
        for base in {module, module.replace("-", "_"), module.replace("-", "_").lower()}:
            if not base:
                continue
            path = base.replace(".", "/")
            for src in self.src + ["", "src"]:
                for name in (path + ".py", path + "/__init__.py", path + "/_version.py", path + "/version.py", path + "/__version__.py", path + "/__about__.py", path + "/about.py"):
                    value = self.version_pattern(os.path.join(src, name))
                    if value:
                        return value
        return ""

    def add_version_file(self, name, template):
        if isinstance(name, str) and name and not name.startswith("/") and ".." not in name.split("/") and not self.exists(name) and name not in [f[0] for f in self.version_files]:
            self.version_files.append((name, template if isinstance(template, str) else ""))

    def version_texts(self):
        version = self.version or "0"
        parts = tuple(int(p) if p.isdigit() else p for p in re.split(r"[.+]", version))
        texts = []
        for name, template in self.version_files:
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

    def add_entry_points(self, group, points):
        for name, value in (points or {}).items():
            if isinstance(value, str):
                self.entry_points.setdefault(group, {}).setdefault(name, value.strip())

    def add_entry_points_text(self, text):
        parser = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",))
        parser.optionxform = str
        try:
            parser.read_string(text)
        except configparser.Error:
            return
        for group in parser.sections():
            self.add_entry_points(group, dict(parser.items(group)))

    def add_src(self, folder):
        folder = os.path.normpath(folder)
        if folder not in (".", "") and not folder.startswith(("/", "..")) and folder not in self.src and os.path.isdir(os.path.join(TREE, folder)):
            self.src.append(folder)

    def add_package_dir(self, mapping):
        for package, folder in (mapping if isinstance(mapping, dict) else {}).items():
            if not isinstance(folder, str):
                continue
            if not package:
                self.add_src(folder)
            elif os.path.basename(folder) == package and os.path.dirname(folder):
                self.add_src(os.path.dirname(folder))

    def python_path(self):
        if not self.src and os.path.isdir(os.path.join(TREE, "src")) and not self.exists("src/__init__.py"):
            inside = self.names("src")
            if any(self.exists("src/%s/__init__.py" % n) or n.endswith(".py") for n in inside) or any(os.path.isdir(os.path.join(TREE, "src", n)) for n in inside):
                self.add_src("src")
        return self.src + ["."]

    def run(self):
        self.read_pyproject()
        self.read_setup_cfg()
        self.read_setup_py()
        self.read_published()
        self.python_path()
        self.read_groups()
        self.read_tox()
        self.read_nox()
        self.read_requirement_files()
        self.version = self.version or self.hint or self.search_version() or ""
        self.read_pytest()
        fits = True
        try:
            fits = not self.requires_python or SpecifierSet(self.requires_python).contains("%d.%d.%d" % sys.version_info[:3], prereleases=True)
        except InvalidSpecifier:
            self.note(self.requires_python, "requires-python is not a version specifier")
        return {
            "name": self.name, "version": self.version, "license": self.license, "requires_python": self.requires_python, "python_fits": fits,
            "python_path": self.python_path(), "requirements": self.requirements, "entry_points": self.entry_points,
            "pytest": self.pytest, "version_files": self.version_texts(), "compiled": self.compiled, "notes": self.notes,
        }


# Small readers


def license_of(value):
    if isinstance(value, dict):
        value = value.get("text") or ""
    return value.strip().splitlines()[0].strip() if isinstance(value, str) and value.strip() else ""


def from_classifiers(classifiers):
    for c in classifiers if isinstance(classifiers, (list, tuple)) else []:
        if isinstance(c, str) and c.strip().startswith("License ::") and c.strip() != "License :: OSI Approved":
            return c.split("::")[-1].strip()
    return ""


def lines_of(text):
    return [line.strip() for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]


def pairs(lines):
    return dict(tuple(p.strip() for p in line.split("=", 1)) for line in lines if "=" in line)


def strings(value):
    if isinstance(value, str):
        return lines_of(value)
    return [v for v in value if isinstance(v, str)] if isinstance(value, (list, tuple)) else []


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


def called(node):
    names = []
    f = node.func
    while isinstance(f, ast.Attribute):
        names.append(f.attr)
        f = f.value
    return ".".join(reversed(names + [f.id])) if isinstance(f, ast.Name) else ""


def constant(node, known):
    """The value of an expression made of constants and known names, else None."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return known.get(node.id)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        found = []
        for item in node.elts:
            value = constant(item.value if isinstance(item, ast.Starred) else item, known)
            found += list(value) if isinstance(item, ast.Starred) and isinstance(value, (list, tuple)) else [value]
        return [v for v in found if v is not None]
    if isinstance(node, ast.Dict):
        found = {}
        for key, value in zip(node.keys, node.values):
            value = constant(value, known)
            if key is None:
                found.update(value if isinstance(value, dict) else {})
            elif isinstance(constant(key, known), str) and value is not None:
                found[constant(key, known)] = value
        return found
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = constant(node.left, known), constant(node.right, known)
        if isinstance(left, list) or isinstance(right, list):
            return (left if isinstance(left, list) else []) + (right if isinstance(right, list) else [])
        return left + right if isinstance(left, str) and isinstance(right, str) else None
    if isinstance(node, ast.Subscript):
        base, key = constant(node.value, known), constant(node.slice, known)
        return base.get(key) if isinstance(base, dict) and isinstance(key, str) else None
    if isinstance(node, ast.Call) and called(node) == "dict":
        found = {k.arg: constant(k.value, known) for k in node.keywords if k.arg}
        return {k: v for k, v in found.items() if v is not None}
    return None


def assigned(text, variable):
    try:
        module = ast.parse(text)
    except (SyntaxError, ValueError):
        return ""
    known = {}
    for node in module.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        for target in targets:
            if isinstance(target, ast.Name) and node.value is not None:
                known[target.id] = constant(node.value, known)
    value = known.get(variable)
    if isinstance(value, list):
        value = ".".join(map(str, value))
    return value if isinstance(value, str) else ""


print(json.dumps(Discovery(json.load(sys.stdin)).run()))
