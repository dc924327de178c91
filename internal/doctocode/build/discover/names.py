"""What names say: what a group of requirements is for, which distribution is meant."""
import re


TEST_WORDS = {"test", "tests", "testing", "pytest", "unittest", "unittests", "unit"}
DEV_WORDS = {"dev", "devel", "develop", "development", "default"}
OTHER_WORDS = {"lint", "typing", "mypy", "doc", "docs", "style", "format", "type", "types", "typecheck", "bench",
               "benchmark", "benchmarks", "release", "coverage", "sphinx", "pre", "build", "publish", "packaging"}


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
