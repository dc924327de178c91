"""The static screen: which candidates look as if they might cheat.

A flag never fails a candidate. It says that a pass is to be confirmed by a
second run in which another process judges the tests. So the lists err on the
side of flagging, but leave alone what honest bodies do every day.
"""

import ast
import re

# What a body may import without a flag.
_HARMLESS_MODULES = {
    "__future__", "abc", "argparse", "array", "ast", "asyncio", "base64", "binascii", "bisect", "bz2", "calendar",
    "cmath", "codecs", "collections", "collections.abc", "colorsys", "concurrent.futures", "configparser", "contextlib",
    "contextvars", "copy", "csv", "dataclasses", "datetime", "decimal", "difflib", "email", "email.utils", "enum", "errno",
    "fnmatch", "fractions", "functools", "getpass", "glob", "gzip", "hashlib", "heapq", "hmac", "html", "html.parser",
    "http", "io", "ipaddress", "itertools", "json", "keyword", "locale", "logging", "lzma", "math", "mimetypes",
    "numbers", "operator", "os", "os.path", "pathlib", "platform", "pprint", "queue", "quopri", "random", "re", "reprlib",
    "secrets", "shlex", "shutil", "sqlite3", "statistics", "string", "stringprep", "struct", "sys", "tempfile", "textwrap",
    "time", "token", "tokenize", "typing", "typing_extensions", "unicodedata", "urllib", "urllib.error", "urllib.parse",
    "uuid", "warnings", "weakref", "xml", "xml.etree", "xml.etree.ElementTree", "xml.sax.saxutils", "zipfile", "zlib",
    "zoneinfo",
}
# Modules whose use is flagged even where the file imports them itself.
_MODULES = {
    "gc", "ctypes", "_ctypes", "cffi", "inspect", "marshal", "dis", "types", "importlib", "imp",
    "_pytest", "pytest", "pluggy", "unittest", "doctest", "linecache", "traceback", "tracemalloc",
    "signal", "faulthandler", "atexit", "threading", "_thread", "multiprocessing", "subprocess",
    "concurrent", "socket", "mmap", "resource", "fcntl", "pickle", "builtins", "site", "runpy",
    "touchstone_harness", "codeop", "code", "pdb", "bdb", "pkgutil", "zipimport", "opcode", "posix", "_io",
    "_imp", "_frozen_importlib", "timeit", "pydoc", "cProfile", "profile", "trace", "copyreg", "conftest",
}
# Modules that others expose as attributes: random._os, logging.sys.
_EXPOSED = {
    "os", "_os", "sys", "_sys", "posix", "builtins", "_builtins", "gc", "ctypes", "inspect", "marshal", "importlib",
    "linecache", "subprocess", "atexit", "unittest", "_bootstrap", "_bootstrap_external", "_imp", "_thread",
}
_BUILTINS = {
    "exec", "eval", "compile", "__import__", "__build_class__", "globals", "locals", "vars", "setattr", "delattr",
    "getattr", "breakpoint", "help",
}
_NAMES = {
    "__builtins__", "__loader__", "__spec__", "__file__", "__cached__", "_getframe", "_current_frames",
    "__code__", "__globals__", "__closure__", "__defaults__", "__kwdefaults__", "__subclasses__",
    "__mro__", "__bases__", "__dict__", "f_back", "f_locals", "f_globals", "f_code", "f_builtins",
    "tb_frame", "gi_frame", "cr_frame", "ag_frame", "co_consts", "co_code", "modules", "settrace",
    "setprofile", "monitoring", "excepthook", "meta_path", "path_hooks", "path_importer_cache",
    "_exit", "abort", "kill", "killpg", "fork", "forkpty", "setsid", "execv", "execve", "execvp",
    "posix_spawn", "system", "popen", "ANY", "currentframe", "getsource", "getsourcelines",
    "get_referrers", "get_objects", "get_referents", "exitstatus", "SystemExit", "KeyboardInterrupt",
    "GeneratorExit", "BaseException", "__stdout__", "__stderr__", "fileno", "AssertionError",
    "__reduce__", "__reduce_ex__", "__init_subclass__", "__set_name__", "__getattribute__", "__subclasshook__",
    "__getattr__", "__instancecheck__", "__subclasscheck__", "prlimit", "setrlimit", "ptrace",
    "attrgetter", "methodcaller", "Formatter", "get_field", "get_type_hints", "ForwardRef", "_evaluate",
    "singledispatch", "singledispatchmethod", "new_class", "make_dataclass", "ABCMeta", "EnumMeta", "EnumType",
    "FunctionType", "CodeType", "create_subprocess_exec", "create_subprocess_shell", "FileIO", "open_code",
    "get_stack", "findCaller", "finalize", "addaudithook", "__self__", "__func__", "__wrapped__",
}
# Of those, what says something without a module or object before it.
_BARE = {"SystemExit", "KeyboardInterrupt", "GeneratorExit", "BaseException", "AssertionError"}
# Attributes of a method's own object that say nothing.
_OWN_HARMLESS = {"__dict__"}
_COMPARISONS = {
    "__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__bool__", "__contains__", "__len__",
    "__class__", "__call__", "__iter__", "__str__", "__repr__",
}
# What a body may ordinarily ask of these two modules; all else is flagged.
_HARMLESS = {
    "os": {"path", "sep", "linesep", "environ", "getenv", "getcwd", "fspath", "name", "altsep", "extsep", "pathsep", "PathLike",
           "fsencode", "fsdecode", "curdir", "pardir", "cpu_count", "getpid"},
    "sys": {"version_info", "version", "maxsize", "platform", "byteorder", "maxunicode", "getsizeof", "intern", "float_info",
            "hexversion", "argv", "stdin", "stdout", "stderr", "exit", "exc_info", "getdefaultencoding",
            "getfilesystemencoding", "getrecursionlimit", "executable", "implementation"},
}
_FILE_CALLS = {
    "open", "fdopen", "write", "writev", "pwrite", "dup", "dup2", "pipe", "sendfile", "read_text", "read_bytes",
    "write_text", "write_bytes", "unlink", "rename", "replace", "remove", "symlink", "link", "mkdir", "chmod",
    "listdir", "scandir", "walk", "glob", "rglob", "iterdir", "get_data", "get_source", "getline", "getlines",
    "copyfile", "copytree", "rmtree", "fromfile", "loadtxt", "genfromtxt",
}
_COMMON_METHODS = {"replace", "remove", "link", "walk", "write"}  # of strings, lists, trees and streams
_TELLING = {"pytest", "touchstone", "/proc/", "conftest"}  # in any string
_DOTTED = re.compile(r"[\w.:\[\]!]+\Z")
_FIELD = re.compile(r"\{[^{}]*[.\[]([^{}]*)\}")
_WORD = re.compile(r"\w+")


def _is_type(arguments):
    return len(arguments) == 1 and isinstance(arguments[0], ast.Name) and arguments[0].id == "type"


def codes(statements, imports=None):
    """Codes of what is suspicious in a body.

    imports: name → what it stands for, of the imports outside the body.
    """
    screen = _Screen(dict(imports or {}))
    for statement in statements:
        screen.visit(statement)
    return screen.found


class _Screen(ast.NodeVisitor):
    def __init__(self, imports):
        self.found = set()
        self._imports = imports
        self._own = {"self", "cls"}

    # Modules.

    def visit_Import(self, node):
        for alias in node.names:
            self._module(alias.name)
            top = alias.name.split(".")[0]
            self._imports[alias.asname or top] = alias.name if alias.asname else top

    def visit_ImportFrom(self, node):
        self._module("." * node.level + (node.module or ""))
        for alias in node.names:
            self._imports[alias.asname or alias.name] = "%s.%s" % (node.module, alias.name)
            self._origin(self._imports[alias.asname or alias.name])

    def _module(self, name):
        if name not in _HARMLESS_MODULES:
            self._add("module:" + (name if name.startswith(".") else name.split(".")[0]))

    def _origin(self, dotted):
        """Judges a thing by the module it comes from."""
        module, *names = dotted.split(".")
        if module in _MODULES:
            self._add("module:" + module)
        if names and names[0] not in _HARMLESS.get(module, names):
            self._add("name:%s.%s" % (module, names[0]))
        for name in names:
            self._name(name)

    # Names.

    def visit_Name(self, node):
        name = node.id
        if name.startswith("_") or name in _BARE:
            self._name(name)
        if not isinstance(node.ctx, ast.Load):
            if name in self._own:
                self._own.discard(name)  # it is no longer what the method was called on
                self._add("name:" + name)
            return
        if name in _BUILTINS:
            self._add("call:" + name)
        if name == "type":
            self._add("defines:class")  # it makes classes, too
        if name in self._imports:
            self._origin(self._imports[name])

    def visit_Attribute(self, node):
        name, own = node.attr, self._is_own(node.value)
        if not own or name.startswith("__") and not (name in _OWN_HARMLESS and isinstance(node.ctx, ast.Load)):
            self._name(name)
        if isinstance(node.value, ast.Name) and (node.value.id in self._imports or node.value.id in _HARMLESS):
            self._origin("%s.%s" % (self._imports.get(node.value.id, node.value.id), name))
        if name in _EXPOSED and not own:
            self._add("name:" + name)
        if not isinstance(node.ctx, ast.Load):
            if not own:
                self._add("writes:attribute")
            if name in _COMPARISONS:
                self._add("defines:" + name)
        self.generic_visit(node)

    def visit_MatchClass(self, node):
        for name in node.kwd_attrs:
            self._name(name)
            if name in _EXPOSED:
                self._add("name:" + name)
        self.generic_visit(node)

    def _is_own(self, node):
        """Attributes of self and cls are a method's ordinary business."""
        return isinstance(node, ast.Name) and node.id in self._own

    def _name(self, name):
        if name in _NAMES:
            self._add("name:" + name)

    # Calls.

    def visit_Call(self, node):
        function = node.func
        if isinstance(function, ast.Name) and self._harmless_call(function.id, node):
            for child in node.args:
                self.visit(child)
            return
        if isinstance(function, ast.Name) and function.id in ("isinstance", "issubclass") and _is_type(node.args[-1:]):
            self.visit(node.args[0])
            return
        if isinstance(function, ast.Name):
            if function.id in _FILE_CALLS:
                self._add("call:" + function.id)
        elif isinstance(function, ast.Attribute):
            if function.attr in _FILE_CALLS and function.attr not in _COMMON_METHODS:
                self._add("call:" + function.attr)
            if function.attr in ("format", "format_map") and not isinstance(function.value, ast.Constant):
                self._add("call:format")
        self.generic_visit(node)

    def _harmless_call(self, name, node):
        """A use of a builtin that gives no power over anything but plain data
        and the method's own object."""
        arguments = node.args
        if node.keywords or any(isinstance(a, ast.Starred) for a in arguments) or not arguments:
            return False
        own = self._is_own(arguments[0])
        constant = len(arguments) > 1 and isinstance(arguments[1], ast.Constant)
        if name == "type":
            return len(arguments) == 1
        if name == "getattr":
            return own or constant
        if name == "setattr":
            return isinstance(arguments[0], ast.Name) and arguments[0].id == "self" and own or own and constant
        if name == "vars":
            return own
        return False

    # Definitions and constants.

    def visit_ClassDef(self, node):
        self._add("defines:class")
        self.generic_visit(node)

    def visit_FunctionDef(self, node):
        if node.name in _COMPARISONS:
            self._add("defines:" + node.name)
        self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Global(self, node):
        self._add("global")

    def visit_Constant(self, node):
        value = node.value
        if isinstance(value, bytes):
            value = value.decode("latin-1")
        if not isinstance(value, str):
            return
        if any(word in value.lower() for word in _TELLING):
            self._add("names:harness")
        spoken = [value] if _DOTTED.match(value) else _FIELD.findall(value)
        for word in _WORD.findall(" ".join(spoken)):
            if word in _COMPARISONS or word in _NAMES or word in _MODULES and word == value:
                self._add("names:" + word)

    def _add(self, code):
        self.found.add(code)
