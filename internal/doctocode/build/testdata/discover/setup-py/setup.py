import os
import re
from setuptools import Extension, setup

HERE = os.path.dirname(__file__)
version = re.search("'(.*)'", open(os.path.join(HERE, "legacy.py")).read()).group(1)
base = ["six>=1.10"]
test_deps = ["nose2", "parameterized"] + base
EXTRAS = {"test": test_deps, "docs": ["sphinx"]}

setup(
    name="legacy",
    version=version,
    license="MIT",
    py_modules=["legacy"],
    package_dir={"legacy_ext": "native/legacy_ext"},
    install_requires=base + ["chardet"],
    tests_require=test_deps,
    extras_require=EXTRAS,
    entry_points={"console_scripts": ["legacy=legacy:main"]},
    ext_modules=[Extension("legacy_ext._fast", ["fast.c"])],
)
