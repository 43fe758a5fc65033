"""``DP`` of more pairs of neighbours than are compared, behind noise that is clamped afterwards, against tails of the noise."""

from __future__ import annotations

import math

import pytest

from seepage import parse
from seepage.measures.pivot import privacy

PROGRAM = """secret s
output o
s ~ uniform_int(0, 100)
n ~ laplace(0, 10)
o := min(max(s + n, {low}), {high})
"""


def below(place: float) -> float:
    """Return how likely Laplace noise of scale 10 is at most a place."""
    return math.exp(place / 10) / 2 if place < 0 else 1 - math.exp(-place / 10) / 2


def test_the_pair_that_reaches_the_loss_of_the_noise_is_the_worst() -> None:
    """Clamping takes nothing away here: the end 0 is 100 tenths more likely of s = 0 than of s = 100."""
    found = parse(PROGRAM.format(low=0, high=100)).measure("DP(s -> o)")

    assert found.certainty == "certified"
    assert (found.lower, found.upper) == pytest.approx((10, 10), rel=1e-12)
    assert math.log(below(0) / below(-100)) == pytest.approx(10)


def test_other_pairs_leave_a_bound() -> None:
    """Where clamping takes something away, the loss of the noise stays a bound, and the pair that lies furthest apart another."""
    found = parse(PROGRAM.format(low=40, high=60)).measure("DP(s -> o)")
    furthest = math.log(below(40) / below(-60))

    assert found.lower == pytest.approx(furthest, rel=1e-9)
    assert found.upper == pytest.approx(10, rel=1e-12)
    assert furthest < 7


def test_so_they_do_where_some_loss_may_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loss of the pair 0 and 100 at delta = 1/100, by the one set {0}: its chance is 1/2, and e^-10/2 of the other."""
    monkeypatch.setattr(privacy, "_MOST_PAIRS", 1)
    found = parse(PROGRAM.format(low=0, high=100)).measure("DP(s -> o, delta=1/100)")

    assert math.log((below(0) - 1 / 100) / below(-100)) - 1e-9 <= found.lower
    assert found.upper <= 10 + 1e-9


def test_excesses_of_the_pairs_that_are_left_are_those_of_two_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The excess of 0 and 100 at eps = 1 by the set {0}, and at most that of randomized response with a loss of 10."""
    monkeypatch.setattr(privacy, "_MOST_PAIRS", 2)
    found = parse(PROGRAM.format(low=0, high=100)).measure("Delta(s -> o, eps=1)")

    assert below(0) - math.e * below(-100) - 1e-9 <= found.lower
    assert found.lower <= found.upper <= (math.exp(10) - math.e) / (1 + math.exp(10)) + 1e-9
