"""What is printed, against what Python itself prints: as much is told as there are different texts."""

from __future__ import annotations

import contextlib
import io
import math
from collections import Counter
from typing import Any

import pytest
from tests.python.comparing import program_of

INPUTS = {"x": (0, 1, 2, 3)}
PRINTING = {
    "digits that run together": "print(x // 2, end='')\nprint(x % 2)",
    "texts that run together": "print('a' * x, end='')\nprint('a' * (3 - x))",
    "values that run together": "print('a' * x, 'a' * (3 - x), sep='')",
    "values apart": "print('a' * x, 'a' * (3 - x))",
    "a tuple or two values": "if x == 0:\n    print((1, 2))\nelse:\n    print(1, 2)",
    "one line of two or two": "if x == 0:\n    print('a\\nb')\nelse:\n    print('a')\n    print('b')",
    "what is usual": "if x == 0:\n    print(1, 2, sep=' ')\nelse:\n    print(1, 2, end='\\n', sep=None)",
    "a line that ends later": "for i in range(x):\n    print(i, end=' ')\nprint()",
    "a line that never ends": "if x > 1:\n    print('a', end='')\nelse:\n    print('a')",
    "an empty line": "print()\nprint(x > 2)",
    "floats and integers": "print(1.5, x % 2, sep=',')",
    "values of several types": "print([x > 1, None], (x % 2,), {'a': x // 3}, sep='|')",
}


def run_of(text: str, x: int) -> str:
    namespace: dict[str, Any] = {}
    exec(text, namespace)  # a text of this file
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        namespace["f"](x)
    return printed.getvalue()


@pytest.mark.parametrize("name", PRINTING)
def test_as_much_is_told_as_python_prints_apart(name: str) -> None:
    text = "def f(x):\n" + "".join(f"    {line}\n" for line in PRINTING[name].splitlines())
    counts = Counter(run_of(text, x) for x in INPUTS["x"])
    expected = sum(count / 4 * math.log2(4 / count) for count in counts.values())

    program = program_of(text, "f", INPUTS, output=("printed",))

    assert program.measure("I(x; printed)").value == pytest.approx(expected, abs=1e-12)


def test_lines_of_joined_values_are_texts() -> None:
    program = program_of("def f(x):\n    print(x, x + 1, sep=',')\n", "f", INPUTS, output=("printed",))

    assert program.measure("P(printed[0] == '1,2')").value == 0.25


def test_a_text_between_that_is_random_is_an_error() -> None:
    program = program_of("def f(x):\n    print(x, sep='a' * x)\n", "f", INPUTS, output=("printed",))

    assert any("'sep'" in one.message for one in program.diagnostics if one.is_error)
