"""Exceptions of the file: which handler catches them, and what is not followed."""

from __future__ import annotations

import pytest
from tests.python.comparing import disagreement, program_of

INPUTS = {"x": (0, 1, 2)}

RIGHT: dict[str, str] = {
    "the first handler that fits": "class Locked(Exception):\n    'doc'\nclass Wrong(Locked):\n    pass\ndef f(x):\n    try:\n        if x == 0:\n            raise Wrong\n        if x == 1:\n            raise Locked('no')\n        1 // 0\n    except Wrong:\n        return 'w'\n    except Locked as e:\n        return 'l'\n    except Exception:\n        return 'e'",
    "own exception leaves": "class Locked(ValueError):\n    pass\ndef f(x):\n    if x:\n        raise Locked()\n    return 0",
    "own as parent": "class Locked(ValueError):\n    pass\ndef f(x):\n    try:\n        if x:\n            raise Locked()\n        int('a')\n    except ValueError:\n        return 5\n    return 0",
    "not caught": "class A(Exception):\n    pass\nclass B(Exception):\n    pass\ndef f(x):\n    try:\n        if x:\n            raise A\n        raise B\n    except B:\n        return 1",
    "base": "def f(x):\n    try:\n        return 1 // x\n    except BaseException:\n        return 'b'",
    "tuple": "class A(Exception):\n    pass\ndef f(x):\n    try:\n        if x:\n            raise A\n        return 1 // x\n    except (A, ZeroDivisionError):\n        return 'b'",
}

REFUSED: dict[str, str] = {
    "methods": "class A(Exception):\n    def __init__(self, v):\n        self.v = v\ndef f(x):\n    raise A(x)",
    "hidden": "class A(Exception):\n    pass\ndef f(x):\n    A = ValueError\n    raise A",
    "reraise": "def f(x):\n    try:\n        1 // x\n    except ZeroDivisionError:\n        raise",
    "shadow": "class ValueError(Exception):\n    pass\ndef f(x):\n    try:\n        int('a')\n    except ValueError:\n        return 1",
}


@pytest.mark.parametrize("name", RIGHT)
def test_exceptions_have_the_law_that_python_gives_them(name: str) -> None:
    assert disagreement(RIGHT[name], "f", INPUTS) is None


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_an_error(name: str) -> None:
    program = program_of(REFUSED[name], "f", INPUTS)

    assert {one.rule.code for one in program.diagnostics if one.is_error} == {"SEEP701"}
