"""The static screen: which candidates look as if they might cheat.

A flag never fails a candidate. It says that a pass is to be confirmed by a
second run in which another process judges the tests.
"""

import ast

_MODULES = {
    "gc", "ctypes", "_ctypes", "cffi", "inspect", "marshal", "dis", "types", "importlib", "imp",
    "_pytest", "pytest", "pluggy", "unittest", "doctest", "linecache", "traceback", "tracemalloc",
    "signal", "faulthandler", "atexit", "threading", "_thread", "multiprocessing", "subprocess",
    "concurrent", "socket", "mmap", "resource", "fcntl", "pickle", "builtins", "site", "runpy",
    "touchstone_harness", "codeop", "code", "pdb", "bdb", "pkgutil", "zipimport", "opcode",
}
_CALLS = {"exec", "eval", "compile", "__import__", "globals", "locals", "vars", "setattr", "delattr", "breakpoint"}
_NAMES = {
    "__builtins__", "__loader__", "__spec__", "__file__", "__cached__", "_getframe", "_current_frames",
    "__code__", "__globals__", "__closure__", "__defaults__", "__kwdefaults__", "__subclasses__",
    "__mro__", "__bases__", "__dict__", "__class__", "f_back", "f_locals", "f_globals", "f_code",
    "tb_frame", "gi_frame", "cr_frame", "ag_frame", "co_consts", "co_code", "modules", "settrace",
    "setprofile", "monitoring", "excepthook", "meta_path", "path_hooks", "path_importer_cache",
    "_exit", "abort", "kill", "killpg", "fork", "forkpty", "setsid", "execv", "execve", "execvp",
    "posix_spawn", "system", "popen", "ANY", "currentframe", "stack", "getsource", "getsourcelines",
    "get_referrers", "get_objects", "get_referents", "exitstatus", "SystemExit", "KeyboardInterrupt",
    "GeneratorExit", "BaseException", "stdout", "stderr", "__stdout__", "__stderr__", "AssertionError",
    "__new__", "__reduce__", "__reduce_ex__", "__init_subclass__", "__set_name__", "__getattribute__",
    "__getattr__", "__instancecheck__", "__subclasscheck__", "prlimit", "setrlimit", "ptrace",
}
_COMPARISONS = {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__bool__", "__contains__", "__len__"}
# What a body may ordinarily ask of these two modules; all else is flagged.
_HARMLESS = {
    "os": {"path", "sep", "linesep", "environ", "getcwd", "fspath", "name", "altsep", "extsep", "pathsep", "PathLike", "fsencode", "fsdecode"},
    "sys": {"version_info", "maxsize", "platform", "byteorder", "maxunicode", "getsizeof", "intern", "float_info", "hexversion", "argv"},
}
_FILE_CALLS = {
    "open", "fdopen", "write", "writev", "pwrite", "dup", "dup2", "pipe", "sendfile", "read_text", "read_bytes",
    "write_text", "write_bytes", "unlink", "rename", "replace", "remove", "symlink", "link", "mkdir", "chmod",
    "listdir", "scandir", "walk", "glob", "rglob", "iterdir", "get_data", "get_source", "getline", "getlines",
}


def flags(tree, original=None):
    """Codes of what is suspicious in a candidate's body, sorted.

    tree: the statements of the candidate's body. original: those of the
    original body; what the original does itself raises no flag.
    """
    found = _flags(tree)
    if original is not None:
        found -= _flags(original)
    return sorted(found)


def _flags(statements):
    found = set()
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    _module(alias.name, found)
            elif isinstance(node, ast.ImportFrom):
                _module(node.module or "", found)
                for alias in node.names:
                    _name(alias.name, found)
            elif isinstance(node, ast.Call):
                _call(node, found)
            elif isinstance(node, ast.Attribute):
                _name(node.attr, found)
                if isinstance(node.value, ast.Name) and node.attr not in _HARMLESS.get(node.value.id, {node.attr}):
                    found.add("name:" + node.value.id + "." + node.attr)
                if isinstance(node.ctx, ast.Store) and not _own(node.value):
                    found.add("writes:attribute")
            elif isinstance(node, ast.Name):
                _name(node.id, found)
                if node.id in _MODULES:
                    found.add("module:" + node.id)
            elif isinstance(node, ast.ClassDef):
                found.add("defines:class")
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                if node.name in _COMPARISONS:
                    found.add("defines:" + node.name)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                if node.value in _COMPARISONS or node.value in _NAMES or node.value in _MODULES:
                    found.add("names:" + node.value)
            elif isinstance(node, ast.Global):
                found.add("global")
    return found


def _own(node):
    """Attributes of self and cls are a method's ordinary business."""
    return isinstance(node, ast.Name) and node.id in ("self", "cls")


def _module(name, found):
    top = name.split(".")[0]
    if top in _MODULES:
        found.add("module:" + top)


def _name(name, found):
    if name in _NAMES:
        found.add("name:" + name)


def _call(node, found):
    function = node.func
    if isinstance(function, ast.Name):
        if function.id in _CALLS or function.id in _FILE_CALLS:
            found.add("call:" + function.id)
        if function.id == "type" and len(node.args) == 3:
            found.add("defines:class")
        if function.id == "getattr" and not (len(node.args) > 1 and isinstance(node.args[1], ast.Constant)):
            found.add("call:getattr")
    elif isinstance(function, ast.Attribute) and function.attr in _FILE_CALLS:
        # str.replace and list.remove are too common to be worth a flag.
        if function.attr not in ("replace", "remove", "link", "walk", "write"):
            found.add("call:" + function.attr)
