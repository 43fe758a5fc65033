"""Programs that compare noisy values with each other, against quadrature with numpy: report noisy max, sparse vector, tournaments."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

import seepage
from seepage.measures.result import Certainty, Result

Array = NDArray[np.float64]
Values = tuple[int, ...]

NODES, WEIGHTS = np.polynomial.legendre.leggauss(60)
FAR = 80.0


def integral(of: Callable[[Array], Array], kinks: Sequence[float]) -> float:
    """Integrate a function that is analytic between some places, piece by piece."""
    marks = sorted({-FAR, FAR, *(k + d for k in kinks for d in (-20, -6, -2, 0, 2, 6, 20))})
    return sum(
        (b - a) / 2 * float(WEIGHTS @ of((a + b) / 2 + (b - a) / 2 * NODES)) for a, b in itertools.pairwise(marks)
    )


def laplace(x: Array, scale: float) -> Array:
    return np.asarray(np.exp(-abs(x) / scale) / (2 * scale))


def laplace_below(x: Array, scale: float) -> Array:
    return np.where(x < 0, np.exp(np.minimum(x, 0) / scale) / 2, 1 - np.exp(-np.maximum(x, 0) / scale) / 2)


def normal(x: Array, scale: float) -> Array:
    return np.asarray(np.exp(-x * x / (2 * scale**2)) / (scale * math.sqrt(2 * math.pi)))


def normal_below(x: Array, scale: float) -> Array:
    return np.array([math.erfc(-each / (scale * math.sqrt(2))) / 2 for each in x])


def exponential(x: Array, scale: float) -> Array:
    return np.where(x > 0, np.exp(-np.maximum(x, 0) / scale) / scale, 0)


def exponential_below(x: Array, scale: float) -> Array:
    return np.where(x > 0, 1 - np.exp(-np.maximum(x, 0) / scale), 0)


LAWS: Mapping[str, tuple[Callable[[Array, float], Array], Callable[[Array, float], Array]]] = {
    "laplace(0, 2)": (laplace, laplace_below),
    "normal(0, 4)": (normal, normal_below),
    "exponential(1/2)": (exponential, exponential_below),
}


def greatest(counts: Values, noise: str, winner: int) -> float:
    """Return the chance that a count has the greatest value with noise of scale 2."""
    density, below = LAWS[noise]

    def of(x: Array) -> Array:
        product = density(x - counts[winner], 2)
        for at, count in enumerate(counts):
            if at != winner:
                product = product * below(x - count, 2)
        return np.asarray(product)

    return integral(of, [float(count) for count in counts])


def channel(noise: str, values: Sequence[int], count: int) -> dict[Values, list[float]]:
    """Return the chances of all winners given the counts."""
    return {
        counts: [greatest(counts, noise, winner) for winner in range(count)]
        for counts in itertools.product(values, repeat=count)
    }


def program(noise: str, most: int, count: int, choice: str) -> str:
    return f"""
        for i in 1..{count} {{ c[i] ~ uniform_int(0, {most})  y[i] ~ {noise}  z[i] := c[i] + y[i] }}
        {choice}
    """


AT_ONCE = "o := if z[1] > z[2] and z[1] > z[3] then 1 else if z[2] > z[3] then 2 else 3"
NESTED = (
    "if z[1] >= z[2] { if z[1] >= z[3] { o := 1 } else { o := 3 } } else { if z[2] >= z[3] { o := 2 } else { o := 3 } }"
)
TOURNAMENT = """
    best := z[1]  o := 1
    for i in 2..3 { if z[i] > best { best := z[i]  o := i } }
"""


def entropy(masses: Sequence[float]) -> float:
    return -sum(p * math.log2(p) for p in masses if p > 0)


def information(rows: Sequence[Sequence[float]]) -> float:
    """Return what the rows of a channel tell of equally likely inputs, in bits."""
    mean = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return entropy(mean) - sum(map(entropy, rows)) / len(rows)


def assert_holds(found: Result, truth: float, width: float = 1e-9) -> None:
    assert found.certainty is not Certainty.APPROXIMATE
    assert found.upper - found.lower <= width
    assert found.lower - 1e-10 <= truth <= found.upper + 1e-10


@pytest.mark.parametrize("choice", [AT_ONCE, NESTED, TOURNAMENT], ids=["at once", "nested", "tournament"])
@pytest.mark.parametrize("noise", LAWS)
def test_report_noisy_max(noise: str, choice: str) -> None:
    asked = seepage.parse(program(noise, 3, 3, choice))
    rows = channel(noise, range(4), 3)
    first = [[sum(rows[c][o] for c in rows if c[0] == value) / 16 for o in range(3)] for value in range(4)]

    assert_holds(asked.measure("I(c; o)"), information(list(rows.values())))
    assert_holds(asked.measure("I(c[1]; o)"), information(first))
    assert_holds(asked.measure("P(o == 1)"), 1 / 3)
    assert_holds(asked.measure("V(c[1] | o)"), sum(max(column) for column in zip(*first, strict=True)) / 4)
    assert_holds(asked.measure("H(o)"), math.log2(3))


@pytest.mark.parametrize("count", [2, 4, 5, 6])
@pytest.mark.parametrize("noise", LAWS)
def test_the_greatest_of_several(noise: str, count: int) -> None:
    others = range(2, count + 1)
    choice = f"best := z[1]  o := 1  for i in 2..{count} {{ if z[i] > best {{ best := z[i]  o := i }} }}"
    text = "".join(f"y[{i}] ~ {noise}\n" for i in range(1, count + 1))
    text += "s ~ uniform_int(0, 2)\nz[1] := s + y[1]\n" + "".join(f"z[{i}] := y[{i}] + {i}/2\n" for i in others)
    density, below = LAWS[noise]

    def wins(value: int, winner: int) -> float:
        places = [float(value), *(i / 2 for i in others)]

        def of(x: Array) -> Array:
            product = density(x - places[winner], 2)
            for at, place in enumerate(places):
                product = product * (1 if at == winner else below(x - place, 2))
            return np.asarray(product)

        return integral(of, places)

    rows = [[wins(value, winner) for winner in range(count)] for value in range(3)]
    found = seepage.parse(text + choice).measure("I(s; o)")

    assert_holds(found, information(rows))
