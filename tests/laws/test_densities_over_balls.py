"""Densities and their logarithmic slopes over balls of points hold the value at each point, wherever breaks, poles and ends of supports lie."""

from __future__ import annotations

import os
import random
from fractions import Fraction

import mpmath
import pytest
from flint import arb
from mpmath import mpf
from tests.measures.pivot.continuous_families import Family

from seepage.engines.pivot.products import Product
from seepage.engines.pivot.segments import Placed
from seepage.exact import precision
from seepage.laws.beta import Beta
from seepage.laws.exponential import Exponential
from seepage.laws.forms import Beyond
from seepage.laws.gamma import Gamma
from seepage.laws.gumbel import Gumbel
from seepage.laws.laplace import Laplace
from seepage.laws.law import Law
from seepage.laws.logistic import Logistic
from seepage.laws.lognormal import Lognormal
from seepage.laws.normal import Normal
from seepage.laws.student_t import StudentT
from seepage.laws.triangular import Triangular
from seepage.laws.uniform import Uniform
from seepage.laws.weibull import Weibull

BALLS = 3000 if os.environ.get("SEEPAGE_DEEP") == "1" else 30
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def family(name: str, *parameters: Fraction | int) -> Family:
    return Family(name, tuple(map(Fraction, parameters)))


LAWS: list[tuple[Law, Family]] = [
    (Normal((2,)), family("normal", 0, 2)),
    (Laplace((HALF,)), family("laplace", 0, HALF)),
    (Laplace((3,)), family("laplace", 0, 3)),
    (Uniform(), family("uniform", 0, 1)),
    (Exponential(), family("exponential", 1)),
    *((Gamma((shape,)), family("gamma", shape, 1)) for shape in (HALF, 1, 2, Fraction(5, 2))),
    *((Triangular((mode,)), family("triangular", 0, mode, 1)) for mode in (0, THIRD, HALF, 1)),
    *(
        (Beta((a, b)), family("beta", a, b))
        for a, b in ((HALF, 2), (1, 3), (3, 1), (1, 1), (2, 2), (3, HALF), (1, HALF))
    ),
    (Lognormal((HALF,)), family("lognormal", 0, HALF)),
    (StudentT((3,)), family("student_t", 3, 0, 1)),
    (Logistic(), family("logistic", 0, 1)),
    (Gumbel(), family("gumbel", 0, 1)),
    *((Weibull((shape,)), family("weibull", shape, 1)) for shape in (HALF, 2, Fraction(5, 2))),
    (StudentT((Fraction(5, 2),)), family("student_t", Fraction(5, 2), 0, 1)),
]
IDS = [f"{law.name}{law.parameters}" for law, _ in LAWS]
PLACES = (mpf(0), mpf(1), mpf(1) / 3, mpf(1) / 2)


def ball(low: mpf, high: mpf) -> arb:
    return arb(mpmath.nstr(low, 45)).union(arb(mpmath.nstr(high, 45)))


def drawn_ends(source: random.Random) -> tuple[mpf, mpf]:
    """Return ends that lie at a break, just beside one, on both sides of one, or anywhere."""
    size = mpf(2) ** -source.choice((1, 2, 4, 10, 40, 110))
    place = source.choice(PLACES) if source.random() < 0.8 else mpf(source.uniform(-4, 4))
    left, right = source.choice(((0, 1), (1, 0), (1, 1), (1, mpf(1) / 7), (-mpf(1) / 9, 1)))
    return place - left * size, place + right * size


def points_in(low: mpf, high: mpf, source: random.Random, law: Family) -> list[mpf]:
    found = [low + (high - low) * mpf(source.random()) for _ in range(3)]
    found += [low + (high - low) * mpf(2) ** -20, high - (high - low) * mpf(2) ** -20]
    return [x for x in found if x not in law.breaks]


def holds(found: arb, true: mpf) -> bool:
    """Tell whether a ball holds a number that is known to 50 digits; a ball without a number holds all."""
    return not found.is_finite() or bool(found.overlaps(arb(mpmath.nstr(true, 50))))


def slope(law: Family, x: mpf) -> mpf:
    step = mpf(10) ** -30 * min([abs(x - place) for place in law.breaks] + [mpf(1)])
    with mpmath.workdps(100):
        return (mpmath.log(law.density(x + step)) - mpmath.log(law.density(x - step))) / (2 * step)


@pytest.mark.family(every=3)
@pytest.mark.parametrize(("law", "own"), LAWS, ids=IDS)
def test_what_a_ball_says_holds_at_each_of_its_points(law: Law, own: Family) -> None:
    source = random.Random(law.name)
    for _ in range(BALLS):
        low, high = drawn_ends(source)
        inside = (low + high) / 2
        with precision(128):
            whole, middle = ball(low, high), arb(mpmath.nstr(inside, 45))
            densities, slopes = law.density_at(whole), law.log_slope(whole)
            beside, slopes_beside = law.density_at(whole, middle), law.log_slope(whole, middle)
            mass_above = law.above(whole)
        for x in points_in(low, high, source, own):
            true = own.density(x)
            assert holds(densities, true)
            assert holds(mass_above, 1 - own.below(x))
            between = not any(min(x, inside) <= place <= max(x, inside) for place in own.breaks)
            assert not between or holds(beside, true)
            if true > 0:
                steep = slope(own, x)
                assert near(slopes, steep)
                assert not between or near(slopes_beside, steep)


def near(found: arb, true: mpf) -> bool:
    """As ``holds``, for a derivative by differences, which is known to about 40 digits."""
    return holds(found + arb(0, 1e-35) * (1 + abs(found)), true)


@pytest.mark.parametrize(("law", "own"), LAWS, ids=IDS)
def test_a_ball_inside_an_interval_says_much(law: Law, own: Family) -> None:
    with precision(128):
        found = law.density_at(arb(0.25, 2.0**-60))
    true = own.density(mpf(1) / 4)
    assert holds(found, true)
    assert found.rad() < 1e-15


def test_a_product_holds_its_density_on_both_sides_of_its_factors_kinks() -> None:
    # exp(-|z - 1/3| - |z|), normalised by hand: the integral is (4/3) exp(-1/3).
    placed = tuple(Placed(Laplace((1,)), place, 1, None, None) for place in (0, THIRD))
    product, source = Product(factors=placed), random.Random(5)
    total = 4 * mpmath.exp(-mpf(1) / 3) / 3
    for _ in range(BALLS):
        low, high = drawn_ends(source)
        with precision(128):
            found = product.density_at(ball(low, high))
        for x in points_in(low, high, source, family("normal", 0, 1)):
            assert holds(found, mpmath.exp(-abs(x - mpf(1) / 3) - abs(x)) / total)


def test_a_place_that_may_lie_on_either_side_of_a_kink_has_no_one_branch() -> None:
    with pytest.raises(Beyond):
        Laplace((1,)).log_density(arb(0, 0.5))
