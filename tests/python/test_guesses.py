"""Guesses of laws: uniform over what a function compares an argument with, and a question where nothing tells."""

from __future__ import annotations

import pytest

from seepage.functions import programs_of
from seepage.python.marking import marked_text, marking
from seepage.source import SourceFile

GUESSES = {
    "a number": ("x == 3", "uniform_int(0, 3)"),
    "a bound": ("x > 18", "uniform_int(0, 19)"),
    "a bound from the other side": ("18 < x", "uniform_int(0, 19)"),
    "a bound that is reached": ("x >= 18", "uniform_int(0, 18)"),
    "zero": ("x == 0", "uniform_int(0, 1)"),
    "a negative number": ("x < -2", "uniform_int(-2, 0)"),
    "values of a list": ("x in [1, 2, 5]", "uniform_int(0, 5)"),
    "a range": ("x in range(4)", "uniform_int(0, 3)"),
    "a constant of the file": ("x == LIMIT", "uniform_int(0, 9)"),
    "a float": ("x < 0.5", "uniform(0, 0.5)"),
    "a text": ('x == "open"', 'uniform_of("open", "another")'),
    "texts": ('x == "a" or x == "b"', 'uniform_of("a", "b")'),
    "truth": ("not x", "bernoulli(1/2)"),
    "a list": ("x == [1, 2, 3]", "[3] uniform_int(0, 3)"),
    "elements by place": ("all(x[i] == CODE[i] for i in range(3))", "[3] uniform_int(0, 7)"),
    "elements side by side": ("all(a == b for a, b in zip(x, CODE))", "[3] uniform_int(0, 7)"),
    "a number of elements that nothing tells": ("any(one == 3 for one in x)", "?"),
    "nothing": ("x", "?"),
}
HEAD = "LIMIT = 9\nCODE = [4, 0, 7]\n\n\n"


@pytest.mark.parametrize("name", GUESSES)
def test_a_law_is_guessed_and_the_marked_function_has_it(name: str) -> None:
    expression, law = GUESSES[name]
    source = SourceFile("", f"{HEAD}def f(x):\n    return {expression}\n")

    found = marking(source, "f")

    text = marked_text(source, found)
    quoted = f"'{law}'" if '"' in law else f'"{law}"'
    assert f'@leakage(secret={{"x": {quoted}}})' in text
    assert found.is_guess == ("# a guess" in text) == (law != "?")
    (program,) = programs_of(text, "")
    assert any(one.is_error for one in program.diagnostics) == (law == "?")
    if law != "?":
        assert program.measure("H(x)").value is not None
