"""One candidate body as text: what is asked for, and whether it may run."""

import ast

from . import screen, swap


class Request:
    """A candidate as the server got it."""

    def __init__(self, fields):
        self.strategy = fields["strategy"]
        self.path = fields["path"]  # relative to the root
        self.line = fields["line"]  # of the target's def
        self.first_line = fields["first_line"]  # with decorators
        self.name = fields["name"]
        self.classes = fields.get("classes", [])
        self.outer = fields["outer"]  # {"name", "first_line", "start", "end"}; offsets in the UTF-8 text
        self.original = None  # original text of the outermost definition, until the candidate is checked
        self.segment = fields["segment"]  # the candidate's
        self.tests = fields["tests"]
        self.wall = fields["wall"]
        self.stop = fields.get("stop", True)
        self.memory = fields.get("memory")
        self.file_size = fields.get("file_size")
        self.processes = fields.get("processes")

    def lines(self):
        """First and last line of the outermost definition with the candidate in it."""
        first = self.outer["first_line"]
        return first, first + self.segment.count("\n") + 1

    def nested(self):
        """Whether the target stands inside another function."""
        return self.outer["first_line"] != self.first_line or self.outer["name"] != self.name


class Facts:
    """What a candidate's file says outside the candidate, as far as it matters to it."""

    def __init__(self, source):
        import __future__

        self.future_flags = 0  # for compile
        self.imports = {}  # name → what it stands for, of the file's own imports
        tree = ast.parse(source)
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module == "__future__":
                for alias in node.names:
                    self.future_flags |= getattr(__future__, alias.name).compiler_flag
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    top = alias.name.split(".")[0]
                    self.imports[alias.asname or top] = alias.name if alias.asname else top
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = "%s.%s" % (node.module, alias.name)


class Checked:
    """A candidate that parses and changes nothing but the target's body."""

    def __init__(self, wrapped, flags, known):
        self.wrapped = wrapped
        self.flags = flags
        self.known = known  # codes that the original body would raise, too


class Rejected(Exception):
    """The candidate is not run: verdict syntax_error or tampered."""

    def __init__(self, verdict, why):
        super().__init__(why)
        self.verdict = verdict
        self.why = why


def check(request, facts):
    """Raises Rejected unless the candidate is a body and nothing else."""
    indented = request.segment[:1] in " \t\f"
    try:
        source, depth = swap.wrap(request.segment, request.outer["first_line"], request.classes, indented)
        original, _ = swap.wrap(request.original, request.outer["first_line"], request.classes, indented)
    except swap.Unsupported:
        # Rare layouts: all under one generic header.
        source, original, depth = _loose(request, request.segment), _loose(request, request.original), 1
    try:
        statement = swap.parse(source, depth)
        if statement is not None:
            compile(source, request.path, "exec", flags=facts.future_flags, dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        raise Rejected("syntax_error", str(error)) from None
    except (RecursionError, MemoryError):
        raise Rejected("syntax_error", "nested too deeply to parse") from None
    if statement is None:
        raise Rejected("tampered", "there is code behind the function's end")
    before = swap.parse(original, depth)
    target, old = _target(statement, request), _target(before, request)
    if target is None or old is None:
        raise Rejected("tampered", "the target's definition is no longer there")
    body, old_body = target.body, old.body
    doc = _documented(old)
    if doc and not _same(body[:1], old_body[:1]):
        raise Rejected("tampered", "the docstring was changed")
    target.body, old.body = [], []
    if ast.dump(statement) != ast.dump(before):
        raise Rejected("tampered", "code outside the body was changed")
    known = screen.codes(old_body[doc:], facts.imports)
    try:
        found = screen.codes(body[doc:], facts.imports)
    except RecursionError:
        found = {"deep"}
    return Checked(source, sorted(found - known), known)


def _loose(request, segment):
    return "\n" * max(0, request.outer["first_line"] - 2) + "if 1:\n" + segment


def _target(statement, request):
    for node in ast.walk(statement):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if node.lineno == request.line and node.name == request.name:
                return node
    return None


def _documented(node):
    first = node.body[0]
    return int(isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str))


def _same(left, right):
    return [ast.dump(n) for n in left] == [ast.dump(n) for n in right]


def cut(source, outer):
    """The text of the outermost definition."""
    return source.encode("utf-8", "surrogatepass")[outer["start"] : outer["end"]].decode("utf-8", "surrogatepass")


def spliced(full, request):
    """The whole file's text with the candidate in it."""
    data = full.encode("utf-8", "surrogatepass")
    outer = request.outer
    new = data[: outer["start"]] + request.segment.encode("utf-8", "surrogatepass") + data[outer["end"] :]
    return new.decode("utf-8", "surrogatepass")
