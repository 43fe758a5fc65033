"""Guessing, losses and divergences of post-processed outputs, against closed forms and quadrature of what they are one-to-one functions of."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

import seepage
from seepage.measures.result import Certainty, Result

NODES, WEIGHTS = np.polynomial.legendre.leggauss(16)
SECRET = "s ~ uniform_int(0, 2)\nn ~ laplace(0, 1)\n"

INJECTIVE = [
    "o := exp(s + n)",
    "o := 3 - 2 * exp((s + n) / 2)",
    "o := (s + n)^3",
    "y := s + n\no := exp(2 * y^3)",
]
CLOSED = {
    # three Laplace densities at distances 1: neighbours meet halfway between them
    "V(s | o)": (1 + 2 * (1 - math.exp(-1 / 2))) / 3,
    "Cmin(s -> o)": math.log(1 + 2 * (1 - math.exp(-1 / 2))),
    "Lmin(s -> o)": math.log(1 + 2 * (1 - math.exp(-1 / 2))),
    "DP(s -> o)": 2.0,
    "Delta(s -> o, eps=1)": 1 - math.exp((1 - 2) / 2),
    "KL(o | s == 0 || o | s == 1)": math.exp(-1),
}


def measured(text: str, measure: str) -> Result:
    return seepage.parse(text).measure(measure, unit="nats")


def holds(found: Result, truth: float) -> None:
    assert found.certainty in (Certainty.CERTIFIED, Certainty.EXACT)
    assert found.lower - 1e-9 <= truth <= found.upper + 1e-9
    assert found.upper - found.lower < 1e-7


@pytest.mark.family(every=4)
@pytest.mark.parametrize("measure", CLOSED)
@pytest.mark.parametrize("output", INJECTIVE)
def test_one_to_one_functions_tell_what_their_argument_tells(output: str, measure: str) -> None:
    holds(measured(f"{SECRET}{output}\n", measure), CLOSED[measure])


def folded(s: int, y: np.ndarray) -> np.ndarray:
    """The density of |s + n| at y > 0."""
    return np.asarray((np.exp(-abs(y - s)) + np.exp(-abs(y + s))) / 2)


def test_even_powers_tell_what_the_absolute_value_tells() -> None:
    cuts = [0, 0.25, 0.5, 0.75, *np.linspace(1, 2, 41), *range(3, 40)]
    y, weight = (
        np.concatenate(each)
        for each in zip(
            *(
                ((low + high) / 2 + (high - low) / 2 * NODES, (high - low) / 2 * WEIGHTS)
                for low, high in pairwise(cuts)
            ),
            strict=True,
        )
    )
    f, g = folded(0, y), folded(1, y)
    program = f"{SECRET}o := 5 - (s + n)^2\n"
    holds(measured(program, "KL(o | s == 0 || o | s == 1)"), float((weight * f * np.log(f / g)).sum()))
    # the densities of 0 and 2 cross at one place, and so do those of neighbours; the greatest of all is that of 0, of 1 or of 2, in turn
    order = [int(np.argmax([folded(s, np.array([place]))[0] for s in range(3)])) for place in (0.1, 1.0, 3.0)]
    assert order == [0, 1, 2]
    found, places = 0.0, [0.0, crossing(0, 1, 0.1, 1), crossing(1, 2, 1, 2), math.inf]
    for s, (low, high) in zip(order, pairwise(places), strict=True):
        found += below(s, high) - below(s, low)
    holds(measured(program, "V(s | o)"), found / 3)


def crossing(one: int, other: int, low: float, high: float) -> float:
    """Return where the density of one secret falls below that of another, by halving."""
    for _ in range(80):
        middle = (low + high) / 2
        if folded(one, np.array([middle]))[0] > folded(other, np.array([middle]))[0]:
            low = middle
        else:
            high = middle
    return low


def below(s: int, y: float) -> float:
    """Return P(|s + n| < y)."""

    def distribution(z: float) -> float:
        return math.exp(z) / 2 if z < 0 else 1 - math.exp(-z) / 2

    return distribution(y - s) - distribution(-y - s)


def test_normal_noise_under_an_exponential_is_as_private_as_without() -> None:
    text = "s ~ flip(1/2)\nn ~ normal(0, 1)\no := exp(s + n)\n"

    def above(z: float) -> float:
        return math.erfc(z / math.sqrt(2)) / 2

    holds(measured(text, "Delta(s -> o, eps=1)"), above(1 - 1 / 2) - math.e * above(1 + 1 / 2))
    holds(measured(text, "V(s | o)"), 1 - above(1 / 2))
    holds(measured(text, "KL(o | s == 0 || o | s == 1)"), 1 / 2)


def test_a_root_of_what_is_never_negative_is_as_private_as_that() -> None:
    # where both densities are positive the loss is 1 or −1; what is below 1 is possible for 0 only
    text = "s ~ flip(1/2)\nx ~ exponential(1)\no := sqrt(s + x)\n"
    holds(measured(text, "Delta(s -> o, eps=1)"), 1 - math.exp(-1))


def test_an_event_on_the_output_is_one_on_the_output() -> None:
    # o > 1 if and only if s + n > 0: with the argument in its place, the event would be another one
    truth = -math.log(np.mean([1 / 2, 1 - math.exp(-1) / 2, 1 - math.exp(-2) / 2]))
    found = measured(f"{SECRET}o := exp(s + n)\n", "KL(o | o > 1 || o)")
    assert found.lower - 1e-9 <= truth <= found.upper + 1e-9


def test_an_event_that_reads_the_output_without_saying_anything_of_it_changes_nothing() -> None:
    text = "n ~ normal(0, 1)\nb ~ flip(1/2)\no := n^2\n"
    found = measured(text, "KL(o | o - o + b == 1 || o)")
    assert found.lower <= 0
    assert found.upper < 1e-9 or found.certainty is Certainty.APPROXIMATE


def test_the_worst_output_is_not_named_by_another_value() -> None:
    text = "s ~ uniform_int(0, 2)\nn ~ laplace(0, 1)\no := exp(max(s + n, 0) + s)\n"
    found = seepage.parse(text).measure("DP(s -> o)")
    assert ", at o" not in found.witness


def test_two_functions_of_one_value_are_not_compared_by_it() -> None:
    # exp(s + n) against (s + n)^3 is no comparison of s + n with itself, which would be 0
    text = "n ~ normal(0, 1)\no := exp(n)\np := n^3\n"
    found = measured(text, "KL(o || p)")
    assert found.certainty is Certainty.APPROXIMATE or found.lower > 0
