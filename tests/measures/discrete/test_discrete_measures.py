"""Entropy, information, divergence and means of discrete joints, against definitions evaluated with mpmath."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

import seepage
from seepage.engines.forward.coefficients import RATIONALS, balls
from seepage.engines.outcome import DiscreteJoint
from seepage.exact import Number, add, div, enclose, exp_, log_, mul, precision, sub
from seepage.measures.discrete.divergence import divergence
from seepage.measures.discrete.entropy import conditional_entropy, entropy
from seepage.measures.discrete.mutual_information import mutual_information
from seepage.measures.discrete.probability import expectation
from seepage.measures.enclosure import Enclosure
from seepage.measures.result import Certainty

BALLS = balls(128)


def rational(variables: tuple[str, ...], masses: dict[tuple[Number, ...], Fraction | int]) -> DiscreteJoint[fmpq]:
    weights = {v: fmpq(Fraction(m).numerator, Fraction(m).denominator) for v, m in masses.items() if m}
    return DiscreteJoint(variables, RATIONALS, weights, sum(weights.values(), fmpq(0)))


def ball(variables: tuple[str, ...], masses: dict[tuple[Number, ...], Number]) -> DiscreteJoint[arb]:
    weights = {v: enclose(m, 128) for v, m in masses.items() if m != 0}
    return DiscreteJoint(variables, BALLS, weights, sum(weights.values(), arb(0)))


def randomized_response(p: Number, eps: Number) -> dict[tuple[Number, ...], Number]:
    keep = div(exp_(eps), add(exp_(eps), 1))
    return {(r, o): mul(p if r else sub(1, p), keep if r == o else sub(1, keep)) for r in (0, 1) for o in (0, 1)}


def bits(result: Enclosure) -> float:
    with precision(256):
        return float(result.value / arb(2).log())


def close(result: Enclosure, truth: mpmath.mpf, digits: int = 20) -> bool:
    """Whether bounds contain the truth, as mpmath knows it to 60 digits, and are tight to the asked relative accuracy."""
    with precision(400):
        slack = mpmath.mpf(10) ** -50
        low, high = (mpmath.mpf(x.str(70, radius=False)) for x in (result.lower, result.upper))
        return bool(low - slack <= truth <= high + slack and high - low <= truth * mpmath.mpf(10) ** -digits + slack)


Table = dict[tuple[Number, ...], Fraction]


def defined_information(masses: Table, z: bool) -> mpmath.mpf:
    """I(x; y | z) of a table over (x, y, z) by its definition; z is taken into y's place if it is not a condition."""
    whole = sum(masses.values())
    xyz: dict[tuple[Number, Number, Number | None], Fraction] = defaultdict(Fraction)
    xz, yz = (defaultdict[tuple[Number, Number | None], Fraction](Fraction) for _ in range(2))
    zs: dict[Number | None, Fraction] = defaultdict(Fraction)
    for (a, b, c), mass in masses.items():
        key = c if z else None
        share = mass / whole
        xyz[a, b, key] += share
        xz[a, key] += share
        yz[b, key] += share
        zs[key] += share
    return mpmath.fsum(
        to_mp(p) * mpmath.log(to_mp(p * zs[k] / (xz[a, k] * yz[b, k]))) for (a, b, k), p in xyz.items() if p
    )


def defined_entropy(masses: Table, places: tuple[int, ...]) -> mpmath.mpf:
    whole, table = sum(masses.values()), defaultdict[object, Fraction](Fraction)
    for values, mass in masses.items():
        table[tuple(values[i] for i in places)] += mass / whole
    return -mpmath.fsum(to_mp(p) * mpmath.log(to_mp(p)) for p in table.values() if p)


def to_mp(number: Fraction) -> mpmath.mpf:
    return mpmath.mpf(number.numerator) / number.denominator


tables = st.dictionaries(
    st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1)),
    st.fractions(min_value=Fraction(1, 1000), max_value=5, max_denominator=1000),
    min_size=1,
)
XYZ = ("x", "y", "z")


@settings(deadline=None)
@given(tables)
def test_measures_of_rational_joints_agree_with_their_definitions(masses: Table) -> None:
    joint = rational(XYZ, dict(masses))

    assert close(entropy(joint, ("x",)), defined_entropy(masses, (0,)))
    assert close(entropy(joint, ("x", "z")), defined_entropy(masses, (0, 2)))
    given_y = defined_entropy(masses, (0, 1)) - defined_entropy(masses, (1,))
    assert close(conditional_entropy(joint, ("x",), ("y",)), given_y)
    assert close(mutual_information(joint, ("x",), ("y",)), defined_information(masses, z=False))
    assert close(mutual_information(joint, ("x",), ("y",), ("z",)), defined_information(masses, z=True))


@settings(deadline=None)
@given(tables)
def test_balls_contain_what_rationals_give(masses: Table) -> None:
    exact, enclosed = rational(XYZ, dict(masses)), ball(XYZ, dict(masses))

    measures: tuple[Callable[[DiscreteJoint[fmpq] | DiscreteJoint[arb]], Enclosure], ...] = (
        lambda j: entropy(j, ("x", "y")),
        lambda j: conditional_entropy(j, ("x",), ("y", "z")),
        lambda j: mutual_information(j, ("x",), ("y",)),
        lambda j: mutual_information(j, ("x",), ("y",), ("z",)),
        lambda j: expectation(j, "x"),
    )
    for measure in measures:
        narrow, wide = measure(exact), measure(enclosed)
        assert wide.lower <= narrow.upper
        assert narrow.lower <= wide.upper


@settings(deadline=None)
@given(tables, tables)
def test_divergence_agrees_with_its_definition(p: Table, q: Table) -> None:
    here, there = rational(XYZ, dict(p)), rational(XYZ, dict(q))
    result = divergence(here, XYZ, there, XYZ)

    p_mass, q_mass = sum(p.values()), sum(q.values())
    if p.keys() <= q.keys():
        truth = mpmath.fsum(to_mp(m / p_mass) * mpmath.log(to_mp(m * q_mass / (q[v] * p_mass))) for v, m in p.items())
        assert close(result, truth)
    else:
        assert result.lower == arb("inf")


def test_information_is_exactly_zero_where_rational_masses_factorise() -> None:
    joint = rational(("x", "y"), {(x, y): Fraction(x + 1, 7) * Fraction(y + 2, 3) for x in range(4) for y in range(5)})

    assert mutual_information(joint, ("x",), ("y",)) == Enclosure.of_rational(Fraction(0))


def test_a_determined_variable_has_exactly_no_entropy_left_even_with_ball_masses() -> None:
    joint = ball(("x", "y"), {(x % 2, x): div(exp_(x), 40) for x in range(4)})

    assert conditional_entropy(joint, ("x",), ("y",)).exact == 0
    assert mutual_information(joint, ("x",), ("y",), ("y",)).exact == 0


@pytest.mark.parametrize(
    ("p", "eps", "answer"),
    [
        # closed form h(pq + (1-p)(1-q)) - h(q), as listed with the verified cases of the paper
        (Fraction(1, 10), 1, 0.05909104940114766),
        (Fraction(1, 2), Fraction(1, 10), 0.0018011170921302545),
        (Fraction(1, 2), 10, 0.9992795504327987),
        (Fraction(1, 3), 2, 0.4259330792933078),
    ],
)
def test_information_of_randomized_response(p: Fraction, eps: Number, answer: float) -> None:
    joint = ball(("r", "o"), randomized_response(p, eps))

    assert abs(bits(mutual_information(joint, ("r",), ("o",))) - answer) < 1e-15


def test_a_tiny_leak_keeps_its_digits() -> None:
    joint = ball(("r", "o"), randomized_response(Fraction(1, 2), Fraction(1, 10**9)))
    result = mutual_information(joint, ("r",), ("o",))

    # I = eps^2 / 8 + O(eps^4) nats at p = 1/2; the next term is smaller by 1e-18
    with precision(256):
        assert abs(result.value * 8 * arb(10) ** 18 - 1) < arb(10) ** -17
        assert (result.upper - result.lower) / result.value < arb(10) ** -20


def test_entropies_far_below_the_range_of_doubles_are_found() -> None:
    tiny = Fraction(1, 10**400)
    joint = rational(("x",), {(0,): 1 - tiny, (1,): tiny})
    result = entropy(joint, ("x",))

    # -t log t - (1-t) log(1-t) = t (log(1/t) + 1) up to a relative error of 1e-400
    with precision(2000):
        ratio = result.value / (arb(10) ** -400 * (400 * arb(10).log() + 1))
        assert abs(ratio - 1) < arb(10) ** -50


def test_information_of_a_rare_event_is_found() -> None:
    rare = Fraction(1, 10**400)
    masses: dict[tuple[Number, ...], Number] = {(0, 0): 1 - rare, (0, 1): rare / 2, (1, 1): rare / 2}
    exact = mutual_information(rational(("x", "y"), dict(masses)), ("x",), ("y",))  # type: ignore[arg-type]
    enclosed = mutual_information(ball(("x", "y"), masses), ("x",), ("y",))

    with precision(256):
        assert enclosed.lower <= exact.lower
        assert exact.upper <= enclosed.upper < arb(10) ** -397
        # I = H(y) - H(y|x) with H(y|x) = H(rare/2): rare (log(1/rare) + 1) - rare/2 (log(2/rare) + 1) + O(rare^2)
        length = 400 * arb(10).log()
        expected = arb(10) ** -400 * (length + 1 - (length + arb(2).log() + 1) / 2)
        assert abs(exact.value / expected - 1) < arb(10) ** -50


def test_values_of_64_bits_are_told_apart() -> None:
    joint = rational(("x", "y"), {(2**64 + i, i % 2): Fraction(1, 4) for i in range(4)})

    assert bits(entropy(joint, ("x",))) == 2
    assert bits(mutual_information(joint, ("x",), ("y",))) == 1


def test_divergence_is_infinite_where_a_value_is_impossible_on_the_other_side() -> None:
    joint = rational(("x", "y"), {(0, 0): Fraction(1, 2), (1, 0): Fraction(1, 2)})

    assert divergence(joint, ("x",), joint, ("y",)).lower == arb("inf")
    assert divergence(joint, ("y",), joint, ("x",)).lower < arb("inf")


def test_masses_that_do_not_sum_to_one_are_normalised_at_the_end() -> None:
    joint = rational(("x",), {(0,): Fraction(1, 1000), (1,): Fraction(3, 1000)})

    assert expectation(joint, "x").exact == Fraction(3, 4)
    assert divergence(joint, ("x",), rational(("x",), {(0,): 1, (1,): 3}), ("x",)).exact == 0


def test_the_mean_of_irrational_values_is_enclosed() -> None:
    joint = rational(("x",), {(log_(2),): Fraction(1, 2), (log_(8),): Fraction(1, 2)})
    result = expectation(joint, "x")

    with precision(256):
        assert abs(result.value - 2 * arb(2).log()) < arb(10) ** -50
    assert result.certainty is Certainty.EXACT
    assert result.exact is None


def test_an_empty_distribution_is_refused() -> None:
    with pytest.raises(ValueError, match="no run passes"):
        entropy(rational(("x",), {}), ("x",))


def test_an_unknown_variable_is_refused() -> None:
    with pytest.raises(ValueError, match="'y'"):
        entropy(rational(("x",), {(1,): 1}), ("y",))


@settings(deadline=None)
@given(tables)
def test_bounds_obey_the_laws_of_information_up_to_rounding(masses: Table) -> None:
    joint = ball(XYZ, dict(masses))
    information = mutual_information(joint, ("x",), ("y",))
    whole = entropy(joint, ("x",))

    # masses are balls of 128 bits, so two ways to one number may differ by a few units of the 120th bit
    with precision(256):
        highest = whole.upper + arb(2) ** -110
        assert information.lower >= 0
        assert information.upper <= highest
        assert conditional_entropy(joint, ("x",), ("y",)).upper <= highest


@pytest.mark.parametrize("text", ["b ~ bernoulli(1/2)\nq := 1 / b\no := b", "b ~ bernoulli(1/2)\nq := b\no := 1 / b"])
def test_a_fault_of_either_side_is_told_where_one_is_a_function_of_the_other(text: str) -> None:
    with pytest.raises(seepage.MeasureError, match="division by zero"):
        seepage.parse(text).measure("I(b, q; o)")
