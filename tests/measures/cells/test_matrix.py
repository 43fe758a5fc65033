"""What programs made of parts tell, for every kind of parts, every measure and every kind of noise, against sums over a fine grid."""

from __future__ import annotations

import os
from functools import cache
from itertools import product
from math import inf, isinf

import numpy as np
import pytest
from tests.measures.cells import oracle
from tests.measures.cells.oracle import Cdf, Floats, Told

import seepage
from seepage.measures.result import Certainty

IS_DEEP = os.environ.get("SEEPAGE_DEEP") == "1"

NOISES = {
    "coin": ("n{i} ~ flip(1/4)\n{o} := {x} + n{i}", oracle.coin),
    "geometric": ("n{i} ~ discrete_laplace(1)\n{o} := {x} + n{i}", oracle.geometric),
    "laplace": ("n{i} ~ laplace(0, 1)\n{o} := {x} + n{i}", oracle.laplace),
    "normal": ("n{i} ~ normal(0, 1)\n{o} := {x} + n{i}", oracle.normal),
    "clamped": ("n{i} ~ laplace(0, 1)\n{o} := min(max({x} + n{i}, 0), 1)", oracle.clamped),
    "coin beside normal": ("", None),
}
KINDS = ("independent", "repeated", "exchangeable", "chained", "invertible", "selected")


def _noisy(noise: str, number: int) -> tuple[str, object]:
    return NOISES[("coin", "normal")[number % 2] if noise == "coin beside normal" else noise]


def program_of(kind: str, noise: str) -> str:
    """Return the program of a cell."""

    def behind(o: str, x: str, number: int) -> str:
        return str(_noisy(noise, number)[0]).format(o=o, x=x, i=number)

    pair = "secret s\noutput o\ns[1] ~ flip(1/2)\ns[2] ~ flip(1/3)\n"
    values = f"{behind('v[1]', 's[1]', 1)}\n{behind('v[2]', 's[2]', 2)}\n"
    match kind:
        case "independent":
            return f"{pair}{behind('o[1]', 's[1]', 1)}\n{behind('o[2]', 's[2]', 2)}"
        case "repeated":
            looks = "\n".join(behind(f"o[{number}]", "s", number) for number in (1, 2))
            return f"secret s\noutput o\ns ~ uniform_int(0, 2)\n{looks}"
        case "exchangeable":
            return f"secret s\noutput o\nfor i in 1..3 {{ s[i] ~ flip(1/3) }}\nc := s[1] + s[2] + s[3]\n{behind('o', 'c', 1)}"
        case "chained":
            return f"secret s\noutput o\ns ~ uniform_int(0, 2)\nlie ~ flip(1/4)\nx := if lie then 2 - s else s\n{behind('o', 'x', 1)}"
        case "invertible":
            return f"{pair}{values}o[1] := v[1]\no[2] := v[1] + v[2]"
        case _:
            return f"{pair}{values}o := max(v[1], v[2])"


@cache
def told(kind: str, noise: str) -> Told:
    """Return the channel of a program."""

    def behind(place: float, number: int = 1) -> Cdf:
        make = _noisy(noise, number)[1]
        assert callable(make)
        cdf: Cdf = make(place)
        return cdf

    bits = list(product((0, 1), repeat=2))
    of_bits = np.array([(1 / 2) * (1 / 3 if b else 2 / 3) for _, b in bits])
    near = [
        (a, b)
        for a, b in product(range(4), repeat=2)
        if sum(x != y for x, y in zip(bits[a], bits[b], strict=True)) == 1
    ]
    match kind:
        case "independent" | "invertible":
            return Told(of_bits, _rows([[behind(a, 1), behind(b, 2)] for a, b in bits]), near)
        case "selected":
            return Told(of_bits, _rows([[oracle.greatest([behind(a, 1), behind(b, 2)])] for a, b in bits]), near)
        case "repeated":
            rows = _rows([[behind(s, 1), behind(s, 2)] for s in range(3)])
            return Told(np.full(3, 1 / 3), rows, [(0, 1), (1, 0), (1, 2), (2, 1)])
        case "chained":
            rows = _rows([[oracle.mixed([(0.75, behind(s)), (0.25, behind(2 - s))])] for s in range(3)])
            return Told(np.full(3, 1 / 3), rows, [(0, 1), (1, 0), (1, 2), (2, 1)])
        case _:
            three = list(product((0, 1), repeat=3))
            prior = np.array([(1 / 3) ** sum(each) * (2 / 3) ** (3 - sum(each)) for each in three])
            close = [
                (a, b)
                for a, b in product(range(8), repeat=2)
                if sum(x != y for x, y in zip(three[a], three[b], strict=True)) == 1
            ]
            return Told(prior, _rows([[behind(sum(each))] for each in three]), close)


def _rows(outputs: list[list[Cdf]]) -> Floats:
    found = np.array([oracle.together(each) for each in outputs])
    return found[:, found.any(axis=0)]


CELLS = [(kind, noise, measure) for kind in KINDS for noise in NOISES for measure in oracle.MEASURES]
ENDLESS = frozenset({"Renyi(s -> o, alpha=2)", "zCDP(s -> o)"})
"""Of normal noise whose place is hidden, or of the greatest of normal values: no bound from above is known."""


def is_left_open(kind: str, noise: str, measure: str) -> bool:
    """Tell whether a cell is known to have no bound from above."""
    return measure in ENDLESS and noise in ("normal", "coin beside normal") and kind in ("chained", "selected")


@pytest.mark.family(every=4)
@pytest.mark.parametrize(("kind", "noise", "measure"), CELLS if IS_DEEP else CELLS[::17])
def test_what_parts_tell_is_what_sums_over_a_fine_grid_tell(kind: str, noise: str, measure: str) -> None:
    right = oracle.MEASURES[measure](told(kind, noise))
    try:
        found = seepage.parse(program_of(kind, noise)).measure(measure, seconds=20)
    except seepage.MeasureError:
        assert is_left_open(kind, noise, measure)
        return

    assert found.certainty is not Certainty.APPROXIMATE
    if isinf(right):
        assert found.upper == inf
        return
    off = 2e-3 * max(abs(right), 1e-2)  # of the grid, whose cells tell a little less
    assert found.lower <= right + off
    assert right - off <= found.upper
    assert is_left_open(kind, noise, measure) or found.upper - found.lower <= max(0.02 * abs(found.upper), 1e-6)
