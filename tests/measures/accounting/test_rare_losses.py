"""Losses that are rare and large, as of records that are seldom taken: the grid, the tilt and the tails that they need."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.special import log_ndtr, ndtr

from seepage.measures.accounting.account import Releases, loss
from seepage.measures.accounting.mixtures import Normals

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

SELDOM = Fraction(1, 1000)
TAKEN = Normals(((0, 1 - SELDOM), (1, SELDOM)), ((0, 1),))
MIRRORED = Normals(((0, SELDOM), (1, 1 - SELDOM)), ((1, 1),))
"""The same law of losses: its outputs are turned, so that large losses are far below all places."""


def by_rounding(count: int, delta: float) -> float:
    """Return ε of a record that is removed, by losses rounded to the nearest of a fine grid, composed by transforms of floats; no bound."""
    step, size = 2e-5, 1 << 20
    x = np.linspace(-12, 13, 400_001)
    rate = float(SELDOM)
    masses = np.diff((1 - rate) * ndtr(x) + rate * ndtr(x - 1))
    losses = np.log(1 - rate + rate * np.exp((x[1:] + x[:-1]) / 2 - 0.5))
    bins: NDArray[np.float64] = np.zeros(size)
    np.add.at(bins, np.rint(losses / step).astype(int) % size, masses)
    law = np.fft.irfft(np.fft.rfft(bins) ** count, size)
    at = step * ((np.arange(size) + size // 4) % size - size // 4)

    def excess(epsilon: float) -> float:
        above = at > epsilon
        return float((law[above] * -np.expm1(epsilon - at[above])).sum())

    return bisected(excess, delta, 0, 2)


def bisected(excess: Callable[[float], float], delta: float, low: float, high: float) -> float:
    """Return where a falling function has a value, or the lower end if it is not more there."""
    if excess(low) <= delta:
        return low
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > delta else (low, middle)
    return low


@pytest.mark.parametrize("pair", [TAKEN, MIRRORED], ids=["taken", "mirrored"])
def test_a_record_that_is_seldom_taken_in_a_thousand_steps(pair: Normals) -> None:
    found = loss(Releases(((pair, 1_000),)), Fraction(1, 100_000))

    assert found.upper - found.lower <= 2e-3 * found.upper
    assert found.lower * (1 - 1e-3) <= by_rounding(1_000, 1e-5) <= found.upper * (1 + 1e-3)


def test_a_million_steps() -> None:
    """The bounds of a prototype with masses of its own grid: from 6.6852 to 6.7058."""
    found = loss(Releases(((MIRRORED, 1_000_000),)), Fraction(1, 1_000_000))

    assert 6.6852 <= found.lower < found.upper <= 6.7058
    assert found.upper - found.lower <= 1e-3 * found.upper


@pytest.mark.parametrize("delta", [Fraction(1, 1_000), Fraction(1, 10**7), Fraction(1, 10**10)])
def test_one_step_far_out(delta: Fraction) -> None:
    """One release behind noise of half a unit, whose loss is monotone: δ at a claimed ε is a difference of two tails."""
    rate, far = 1e-3, 2.0
    pair = Normals(((0, 1 - SELDOM), (2, SELDOM)), ((0, 1),))

    def excess(epsilon: float) -> float:
        x = math.log((math.exp(epsilon) - 1 + rate) / rate) / far + far / 2
        return float((1 - rate) * ndtr(-x) + rate * ndtr(far - x) - math.exp(epsilon) * ndtr(-x))

    known = bisected(excess, float(delta), 0, 20)
    found = loss(Releases(((pair, 1),)), delta)

    assert found.lower <= known * (1 + 1e-7)
    assert known * (1 - 1e-7) <= found.upper
    assert found.upper - found.lower <= 1e-3 * found.upper


def test_losses_whose_exponentials_are_no_floats() -> None:
    """A thousand and six hundred moves by one deviation are one by forty; both halves of a law stand at one place, so that no closed form is seen."""
    half, count, delta = Fraction(1, 2), 1_600, 1e-3
    far = math.sqrt(count)

    def excess(epsilon: float) -> float:
        kept = float(ndtr(far / 2 - epsilon / far))
        return kept - math.exp(epsilon + float(log_ndtr(-far / 2 - epsilon / far)))

    known = bisected(excess, delta, 0, 2_000)
    found = loss(Releases(((Normals(((0, 1),), ((1, half), (1, half))), count),)), Fraction(1, 1_000))

    assert known > 800
    assert found.lower <= known <= found.upper
    assert found.upper - found.lower <= 1e-3 * found.upper


def test_losses_beyond_all_cuts_are_bounded_where_both_laws_end_with_one_place() -> None:
    """The loss of (1 − q)·exp(0) + q·exp(2x − 2) over the other way round falls from one limit to the other outside of both places."""
    pair = Normals(((0, Fraction(9, 10)), (2, Fraction(1, 10))), ((0, Fraction(1, 5)), (2, Fraction(4, 5))))
    cells = pair.cells([0.0])

    for cell, limit in ((cells[0], math.log(4.5)), (cells[-1], -math.log(8))):
        assert float(cell.low.lower()) <= limit <= float(cell.high.upper())
        assert float(cell.high.upper()) - float(cell.low.lower()) < 1e-9


def test_masses_far_out_are_told_as_well_on_either_side() -> None:
    losses = [-0.0005, 0.0, 1.0, 20.0, 60.0]
    one, other = TAKEN.cells(losses), MIRRORED.cells(losses)

    far = max(one, key=lambda each: float(each.high.mid()) if each.high.is_finite() else 0.0)
    same = max(other, key=lambda each: float(each.high.mid()) if each.high.is_finite() else 0.0)
    assert same.p.rel_accuracy_bits() >= 40
    assert float(far.p.mid()) == pytest.approx(float(same.p.mid()), rel=1e-6)
