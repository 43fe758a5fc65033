"""Continuous inputs that are made of others, or whose sum is processed further: what they tell is what the sum tells, by quadrature in one dimension."""

from __future__ import annotations

import numpy as np
import pytest

import seepage
from seepage.measures.result import Certainty

SUM = "s := x[1] + x[2]\nn ~ laplace(0, 1)\n"
COMMON = "z ~ normal(0, 1)\nfor i in 1..2 { e[i] ~ normal(0, 1)\nx[i] := z + e[i] }\n"
ALONE = "for i in 1..2 { x[i] ~ normal(0, 1) }\n"


def told(variance: float, clip: float = np.inf) -> float:
    """I(s; t) in bits for s ~ N(0, variance) and t = s + Laplace noise, cut off at ±clip: h and the chances of both ends, by sums over grids."""
    step = 0.005
    grid = np.arange(-40, 40 + step / 2, step)
    noise = np.exp(-abs(grid)) / 2
    signal = np.exp(-(grid**2) / (2 * variance)) / np.sqrt(2 * np.pi * variance)
    output = np.fft.irfft(np.fft.rfft(signal, 2 * len(grid)) * np.fft.rfft(noise, 2 * len(grid)))
    output = output[len(grid) // 2 :][: len(grid)] * step
    inside = abs(grid) < clip

    def entropy(density: np.ndarray) -> float:
        part = density[inside]
        ends = [density[side].sum() * step for side in (grid >= clip, grid <= -clip)]
        chances = -sum(p * np.log(p) for p in ends if p > 0)
        return float(-(part * np.log(np.maximum(part, 1e-300))).sum() * step + chances)

    places = np.arange(-6, 6.01, 0.1) * np.sqrt(variance)
    weights = np.exp(-(np.arange(-6, 6.01, 0.1) ** 2) / 2) * 0.1 / np.sqrt(2 * np.pi)
    given = [entropy(np.exp(-abs(grid - place)) / 2) for place in places]
    return float((entropy(output) - weights @ given) / np.log(2))


@pytest.mark.parametrize(
    ("inputs", "variance", "output", "clip"),
    [(COMMON, 6.0, "s + n", np.inf), (ALONE, 2.0, "max(min(s + n, 2), -2)", 2.0)],
    ids=["inputs with a common part", "an output that is clamped"],
)
def test_inputs_tell_what_their_sum_tells(inputs: str, variance: float, output: str, clip: float) -> None:
    program = seepage.parse(f"secret x\noutput o\n{inputs}{SUM}o := {output}\n")

    found, left = program.measure("I(x; o)", unit="bits"), program.measure("H(x | o)", unit="bits")

    assert found.certainty is Certainty.CERTIFIED
    assert found.upper - found.lower < 1e-8
    assert float(found.lower) == pytest.approx(told(variance, clip), abs=2e-3)
    own = program.measure("H(x)", unit="bits")
    assert left.upper - left.lower < 1e-8
    assert float(left.lower) == pytest.approx(float(own.lower - found.lower), abs=1e-7)
