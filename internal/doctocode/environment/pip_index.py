
# Asks the indexes that pip is configured with. argv: list NAME,
# download NAME VERSION FOLDER MAX_BYTES, or newest REQUIREMENT. Prints one
# JSON object.
import contextlib
import hashlib
import json
import logging

logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(message)s")

from pip._internal.commands import create_command
from pip._vendor.packaging.requirements import Requirement
from pip._vendor.packaging.utils import canonicalize_name
from pip._vendor.packaging.version import InvalidVersion, Version


def candidates(name, any_python):
    command = create_command("download")
    options, _ = command.parse_args(["--no-deps", "--no-input", "--retries", "2", name])
    with command.main_context():
        session = command.get_default_session(options)
        session.auth.prompting = False
        finder = command._build_package_finder(options, session, ignore_requires_python=any_python)
        yield from ((c, session) for c in finder.find_all_candidates(canonicalize_name(name)))


def listing(name):
    found = {"wheels": set(), "sources": set()}
    for candidate, _ in candidates(name, False):
        found["wheels" if candidate.link.is_wheel else "sources"].add(candidate.version)
    return {kind: [str(v) for v in sorted(versions)] for kind, versions in found.items()}


def newest(text):
    """The newest version with a source archive that satisfies a requirement."""
    requirement = Requirement(text)
    versions = [c.version for c, _ in candidates(requirement.name, False) if not c.link.is_wheel]
    fitting = sorted(requirement.specifier.filter(versions))
    return {"version": str(fitting[-1]) if fitting else ""}


def download(name, version, folder, limit):
    try:
        wanted = Version(version)
    except InvalidVersion:
        return {"error": "version"}
    others = set()
    for candidate, session in candidates(name, True):
        if candidate.version != wanted or candidate.link.is_wheel:
            others.add((candidate.version, candidate.link.is_wheel))
            continue
        return fetch(candidate.link, session, folder, limit)
    if (wanted, True) in others:
        return {"error": "wheels"}
    return {"error": "absent", "versions": [str(v) for v in sorted({v for v, _ in others})][-12:]}


def fetch(link, session, folder, limit):
    target = os.path.join(folder, "source" + link.ext)
    digest, size = hashlib.sha256(), 0
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(open(target, "wb"))
        if link.is_file:
            source = stack.enter_context(open(link.file_path, "rb"))
            chunks = iter(lambda: source.read(1 << 16), b"")
        else:
            response = session.get(link.url.split("#", 1)[0], headers={"Accept-Encoding": "identity"}, stream=True)
            response.raise_for_status()
            chunks = response.raw.stream(1 << 16, decode_content=False)
        for chunk in chunks:
            size += len(chunk)
            if size > limit:
                return {"error": "size"}
            digest.update(chunk)
            out.write(chunk)
    told = link.hash if link.hash_name == "sha256" else ""
    if told and told != digest.hexdigest():
        return {"error": "hash", "told": told, "sha256": digest.hexdigest()}
    return {"file": target, "name": link.filename, "sha256": digest.hexdigest(), "verified": bool(told)}


if sys.argv[1] == "list":
    answer = listing(sys.argv[2])
elif sys.argv[1] == "newest":
    answer = newest(sys.argv[2])
else:
    answer = download(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
print(json.dumps(answer))
