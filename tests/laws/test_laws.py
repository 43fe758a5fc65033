"""Probabilities, moments and tails of the laws of sources, against quadrature of densities written down by hand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import mpmath
import pytest
from flint import acb, arb
from mpmath import mpf

from seepage.engines.pivot.products import Product
from seepage.engines.pivot.segments import Placed
from seepage.exact import enclose, precision
from seepage.laws.beta import Beta
from seepage.laws.exponential import Exponential
from seepage.laws.forms import Beyond, NoMomentError
from seepage.laws.gamma import Gamma
from seepage.laws.gumbel import Gumbel
from seepage.laws.laplace import Laplace
from seepage.laws.law import Edge, Law
from seepage.laws.logistic import Logistic
from seepage.laws.lognormal import Lognormal
from seepage.laws.normal import Normal
from seepage.laws.pareto import Pareto
from seepage.laws.student_t import StudentT
from seepage.laws.triangular import Triangular
from seepage.laws.uniform import Uniform
from seepage.laws.weibull import Weibull

HALF = Fraction(1, 2)

LAWS: dict[str, tuple[Law, Callable[[mpf], mpf]]] = {
    "normal": (Normal((2,)), lambda z: mpmath.exp(-z * z / 4) / mpmath.sqrt(4 * mpmath.pi)),
    "laplace": (Laplace((HALF,)), lambda z: mpmath.exp(-2 * abs(z))),
    "uniform": (Uniform(), lambda _: mpf(1)),
    "exponential": (Exponential(), lambda z: mpmath.exp(-z)),
    "gamma": (Gamma((Fraction(5, 2),)), lambda z: z ** mpf(1.5) * mpmath.exp(-z) / mpmath.gamma(mpf(2.5))),
    "triangular": (Triangular((Fraction(1, 4),)), lambda z: 8 * z if z < 0.25 else 8 * (1 - z) / 3),
    "beta": (Beta((2, HALF)), lambda z: z * (1 - z) ** mpf(-0.5) * 3 / 4),
    "lognormal": (
        Lognormal((HALF,)),
        lambda z: mpmath.exp(-(mpmath.log(z) ** 2)) / z / mpmath.sqrt(mpmath.pi),
    ),
    "student_t": (StudentT((5,)), lambda z: 8 / (3 * mpmath.sqrt(5) * mpmath.pi) * (1 + z * z / 5) ** -3),
    "logistic": (Logistic(), lambda z: 1 / (4 * mpmath.cosh(z / 2) ** 2)),
    "weibull": (Weibull((Fraction(5, 2),)), lambda z: mpf(2.5) * z ** mpf(1.5) * mpmath.exp(-(z ** mpf(2.5)))),
    "slow weibull": (Weibull((HALF,)), lambda z: mpmath.exp(-mpmath.sqrt(z)) / (2 * mpmath.sqrt(z))),
    "product": (
        Product(factors=(Placed(Uniform(), 0, 1, 0, 1), Placed(Exponential(), 2, -2, 0, None))),
        lambda z: mpmath.exp((z - 2) / 2) / (2 * (mpmath.exp(mpf(-1) / 2) - mpmath.exp(-1))),
    ),
}

INSIDE: list[tuple[Edge, Edge]] = [(Fraction(1, 8), Fraction(3, 4)), (Fraction(1, 3), None), (None, HALF)]


def near(ball: arb, true: mpf) -> bool:
    return bool(abs(ball - arb(mpmath.nstr(true, 25))) < 1e-13) and float(ball.rad()) < 1e-13


def quad(density: Callable[[mpf], mpf], order: int, low: mpf, high: mpf) -> mpf:
    cuts = sorted({low, high, *(mpf(c) for c in (-1, 0, 0.25, 0.5, 0.9, 1, 4) if low < c < high)})
    with mpmath.workdps(25):
        return mpmath.quad(lambda z: z**order * density(z), cuts)


@pytest.mark.parametrize("order", [0, 1, 2, 3])
@pytest.mark.parametrize("interval", INSIDE)
@pytest.mark.parametrize("name", LAWS)
def test_moments_over_intervals_are_integrals_of_the_density(
    name: str, interval: tuple[Edge, Edge], order: int
) -> None:
    law, density = LAWS[name]
    low, high = (own if edge is None else edge for edge, own in zip(interval, law.ends, strict=True))
    ends = [
        mpmath.mpf(edge.numerator) / edge.denominator if isinstance(edge, Fraction | int) else None
        for edge in (low, high)
    ]
    a, b = (-mpmath.inf if ends[0] is None else ends[0]), (mpmath.inf if ends[1] is None else ends[1])
    with precision(128):
        assert near(law.moment_within(order, low, high), quad(density, order, a, b))


@pytest.mark.parametrize("name", LAWS)
def test_the_density_is_that_of_the_name_and_below_its_bound(name: str) -> None:
    law, density = LAWS[name]
    with precision(128):
        for z in (0.125, 0.25, 0.625):
            assert near(law.density_at(arb(z)), density(mpf(z)))
            assert not law.density_at(arb(z)) > law.largest


@pytest.mark.parametrize("name", ["gamma", "triangular", "beta", "lognormal", "weibull", "slow weibull"])
def test_beside_an_end_the_density_is_the_same_function(name: str) -> None:
    law, density = LAWS[name]
    with precision(128):
        d = acb(arb(0.0625))
        assert near(law.near(-1)(d, d.log(), False).real.exp(), density(mpf(0.0625)))
        exponent, factor = law.exponent(-1), law.factor(-1)
        assert density(mpf(2) ** -40) <= mpf(float(factor)) * (mpf(2) ** -40) ** (mpf(float(enclose(exponent))) - 1) * (
            1 + 1e-12
        )


@pytest.mark.parametrize("exponent", [1, 3, 6, 20, 60])
@pytest.mark.parametrize("side", [-1, 1])
@pytest.mark.parametrize("name", ["gamma", "triangular", "beta", "lognormal", "weibull", "slow weibull"])
def test_up_to_a_distance_from_an_end_the_density_is_below_its_bound(name: str, side: int, exponent: int) -> None:
    law, density = LAWS[name]
    if law.ends[side > 0] is None:
        return
    length = mpf(2) ** -exponent
    with precision(128):
        power = mpf(float(enclose(law.exponent(side)))) - 1
        bound = mpf(law.factor(side, arb(2) ** -exponent).str(30, radius=False)) * (1 + mpf(10) ** -25)
    for share in (1, 0.999, 0.5, 1e-3, 1e-9):
        d = length * mpf(share)
        assert density(d if side < 0 else 1 - d) <= bound * d**power


@pytest.mark.parametrize(
    "name", ["normal", "laplace", "exponential", "gamma", "lognormal", "student_t", "logistic", "slow weibull"]
)
def test_what_tails_hold_is_bounded_and_not_by_far(name: str) -> None:
    law, density = LAWS[name]
    start = mpf(9)
    true = mpmath.quad(lambda z: -density(z) * mpmath.log(density(z)), [start, 20, 100, 10000, mpmath.inf])
    with precision(128):
        assert true * (1 - 1e-9) <= float(law.tail_entropy(1, arb(9), arb(1))) <= 3 * true
        assert float(law.beyond(1, arb(9))) >= quad(density, 0, start, mpmath.inf) * (1 - 1e-9)


def test_a_tail_that_begins_too_near_has_no_bound() -> None:
    with precision(128), pytest.raises(Beyond):
        Normal((1,)).tail_entropy(1, arb(0.1), arb(1))


@pytest.mark.parametrize(
    ("law", "order", "sign"),
    [(StudentT((2,)), 2, 1), (StudentT((1,)), 1, 0), (Pareto((1,)), 1, 1), (Pareto((2,)), 3, 1)],
)
def test_a_moment_that_does_not_exist_has_no_number(law: Law, order: int, sign: int) -> None:
    with precision(128), pytest.raises(NoMomentError) as caught:
        law.moment(order)
    assert caught.value.sign == sign


def test_the_law_of_greatest_values_has_its_moments_and_masses() -> None:
    def density(z: mpf) -> mpf:
        return mpmath.exp(-z - mpmath.exp(-z))

    law = Gumbel()
    with precision(128):
        for order in (1, 2, 3, 4):
            assert near(law.moment(order), quad(density, order, mpf(-8), mpf(200)))
        for low, high in ((-3, -1), (-1, 2), (2, None), (None, -2)):
            ends = mpf(-8) if low is None else mpf(low), mpf(200) if high is None else mpf(high)
            assert near(law.probability(low, high), quad(density, 0, *ends))
        for side, far in ((1, 9), (-1, 2)):
            start, end = (mpf(far), mpf(200)) if side > 0 else (mpf(-8), mpf(-far))
            true = mpmath.quad(lambda z: -density(z) * mpmath.log(density(z)), mpmath.linspace(start, end, 20))
            assert true * (1 - 1e-9) <= float(law.tail_entropy(side, arb(side * far), arb(1))) <= 3 * true
            assert float(law.beyond(side, arb(side * far))) >= quad(density, 0, start, end) * (1 - 1e-9)
            assert float(law.second_beyond(side, arb(far))) >= quad(density, 2, start, end) * (1 - 1e-9)


def test_a_pareto_law_has_moments_between_places_and_a_tail() -> None:
    def density(z: mpf) -> mpf:
        return 3 / z**4

    law = Pareto((3,))
    with precision(128):
        for order in (0, 1, 2, 3):
            assert near(law.moment_within(order, Fraction(3, 2), 4), quad(density, order, mpf(1.5), mpf(4)))
        assert near(law.moment_within(2, 2, None), quad(density, 2, mpf(2), mpmath.inf))
        true = mpmath.quad(lambda z: -density(z) * mpmath.log(density(z)), [9, 100, 10**4, mpmath.inf])
        assert true * (1 - 1e-9) <= float(law.tail_entropy(1, arb(9), arb(1))) <= 3 * true


def test_an_edge_whose_ball_holds_0_has_moments() -> None:
    # arb ** k has no value for such a ball; products have.
    with precision(128):
        found = Normal((1,)).moment_over(3, arb(0, 1e-30), None)
    assert abs(found - 2 / (2 * arb.pi()).sqrt()) < 1e-12
