"""The files of the repository, as text, TOML or INI."""
import configparser
import os
import re

try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib

MAX_FILE = 4 << 20


class Tree:
    def __init__(self, root):
        self.root = root
        self.notes = []

    def text(self, name):
        """The text of a file inside the tree, or None."""
        full = os.path.realpath(os.path.join(self.root, name))
        if not (full + "/").startswith(os.path.realpath(self.root) + "/") or not os.path.isfile(full):
            return None
        if os.path.getsize(full) > MAX_FILE:
            self.note(name, "it is too large to be read")
            return None
        with open(full, "rb") as f:
            return f.read().decode("utf-8-sig", "replace")

    def exists(self, name):
        return os.path.exists(os.path.join(self.root, name))

    def names(self, folder):
        try:
            return sorted(os.listdir(os.path.join(self.root, folder)))
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
