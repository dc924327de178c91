"""What a source archive was published with: PKG-INFO, requires.txt and
entry_points.txt."""
import re
from email.parser import HeaderParser

from licenses import from_classifiers
from lists import lines_of


def read(repo):
    published = repo.info.get("PKG-INFO") or ""
    if not published:
        return
    head = HeaderParser().parsestr(published)
    repo.name = repo.name or head.get("Name") or ""
    if head.get("Version") and head["Version"] != "0.0.0":
        repo.version = head["Version"]
    repo.license = repo.license or head.get("License-Expression") or from_classifiers(head.get_all("Classifier") or []) or head.get("License") or ""
    repo.requires_python = repo.requires_python or head.get("Requires-Python") or ""
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
            repo.extra(extra, texts, "PKG-INFO Requires-Dist " + extra)
        repo.declare(runtime, "PKG-INFO Requires-Dist")
    elif repo.info.get("requires.txt"):
        read_requires_txt(repo, repo.info["requires.txt"])
    if not repo.entry_points:
        repo.add_entry_points_text(repo.info.get("entry_points.txt") or "")


def read_requires_txt(repo, text):
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
            repo.extra(extra, texts, "requires.txt [%s]" % extra)
        else:
            runtime += texts
    repo.declare(runtime, "requires.txt")
