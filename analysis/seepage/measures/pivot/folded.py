r"""I(X; o) from below where several values of a sum X + N give one of o: by data processing, from which of a few intervals o lies in.

Such an interval is a union of cells of the sum, so that what it adds is known as for a value v (:mod:`seepage.measures.pivot.of_sum`),
:math:`\eta(P(v)) - E\,\eta(P(v \mid X)) \ge 0` by Jensen's inequality: one that is not known well may be left out.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from statistics import NormalDist

from flint import arb, fmpq

from seepage import exact
from seepage.engines.pivot.segments import Placed
from seepage.exact import Number, enclose
from seepage.laws.forms import Beyond
from seepage.laws.law import Edge
from seepage.measures.pivot.of_sum import OfSum, Shape
from seepage.measures.pivot.of_sum_integrals import Cell

_INTERVALS = 12
_FINENESS = 64  # of the places that intervals end at: denominators beyond say nothing


def told_by_intervals(function: OfSum) -> arb:
    """Return at most I(X; o) in nats, o being one variable that is linear in the sum cell by cell.

    Raises:
        Beyond: for other functions.
    """
    if any(len(shape) != 1 or len(shape[0]) > 2 for shape in function.shapes):
        raise Beyond("a function that is not linear between cuts")
    atoms = {shape: cells for shape, cells in function.shapes.items() if len(shape[0]) == 1}
    found: dict[Shape, Sequence[tuple[Cell, fmpq]]] = dict(atoms)
    places = _places(function)
    label = _beyond(atoms)
    for low, high in pairwise([None, *places, None]):
        cells = [
            (within, weight)
            for ((constant, slope),), parts in function.continuous
            for cell, weight in parts
            if (within := _preimage((constant, slope), (low, high), cell)) is not None
        ]
        label = exact.add(label, 1)
        if cells:
            found[((label,),)] = cells
    least = arb(0)
    for shape, windows in found.items():
        with suppress(Beyond):
            least += replace(function, shapes={shape: windows}).information().lower().max(arb(0))
    return arb(least.lower())


def _beyond(atoms: Iterable[Shape]) -> Number:
    """Return a number that is at least all values of some constants: numbers above it label intervals."""
    found: Number = 0
    for ((value,),) in atoms:
        found = exact.maximum(found, value)
    return found


def _places(function: OfSum) -> list[Number]:
    """Return values of o at quantiles of the sum, as if it were normal."""
    mean, variance = (sum(each) for each in zip(*map(_moments, (function.secret, function.noise)), strict=True))
    if not (math.isfinite(mean) and math.isfinite(variance) and variance > 0):
        raise Beyond("a sum without a variance")
    normal = NormalDist(mean, math.sqrt(variance))
    found: set[Number] = set()
    for i in range(1, 2 * _INTERVALS):
        place = Fraction(normal.inv_cdf(i / (2 * _INTERVALS)) / normal.stdev).limit_denominator(_FINENESS)
        at = exact.mul(exact.number(place), exact.number(Fraction(normal.stdev).limit_denominator(2**20)))
        for ((constant, slope),), parts in function.continuous:
            if any(_holds(cell, at) for cell, _ in parts):
                found.add(exact.add(constant, exact.mul(slope, at)))
    ordered = sorted(found, key=cmp_to_key(exact.compare))
    return ordered[:: max(1, len(ordered) // _INTERVALS)]


def _moments(placed: Placed) -> tuple[float, float]:
    first, second = (placed.law.moment(order) for order in (1, 2))
    scale = enclose(placed.scale)
    return float((enclose(placed.location) + scale * first).mid()), float(
        (scale * scale * (second - first * first)).mid()
    )


def _holds(cell: Cell, place: Number) -> bool:
    low, high = cell
    return (low is None or exact.compare(low, place) < 0) and (high is None or exact.compare(place, high) < 0)


def _preimage(line: tuple[Number, Number], interval: tuple[Edge, Edge], cell: Cell) -> Cell | None:
    """Return the part of a cell in which a linear function lies in an interval, None if it is empty."""
    constant, slope = line
    ends = [None if end is None else exact.div(exact.sub(end, constant), slope) for end in interval]
    if exact.sign(slope) < 0:
        ends.reverse()
    low, high = ends
    begin, end = cell
    low = begin if low is None else low if begin is None else exact.maximum(low, begin)
    high = end if high is None else high if end is None else exact.minimum(high, end)
    return None if low is not None and high is not None and exact.compare(low, high) >= 0 else (low, high)
