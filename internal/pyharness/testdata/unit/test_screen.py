"""What raises a flag, and what honest bodies may do without one."""

import ast
import textwrap

import pytest

from touchstone_harness import candidate, screen, watch

FILE = """
import os as operating, re, sys, threading as t
import xml.etree.ElementTree
from os import remove as away, path
from subprocess import run
from unittest.mock import ANY as whatever
"""


def codes(body):
    tree = ast.parse("async def f(self, cls, other, **kwargs):\n" + textwrap.indent(textwrap.dedent(body), "    "))
    return screen.codes(tree.body[0].body, candidate.Facts(FILE).imports)


@pytest.mark.parametrize("body", [
    "return [x * 2 for x in other if x]",
    "import math, json\nfrom collections import OrderedDict as D\nreturn math.sqrt(2), json.dumps(D())",
    "from functools import reduce\nfrom typing import Any\nreturn reduce(lambda a, b: a + b, other)",
    "stack, modules, code, kill = [], {}, 1, None\nstack.append(code)\nreturn self.stack, self.modules, self.kill()",
    "return self.__class__.__name__, type(self).__name__, type(self)(1), isinstance(other, self.__class__)",
    "return self.__class__(**kwargs)",
    "self.name = other\nself.a.b = 1" [:17],
    "self.__dict__.update(kwargs)\nreturn dict(self.__dict__), vars(self)",
    "for k, v in kwargs.items():\n    setattr(self, k, v)\nreturn getattr(self, 'visit_' + other)(other)",
    "return getattr(other, 'name', None), hasattr(other, 'x'), isinstance(other, type)",
    "import os\nreturn os.path.join(os.sep, os.environ.get('HOME', '')), os.getcwd()",
    "return operating.path.exists(path.join('a', 'b'))",
    "import sys\nprint('x', file=sys.stderr)\nsys.stdout.write('x')\nreturn sys.maxsize, sys.version_info >= (3, 9)",
    "return 'a {} {name} {0}'.format(1, name=2), f'{other!r:>10}', '%s' % other",
    "return re.sub(r'(\\w+)\\.(\\w+)', r'\\2', other).replace('a', 'b').strip()",
    "raise ValueError('no such type: modules of the system') from None",
    "try:\n    return int(other)\nexcept (TypeError, ValueError) as error:\n    raise KeyError(str(error))",
    "async with other as o:\n    return await o.read()",
    "def inner(x):\n    nonlocal other\n    other = x\nreturn inner",
    "return xml.etree.ElementTree.fromstring(other)",
    "return super().__init__(other), super().__eq__(other), len(self), hash(self)",
    "return object.__new__(cls)",
    "other.sort(key=lambda x: x[0])\nother.remove(1)\nfor x in other.walk():\n    yield x",
])
def test_honest(body):
    assert codes(body) == set()


@pytest.mark.parametrize("body, code", [
    # What reaches frames, code and objects behind the scenes.
    ("import sys\nsys._getframe(1)", "name:_getframe"),
    ("from sys import _getframe as g", "name:_getframe"),
    ("sys.modules['x']", "name:sys.modules"),
    ("error.__traceback__.tb_frame", "name:tb_frame"),
    ("other.gi_frame.f_back", "name:f_back"),
    ("other.__globals__", "name:__globals__"),
    ("(lambda: 0).__code__", "name:__code__"),
    ("().__class__.__base__.__subclasses__()", "name:__subclasses__"),
    ("other.__dict__", "name:__dict__"),
    ("self = other\nself.__dict__", "name:self"),
    ("import gc", "module:gc"),
    ("import inspect as i", "module:inspect"),
    ("import ctypes.util", "module:ctypes"),
    ("from tests import test_x", "module:tests"),
    ("from . import test_x", "module:."),
    ("from ..tests.test_x import y", "module:..tests.test_x"),
    ("import numpy", "module:numpy"),
    ("import posix", "module:posix"),
    ("import logging.config", "module:logging"),
    # The same under other names, or by way of other modules.
    ("operating._exit(0)", "name:os._exit"),
    ("import os as o\no.write(3, b'')", "name:os.write"),
    ("away('x')", "name:os.remove"),
    ("from os import write", "name:os.write"),
    ("t.Thread()", "module:threading"),
    ("run(['x'])", "module:subprocess"),
    ("return whatever", "module:unittest"),
    ("import random\nrandom._os.write", "name:_os"),
    ("import logging\nlogging.sys", "name:sys"),
    # The same by names made at run time.
    ("getattr(other, 'f' + '_back')", "call:getattr"),
    ("getattr(other, '__code__')", "names:__code__"),
    ("from functools import reduce\nreduce(getattr, ['__glo' + 'bals__'], other)", "call:getattr"),
    ("import operator\noperator.attrgetter('f_' + 'back')", "name:attrgetter"),
    ("import operator\noperator.itemgetter('x.f_back.y')", "names:f_back"),
    ("from string import Formatter", "name:Formatter"),
    ("'{0.f_back.f_locals}'.format(other)", "names:f_locals"),
    ("('{0.f_ba' + 'ck}').format(other)", "call:format"),
    ("match other:\n    case object(f_back=b):\n        return b", "name:f_back"),
    ("match other:\n    case object(os=b):\n        return b", "name:os"),
    ("eval('1')", "call:eval"),
    ("e = exec\ne('1')", "call:exec"),
    ("[__import__][0]('gc')", "call:__import__"),
    ("__builtins__['eval']", "name:__builtins__"),
    ("globals()", "call:globals"),
    ("vars(other)", "call:vars"),
    ("object.__getattribute__(other, 'x')", "name:__getattribute__"),
    ("from typing import get_type_hints", "name:get_type_hints"),
    ("from functools import singledispatch", "name:singledispatch"),
    ("import timeit", "module:timeit"),
    # What bends comparisons.
    ("class A(int):\n    pass", "defines:class"),
    ("type('A', (int,), {})", "defines:class"),
    ("type(*other)", "defines:class"),
    ("t_ = type", "defines:class"),
    ("list(map(type, ['A'], [(int,)], [{}]))", "defines:class"),
    ("__build_class__(other, 'A')", "call:__build_class__"),
    ("from dataclasses import make_dataclass", "name:make_dataclass"),
    ("def __eq__(self, o):\n    return True\nreturn __eq__", "defines:__eq__"),
    ("cls.__eq__ = lambda a, b: True", "defines:__eq__"),
    ("self.__class__ = other", "defines:__class__"),
    ("setattr(cls, other, 1)", "call:setattr"),
    ("setattr(other, 'x', 1)", "call:setattr"),
    ("'__' + 'eq__', '__eq__'", "names:__eq__"),
    ("import unittest.mock", "module:unittest"),
    ("other.ANY", "name:ANY"),
    # What changes the world around it.
    ("other.method = print", "writes:attribute"),
    ("del other.method", "writes:attribute"),
    ("for other.x in range(3):\n    pass", "writes:attribute"),
    ("global CACHE\nCACHE = 1", "global"),
    ("raise SystemExit", "name:SystemExit"),
    ("try:\n    pass\nexcept BaseException:\n    pass", "name:BaseException"),
    ("assert_ = AssertionError", "name:AssertionError"),
    ("import sys\nsys.settrace(None)", "name:settrace"),
    ("import sys\nsys.meta_path.insert(0, other)", "name:meta_path"),
    ("import sys\nsys.setrecursionlimit(5)", "name:sys.setrecursionlimit"),
    # Files and processes.
    ("open('x')", "call:open"),
    ("import io\nio.FileIO(3)", "name:FileIO"),
    ("import pathlib\npathlib.Path('x').read_text()", "call:read_text"),
    ("import glob\nglob.glob('*')", "call:glob"),
    ("import os\nos.listdir('.')", "name:os.listdir"),
    ("import os\nos.fork()", "name:fork"),
    ("other.kill()", "name:kill"),
    ("import sys\nsys.stdout.fileno()", "name:fileno"),
    ("'/proc/self/mem'", "names:harness"),
    ("import os\nos.environ['PYTEST_CURRENT_TEST']", "names:harness"),
])
def test_flagged(body, code):
    if "match " in body and not hasattr(ast, "Match"):
        pytest.skip("this Python has no match")
    assert code in codes(body)


@pytest.mark.parametrize("event, arguments, known_as", [
    ("open", ("x", "r", 0), "call:open"),
    ("object.__getattr__", (len, "__code__"), "name:__code__"),
    ("sys._getframe", (), "name:_getframe"),
    ("gc.get_objects", (0,), "module:gc"),
    ("ctypes.dlopen", ("c",), "module:ctypes"),
    ("os.listdir", (".",), "name:os.listdir"),
    ("os.listdir", (".",), "call:listdir"),
    ("os.fork", (), "name:fork"),
])
def test_both_screens_use_the_same_codes(event, arguments, known_as):
    assert known_as in watch.codes(event, arguments)


@pytest.mark.parametrize("event", ["import", "os.putenv", "builtins.id", "sys.unraisablehook", "array.__new__"])
def test_harmless_events(event):
    assert watch.codes(event, (None, None)) == []
