"""``DP`` behind noise that looks the same from all sides, against the densities of the outputs."""

from __future__ import annotations

import math
import random
from itertools import permutations

import mpmath
import numpy as np
import pytest

import seepage

Point = tuple[int, int]


def _choice(points: list[Point]) -> str:
    """Return a program that publishes one of some points, of the same chance, by its number."""
    lines = ["secret s", "output a, b", f"s ~ uniform_int(0, {len(points) - 1})", "x := 0", "y := 0"]
    for at, (x, y) in enumerate(points):
        lines.append(f"if s == {at} {{\n  x := {x}\n  y := {y}\n}}")
    return "\n".join(lines) + "\n"


def _far_and_near() -> tuple[np.ndarray, np.ndarray]:
    """Return outputs on rays in all directions."""
    angle, radius = np.meshgrid(np.linspace(0, 2 * math.pi, 721), np.geomspace(1e-3, 1e5, 200))
    return radius * np.cos(angle), radius * np.sin(angle)


def _greatest(laws: dict[int, list[Point]], scale: float) -> float:
    """Return the greatest log-ratio of densities on the grid; places of an input have the same chance."""
    a, b = _far_and_near()

    def log_density(places: list[Point]) -> np.ndarray:
        parts = np.stack([-np.hypot(a - x, b - y) / scale for x, y in places])
        return np.asarray(np.logaddexp.reduce(parts, axis=0) - math.log(len(places)))

    logs = {one: log_density(places) for one, places in laws.items()}
    return max(float((logs[one] - logs[other]).max()) for one, other in permutations(logs, 2))


@pytest.mark.parametrize("seed", range(4))
def test_the_loss_is_the_greatest_of_the_densities(seed: int) -> None:
    chance = random.Random(seed)
    points = [(chance.randint(-4, 4), chance.randint(-4, 4)) for _ in range(chance.randint(2, 4))]
    scale = chance.randint(1, 4)

    told = seepage.parse(f"{_choice(points)}a, b ~ planar_laplace(x, y, {scale})\n").measure(
        "DP(s -> a, b)", unit="nats"
    )

    expected = _greatest({at: [point] for at, point in enumerate(points)}, scale)
    assert told.certainty is seepage.Certainty.EXACT
    assert told.value == pytest.approx(expected, rel=1e-3)
    assert told.value == pytest.approx(max(math.dist(*two) for two in permutations(points, 2)) / scale, rel=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_random_places_that_move_lose_what_they_move(seed: int) -> None:
    """Two places of equal chance, moved by the secret; the grid reaches all but the directions between its own."""
    chance = random.Random(seed)
    move, apart = [(chance.randint(-3, 3), chance.randint(1, 3)) for _ in range(2)]
    program = seepage.parse(
        "secret s\ns ~ flip(1/2)\nt ~ flip(1/2)\n"
        f"a, b ~ planar_laplace({move[0]} * s + {apart[0]} * t, {move[1]} * s + {apart[1]} * t, 2)\n"
    )
    laws = {s: [(move[0] * s + apart[0] * t, move[1] * s + apart[1] * t) for t in (0, 1)] for s in (0, 1)}

    told = program.measure("DP(s -> a, b)", unit="nats")

    assert told.value == pytest.approx(_greatest(laws, 2), rel=1e-3)


def test_random_places_of_other_laws_have_a_bound() -> None:
    program = seepage.parse(
        "secret s\ns ~ flip(1/2)\nt ~ flip(1/2)\na, b ~ planar_laplace(s * t, 2 * s * (1 - t), 1)\n"
    )

    told = program.measure("DP(s -> a, b)", unit="nats")

    greatest = _greatest({0: [(0, 0)], 1: [(1, 0), (0, 2)]}, 1)
    assert told.lower is not None
    assert told.upper is not None
    assert told.lower <= greatest <= told.upper == pytest.approx(2, abs=1e-9)


@pytest.mark.parametrize(
    "measure", ["DP(x, y -> a, b, metric=euclid)", "DP(x -> a, metric=euclid)", "DP(y -> b, metric=euclid)"]
)
def test_the_loss_for_each_unit_of_distance_is_one_over_the_scale(measure: str) -> None:
    program = seepage.parse(
        "param e in (0, 5] = 3/4\nx ~ uniform_int(0, 2)\ny ~ uniform_int(-1, 1)\na, b ~ planar_laplace(x, y, 1/e)\n"
    )

    for e in (0.25, 0.75):
        assert program.measure(measure, unit="nats", params={"e": e}).value == pytest.approx(e, rel=1e-12)


def _bessel(order: float, distance: float) -> float:
    """Return the greatest log-ratio of densities r^ν K_ν(r) on the line through two places, far out."""

    def log(r: float) -> float:
        return float(order * mpmath.log(r) + mpmath.log(mpmath.besselk(order, r)))

    return max(log(r) - log(r + distance) for r in np.geomspace(1e-3, 1e6, 40))


@pytest.mark.family(every=3)
@pytest.mark.parametrize(
    ("noise", "order", "outputs"),
    [
        # θ = 2, so that c = 1: α = 1 in one dimension, 3/2 in one, 3/2 in two, 2 in two and in three
        ("r*z[{}]", 0.5, 1),
        ("r*z[{}] + n*w[{}]", 1, 1),
        ("r*z[{}] + n*w[{}]", 0.5, 2),
        ("r*z[{}] + q*w[{}]*2^(1/2)", 1, 2),
        ("(r*z[{}] + n*w[{}] - m*v[{}]) / 1", 0.5, 3),
    ],
)
def test_any_number_of_dimensions_and_any_gamma_law(noise: str, order: float, outputs: int) -> None:
    lines = ["x ~ uniform_int(0, 3)", "r ~ weibull(2, 1)", "q ~ weibull(2, 1)", "n ~ normal(0, 1)", "m ~ normal(0, 1)"]
    for at in range(outputs):
        lines += [f"z[{at}] ~ normal(0, 2)", f"w[{at}] ~ normal(0, 1)", f"v[{at}] ~ normal(0, std=1)"]
        lines.append(f"o[{at}] := {'x' if at == 0 else 5} + {noise.replace('{}', str(at))}")

    told = seepage.parse("\n".join(lines) + "\n").measure("DP(x -> o)", unit="nats")

    assert told.certainty is seepage.Certainty.EXACT
    assert told.value == pytest.approx(_bessel(order, 3), rel=1e-5)


_DRAWS = "x ~ flip(1/2)\nr ~ weibull(2, 1)\nq ~ weibull(2, 1)\nn ~ normal(0, 1)\n" + "".join(
    f"z{at} ~ normal(0, {variance})\n" for at, variance in enumerate((2, 2, 1, 1))
)


@pytest.mark.parametrize(
    ("outputs", "why"),
    [
        ("a := x + r*z0\nb := x + r*z1", "ν = 0: the density has no bound at the centre"),
        ("a := x + n*z0\nb := x + n*z1", "ν < 0"),
        ("a := x + r*z0 + n*z2\nb := x + q*z1 + n*z3", "sizes of their own"),
        ("a := x + r*z0 + n*z2\nb := x + r*z1 + n*z2", "a normal value in common"),
        ("a := x + r*z0 + n*z2\nb := r*z1 + 2*n*z3", "more noise in one output"),
        ("a := x + r*z0 + n*z1\nb := r*z2 + n*z3", "two scales"),
        ("a := x + r*z0\nb := r", "a size that is published"),
        ("a := x + (x + r)*z0", "a size that the secret decides"),
        ("a := x + r*q", "no normal value"),
        ("a := x + z0*z0", "a square"),
        ("a := x + r*z0\nb := x", "an output without noise"),
    ],
)
def test_other_noise_is_not_taken_for_it(outputs: str, why: str) -> None:
    shown = ", ".join(line.split()[0] for line in outputs.splitlines())

    assert _upper(f"secret x\n{_DRAWS}{outputs}\n", f"DP(x -> {shown})") == math.inf, why


def _upper(text: str, measure: str) -> float | None:
    """Return the upper bound of the loss, infinity where it is refused."""
    try:
        return seepage.parse(text).measure(measure, unit="nats").upper
    except seepage.MeasureError as error:
        return math.inf if error.diagnostic.rule.code == "SEEP901" else None
