"""Values that are sums of terms of one input each, against running the program on all inputs."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

import seepage
from seepage.engines.additive import NotAdditive, additive
from seepage.semantics.unroll import unroll

DRAWS = "a ~ uniform_int(0, 2)\nb ~ bernoulli(1/3)\nc ~ uniform_of(1, 4)\n"

SUMS: dict[str, Callable[[int, int, int], int | Fraction]] = {
    "a + b + c": lambda a, b, c: a + b + c,
    "2*a - b/2 + 7": lambda a, b, c: 2 * a - Fraction(b, 2) + 7,
    "a*a + (b == 1) - 3*c": lambda a, b, c: a * a + (b == 1) - 3 * c,
    "(if b then 5 else 1) + max(a, 1)": lambda a, b, c: (5 if b else 1) + max(a, 1),
    "if b then a + 3 else a": lambda a, b, c: a + 3 * b,
    "-(a - c) + 2*(b + a)": lambda a, b, c: -(a - c) + 2 * (b + a),
    "c": lambda a, b, c: c,
    "4": lambda a, b, c: 4,
}
OTHER = ["a*b", "max(a, b)", "if b then a else c", "a + b*c", "(a + b)*(a + b)", "a == c", "if a > b then 1 else 0"]


def values(text: str, name: str = "t", inputs: tuple[str, ...] = ("a", "b", "c")) -> dict[tuple[int, ...], Fraction]:
    """Return the value for all inputs, which stand in the order of their supports."""
    core = unroll(seepage.parse(text).checked)
    found = additive(core.statements, inputs, name, {})
    result = {}
    for chosen in product(*(range(len(found.supports[each])) for each in inputs)):
        at = dict(zip(inputs, chosen, strict=True))
        terms = (Fraction(str(found.terms[each][place])) for each, place in at.items() if each in found.terms)
        key = tuple(int(str(found.supports[each][place])) for each, place in at.items())
        result[key] = sum(terms, Fraction(str(found.constant)))
    return result


@pytest.mark.parametrize("expression", SUMS)
def test_a_sum_has_the_value_of_the_expression_for_all_inputs(expression: str) -> None:
    found = values(f"{DRAWS}t := {expression}\n")

    assert found == {each: Fraction(SUMS[expression](*each)) for each in product((0, 1, 2), (0, 1), (1, 4))}


@pytest.mark.parametrize("expression", OTHER)
def test_what_mixes_inputs_is_no_sum(expression: str) -> None:
    with pytest.raises(NotAdditive):
        values(f"{DRAWS}t := {expression}\n")


@pytest.mark.parametrize(
    ("body", "truth"),
    [
        ("if b { t := t + 2 }\nt := t + a\n", lambda a, b, c: 2 * b + a),
        ("t := a\nif b { t := t + 1 } else { t := t - 1 }\nt := t + c\n", lambda a, b, c: a + (1 if b else -1) + c),
        ("t := a + c\nu := t\nt := t + b\nt := t - u\n", lambda a, b, c: b),
        ("if 1 < 2 { t := a } else { t := a*b }\n", lambda a, b, c: a),
        ("t := c\nif b { if b { t := t + 1 } }\n", lambda a, b, c: c + b),
    ],
)
def test_statements_are_followed(body: str, truth: Callable[[int, int, int], int]) -> None:
    expected = {each: Fraction(truth(*each)) for each in product((0, 1, 2), (0, 1), (1, 4))}

    assert values(f"t := 0\n{DRAWS}{body}") == expected


@pytest.mark.parametrize(
    "text",
    [
        "a ~ poisson(1)\nb ~ flip(1/2)\nt := a + b\n",
        "a ~ uniform_int(0, 2)\nb ~ bernoulli(a/4)\nt := a + b\n",
        "a ~ uniform_int(0, 2)\nb ~ flip(1/2)\nobserve a > b\nt := a + b\n",
        "a ~ uniform_int(0, 2)\nif a > 1 { b ~ flip(1/2) }\nt := a + b\n",
        "a ~ uniform_int(0, 2)\nb ~ flip(1/2)\nz ~ flip(1/2)\nt := a + b + z\n",
        "a ~ uniform_int(0, 2)\nb ~ flip(1/2)\nb := a\nt := a + b\n",
        "a ~ uniform_int(0, 2)\nb ~ flip(1/2)\na ~ uniform_int(0, 2)\nt := a + b\n",
    ],
)
def test_inputs_must_be_drawn_by_themselves(text: str) -> None:
    with pytest.raises(NotAdditive):
        values(text, inputs=("a", "b"))


def test_random_statements_mean_what_they_compute() -> None:
    chance, seen = random.Random(7), 0
    for _ in range(150):
        body = "".join(_statement(chance, 2) for _ in range(chance.randint(1, 6)))
        text = f"t := 0\n{DRAWS}u := 1\n{body}"
        try:
            found = values(text)
        except NotAdditive:
            continue
        seen += 1
        for (a, b, c), value in found.items():
            fixed = seepage.parse(f"t := 0\na := {a}\nb := {b}\nc := {c}\nu := 1\n{body}")
            assert fixed.measure("E(t)").exact == value
    assert seen > 25


def _statement(chance: random.Random, depth: int) -> str:
    name = chance.choice("tu")
    if depth and chance.random() < 0.4:
        inner, other = (_statement(chance, depth - 1) for _ in range(2))
        return f"if {chance.choice(['a > 1', 'b == 1', 'c == 4', 'a + b > 1'])} {{\n{inner}}} else {{\n{other}}}\n"
    term = chance.choice(["a", "b", "2*c", "a*a", "1", "t", "u", "-b", "a - c", "max(a, 1)", "a*b"])
    return f"{name} := {chance.choice([name, 't', '0'])} + {term}\n"
