"""A repository and what has been found of it so far. A value that is found first
is kept."""
import configparser
import os
import re

from pip._vendor.packaging.requirements import InvalidRequirement, Requirement

from names import normal
from tree import Tree


class Repository(Tree):
    def __init__(self, root, given):
        super().__init__(root)
        self.info = given.get("info") or {}
        self.hint = given.get("version") or ""
        self.name = self.version = self.license = self.requires_python = ""
        self.flit_module = ""
        self.pyproject = {}
        self.declared = None  # runtime dependencies, once something declares them
        self.extras = {}  # extra -> (requirements, from)
        self.requirements = []
        self.seen = set()
        self.src = []
        self.entry_points = {}
        self.pytest = {"file": "", "addopts": [], "options": [], "required_plugins": []}
        self.version_files = []
        self.compiled = ""
        self.read_files = set()

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

    # Version files, entry points, folders

    def add_version_file(self, name, template):
        if isinstance(name, str) and name and not name.startswith("/") and ".." not in name.split("/") and not self.exists(name) and name not in [f[0] for f in self.version_files]:
            self.version_files.append((name, template if isinstance(template, str) else ""))

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
        if folder not in (".", "") and not folder.startswith(("/", "..")) and folder not in self.src and os.path.isdir(os.path.join(self.root, folder)):
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
        if not self.src and os.path.isdir(os.path.join(self.root, "src")) and not self.exists("src/__init__.py"):
            inside = self.names("src")
            if any(self.exists("src/%s/__init__.py" % n) or n.endswith(".py") for n in inside) or any(os.path.isdir(os.path.join(self.root, "src", n)) for n in inside):
                self.add_src("src")
        return self.src + ["."]
