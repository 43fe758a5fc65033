"""Information of three and more continuous variables, against integrals over fewer made by sums over grids."""

import math
from fractions import Fraction

import numpy as np
import pytest
from flint import arb
from tests.measures.gaussian.gaussian_mixtures import Part, joint

from seepage.engines.outcome import MixtureJoint
from seepage.measures.enclosure import Enclosure
from seepage.measures.gaussian.information import mutual_information

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
Normal = tuple[float, float, float]


def entropy(parts: list[Normal]) -> float:
    """The entropy of a scalar mixture of (weight, mean, variance), by a sum over a grid of a tenth of the least deviation."""
    step = min(math.sqrt(v) for _, _, v in parts) / 10
    reach = max(abs(m) + 14 * math.sqrt(v) for _, m, v in parts)
    x = np.arange(-reach, reach, step)
    density = sum(w * np.exp(-((x - m) ** 2) / (2 * v)) / math.sqrt(2 * math.pi * v) for w, m, v in parts)
    return float(-(density * np.log(np.maximum(density, 1e-300))).sum() * step)


def phi(x: np.ndarray, v: float) -> np.ndarray:
    return np.asarray(np.exp(-x * x / (2 * v)) / math.sqrt(2 * math.pi * v))


def assert_tight(found: Enclosure, value: float) -> None:
    assert found.lower - 1e-12 <= arb(value) <= found.upper + 1e-12  # rounding of the oracle
    assert found.upper - found.lower < 1e-9


def sum_behind_noise(*noises: tuple[Fraction, int, Fraction]) -> MixtureJoint:
    """y = k(a + 2b) + n with a, b unit normals, for each (weight, k, variance of n)."""
    parts: list[Part] = [
        (
            w,
            {"a": (0, {"a": 1}), "b": (0, {"b": 1}), "y": (0, {"a": k, "b": 2 * k, "n": 1})},
            {"a": 1, "b": 1, "n": v},
        )
        for w, k, v in noises
    ]
    return joint(*parts)


def test_a_sum_behind_noise_of_unknown_variance_is_an_integral_in_one_dimension() -> None:
    # Given a and b, y is a mixture of noises whatever they are: I = H(N(0, 5) + n) − H(n).
    found = mutual_information(sum_behind_noise((HALF, 1, Fraction(1)), (HALF, 1, Fraction(4))), ("a", "b"), ("y",))

    assert_tight(found, entropy([(0.5, 0, 6), (0.5, 0, 9)]) - entropy([(0.5, 0, 1), (0.5, 0, 4)]))


def test_a_sum_of_unknown_sign_tells_its_modulus() -> None:
    # The mean regression vector is zero here. y is N(0, 6); given s = a + 2b, it is N(±s, 1) with equal chances.
    found = mutual_information(sum_behind_noise((HALF, 1, Fraction(1)), (HALF, -1, Fraction(1))), ("a", "b"), ("y",))

    s, y = np.linspace(-30, 30, 3001)[:, None], np.linspace(-40, 40, 4001)[None, :]
    given = (np.exp(-((y - s) ** 2) / 2) + np.exp(-((y + s) ** 2) / 2)) / (2 * math.sqrt(2 * math.pi))
    surprise = -(given * np.log(np.maximum(given, 1e-300))).sum(axis=1) * 0.02
    prior = np.exp(-(s[:, 0] ** 2) / 10) / math.sqrt(10 * math.pi)
    value = 0.5 * math.log(2 * math.pi * math.e * 6) - float((prior * surprise).sum()) * 0.02
    assert_tight(found, value)


def test_a_bit_and_two_normals_tell_by_the_chain_rule() -> None:
    law = joint(
        *(
            (
                HALF,
                {"d": d, "a": (0, {"a": 1}), "b": (0, {"b": 1}), "y": (2 * d, {"a": 1, "b": 1, "n": 1})},
                {"a": 1, "b": 1, "n": 1 + d},
            )
            for d in (0, 1)
        )
    )

    found = mutual_information(law, ("d", "a", "b"), ("y",))

    # I(d; y) + I(a, b; y | d): within each value of d all is Gaussian.
    within = (0.5 * math.log(3 / 1) + 0.5 * math.log(4 / 2)) / 2
    noise = (0.5 * math.log(2 * math.pi * math.e * 3) + 0.5 * math.log(2 * math.pi * math.e * 4)) / 2
    assert_tight(found, entropy([(0.5, 0, 3), (0.5, 2, 4)]) - noise + within)
    assert_tight(mutual_information(law, ("y",), ("d", "a", "b")), float(found.value))


@pytest.mark.parametrize("shared", [True, False])
def test_bounds_of_unlike_combinations_contain_a_sum_over_a_grid(shared: bool) -> None:
    # y = a + n or y = b + n; where the law of (a, b) is not shared, b has another variance in the second case.
    spread = 1 if shared else 2
    law = joint(
        (HALF, {"a": (0, {"a": 1}), "b": (0, {"b": 1}), "y": (0, {"a": 1, "n": 1})}, {"a": 1, "b": 1, "n": QUARTER}),
        (
            HALF,
            {"a": (0, {"a": 1}), "b": (0, {"b": 1}), "y": (0, {"b": 1, "n": 1})},
            {"a": 1, "b": spread, "n": QUARTER},
        ),
    )
    found = mutual_information(law, ("a", "b"), ("y",))

    step = 0.2  # far below the width of every factor: the sum of steps half as long differs by less than 1e-10
    axis = np.arange(-9, 9 + step / 2, step)
    a, b, y = axis[:, None, None], axis[None, :, None], axis[None, None, :]
    density = phi(a, 1) * (phi(b, 1) * phi(y - a, 0.25) + phi(b, spread) * phi(y - b, 0.25)) / 2
    of_x, of_y = density.sum(axis=2) * step, density.sum(axis=(0, 1)) * step**2
    independent = of_x[:, :, None] * of_y
    inside = density > 1e-200
    value = float((density[inside] * np.log(density[inside] / independent[inside])).sum()) * step**3
    assert found.lower - 1e-10 < value < found.upper + 1e-10
    assert found.upper - found.lower < (1e-9 if shared else 0.6)
    if shared:  # a and b each tell the same, and both together at least the sum
        alone = mutual_information(law, ("a",), ("y",))
        assert found.lower > 1.9 * alone.lower
