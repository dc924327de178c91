"""Builds the wheel of a source archive, inside the sandbox. argv: ARCHIVE
MODE. With requires it prints the requirements of the build as JSON; with
build it prints a JSON line, either {"requires": [...]} for what the backend
asks for beyond those, or {"wheel": NAME} with the wheel's bytes behind it."""
import importlib
import json
import os
import shutil
import sys

out = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
archive, mode = sys.argv[1:3]
os.makedirs("/tmp/source")
shutil.unpack_archive(archive, "/tmp/source")
(folder,) = os.listdir("/tmp/source")
os.chdir(os.path.join("/tmp/source", folder))


def build_system():
    default = {"requires": ["setuptools>=40.8.0,<81", "wheel"], "build-backend": "setuptools.build_meta:__legacy__"}
    if not os.path.exists("pyproject.toml"):
        return default
    try:
        import tomllib
    except ImportError:
        sys.path.append("/pip")
        from pip._vendor import tomli as tomllib
    with open("pyproject.toml", "rb") as f:
        found = tomllib.load(f).get("build-system")
    return {**default, **found} if found else default


system = build_system()
if mode == "requires":
    out.write(json.dumps(system["requires"]).encode())
    sys.exit()

sys.path[:0] = [os.path.abspath(p) for p in system.get("backend-path") or []]
module, _, attributes = system["build-backend"].partition(":")
backend = importlib.import_module(module)
for name in filter(None, attributes.split(".")):
    backend = getattr(backend, name)
asked = backend.get_requires_for_build_wheel(None) if hasattr(backend, "get_requires_for_build_wheel") else []
asked = [r for r in asked if r not in sys.argv[3:]]
if asked:
    out.write(json.dumps({"requires": asked}).encode() + b"\n")
    sys.exit()
os.makedirs("/tmp/wheel")
wheel = backend.build_wheel("/tmp/wheel", None, None)
out.write(json.dumps({"wheel": wheel}).encode() + b"\n")
with open(os.path.join("/tmp/wheel", wheel), "rb") as f:
    shutil.copyfileobj(f, out)
out.flush()
