"""Windows of infinite laws against their definitions summed with mpmath far beyond the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import mpmath
import pytest
from flint import arb

from seepage.distributions.infinite import InfiniteLaw, TooWide, window
from seepage.exact import precision

LAWS = [
    InfiniteLaw("geometric", Fraction(1, 3)),
    InfiniteLaw("geometric", Fraction(99, 100)),
    InfiniteLaw("geometric", Fraction(1, 50)),
    InfiniteLaw("poisson", Fraction(1, 1000)),
    InfiniteLaw("poisson", 1),
    InfiniteLaw("poisson", Fraction(7, 2)),
    InfiniteLaw("poisson", 400),
    InfiniteLaw("discrete_laplace", Fraction(1, 10)),
    InfiniteLaw("discrete_laplace", 5, -40),
    InfiniteLaw("discrete_gaussian", Fraction(1, 20), 3),
    InfiniteLaw("discrete_gaussian", 4),
    InfiniteLaw("discrete_gaussian", 90, 7),
]
TAILS = [2, 40]


def number(value: object) -> mpmath.mpf:
    assert isinstance(value, int | Fraction)
    return mpmath.mpf(value.numerator) / value.denominator


def density(law: InfiniteLaw) -> Callable[[int], mpmath.mpf]:
    """Return the probabilities by definition."""
    a, c = number(law.parameter), law.centre
    match law.kind:
        case "geometric":
            return lambda k: a * (1 - a) ** k if k >= 0 else mpmath.mpf(0)
        case "poisson":
            return lambda k: mpmath.exp(k * mpmath.log(a) - a - mpmath.loggamma(k + 1)) if k >= 0 else mpmath.mpf(0)
        case "discrete_laplace":
            return lambda k: mpmath.exp(-abs(k - c) / a) * mpmath.tanh(1 / (2 * a))
        case "discrete_gaussian":
            whole = mpmath.jtheta(3, 0, mpmath.exp(-1 / (2 * a)))
            return lambda k: mpmath.exp(-mpmath.mpf((k - c) ** 2) / (2 * a)) / whole


def beyond(law: InfiniteLaw, first: int, last: int) -> Iterator[tuple[int, mpmath.mpf]]:
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
@pytest.mark.parametrize("law", LAWS, ids=lambda law: f"{law.kind}-{law.parameter}")
def test_a_window_holds_the_probabilities_and_bounds_what_lies_outside(law: InfiniteLaw, tail_bits: int) -> None:
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
        (InfiniteLaw("poisson", 10**6), 8.326693728853),
        (InfiniteLaw("geometric", Fraction(146, 10_000)), 5.219397961962),
    ],
)
def test_wide_laws_have_their_known_entropy(law: InfiniteLaw, nats: float) -> None:
    with precision(160):
        found = window(law, 128, 128, 300_000)

        assert abs(float(found.entropy().mid()) - nats) < 1e-11


@pytest.mark.parametrize(
    "law",
    [
        InfiniteLaw("poisson", 10**12),
        InfiniteLaw("poisson", 10**300),
        InfiniteLaw("geometric", Fraction(1, 10**9)),
        InfiniteLaw("discrete_laplace", 10**30),
        InfiniteLaw("discrete_gaussian", 10**30),
    ],
)
def test_a_law_that_is_too_wide_says_how_many_values_it_takes(law: InfiniteLaw) -> None:
    with pytest.raises(TooWide) as caught:
        window(law, 128, 64, 300_000)

    assert caught.value.needed > 300_000
