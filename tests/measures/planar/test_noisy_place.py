"""What a place tells behind planar Laplace noise, against sums over a fine grid of outputs, closed forms and limits."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy.special import k1

import seepage

STEP, REACH = 0.03, 11.0  # of the grid, in units of the scale


@dataclass(frozen=True)
class Case:
    """Places of a secret from 0 on, with whole weights and a scale."""

    places: Sequence[tuple[int, int]]
    weights: Sequence[int]
    scale: int

    @property
    def program(self) -> str:
        """Publishes the place of the secret."""
        lines = ["secret s", "output a, b", f"s ~ weights([{', '.join(map(str, self.weights))}])", "x := 0", "y := 0"]
        for at, (x, y) in enumerate(self.places):
            lines.append(f"if s == {at} {{\n  x := {x}\n  y := {y}\n}}")
        return "\n".join([*lines, f"a, b ~ planar_laplace(x, y, {self.scale})", ""])

    @property
    def chances(self) -> np.ndarray:
        """The law of the secret."""
        return np.array(self.weights) / sum(self.weights)

    def densities(self) -> tuple[np.ndarray, float]:
        """Return the density of the outputs for each secret at the points of a grid, and the area of each point."""
        step, reach = STEP * self.scale, REACH * self.scale
        where = np.array(self.places, dtype=float)
        x, y = (
            np.arange(where[:, at].min() - reach, where[:, at].max() + reach, step) + 0.4137 * step for at in (0, 1)
        )
        radius = np.stack([np.hypot(x[:, None] - px, y[None, :] - py).ravel() for px, py in where])
        return np.exp(-radius / self.scale) / (2 * math.pi * self.scale**2), step * step


def _case(seed: int) -> Case:
    chance = random.Random(seed)
    count = chance.randint(2, 4)
    places = [(chance.randint(-2, 2), chance.randint(-2, 2)) for _ in range(count)]
    return Case(places, [chance.randint(1, 5) for _ in range(count)], chance.randint(1, 2))


def _h(p: np.ndarray) -> np.ndarray:
    return np.asarray(-p * np.log(p))


def _expected(case: Case) -> dict[str, float]:
    """Return measures by sums over the grid."""
    f, area = case.densities()
    p = case.chances[:, None] * f
    mixed = p.sum(axis=0)
    order = np.sort(p, axis=0)[::-1]
    entropy = float(_h(mixed).sum() * area)
    noise = 2 + math.log(2 * math.pi * case.scale**2)
    secret = float(_h(case.chances).sum())
    pairs = [(i, j) for i in range(len(f)) for j in range(len(f)) if i != j]
    return {
        "H(a, b)": entropy,
        "H(a, b | s)": noise,
        "I(s; a, b)": entropy - noise,
        "H(s | a, b)": secret - entropy + noise,
        "V(s | a, b)": float(order[0].sum() * area),
        "Guess(s | a, b)": float((order * np.arange(1, len(f) + 1)[:, None]).sum() * area),
        "Cmin(s -> a, b)": math.log(float(f.max(axis=0).sum() * area)),
        "Delta(s -> a, b, eps=1/2)": max(
            float(np.maximum(f[i] - math.exp(0.5) * f[j], 0).sum() * area) for i, j in pairs
        ),
        "Renyi(s -> a, b, alpha=2)": max(math.log(float((f[i] ** 2 / f[j]).sum() * area)) for i, j in pairs),
        "Renyi(s -> a, b, alpha=1)": max(float((f[i] * np.log(f[i] / f[j])).sum() * area) for i, j in pairs),
    }


@pytest.mark.parametrize("seed", range(3))
def test_measures_are_sums_over_a_grid(seed: int) -> None:
    case = _case(seed)
    program = seepage.parse(case.program)

    for measure, expected in _expected(case).items():
        told = program.measure(measure, unit="nats")

        assert told.certainty is seepage.Certainty.CERTIFIED, measure
        assert told.lower - 2e-3 <= expected <= told.upper + 2e-3, measure
        assert told.upper - told.lower < 1e-8, measure


def test_a_function_of_the_place_is_guessed_by_all_places_that_speak_for_it() -> None:
    """``V`` of a row of places: the largest of the sums over the row; so for a table of gains and for distances."""
    case = Case([(x, y) for x in range(3) for y in range(2)], [1, 2, 1, 3, 1, 2], 1)
    program = seepage.parse(case.program.replace("output a, b", "output a, b") + "row := floor(s / 2)\n")
    f, area = case.densities()
    rows = (case.chances[:, None] * f).reshape(3, 2, -1).sum(axis=1)
    nearness = 1 - np.abs(np.arange(3)[:, None] - np.arange(3)) / 2

    chance, close = program.measure("V(row | a, b)"), program.measure("G(row -> a, b, distance)", unit="nats")

    assert chance.lower - 1e-4 <= float(rows.max(axis=0).sum() * area) <= chance.upper + 1e-4
    assert chance.upper - chance.lower < 1e-4
    before = float((nearness @ rows.sum(axis=1)).max() * area)
    expected = math.log(float((nearness @ rows).max(axis=0).sum() * area) / before)
    assert close.lower - 2e-4 <= expected <= close.upper + 2e-4


@pytest.mark.parametrize("apart", [1, 3, 12])
def test_two_places_of_equal_chance_are_told_apart_by_a_line(apart: int) -> None:
    """Noise crosses the line half-way with the chance ∫ (1 + d/(2 cos θ)) exp(−d/(2 cos θ)) dθ / (2π) over half of the directions."""
    program = seepage.parse(f"secret s\ns ~ flip(1/2)\na, b ~ planar_laplace({apart} * s, 0, 1)\n")

    def left(angle: Any) -> Any:
        far = apart / (2 * mpmath.cos(angle))
        return (1 + far) * mpmath.exp(-far) / (2 * mpmath.pi)

    told = program.measure("V(s | a, b)")

    crossed: Any = mpmath.quad(left, mpmath.linspace(-mpmath.pi / 2, mpmath.pi / 2, 9))
    assert told.value == pytest.approx(float(1 - crossed), abs=1e-12)
    assert program.measure("Delta(s -> a, b, eps=0)").value == pytest.approx(float(1 - 2 * crossed), abs=1e-12)


@pytest.mark.parametrize(
    ("scale", "told", "chance"),
    [("1/1000", math.log2(6), 1.0), ("1000", 0.0, 1 / 6)],
    ids=["little noise", "much noise"],
)
def test_without_noise_all_is_told_and_behind_much_nothing(scale: str, told: float, chance: float) -> None:
    grid = "secret x, y\nx ~ uniform_int(0, 2)\ny ~ uniform_int(0, 1)\n"
    program = seepage.parse(f"{grid}a, b ~ planar_laplace(x, y, {scale})\n")

    assert program.measure("I(x, y; a, b)", unit="bits").value == pytest.approx(told, abs=1e-5)
    assert program.measure("V(x, y | a, b)").value == pytest.approx(chance, abs=1e-3)


def test_what_is_public_beside_the_place_is_held() -> None:
    """Given y, all that x tells is what it tells on one row; without y, less, and both together are the place's."""
    program = seepage.parse(
        "secret x\noutput a, b\nx ~ uniform_int(0, 3)\ny ~ uniform_int(0, 2)\na, b ~ planar_laplace(x, y, 2)\n"
    )
    row = seepage.parse("x ~ uniform_int(0, 3)\na, b ~ planar_laplace(x, 5, 2)\n")

    held, free = program.measure("I(x; a, b | y)").value, program.measure("I(x; a, b)").value
    assert held == pytest.approx(row.measure("I(x; a, b)").value or 0.0, abs=1e-9)
    assert 0 < (free or 0) < (held or 0)
    both, rest = program.measure("I(x, y; a, b)").value, program.measure("I(y; a, b)").value
    assert both == pytest.approx((held or 0) + (rest or 0), abs=1e-9)
    assert program.measure("V(x | a, b, y)").value == pytest.approx(row.measure("V(x | a, b)").value or 0, abs=1e-11)


def test_the_loss_at_a_delta_is_where_the_excess_is_that_delta() -> None:
    program = seepage.parse("secret s\ns ~ uniform_int(0, 2)\na, b ~ planar_laplace(s, 2 * s, 1)\n")

    loss = program.measure("DP(s -> a, b, delta=1/100)")

    for ends, sign in ((loss.lower, 1), (loss.upper, -1)):
        excess = program.measure(f"Delta(s -> a, b, eps={ends!r})")
        assert sign * ((excess.value or 0.0) - 0.01) >= -1e-12
    assert loss.upper - loss.lower < 1e-9
    assert program.measure("Delta(s -> a, b, eps=10)").value == 0


def test_the_concentration_is_the_greatest_slope_of_the_divergences() -> None:
    case = Case([(0, 0), (2, 0)], [1, 1], 1)
    program = seepage.parse(case.program)
    z = mpmath.mpf(1)

    def slope(order: float) -> float:
        b = (2 * order - 1) * z
        whole = z * mpmath.besselk(1, z) * mpmath.besseli(0, b) + z**2 * mpmath.besselk(0, z) * mpmath.besseli(1, b) / b
        return float(mpmath.log(whole) / (order - 1) / order)

    told = program.measure("zCDP(s -> a, b)")

    greatest = max(map(slope, 1 + np.geomspace(1e-5, 100, 60)))
    assert told.lower <= greatest * (1 + 1e-4)
    assert greatest <= told.upper
    assert told.upper <= told.lower * (1 + 1e-3)


@pytest.mark.parametrize(
    ("program", "measure"),
    [
        ("x ~ normal(0, 1)\na, b ~ planar_laplace(x, 0, 1)\n", "I(x; a, b)"),
        ("x ~ geometric(1/2)\na, b ~ planar_laplace(x, 0, 1)\n", "V(x | a, b)"),
        ("x ~ flip(1/2)\na, b ~ planar_laplace(x, 0, 1)\n", "C(x -> a, b)"),
    ],
)
def test_what_is_no_discrete_place_is_refused(program: str, measure: str) -> None:
    with pytest.raises(seepage.MeasureError) as caught:
        seepage.parse(program).measure(measure)

    assert caught.value.diagnostic.rule.code == "SEEP901"


@pytest.mark.parametrize(("budget", "verdict"), [("0.25", "holds"), ("0.24", "violated")])
def test_a_budget_over_scales_is_decided_where_there_is_least_noise(budget: str, verdict: str) -> None:
    """At eps = 1/2 the places of a grid of 4 by 5 leak 0.242026 bits, and less behind more noise."""
    text = (
        "param eps in (0, 5] = 1/10\nsecret x, y\noutput a, b\nx ~ uniform_int(0, 3)\ny ~ uniform_int(0, 4)\n"
        f"a, b ~ planar_laplace(x, y, 1/eps)\nrequire I(x, y; a, b) <= {budget} bits over eps in (0, 1/2]\n"
    )

    (found,) = seepage.parse(text).analyze().answers

    assert found.verdict == verdict


def test_places_that_a_parameter_moves_are_not_decided_by_the_noise() -> None:
    text = (
        "param w in [1, 2] = 1\nsecret x\noutput a, b\nx ~ flip(1/2)\n"
        "a, b ~ planar_laplace(w^2 * x, 0, w)\nrequire I(x; a, b) <= 1/2 over w in [1, 2]\n"
    )

    (found,) = seepage.parse(text).analyze().answers

    assert found.verdict == "cannot tell"


def _marginals(case: Case) -> dict[str, float]:
    """Return measures of the first coordinate by sums over the grid: of each row all outputs of the second one."""
    step, reach = 0.01 * case.scale, 14.0 * case.scale
    t = np.arange(-reach - 4, reach + 4, step) + 0.4137 * step
    size = np.abs(t[None, :] - np.array([x for x, _ in case.places])[:, None]) / case.scale
    f = size * k1(size) / math.pi / case.scale
    p = case.chances[:, None] * f
    order = np.sort(p, axis=0)[::-1]
    noise = float(_h(f[0]).sum() * step)
    entropy = float(_h(p.sum(axis=0)).sum() * step)
    pairs = [(i, j) for i in range(len(f)) for j in range(len(f)) if i != j]
    return {
        "H(a)": entropy,
        "H(a | s)": noise,
        "I(s; a)": entropy - noise,
        "V(s | a)": float(order[0].sum() * step),
        "Guess(s | a)": float((order * np.arange(1, len(f) + 1)[:, None]).sum() * step),
        "Delta(s -> a, eps=1/2)": max(float(np.maximum(f[i] - math.exp(0.5) * f[j], 0).sum() * step) for i, j in pairs),
    }


@pytest.mark.parametrize("seed", range(3))
def test_one_coordinate_is_behind_noise_of_a_bessel_law(seed: int) -> None:
    case = _case(seed)
    program = seepage.parse(case.program)

    for measure, expected in _marginals(case).items():
        told = program.measure(measure, unit="nats")

        assert told.certainty is seepage.Certainty.CERTIFIED, measure
        assert told.lower - 1e-4 <= expected <= told.upper + 1e-4, measure
        assert told.upper - told.lower < 1e-8, measure


def test_the_density_of_a_coordinate_is_what_the_plane_leaves_of_it() -> None:
    """|t| K_1(|t|) / π is the integral of exp(−√(t² + u²)) / (2π) over u, and the coordinates tell of each other what their common size does."""
    for t in (0.1, 1.0, 4.0):
        over: Any = mpmath.quad(
            lambda u, t=t: mpmath.exp(-mpmath.sqrt(t * t + u * u)) / (2 * mpmath.pi), [-mpmath.inf, 0, mpmath.inf]
        )
        assert float(over) == pytest.approx(t * float(k1(t)) / math.pi, rel=1e-9)
    program = seepage.parse("a, b ~ planar_laplace(0, 0, 3)\n")
    size = np.arange(0.005, 40, 0.01)
    entropy = float(2 * (_h(size * k1(size) / math.pi)).sum() * 0.01)

    told = program.measure("I(a; b)", unit="nats")

    assert told.value == pytest.approx(2 * entropy - 2 - math.log(2 * math.pi), abs=1e-5)
