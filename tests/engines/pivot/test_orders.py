"""Chances of orders of independent variables, against samples, quadrature by mpmath, and counting."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mpf
from numpy.typing import NDArray

from seepage.engines.pivot.comparisons import implied_sign, union_of
from seepage.engines.pivot.orders import chance_in_order
from seepage.exact import Number, div, nearest_float, neg, number, precision
from seepage.laws.exponential import Exponential
from seepage.laws.forms import Beyond, Direction, direction_of
from seepage.laws.gamma import Gamma
from seepage.laws.laplace import Laplace
from seepage.laws.law import Edge, Law
from seepage.laws.normal import Normal
from seepage.laws.student_t import StudentT
from seepage.laws.triangular import Triangular
from seepage.laws.uniform import Uniform

SAMPLES = 200_000

LAPLACE, WIDE = Laplace((1,)), Laplace((Fraction(5, 2),))
EXPONENTIAL, UNIFORM, NORMAL = Exponential(), Uniform(), Normal((2,))
PIECEWISE = (LAPLACE, WIDE, EXPONENTIAL, UNIFORM, Gamma((3,)), Triangular((Fraction(1, 3),)))


def samples_of(law: Law, random: np.random.Generator) -> NDArray[np.float64]:
    """Draw from a law by numpy."""
    first = nearest_float(law.parameters[0]) if law.parameters else 0.0
    match law.name:
        case "laplace":
            return random.laplace(0, first, SAMPLES)
        case "exponential":
            return random.exponential(1, SAMPLES)
        case "uniform":
            return random.uniform(0, 1, SAMPLES)
        case "gamma":
            return random.gamma(first, 1, SAMPLES)
        case "triangular":
            return random.triangular(0, first, 1, SAMPLES)
        case _:
            return random.normal(0, math.sqrt(first), SAMPLES)


def less(first: int, second: int, gap: Number = 0) -> tuple[Direction, tuple[Edge, Edge]]:
    """Return the guard that one source is less than another plus a gap."""
    direction, scale = direction_of({first: 1, second: -1})
    return (direction, (None, gap)) if scale == 1 else (direction, (neg(gap), None))


def chance(laws: tuple[Law, ...], guards: Mapping[Direction, tuple[Edge, Edge]]) -> arb:
    """Return the chance with the precision that measures have."""
    with precision(128):
        return chance_in_order(laws, guards)


def share(laws: tuple[Law, ...], guards: Mapping[Direction, tuple[Edge, Edge]], seed: int) -> float:
    """Return how many samples pass all guards."""
    random = np.random.default_rng(seed)
    drawn = [samples_of(law, random) for law in laws]
    passed = np.ones(SAMPLES, dtype=bool)
    for direction, (low, high) in guards.items():
        total = sum((nearest_float(a) * drawn[index] for index, a in direction), np.zeros(SAMPLES))
        passed &= (low is None or total > nearest_float(low)) & (high is None or total < nearest_float(high))
    return float(passed.mean())


def integral(of: Callable[[mpf], mpf], places: Sequence[float]) -> mpf:
    """Return an integral by mpmath."""
    found = mpmath.quad(of, places)
    assert isinstance(found, mpf)
    return found


def assert_near(found: arb, seen: float) -> None:
    """Six standard errors, of the chance that was found."""
    middle = float(found.mid())
    assert found.rad() < 1e-9
    assert abs(middle - seen) <= 6 * math.sqrt(max(middle * (1 - middle), 0) / SAMPLES) + 1e-9


@pytest.mark.parametrize("law", [*PIECEWISE, NORMAL], ids=lambda law: law.name)
@pytest.mark.parametrize("count", [3, 4, 5])
def test_each_of_several_equal_variables_is_the_least_as_often(law: Law, count: int) -> None:
    found = chance((law,) * count, dict(less(0, other) for other in range(1, count)))

    assert found.overlaps(arb(1) / count)
    assert found.rad() < 1e-15


@pytest.mark.parametrize("law", PIECEWISE, ids=lambda law: law.name)
def test_a_chain_of_equal_variables_has_the_chance_of_one_order(law: Law) -> None:
    found = chance((law,) * 5, dict(less(at, at + 1) for at in range(4)))

    assert found.overlaps(arb(1) / 120)
    assert found.rad() < 1e-15


@pytest.mark.parametrize("law", PIECEWISE, ids=lambda law: law.name)
def test_an_order_that_goes_round_has_its_share_of_all_orders(law: Law) -> None:
    guards = dict([less(0, 2), less(0, 3), less(1, 2), less(1, 3)])
    agreeing = [p for p in itertools.permutations(range(4)) if max(p[0], p[1]) < min(p[2], p[3])]

    assert chance((law,) * 4, guards).overlaps(arb(len(agreeing)) / 24)


def test_the_greatest_of_laplace_variables_agrees_with_quadrature() -> None:
    gaps = (Fraction(3, 2), Fraction(-2), Fraction(7))
    guards = dict(less(at + 1, 0, gap) for at, gap in enumerate(gaps))
    found = chance((LAPLACE, WIDE, LAPLACE, WIDE), guards)

    def below(x: mpf, scale: mpf) -> mpf:
        return mpmath.exp(x / scale) / 2 if x < 0 else 1 - mpmath.exp(-x / scale) / 2

    with mpmath.workdps(30):
        scales = [mpf(5) / 2, mpf(1), mpf(5) / 2]
        truth = integral(
            lambda x: (
                mpmath.exp(-abs(x))
                / 2
                * mpmath.fprod(below(x + g, s) for g, s in zip(map(float, gaps), scales, strict=True))
            ),
            [-60, -7, -1.5, 0, 2, 60],
        )
    assert abs(float(found.mid()) - float(truth)) < 1e-15


def test_the_greatest_of_normal_and_laplace_variables_agrees_with_quadrature() -> None:
    guards = dict([less(1, 0, 1), less(2, 0, -2), less(3, 0, 3)])
    found = chance((NORMAL, NORMAL, LAPLACE, UNIFORM), guards)

    def laplace_below(x: mpf) -> mpf:
        return mpmath.exp(x) / 2 if x < 0 else 1 - mpmath.exp(-x) / 2

    with mpmath.workdps(30):
        root = mpmath.sqrt(2)
        truth = integral(
            lambda x: (
                mpmath.npdf(x, 0, root) * mpmath.ncdf(x + 1, 0, root) * laplace_below(x - 2) * min(max(x + 3, 0), 1)
            ),
            [-3, -2, 0, 2, 20],
        )
    assert abs(float(found.mid()) - float(truth)) < 1e-14


def test_chances_far_out_keep_their_digits() -> None:
    found = chance((LAPLACE, LAPLACE, LAPLACE), dict([less(0, 1, -400), less(2, 1)]))

    # a < b − 400 and c < b: times e^−400, ∫ e^3b / 8 below 0, (1 − e^−b / 2) / 4 up to 400, beyond that e^−t / 2 (1 − e^−t / 2), and e^−400 of it all
    with precision(256):
        truth = (-arb(400)).exp() * (arb(1) / 24 + 100 - arb(1) / 8 + arb(3) / 8)
        assert abs(found / truth - 1) < 1e-15


def test_comparisons_that_contradict_each_other_have_no_chance() -> None:
    guards = dict([less(0, 1), less(1, 2), less(2, 0)])

    assert chance((LAPLACE,) * 3, guards).is_zero()


def test_supports_decide_comparisons() -> None:
    direction, (_, edge) = less(0, 1, 2)
    assert edge is not None

    assert implied_sign((UNIFORM, UNIFORM), {}, direction, edge) == -1
    assert implied_sign((LAPLACE, UNIFORM), {}, direction, edge) == 0


def test_what_follows_from_other_comparisons_is_seen() -> None:
    guards = dict([less(0, 1, 1), less(1, 2, Fraction(1, 2))])
    direction, (_, edge) = less(0, 2, Fraction(3, 2))
    assert edge is not None

    assert implied_sign((LAPLACE,) * 3, guards, direction, edge) == -1
    assert implied_sign((LAPLACE,) * 3, guards, direction, div(edge, 2)) == 0


@pytest.mark.parametrize("count", [3, 4, 5])
def test_all_orders_with_the_same_greatest_are_one_region(count: int) -> None:
    regions = [
        dict(less(p[at], p[at + 1]) for at in range(count - 1))
        for p in itertools.permutations(range(count))
        if p[-1] == 0
    ]

    assert union_of((NORMAL,) * count, regions) == dict(less(other, 0) for other in range(1, count))


def test_orders_that_leave_a_gap_are_no_region() -> None:
    regions = [dict(less(p[at], p[at + 1]) for at in range(3)) for p in itertools.permutations(range(4)) if p[-1] == 0]

    assert union_of((NORMAL,) * 4, regions[1:]) is None


def test_orders_that_overlap_are_not_joined() -> None:
    assert union_of((NORMAL,) * 3, [dict([less(0, 1), less(1, 2)]), dict([less(0, 2)])]) is None


gap = st.fractions(-4, 4, max_denominator=4).map(number)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_forests_of_comparisons_agree_with_samples(data: st.DataObject) -> None:
    count = data.draw(st.integers(3, 5))
    laws = tuple(data.draw(st.sampled_from(PIECEWISE)) for _ in range(count))
    guards: dict[Direction, tuple[Edge, Edge]] = {}
    for node in range(1, count):
        parent = data.draw(st.integers(0, node - 1))
        a, b = data.draw(gap), data.draw(gap)
        coefficient = data.draw(
            st.sampled_from([Fraction(-2), Fraction(-1), Fraction(-1), Fraction(-1), Fraction(1, 3)])
        )
        direction, _ = direction_of({parent: 1, node: coefficient})
        low, high = min(a, b), max(a, b)
        kinds: list[tuple[Edge, Edge]] = [(low, None), (None, high)]
        guards[direction] = data.draw(st.sampled_from([*kinds, (low, high)] if low < high else kinds))
    if data.draw(st.booleans()):
        guards[((0, 1),)] = (data.draw(gap), None)

    assert_near(chance(laws, guards), share(laws, guards, 1))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_stars_with_normal_variables_agree_with_samples(data: st.DataObject) -> None:
    count = data.draw(st.integers(3, 5))
    laws = tuple(data.draw(st.sampled_from([NORMAL, NORMAL, LAPLACE, EXPONENTIAL, UNIFORM])) for _ in range(count))
    guards = dict(
        less(0, node, data.draw(gap)) if data.draw(st.booleans()) else less(node, 0, data.draw(gap))
        for node in range(1, count)
    )

    assert_near(chance(laws, guards), share(laws, guards, 2))


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_orders_of_shifted_variables_agree_with_samples(data: st.DataObject) -> None:
    count = data.draw(st.integers(3, 5))
    laws = tuple(data.draw(st.sampled_from(PIECEWISE)) for _ in range(count))
    shifts = [data.draw(gap) for _ in range(count)]
    pairs = data.draw(st.lists(st.sampled_from(list(itertools.permutations(range(count), 2))), min_size=2, max_size=8))
    guards: dict[Direction, tuple[Edge, Edge]] = {}
    for first, second in pairs:
        direction, ends = less(first, second, number(Fraction(shifts[second]) - Fraction(shifts[first])))
        guards.setdefault(direction, ends)

    assert_near(chance(laws, guards), share(laws, guards, 3))


def test_what_has_no_closed_form_is_told() -> None:
    laws = (StudentT((3,)), LAPLACE, LAPLACE)

    with pytest.raises(Beyond):
        chance(laws, dict([less(0, 1), less(1, 2)]))
    with pytest.raises(Beyond):
        chance((LAPLACE,) * 3, dict([less(0, 1), less(1, 2, 1), less(0, 2, Fraction(1, 2))]))
