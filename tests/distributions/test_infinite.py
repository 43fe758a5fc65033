"""Windows of infinite laws against their definitions summed with mpmath far beyond the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from seepage.exact import precision
from seepage.laws.discrete_gaussian import DiscreteGaussian
from seepage.laws.discrete_laplace import DiscreteLaplace
from seepage.laws.geometric import Geometric
from seepage.laws.infinite import Infinite, window
from seepage.laws.poisson import Poisson
from seepage.laws.windows import TooWide

LAWS = [
    Geometric(Fraction(1, 3)),
    Geometric(Fraction(99, 100)),
    Geometric(Fraction(1, 50)),
    Poisson(Fraction(1, 1000)),
    Poisson(1),
    Poisson(Fraction(7, 2)),
    Poisson(400),
    DiscreteLaplace(Fraction(1, 10)),
    DiscreteLaplace(5, -40),
    DiscreteGaussian(Fraction(1, 20), 3),
    DiscreteGaussian(4),
    DiscreteGaussian(90, 7),
]
TAILS = [2, 40]


def number(value: object) -> mpmath.mpf:
    assert isinstance(value, int | Fraction)
    return mpmath.mpf(value.numerator) / value.denominator


def density(law: Infinite) -> Callable[[int], mpmath.mpf]:
    """Return the probabilities by definition."""
    match law:
        case Geometric(chance=chance):
            p = number(chance)
            return lambda k: p * (1 - p) ** k if k >= 0 else mpmath.mpf(0)
        case Poisson(rate=rate):
            a = number(rate)
            return lambda k: mpmath.exp(k * mpmath.log(a) - a - mpmath.loggamma(k + 1)) if k >= 0 else mpmath.mpf(0)
        case DiscreteLaplace(scale=scale, centre=c):
            s = number(scale)
            return lambda k: mpmath.exp(-abs(k - c) / s) * mpmath.tanh(1 / (2 * s))
        case DiscreteGaussian(variance=variance, centre=c):
            v = number(variance)
            whole = mpmath.jtheta(3, 0, mpmath.exp(-1 / (2 * v)))
            return lambda k: mpmath.exp(-mpmath.mpf((k - c) ** 2) / (2 * v)) / whole
        case _:
            raise ValueError(law)


def beyond(law: Infinite, first: int, last: int) -> Iterator[tuple[int, mpmath.mpf]]:
    """Yield the values outside of a window, as far as they matter to sixty digits."""
    p = density(law)
    for start, step in ((last + 1, 1), (first - 1, -1)):
        k = start
        while (mass := p(k)) > mpmath.mpf(10) ** -70:
            yield k, mass
            k += step


def exactly(ball: arb) -> mpmath.mpf:
    with precision(400):
        return mpmath.mpf(ball.str(80, radius=False))


@pytest.mark.family(every=3)
@pytest.mark.parametrize("tail_bits", TAILS)
@pytest.mark.parametrize("law", LAWS, ids=repr)
def test_a_window_holds_the_probabilities_and_bounds_what_lies_outside(law: Infinite, tail_bits: int) -> None:
    with mpmath.workdps(60), precision(256):
        found = window(law, 128, tail_bits, 5_000)
        p = density(law)
        for place, mass in enumerate(found.masses):
            assert abs(exactly(mass) - p(found.first + place)) <= mpmath.mpf(10) ** -38 * p(found.first + place)
            assert mass.rel_accuracy_bits() >= 120

        rest = list(beyond(law, found.first, found.first + len(found.masses) - 1))
        mass = mpmath.fsum(each for _, each in rest)
        slack = 1 + mpmath.mpf(10) ** -30
        assert mass <= exactly(found.outside().upper()) * slack
        assert (
            mpmath.fsum(-each * mpmath.log(each) for _, each in rest)
            <= exactly(found.outside_entropy().upper()) * slack
        )
        assert found.outside() <= arb(2) ** -tail_bits
        whole = [(found.first + place, p(found.first + place)) for place in range(len(found.masses))] + rest
        for order in range(5):
            sizes = [(abs(mpmath.mpf(k - found.centre)) ** order * each, k) for k, each in rest]
            assert mpmath.fsum(size for size, _ in sizes) <= exactly(found.outside_moment(order).upper()) * slack
            true = mpmath.fsum(abs(mpmath.mpf(k - found.centre)) ** order * each for k, each in whole)
            assert true <= exactly(found.moment(order).upper()) * slack
        true_entropy = mpmath.fsum(-each * mpmath.log(each) for _, each in whole)
        assert true_entropy <= exactly(found.entropy().upper()) * slack


@pytest.mark.parametrize(
    ("law", "nats"),
    [
        (Poisson(10**6), 8.326693728853),
        (Geometric(Fraction(146, 10_000)), 5.219397961962),
    ],
)
def test_wide_laws_have_their_known_entropy(law: Infinite, nats: float) -> None:
    with precision(160):
        found = window(law, 128, 128, 300_000)

        assert abs(float(found.entropy().mid()) - nats) < 1e-11


@pytest.mark.parametrize(
    "law",
    [
        Poisson(10**12),
        Poisson(10**300),
        Geometric(Fraction(1, 10**9)),
        DiscreteLaplace(10**30),
        DiscreteGaussian(10**30),
    ],
)
def test_a_law_that_is_too_wide_says_how_many_values_it_takes(law: Infinite) -> None:
    with pytest.raises(TooWide) as caught:
        window(law, 128, 64, 300_000)

    assert caught.value.needed > 300_000
