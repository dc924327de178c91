"""Looks for what prompts of a localization release give away.

    python3 check_prompts.py RELEASE owner/name=CLONE ...

It reads RELEASE/tasks.jsonl and RELEASE/repositories.jsonl and asks git for
each task's diff and for the snapshot's files. It knows the rules from their
description alone and shares no code, pattern or table with the program that
wrote the prompts: a name is looked for by a regular expression made from its
words, comments and strings are found by one expression over a line, and what
was there before is read from the changed files' whole earlier text.

It prints a JSON object for each violation, and a summary. Exit status 1 says
that there are violations.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unicodedata

LIMITS = {"minimal": 25, "concise": 50, "contextual": 150, "guided": 250}
ORDINARY = 5  # a word in more files than these is ordinary
PROSE = {"md", "mdx", "markdown", "rst", "adoc", "txt", "tex"}
HASH_COMMENTS = {"py", "pyi", "rb", "sh", "bash", "yml", "yaml", "toml", "pl", "r", "cmake", "mk", "conf", "cfg", "ex", "exs"}
DASH_COMMENTS = {"sql", "lua", "hs", "elm"}
NOT_NAMES = set("""if else for while do switch case catch try return sizeof func function fn def class struct enum interface
    new delete throw match when with await async yield and or not in is lambda elif unless until static const let var
    export default public private protected void auto assert defer go select typename template operator super self this import from
    typeof int bool defined decltype alignas noexcept explicit raise except print impl trait""".split())

LATIN = str.maketrans("аеорсухіјѕАВЕКМНОРСТУХІЈЅοανρτυικ‐‑‒–—−∕⁄", "aeopcyxijsABEKMHOPCTYXIJSoavptuik------//")


def plain(text):
    """Text without what only looks different."""
    text = unicodedata.normalize("NFKC", text)
    return "".join(c for c in text if unicodedata.category(c) != "Cf").translate(LATIN)


def git(clone, *args):
    done = subprocess.run(["git", "-C", clone, *args], check=True, capture_output=True)
    return done.stdout


def words_of(name):
    """The words that a name is made of, in lower case."""
    found = []
    for piece in re.split(r"[\W_]+", name):
        found += re.findall(r"[A-Z]+s?(?![a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[0-9]+[a-z]*|[^\W\da-zA-Z]+[0-9]*", piece)
    return [w.lower() for w in found]


def is_compound(name):
    return len(words_of(name)) > 1 or "_" in name.strip("_")


# Without it git heads a hunk in a method with the method's class.
DRIVERS = {"python": "py pyi", "golang": "go", "cpp": "c cc cpp cxx h hh hpp", "java": "java", "kotlin": "kt", "rust": "rs", "ruby": "rb", "csharp": "cs", "php": "php"}
ATTRIBUTES = ""


class Snapshot:
    def __init__(self, clone, commit):
        self.files = collections.Counter()  # squashed word → files
        self.names = set()
        listing = git(clone, "ls-tree", "-r", "-z", commit).decode("utf-8", "replace").split("\0")
        blobs = [entry.split()[2] for entry in listing if entry and entry.split()[1] == "blob"]
        process = subprocess.Popen(["git", "-C", clone, "cat-file", "--batch"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        for blob in blobs:
            process.stdin.write(blob.encode() + b"\n")
            process.stdin.flush()
            size = int(process.stdout.readline().split()[2])
            content = process.stdout.read(size + 1)[:size]
            if b"\0" in content[:8000] or size > 2 << 20:
                continue
            names = set(re.findall(r"[\w$]+", content.decode("utf-8", "replace")))
            self.names |= names
            here = set()
            for name in names:
                here.add(re.sub(r"[\W_]", "", name).lower())
                here.update(words_of(name))
            self.files.update(here)
        process.stdin.close()
        process.wait()

    def ordinary(self, word):
        return self.files[re.sub(r"[\W_]", "", word).lower()] > ORDINARY

    def excused(self, name):
        return name.isalpha() and not is_compound(name) and self.ordinary(name)


class Diff:
    """What one pull request changes."""

    def __init__(self, clone, base, commit):
        self.paths = set()
        fields = git(clone, "diff", "--name-status", "-z", "-M50%", "--no-ext-diff", base, commit).decode("utf-8", "surrogateescape").split("\0")
        while fields and fields[0]:
            kind = fields.pop(0)
            for _ in range(2 if kind[0] in "RC" else 1):
                self.paths.add(fields.pop(0))
        self.added, self.changed, self.headings, self.before = [], [], [], set()
        name, old, in_hunk = "", "", False
        text = git(clone, "-c", "core.attributesFile=" + ATTRIBUTES, "diff", "-M50%", "-U3", "--no-color", "--no-ext-diff", "--no-textconv", "--src-prefix=a/", "--dst-prefix=b/", base, commit)
        for line in text.decode("utf-8", "replace").split("\n"):
            if line.startswith("diff --git "):
                in_hunk, old = False, ""
            elif not in_hunk and line.startswith("--- "):
                old = line[4:].strip('"').removeprefix("a/")
            elif not in_hunk and line.startswith("+++ "):
                name = line[4:].strip('"').removeprefix("b/")
                if name == "/dev/null":
                    name = old
                if old != "/dev/null":
                    try:
                        whole = git(clone, "show", base + ":" + old).decode("utf-8", "replace")
                        self.before |= set(re.findall(r"[\w$]+", whole))
                    except subprocess.CalledProcessError:
                        pass
            elif line.startswith("@@ "):
                in_hunk = True
                self.headings.append((name, line.split("@@", 2)[2].strip()))
            elif in_hunk and line.startswith("+"):
                self.added.append((name, line[1:]))
                self.changed.append((name, line[1:]))
            elif in_hunk and line.startswith("-"):
                self.changed.append((name, line[1:]))


def extension(path):
    base = path.rsplit("/", 1)[-1]
    if base in ("Makefile", "Dockerfile", "CMakeLists.txt"):
        return "mk"
    return base.rsplit(".", 1)[-1].lower() if "." in base else ""


def pieces(path, line):
    """A line's code without comments, and its string literals."""
    ext = extension(path)
    comment = r"#.*" if ext in HASH_COMMENTS else r"--.*" if ext in DASH_COMMENTS else r"//.*|/\*.*|<!--.*|^\s*\*(?:\s.*|/.*)?$"
    literals = []

    def take(match):
        found = match.group(0)
        if found[0] in "\"'`" and len(found) > 1:
            literals.append(found[1:-1])
            return ' "" '
        return " "

    code = re.sub(r'"(?:\\.|[^"\\])*"|(?<!\w)\'(?:\\.|[^\'\\])*\'|`(?:\\.|[^`\\])*`|' + comment, take, line)
    return code, literals


def standing(what, text):
    """Whether text holds what, not inside a longer word."""
    left = r"(?<!\w)" if re.match(r"\w", what) else ""
    right = r"(?!\w)" if re.search(r"\w$", what) else ""
    return re.search(left + re.escape(what) + right, text) is not None


def spelled(name, snapshot, text):
    """Whether text spells a name in any of the ways to join its words."""
    words = words_of(name)
    if not words:
        return False
    prose = len(words) < 5 and all(snapshot.ordinary(w) for w in words)
    between = r"[_\-.:/]{0,2}" if prose else r"(?:[_\-.:/]{0,2}|\s)"
    pattern = r"(?<!\w)" + between.join(re.escape(w) for w in words) + r"(?:e?s)?(?!\w)"
    return re.search(pattern, text, re.IGNORECASE) is not None


def violations(level, prompt, diff, snapshot):
    text = plain(prompt)
    low = re.sub(r"\s+", " ", text.lower())
    count = len(prompt.split())
    if not 2 <= count <= LIMITS[level]:
        yield "words", str(count)
    for rule, pattern in (
        ("fence", r"```|^\s*~~~"),
        ("url", r"(?i)\b[a-z]+://\S|\bwww\.\w"),
        ("reference", r"(?<![&\w])#\d+\b|\bGH-\d+"),
        ("handle", r"(?:^|[\s(,;])@[A-Za-z]\w*|[\w.]+@\w+\.\w+"),
        ("date", r"\b(?:19|20)\d\d-[01]?\d-[0-3]?\d\b|\b(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2},? (?:19|20)\d\d\b"),
    ):
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            yield rule, found.group(0)
    for found in re.findall(r"\b[0-9a-fA-F]{7,64}\b", text):
        if re.search(r"\d", found) and re.search(r"[a-fA-F]", found):
            yield "hash", found

    slashed = low.replace("\\", "/")
    for path in diff.paths:
        base = path.rsplit("/", 1)[-1]
        for what in (path, base):
            if standing(plain(what).lower(), slashed):
                yield "path", what
        stem = base.lstrip(".").split(".")[0]
        longer = base.lstrip(".").rsplit(".", 1)[0]
        for what in {stem, longer}:
            if sum(c.isalpha() for c in what) >= 4 and not snapshot.ordinary(what) and spelled(plain(what), snapshot, text):
                yield "stem", what

    introduced, literals, runs = set(), set(), set()
    for path, line in diff.added:
        if extension(path) in PROSE:
            continue
        code, strings = pieces(path, line)
        declared = set(re.findall(r"\b(?:func|function|def|fn|class|struct|enum|interface|type|const|let|var)\s+([A-Za-z_]\w*)", code))
        for name in re.findall(r"[A-Za-z_]\w{2,}", code):
            if (is_compound(name) or name in declared) and name not in NOT_NAMES:
                introduced.add(name)
        literals.update(s for s in strings if len(s.strip()) >= 6)
        literals.update(n for n in re.findall(r"(?<![\w.])\d\w*(?![\w.])", code) if len(n) >= 6)
    for name in introduced:
        if name in snapshot.names or name in diff.before or snapshot.excused(name):
            continue
        if spelled(name, snapshot, text):
            yield "identifier", name
    for literal in literals:
        if not snapshot.excused(literal.strip()) and re.search(r"\w", literal):
            if standing(re.sub(r"\s+", " ", plain(literal).strip().lower()), low):
                yield "literal", literal

    if level != "guided":
        functions = set()
        for path, heading in diff.headings:
            if extension(path) not in PROSE:
                found = [n for n in re.findall(r"([A-Za-z_]\w+)\s*\(", heading) if n not in NOT_NAMES]
                functions.update(found[:1])
        for path, line in diff.changed:
            if extension(path) not in PROSE:
                functions.update(re.findall(r"\b(?:func|function|def|fn)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w+)\s*[(<\[]", pieces(path, line)[0]))
        for name in functions:
            if name not in NOT_NAMES and not snapshot.excused(name) and spelled(name, snapshot, text):
                yield "function", name

    tokens = re.findall(r"\w+|[^\w\s]", text.lower())
    asked = {tuple(tokens[i : i + 5]) for i in range(len(tokens) - 4)}
    for path, line in diff.changed:
        if extension(path) in PROSE:
            continue
        there = re.findall(r"\w+|[^\w\s]", plain(pieces(path, line)[0]).lower())
        runs.update(tuple(there[i : i + 5]) for i in range(len(there) - 4))
    for run in asked & runs:
        yield "code", " ".join(run)


def main(arguments):
    global ATTRIBUTES
    with tempfile.NamedTemporaryFile("w", suffix=".gitattributes") as file:
        for driver, extensions in DRIVERS.items():
            file.writelines(f"*.{e} diff={driver}\n" for e in extensions.split())
        file.flush()
        ATTRIBUTES = file.name
        return check(arguments)


def check(arguments):
    release = pathlib.Path(arguments[0])
    clones = dict(argument.split("=", 1) for argument in arguments[1:])
    snapshots = {}
    for line in (release / "repositories.jsonl").read_text("utf-8").splitlines():
        repository = json.loads(line)
        snapshots[repository["name"]] = Snapshot(clones[repository["name"]], repository["snapshot"])
    tasks = prompts = bad = 0
    for line in (release / "tasks.jsonl").read_text("utf-8").splitlines():
        task = json.loads(line)
        tasks += 1
        written = task.get("prompts") or {}
        if not written:
            continue
        if set(written) != set(LIMITS):
            bad += 1
            print(json.dumps({"task": task["instance_id"], "rule": "levels", "what": sorted(written)}))
        diff = Diff(clones[task["repo"]], task["base"], task["commit"])
        for level, prompt in written.items():
            prompts += 1
            for rule, what in violations(level, prompt, diff, snapshots[task["repo"]]):
                bad += 1
                print(json.dumps({"task": task["instance_id"], "level": level, "rule": rule, "what": what}, ensure_ascii=False))
    print(json.dumps({"tasks": tasks, "prompts": prompts, "violations": bad}))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
