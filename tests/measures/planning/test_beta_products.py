"""Single shares of a stick against the closed form of beta laws, and products of beta draws that are none."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import seepage
from seepage.measures.planning.reductions.beta_products import BETA_PRODUCTS
from seepage.measures.result import Certainty
from seepage.report.plan import plan_text


def entropy(a: float, b: float) -> float:
    """The entropy of beta(a, b) in bits: log B(a, b) − (a − 1)ψ(a) − (b − 1)ψ(b) + (a + b − 2)ψ(a + b)."""
    nats = mpmath.log(mpmath.beta(a, b)) + (a + b - 2) * mpmath.psi(0, a + b)
    return float((nats - (a - 1) * mpmath.psi(0, a) - (b - 1) * mpmath.psi(0, b)) / mpmath.log(2))


@pytest.mark.parametrize("shapes", [(1, 2, 3), (2, 2), (3, 1, 2, 5)], ids=str)
def test_a_share_alone_has_the_beta_law_of_its_shape_and_all_others(shapes: tuple[int, ...]) -> None:
    program = seepage.parse(f"share ~ dirichlet({', '.join(map(str, shapes))})\n")

    for at, shape in enumerate(shapes):
        found = program.measure(f"H(share[{at}])", unit="bits")
        assert found.certainty is not Certainty.APPROXIMATE
        assert float(found.value or 0) == pytest.approx(entropy(shape, sum(shapes) - shape), abs=1e-9)


def test_a_share_behind_noise_tells_what_a_beta_value_does() -> None:
    noise = "secret x\noutput o\nn ~ laplace(0, 1)\n"
    share = seepage.parse(f"{noise}share ~ dirichlet(1, 2, 3)\nx := share[1]\no := x + n\n").measure("I(x; o)")
    drawn = seepage.parse(f"{noise}x ~ beta(2, 4)\no := x + n\n").measure("I(x; o)")

    assert share.certainty is Certainty.CERTIFIED
    assert share.lower <= drawn.upper
    assert drawn.lower <= share.upper
    assert share.upper - share.lower < 1e-8


@pytest.mark.parametrize(
    "text",
    [
        "b ~ beta(2, 3)\nc ~ beta(2, 2)\nx := b * c\n",  # 2 + 3 is neither 2 nor 2 + 2 = 4 one of b's
        "x := b * c\nb ~ beta(1, 2)\nc ~ beta(3, 1)\n",  # before they are drawn
        "b ~ beta(1, 2)\nc ~ beta(3, 1)\nobserve(b > 1/2)\nx := b * c\n",
        "b ~ beta(1, 2)\nc ~ beta(3, 1)\nx := b * c * b\n",
    ],
    ids=["other shapes", "not drawn yet", "observed", "twice the same"],
)
def test_other_products_are_left_as_they_are(text: str) -> None:
    assert BETA_PRODUCTS.name not in plan_text(seepage.parse(text).how("H(x)"))


def test_what_is_joined_is_told() -> None:
    assert BETA_PRODUCTS.name in plan_text(seepage.parse("b ~ beta(1, 2)\nc ~ beta(3, 1)\nx := b * c\n").how("H(x)"))


def test_products_of_matching_draws_have_the_moments_and_chances_of_runs() -> None:
    program = seepage.parse("b ~ beta(1, 2)\nc ~ beta(3, 1)\nx := b * c\n")  # beta(1, 3)
    source = np.random.default_rng(3)
    runs = source.beta(1, 2, 200_000) * source.beta(3, 1, 200_000)

    assert float(program.measure("H(x)", unit="nats").value or 0) == pytest.approx(
        entropy(1, 3) * math.log(2), abs=1e-9
    )
    assert float(program.measure("E(x)").value or 0) == pytest.approx(0.25, abs=1e-9)
    assert float(program.measure("P(x > 1/2)").value or 0) == pytest.approx(float((runs > 0.5).mean()), abs=4e-3)
