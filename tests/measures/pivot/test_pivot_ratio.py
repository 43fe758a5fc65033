"""Suprema of log-ratios where comparisons of balls are undecided: few bits, little time, scales far apart; against a grid in high precision."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import count

import mpmath
import pytest
from flint import arb
from mpmath import mpf

from seepage.deadline import Clock, Deadline, using
from seepage.engines.outcome import Budget
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, enclose, precision
from seepage.laws.exponential import Exponential
from seepage.laws.gamma import Gamma
from seepage.laws.laplace import Laplace
from seepage.laws.law import Law
from seepage.laws.normal import Normal
from seepage.laws.student_t import StudentT
from seepage.laws.uniform import Uniform
from seepage.measures.pivot.privacy import _greater, _larger, _smaller
from seepage.measures.pivot.ratio import Part, apart, largest_of, log_ratio

LONG = Budget(deadline=None)
LOOKS = (
    15  # of the search at the clock, each before it halves a cell: so many end it, on a fast machine and on a busy one
)


def ticking() -> Callable[[], float]:
    """A clock that goes on by a second each time that it is looked at."""
    seconds = count()
    return lambda: float(next(seconds))


def part(weight: float, law: Law, location: Number = 0, scale: Number = 1) -> Part:
    return Part(arb(weight), Placed(law, location, scale, *law.ends))


def number(value: Number) -> mpf:
    return mpf(float(enclose(value).mid()))


def height(parts: list[Part], y: mpf) -> mpf:
    """The density of a sum of parts, from the textbook."""
    total = mpf(0)
    for each in parts:
        law, scale = each.placed.law, number(each.placed.scale)
        z = (y - number(each.placed.location)) / scale
        first = number(law.parameters[0]) if law.parameters else mpf(1)
        match law.name:
            case "normal":
                f = mpmath.npdf(z, 0, mpmath.sqrt(first))
            case "laplace":
                f = mpmath.exp(-abs(z) / first) / (2 * first)
            case "student_t":
                front = mpmath.gamma((first + 1) / 2) / mpmath.gamma(first / 2) / mpmath.sqrt(first * mpmath.pi)
                f = front * (1 + z * z / first) ** (-(first + 1) / 2)
            case "gamma":
                f = z ** (first - 1) * mpmath.exp(-z) / mpmath.gamma(first) if z > 0 else mpf(0)
            case _:
                f = mpmath.exp(-z) if z > 0 else mpf(0)
        total += mpf(float(each.weight.mid())) * f / abs(scale)
    return total


def on_grid(top: list[Part], bottom: list[Part]) -> mpf:
    """A lower bound of the supremum of log f/g: the greatest on a grid, denser at 0, far out too."""
    near = [mpf(k) / 4 for k in range(-100, 101)]
    far = [sign * mpf(2) ** k for sign in (-1, 1) for k in range(-30, 12, 2)]
    found = -mpmath.inf
    with mpmath.workdps(60):
        for y in (*near, *far):
            f, g = height(top, y), height(bottom, y)
            if f > 0 and g > 0:
                found = max(found, mpmath.log(f / g))
    return found


LAWS: dict[str, list[Law]] = {
    "normal": [Normal((1,)), Normal((2,)), Normal((9,))],
    "tails": [Laplace((1,)), Laplace((2,)), StudentT((3,)), Normal((1,))],
    "student": [StudentT((1,)), StudentT((3,)), StudentT((4,))],
    "ends": [Exponential(), Gamma((2,)), Gamma((3,))],
}


def drawn(rng: random.Random, kind: str) -> list[Part]:
    locations = (0,) if kind == "ends" else (-3, -1, 0, 1, 2, 10)
    count = rng.choice([1, 2, 3])
    weights = [rng.choice([0.5, 0.25, 2.0**-40]) for _ in range(count)]
    return [part(w, rng.choice(LAWS[kind]), rng.choice(locations), rng.choice([1, 2, 3])) for w in weights]


@pytest.mark.family(every=4)
@pytest.mark.parametrize("bits", [24, 53, 128])
@pytest.mark.parametrize("kind", LAWS)
def test_no_place_exceeds_the_upper_bound_however_few_bits_there_are(kind: str, bits: int) -> None:
    rng = random.Random(f"{kind} {bits}")
    finite = 0
    for _ in range(14):
        top, bottom = drawn(rng, kind), drawn(rng, kind)
        with precision(bits), using(Clock(ticking(), ticking())):
            low, high = log_ratio(top, bottom, Budget(deadline=Deadline.after(LOOKS)))
        truth = on_grid(top, bottom)
        assert not high.is_nan()
        assert not low.is_nan()
        if high != arb.pos_inf():
            finite += 1
            assert truth <= float(high) + 1e-12 * (1 + abs(truth))
            assert low <= high
        if low == arb.pos_inf():  # the ratio grows far out, or towards an end
            ends = [mpf(10) ** k * sign for k in (-40, -12, 3, 5, 40) for sign in (-1, 1)]
            with mpmath.workdps(60):
                pairs = [(height(top, y), height(bottom, y)) for y in ends]
            assert any(f > 0 and (g == 0 or mpmath.log(f / g) > truth - 1e-9) for f, g in pairs)
    assert finite


def test_without_time_nothing_is_claimed() -> None:
    top, bottom = [part(1, Normal((1,)), 1)], [part(1, Normal((2,)))]
    low, high = log_ratio(top, bottom, Budget(deadline=Deadline.after(-1)))
    # sup of −(y − 1)²/2 + y²/4 + log(2)/2, at y = 2: 1/2 + log(2)/2
    truth = 0.5 + mpmath.log(2) / 2
    assert low != arb.pos_inf()
    assert low == arb.neg_inf() or low <= arb(str(truth))
    assert high >= arb(str(truth))
    low, high = log_ratio(top, bottom, LONG)
    assert low <= arb(str(truth)) + 1e-12
    assert high >= arb(str(truth)) - 1e-12
    assert high - low < 1e-12


def test_the_greater_of_two_bounds_is_one_where_they_overlap() -> None:
    wide, narrow = arb(10, 1), arb(10.5, 0.01)
    assert largest_of(wide, narrow) >= arb(11)
    assert largest_of(narrow, wide) >= arb(11)
    assert largest_of(arb(1), arb.nan()) == arb.pos_inf()
    assert largest_of(arb.neg_inf(), arb(2)) == 2
    assert largest_of(arb(2), arb("0 +/- inf")) == arb.pos_inf()
    nowhere = arb("0 +/- inf")
    low, high = _greater((arb(1), arb(2)), (nowhere, arb.pos_inf()))
    assert low == 1
    assert high == arb.pos_inf()
    assert _larger(arb(0), arb.nan()) == 0
    assert _smaller(arb(1), arb.nan()) == 1


def test_what_the_lower_density_lacks_is_found_however_little_it_is() -> None:
    uniform = Uniform()
    tiny = Fraction(1, 10**300)
    assert not apart([part(1, uniform, 0, 1)], [part(1, uniform, tiny, 1)]).is_zero()
    assert log_ratio([part(1, uniform, 0, 1)], [part(1, uniform, tiny, 1)], LONG)[0] == arb.pos_inf()
    assert all(end == 0 for end in log_ratio([part(1, uniform)], [part(1, uniform)], LONG))
