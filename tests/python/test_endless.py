"""Loops whose end is random and without a bound, against linear systems over their states and closed forms.

The chances that a loop has to end with each result from each state solve a linear system, whose coefficients are those of one round, run by Python itself on
every sequence of draws.
"""

from __future__ import annotations

import os
from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import TypeAlias, cast

import pytest
from tests.python.comparing import chance, program_of
from tests.python.enumeration import law_of

State: TypeAlias = tuple[int, int]

STATES = {"a": range(4), "b": range(3)}
INPUTS = {name: list(values) for name, values in STATES.items()}
# How many random loops, more in the deep profile.
ASKED = 5  # results of a loop whose chances are asked for
COUNT = 400 if os.environ.get("SEEPAGE_DEEP") == "1" else 5


def indented(text: str, by: int) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in text.splitlines())


def function_of(test: str, body: str, after: str) -> str:
    """Return a function of a state that runs a loop on it."""
    return f"import random\ndef f(a, b):\n    while {test}:\n{indented(body, 8)}{indented(after, 4)}"


def solved(test: str, body: str, after: str) -> dict[State, dict[Hashable, Fraction]]:
    """Return the law of what a loop returns from each state, by the rounds of it and a linear system."""
    round_ = (
        f"import random\ndef f(a, b):\n    for once in (0,):\n        if not ({test}):\n            break\n{indented(body, 8)}"
        f"    else:\n        return ('again', a, b)\n{indented(after, 4)}"
    )
    states = [(a, b) for a in STATES["a"] for b in STATES["b"]]
    chances: dict[State, dict[Hashable, Fraction]] = {state: {} for state in states}
    for key, weight in law_of(round_, "f", INPUTS).items():
        values, result = cast("tuple[tuple[tuple[str, int], ...], Hashable]", key)
        state = cast("State", tuple(value for _, value in values))
        chances[state][result] = weight * len(states)
    results = list(dict.fromkeys(result for law in chances.values() for result in law if not isinstance(result, tuple)))
    # (1 - A) X = B, by elimination over the rationals.
    rows = [
        [
            *(int(state == other) - chances[state].get(("tuple", "again", *other), Fraction(0)) for other in states),
            *(chances[state].get(result, Fraction(0)) for result in results),
        ]
        for state in states
    ]
    for column in range(len(states)):
        pivot = next(row for row in range(column, len(rows)) if rows[row][column] != 0)
        rows[column], rows[pivot] = rows[pivot], rows[column]
        first = rows[column][column]
        rows[column] = [each / first for each in rows[column]]
        for row in range(len(rows)):
            factor = rows[row][column]
            if row != column and factor != 0:
                rows[row] = [x - factor * y for x, y in zip(rows[row], rows[column], strict=True)]
    return {state: dict(zip(results, rows[place][len(states) :], strict=True)) for place, state in enumerate(states)}


def disagreement(test: str, body: str, after: str) -> str | None:
    """Return where the analysis has another chance than the linear system."""
    text = function_of(test, body, after)
    program = program_of(text, "f", INPUTS)
    wrong = [one.message for one in program.diagnostics if one.is_error]
    if wrong:
        return f"refused: {wrong[0]}\n{text}"
    laws = solved(test, body, after)
    assert all(sum(law.values()) == 1 for law in laws.values())
    asked = [(state, result) for state, law in laws.items() for result in law]
    Random(text).shuffle(asked)
    for (a, b), result in asked[:ASKED]:
        expected = laws[a, b][result] / len(laws)
        found = chance(program, {"a": a, "b": b}, result)
        if found != expected:
            return f"P({a}, {b}, {result!r}) is {found}, expected {expected}\n{text}"
    return None


LOOPS = {
    "a walk between two ends": (
        "0 < a < 3",
        "if random.random() < 0.25:\n    a += 1\nelse:\n    a -= 1",
        "return a",
    ),
    "a die by rejection": (
        "True",
        "x = random.getrandbits(3)\nif 1 <= x <= 6:\n    break",
        "return (x + a) % 6",
    ),
    "two that swap": ("random.random() < 0.5", "a, b = b, a % 3", "return a"),
    "a draw that the condition reads": (
        "a != 0",
        "u = random.random()\nx = random.randint(0, 3)\na = u < 0.5 and x != b",
        "return b",
    ),
    "a round that reads what the round before bound": (
        "a < 3",
        "if random.random() < 0.5:\n    if a == 2:\n        a = 3\n    else:\n        a = 2\nelif b == 2:\n    return 7\nb = a % 3",
        "return b",
    ),
    "returns, breaks and exceptions": (
        "a > 0",
        "x = random.randint(0, 5)\nif x == 0:\n    return 'none'\nif x == 1:\n    break\nif x == 2:\n    raise ValueError\nif x == 3:\n    continue\na = (a + x) % 4",
        "return a",
    ),
    "an exception that is caught in the loop": (
        "True",
        "try:\n    x = random.randint(0, 2)\n    b = (6 // x) % 3\n    if x == 2:\n        return b\nexcept ZeroDivisionError:\n    a = (a + 1) % 4\n    if a == 0:\n        break",
        "return 10 + b",
    ),
    "a list whose elements change": (
        "True",
        "l = [a, b]\nl[random.randint(0, 1)] = random.randint(0, 2)\na, b = l\nif a == b:\n    break",
        "return a",
    ),
    "texts and None": (
        "True",
        "word = random.choice(['x', 'y', None])\nif word is None:\n    a = (a + 1) % 4\n    continue\nbreak",
        "return word",
    ),
}


@pytest.mark.family(every=3)
@pytest.mark.parametrize("name", LOOPS)
def test_a_loop_ends_as_its_linear_system_says(name: str) -> None:
    assert disagreement(*LOOPS[name]) is None


def random_block(source: Random, depth: int) -> str:
    """Return random statements on a, b and what they draw."""
    lines: list[str] = []
    for _ in range(source.randint(1, 3)):
        kind = source.choice(["a", "b", "swap", "draw", "copy", "if", "if", "jump"])
        if kind in ("if", "jump") and depth == 0:
            kind = "a"
        match kind:
            case "a":
                lines.append(f"a = (a + {source.choice(['b', '1', 'x', '2 * a', 'random.randint(0, 2)'])}) % 4")
            case "b":
                lines.append(f"b = ({source.choice(['a', 'b + 1', 'x', 'a * x'])}) % 3")
            case "swap":
                lines.append("a, b = (b + 1) % 4, a % 3")
            case "draw":
                lines.append(f"x = random.randint(0, {source.randint(1, 3)})")
            case "copy":
                lines.append("x = a + b")
            case _:
                test = source.choice(["a > b", "x == 1", "random.random() < 0.25", "b == 0 and a < 3", "u < 0.75"])
                then = random_block(source, depth - 1)
                if kind == "jump":
                    then = f"{then}\n{source.choice(['break', 'continue', 'return 20 + a', 'return x'])}"
                lines.append(f"if {test}:\n{indented(then, 4)}".rstrip("\n"))
                if source.random() < 0.4:
                    lines.append(f"else:\n{indented(random_block(source, depth - 1), 4)}".rstrip("\n"))
    return "\n".join(lines)


@pytest.mark.family(every=3)
@pytest.mark.parametrize("seed", range(COUNT))
def test_random_loops_end_as_their_linear_systems_say(seed: int) -> None:
    source = Random(seed)
    first = "u = random.random()\nx = random.randint(0, 1)\nif u < 0.125:\n    break\n"
    test = source.choice(["True", "a != 3", "a + b < 5", "random.random() < 0.75"])

    assert disagreement(test, first + random_block(source, 1), "return 4 * b + a") is None


@pytest.mark.parametrize("tries", [1, 2, 5, 80])
def test_tries_until_success_are_geometric(tries: int) -> None:
    text = (
        "import random\ndef f(x):\n    tries = 0\n    while True:\n        tries += 1\n        if random.random() < 0.25:\n"
        "            return tries"
    )
    program = program_of(text, "f", {"x": (0, 1)})

    result = program.measure(f"P(result == {tries})")

    assert result.value == pytest.approx(0.75 ** (tries - 1) * 0.25, rel=1e-12)
    assert program.measure("E(result)").exact == 4


def test_steps_of_a_random_loop_tell_a_secret() -> None:
    # A round costs three steps, and ends with chance 1/2 or 1/4; then come 'return' and its value.
    text = "import random\ndef f(x):\n    while True:\n        k = random.randint(0, 3)\n        if k < 2 - x:\n            return 0"
    program = program_of(text, "f", {"x": (0, 1)}, output=("steps",))

    # 3 rounds + 1 steps; by total probability over x.
    assert program.measure("E(steps)").value == pytest.approx((3 * 2 + 1) / 2 + (3 * 4 + 1) / 2, rel=1e-12)
    first = program.measure("P(steps == 4 and x == 1)")
    assert first.exact == Fraction(1, 8) or first.value == pytest.approx(1 / 8, rel=1e-12)


REFUSED: dict[str, tuple[str, str]] = {
    "a list that grows": (
        "def f(x):\n    l = []\n    while random.random() < 0.5:\n        l.append(1)\n    return l",
        "length",
    ),
    "what is printed in a round": (
        "def f(x):\n    while random.random() < 0.5:\n        print(x)\n    return x",
        "length",
    ),
    "a draw of the round before": (
        "def f(x):\n    u = 1\n    while random.random() < 0.5:\n        if u < 0.5:\n            return 1\n        u = random.random()\n    return 0",
        "",
    ),
    "a function with a default of the round before": (
        "def f(x):\n    g = lambda v=0: v\n    while random.random() < 0.5:\n        x = g() + 1\n        g = lambda v=x: v\n    return x",
        "",
    ),
    "a loop that nothing ends": (
        "def f(x):\n    y = 0\n    while y < 2:\n        if y == 1 and random.random() < 0.5:\n            return 1\n        y = 0\n    return x",
        "",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_a_loop_cannot_carry_is_refused(name: str) -> None:
    text, reason = REFUSED[name]
    output = ("printed",) if "printed" in name else ("result",)
    program = program_of(f"import random\n{text}", "f", {"x": (0, 1)}, output=output)

    wrong = [one for one in program.diagnostics if one.is_error]

    assert [one.rule.code for one in wrong] == ["SEEP701"]
    assert reason in wrong[0].message
    assert all(":=" not in one.message and "~" not in one.message for one in wrong)


def test_a_uniform_draw_from_before_the_loop_is_one_draw() -> None:
    # The loop compares it in rounds after the first: P(u < 1/4, at least one round) = 1/4 * 1/2.
    text = (
        "def f(x):\n    u = random.random()\n    while random.random() < 0.5:\n        if u < 0.25:\n            return 7\n"
        "    return 8 if u < 0.5 else 9"
    )
    program = program_of(f"import random\n{text}", "f", {"x": (0, 1)})

    found = {result: program.measure(f"P(result == {result})").exact for result in (7, 8, 9)}

    assert found == {7: Fraction(1, 8), 8: Fraction(3, 8), 9: Fraction(1, 2)}


def test_a_name_that_only_rounds_bind_may_be_unbound_behind_them() -> None:
    text = (
        "def f(x):\n    while random.random() < 0.5:\n        y = random.randint(0, 2)\n    try:\n        return y\n"
        "    except UnboundLocalError:\n        return 9"
    )
    program = program_of(f"import random\n{text}", "f", {"x": (0, 1)})

    assert program.measure("P(result == 9)").exact == Fraction(1, 2)
    assert program.measure("P(result == 1)").exact == Fraction(1, 6)


def test_a_loop_inside_of_a_loop() -> None:
    # The inner loop leaves n odd with chance 1/4 + 1/16 + ... = 1/3; so p = 1/3 + 2/3 * 1/2 * p.
    text = (
        "def f(x):\n    while True:\n        n = 0\n        while random.random() < 0.5:\n            n = (n + 1) % 2\n"
        "        if n == 1:\n            return 1\n        if random.random() < 0.5:\n            return 0"
    )
    program = program_of(f"import random\n{text}", "f", {"x": (0, 1)})

    assert program.measure("P(result == 1)").exact == Fraction(1, 2)
