"""Sums of Laplace noise and a variable with any density, against quadrature."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from flint import acb, arb
from scipy import integrate, signal, special, stats

from seepage import exact, parse
from seepage.engines.pivot.segments import Placed
from seepage.engines.pivot.smoothed import Smoothed
from seepage.laws.gumbel import Gumbel
from seepage.laws.law import Law
from seepage.laws.pareto import Pareto
from seepage.laws.student_t import StudentT
from seepage.laws.weibull import Weibull

LAWS = {
    "gumbel": (Gumbel(), stats.gumbel_r()),
    "weibull": (Weibull((exact.number(Fraction(1, 2)),)), stats.weibull_min(0.5)),  # without bound at 0
    "rayleigh": (Weibull((2,)), stats.weibull_min(2)),
    "pareto": (Pareto((3,)), stats.pareto(3)),
    "student_t": (StudentT((5,)), stats.t(5)),
}


def _sum(law: Law, scale: Fraction, noise: Fraction) -> Smoothed:
    variable = Placed(law, 0, exact.number(scale), *law.ends)
    return Smoothed(parameters=(exact.number(noise),), variable=variable)


def _density(law: stats.rv_continuous, scale: float, noise: float, x: float) -> float:
    """Integrate over the chance of the variable, in which no density is without bound."""

    def at(u: float) -> float:
        return math.exp(-abs(x - scale * law.isf(u)) / noise) / (2 * noise)

    kink = law.sf(x / scale)
    parts = [0.0, *([kink] if 0 < kink < 1 else []), 1.0]
    return sum(float(integrate.quad(at, a, b, epsabs=1e-13, epsrel=1e-11, limit=400)[0]) for a, b in pairwise(parts))


@pytest.mark.parametrize("name", LAWS)
def test_the_density_is_that_of_the_sum(name: str) -> None:
    law, known = LAWS[name]
    for scale, noise in ((Fraction(1), Fraction(1)), (Fraction(-3, 2), Fraction(1, 3))):
        made = _sum(law, scale, noise)
        for x in (-6.5, -0.3, 0.001, 1.7, 9.0):
            found = made.density_at(arb(x))
            assert float(found.rad()) < 1e-12
            assert float(found.mid()) == pytest.approx(_density(known, float(scale), float(noise), x), rel=1e-7)


@pytest.mark.parametrize(
    ("name", "ball"),
    [
        ("gumbel", (2.0, 0.25, 0.25)),
        ("gumbel", (-1.0, 0.1, 0.0)),
        ("rayleigh", (1.5, 0.125, 0.25)),
        ("rayleigh", (-4.0, 0.5, 0.5)),  # left of the support
        ("pareto", (300.0, 20.0, 15.0)),  # wide beside the noise
        ("pareto", (4000.0, 200.0, 100.0)),  # far away, by another rule
        ("student_t", (200.0, 15.0, 12.0)),
    ],
)
def test_a_ball_holds_the_logarithm_at_all_of_its_points(name: str, ball: tuple[float, float, float]) -> None:
    made = _sum(LAWS[name][0], Fraction(1), Fraction(1))
    x, across, up = ball
    end = {"rayleigh": 0, "pareto": 1}.get(name)
    log = made.log_within(*((None, end) if end is not None and x < end else (end, None)))

    found = log(acb(arb(x, across), arb(0, up)), True)

    assert found.is_finite()
    for re in (-0.9, 0.0, 0.7):
        for im in (-0.8, 0.0, 0.9):
            assert found.overlaps(log(acb(x + re * across, im * up), False))


def test_far_away_two_rules_agree() -> None:
    made = _sum(LAWS["pareto"][0], Fraction(1), Fraction(1))
    near = made.log_within(1, None)(acb(961), False).real  # by integrals from a place nearby
    far = made.log_within(1, None)(acb(962), False).real  # by nodes
    ratio = (1 + 20 / arb(961) ** 2) / (1 + 20 / arb(962) ** 2)  # f + f'' + …, f = 3 / x^4

    assert float(near - far) == pytest.approx(4 * math.log(962 / 961) + math.log(float(ratio)), abs=1e-9)


@pytest.mark.parametrize(
    ("draw", "noise", "law", "reach"),
    [
        ("gumbel(1, 2)", 1, stats.gumbel_r(1, 2), (-40, 90)),
        ("lognormal(0, 1/4)", 2, stats.lognorm(0.5), (-60, 70)),
    ],
)
def test_what_a_secret_tells_behind_laplace_noise(
    draw: str, noise: int, law: stats.rv_continuous, reach: tuple[int, int]
) -> None:
    program = parse(f"secret s\noutput o\ns ~ {draw}\nn ~ laplace(0, {noise})\no := s + n\n")
    found = program.measure("I(s; o)", unit="nats")

    step = 1 / 500
    density, fall = law.pdf(np.arange(*reach, step)), math.exp(-step / noise)

    def before(f: np.ndarray) -> np.ndarray:
        """Integrate by trapezoids, each step a part of what is there already."""
        inner = step / 2 * (f[1:] + fall * f[:-1])
        return np.concatenate([[0.0], signal.lfilter([1.0], [1.0, -fall], inner)])

    of_sum = (before(density) + before(density[::-1])[::-1]) / (2 * noise)
    entropy = -step * float(np.sum(special.xlogy(of_sum, of_sum)))
    assert found.certainty.value == "certified"
    assert found.upper - found.lower < 1e-9
    assert found.value == pytest.approx(entropy - 1 - math.log(2 * noise), abs=2e-6)
