"""Exceptions of the file: which handler catches them, and what is not followed."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}
PAIRS = {"x": (0, 1, 2), "y": (0, 1)}

RIGHT: dict[str, str] = {
    "the first handler that fits": "class Locked(Exception):\n    'doc'\nclass Wrong(Locked):\n    pass\ndef f(x):\n    try:\n        if x == 0:\n            raise Wrong\n        if x == 1:\n            raise Locked('no')\n        1 // 0\n    except Wrong:\n        return 'w'\n    except Locked as e:\n        return 'l'\n    except Exception:\n        return 'e'",
    "own exception leaves": "class Locked(ValueError):\n    pass\ndef f(x):\n    if x:\n        raise Locked()\n    return 0",
    "own as parent": "class Locked(ValueError):\n    pass\ndef f(x):\n    try:\n        if x:\n            raise Locked()\n        int('a')\n    except ValueError:\n        return 5\n    return 0",
    "not caught": "class A(Exception):\n    pass\nclass B(Exception):\n    pass\ndef f(x):\n    try:\n        if x:\n            raise A\n        raise B\n    except B:\n        return 1",
    "base": "def f(x):\n    try:\n        return 1 // x\n    except BaseException:\n        return 'b'",
    "tuple": "class A(Exception):\n    pass\ndef f(x):\n    try:\n        if x:\n            raise A\n        return 1 // x\n    except (A, ZeroDivisionError):\n        return 'b'",
}

LEAVING: dict[str, str] = {
    "finally returns": """\
import random
def f(x, y):
    try:
        if x == 0:
            raise ValueError
        return 1 // y
    except ValueError:
        return 5
    finally:
        if random.random() < 0.5:
            return 7
""",
    "finally breaks and goes on": """\
def f(x, y):
    n = 0
    for i in range(3):
        try:
            if i == x: return 9
            n += 1
            if i == 2: 1 // 0
        finally:
            if y and i == 1:
                break
            if y and i == 2:
                continue
    return n
""",
    "finally changes what is returned": """\
def g(l, x):
    try:
        return l
    finally:
        l.append(x)
        if x == 2: return [0]
def f(x, y):
    l = [y]
    return g(l, x), l
""",
    "finally raises": """\
def f(x, y):
    while True:
        try:
            try:
                return 1 // x
            finally:
                if y: raise KeyError
        except ZeroDivisionError:
            return "z"
        except KeyError:
            break
    return "k"
""",
    "raised again": """\
def f(x, y):
    try:
        try:
            return [1, 2][x]
        except IndexError:
            if y: raise
            return "in"
    except LookupError as e:
        return "out"
""",
    "raised again behind another": """\
def g(x):
    try:
        return 1 // x
    except Exception:
        raise
def f(x, y):
    try:
        try:
            return {0: 1}[y]
        except KeyError:
            g(x)
            raise
    except ArithmeticError:
        return "a"
    except LookupError:
        return "l"
""",
    "finally in a loop": """\
def f(x, y):
    s = []
    for i in range(2):
        try:
            s.append(i)
            if x == i: continue
            if x == 2: break
            s.append(10)
        finally:
            s.append(20)
            if y: return s
    else:
        s.append(30)
    return s
""",
    "finally returns from a loop": """\
def f(x, y):
    a = [1, (lambda: 3)()]
    try:
        return (a[0], x, [1, 2][x])
    finally:
        for v in (1, 2):
            if v == y + 1:
                return v
""",
    "finally that catches": """\
def f(x, y):
    try:
        raise ValueError("no") from None
    except (ValueError, TypeError) as e:
        r = x
    try:
        return r
    finally:
        try:
            1 // y
        except ZeroDivisionError:
            return "z"
""",
}

REFUSED: dict[str, str] = {
    "methods": "class A(Exception):\n    def __init__(self, v):\n        self.v = v\ndef f(x):\n    raise A(x)",
    "hidden": "class A(Exception):\n    pass\ndef f(x):\n    A = ValueError\n    raise A",
    "raised again from nowhere": "def f(x):\n    try:\n        1 // x\n    except ZeroDivisionError:\n        pass\n    raise",
    "shadow": "class ValueError(Exception):\n    pass\ndef f(x):\n    try:\n        int('a')\n    except ValueError:\n        return 1",
}


@pytest.mark.parametrize("name", RIGHT)
def test_exceptions_have_the_law_that_python_gives_them(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", LEAVING)
def test_what_leaves_by_itself_has_the_law_that_python_gives_it(name: str) -> None:
    assert disagreement(LEAVING[name], "f", PAIRS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    program = program_of(REFUSED[name], "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} == {"SEEP701"}
