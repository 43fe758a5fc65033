r"""The chance of an event of a noisy place: of half planes that are parallel, of discs around the place, and of all that is made of these.

Let :math:`x + v` be what is published. An event whose comparisons are all of one linear combination :math:`b \cdot v` with numbers, or all of :math:`|v|^2`, holds or fails on whole
cells between these numbers, whatever connects the comparisons: one point of each cell tells. The noise is farther than r from its centre, in units of its scale, with the chance
:math:`T(1/r) = (1 + r) e^{-r}`, and beyond a line at the distance d with the chance

.. math:: \frac{1}{2\pi} \int_{-\pi/2}^{\pi/2} T(\cos(\theta)/d)\, d\theta,

which is that of one coordinate alone, too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise

import numpy as np
from flint import arb

from seepage import exact
from seepage.data_classes import dataclass
from seepage.exact import Number
from seepage.laws.forms import Beyond
from seepage.measures.planar.noisy_places import BITS, NoisyPlaces, Place
from seepage.measures.planar.rays import Arcs, integrated
from seepage.semantics.evaluate import ORDER, Arrays, evaluate, truth
from seepage.semantics.expressions import nodes
from seepage.syntax import tree
from seepage.syntax.tree import Binary, Expression, Name, Parenthesized, Unary

_MOST_CELLS = 20_000  # of all places together
_OTHER = "a chance of another region than parallel half planes, or discs around the place"
_ROUNDING = 8 * 2.0**-52
_COMPARISONS = frozenset({*ORDER, "==", "!="})

State = Mapping[str, Number]
Slopes = tuple[Number, ...]


def chance_of(event: Expression, known: NoisyPlaces, arrays: Arrays) -> arb:
    """Return a ball that holds the chance of an event.

    Args:
        event: of the variables of ``known``, in the names of the program.
        known: their law.
        arrays: as for :func:`seepage.semantics.evaluate.evaluate`.

    Raises:
        Beyond: if it is of another region.
        Fault: of the event, in a state.
        ArithmeticFault: likewise.
    """
    regions, cells, total = _Regions(event, known, arrays), 0, arb(0)
    discrete = tuple(name for name in known.joint.variables if name not in known.noisy)
    for values, groups in known.groups(discrete).items():
        state = dict(zip(discrete, values, strict=True))
        for place, chance in groups[()].items():
            edges = regions.edges(state, place)
            cells += len(edges.levels) + 1
            if cells > _MOST_CELLS:
                raise Beyond(f"more than {_MOST_CELLS:,} cells of an event")
            total += chance * regions.mass(state, place, edges)
    return total


@dataclass(frozen=True, slots=True)
class _Edges:
    r"""The numbers, in order, between which an event changes nowhere: of :math:`b \cdot v`, of :math:`|v|^2` if there is no b."""

    slopes: Slopes | None
    levels: Sequence[Number]


@dataclass(frozen=True, slots=True)
class _Regions:
    """The cells of an event and their chances; ``lines`` are those of being beyond lines, by b and the level, and grow."""

    event: Expression
    known: NoisyPlaces
    arrays: Arrays
    lines: dict[tuple[Slopes, Number], arb] = field(default_factory=dict)

    def edges(self, state: State, place: Place) -> _Edges:
        """Return where the event changes, around a place.

        Raises:
            Beyond: if its comparisons are of several functions of the noise.
        """
        slopes: Slopes | None = None
        lines: list[Number] = []
        circles: list[Number] = []
        for difference in _differences(self.event, frozenset(self.known.noisy)):
            constant, own, bend = self._around(difference, state, place)
            if any(each != 0 for each in own):
                if bend != 0:
                    raise Beyond(_OTHER)
                slopes = slopes or own
                lines.append(exact.neg(exact.div(constant, _quotient(own, slopes))))
            elif bend != 0:
                circles.append(exact.neg(exact.div(constant, bend)))
        if lines and circles:
            raise Beyond(_OTHER)
        inside = [each for each in circles if exact.sign(each) > 0]
        return _Edges(slopes, sorted(dict.fromkeys([*lines, *inside]), key=cmp_to_key(exact.compare)))

    def mass(self, state: State, place: Place, edges: _Edges) -> arb:
        """Return the chance of the event, given a place."""
        below = [arb(0), *(self._below(edges.slopes, each) for each in edges.levels), arb(1)]
        found = arb(0)
        for (low, high), at in zip(pairwise(below), _points(edges, len(self.known.noisy)), strict=True):
            moved = (exact.add(part, shift) for part, shift in zip(place, at, strict=True))
            if truth(self.event, {**state, **dict(zip(self.known.noisy, moved, strict=True))}, self.arrays):
                found += high - low
        return found

    def _around(self, difference: Expression, state: State, place: Place) -> tuple[Number, Slopes, Number]:
        r"""Return c, b and A of :math:`c + b \cdot v + A |v|^2`, which an expression is at the place and v."""

        def at(*shift: Number) -> Number:
            moved = (exact.add(part, each) for part, each in zip(place, shift, strict=True))
            return evaluate(difference, {**state, **dict(zip(self.known.noisy, moved, strict=True))}, self.arrays)

        size = len(place)
        if _degree(difference, frozenset(self.known.noisy)) > 2:
            raise Beyond(_OTHER)
        constant = at(*[0] * size)
        ends = [(at(*_unit(size, each, 1)), at(*_unit(size, each, -1))) for each in range(size)]
        slopes = tuple(exact.div(exact.sub(up, down), 2) for up, down in ends)
        bends = [exact.sub(exact.div(exact.add(up, down), 2), constant) for up, down in ends]
        mixed = exact.sub(at(*[1] * size), _sum([constant, *slopes, *bends]))
        if mixed != 0 or any(each != bends[0] for each in bends) or (size == 1 and bends[0] != 0):
            raise Beyond(_OTHER)
        return constant, slopes, bends[0]

    def _below(self, slopes: Slopes | None, level: Number) -> arb:
        rate = exact.enclose(self.known.rate, BITS)
        if slopes is None:
            radius = rate * exact.enclose(level, BITS).sqrt()
            return 1 - (1 + radius) * (-radius).exp()
        length = exact.enclose(_sum([exact.mul(each, each) for each in slopes]), BITS).sqrt()
        if (slopes, level) not in self.lines:
            self.lines[slopes, level] = _beyond_line(float((rate * abs(exact.enclose(level, BITS)) / length).mid()))
        beyond = self.lines[slopes, level]
        return beyond if exact.sign(level) < 0 else 1 - beyond


def _beyond_line(distance: float) -> arb:
    """Return the chance that the noise is beyond a line at a distance in units of the scale."""
    if distance == 0:
        return arb(1) / 2
    one, zero = np.array([1 / distance]), np.zeros(1)
    arc = Arcs(np.zeros(1, dtype=np.intp), one, zero, zero, zero, np.array([math.pi / 2]), _ROUNDING * one)
    found = integrated(arc, 1)
    error = float(found.errors[0]) + _ROUNDING
    return 2 * arb(float(found.values[0]), error)


def _points(edges: _Edges, size: int) -> Iterator[tuple[Number, ...]]:
    """Yield one point of each cell."""
    if edges.slopes is not None:
        square = _sum([exact.mul(each, each) for each in edges.slopes])
        ends: list[Number | None] = [None, *edges.levels, None]
        for low, high in pairwise(ends):
            far = exact.div(_between(low, high), square)
            yield tuple(exact.mul(far, each) for each in edges.slopes)
        return
    for low, high in pairwise([0, *edges.levels, None]):
        radius = Fraction(math.sqrt(exact.nearest_float(_between(low, high))))
        square = exact.number(radius * radius)
        if exact.compare(square, low or 0) <= 0 or (high is not None and exact.compare(square, high) >= 0):
            raise Beyond("circles that are too close to each other")
        yield (exact.number(radius), *[0] * (size - 1))


def _between(low: Number | None, high: Number | None) -> Number:
    match low, high:
        case None, None:
            return 0
        case None, _:
            return exact.sub(high or 0, 1)
        case _, None:
            return exact.add(low or 0, 1)
        case _:
            return exact.div(exact.add(low or 0, high or 0), 2)


def _differences(event: Expression, noisy: frozenset[str]) -> Iterator[Expression]:
    """Yield left − right of each comparison that reads a noisy variable."""
    for node in nodes(event):
        match node:
            case Binary(operator=operator, left=left, right=right) if operator in _COMPARISONS:
                if any(isinstance(part, Name) and part.id in noisy for part in nodes(node)):
                    yield Binary("-", left, right, node.span)
            case _:
                pass


def _degree(value: Expression, noisy: frozenset[str]) -> int:
    """Return the degree of a polynomial in noisy variables.

    Raises:
        Beyond: if it is none that is told from its form.
    """
    match value:
        case _ if not any(isinstance(part, Name) and part.id in noisy for part in nodes(value)):
            return 0
        case Name():
            return 1
        case Parenthesized(inner=inner) | Unary(operator="-", operand=inner):
            return _degree(inner, noisy)
        case Binary(operator="+" | "-", left=left, right=right):
            return max(_degree(left, noisy), _degree(right, noisy))
        case Binary(operator="*", left=left, right=right):
            return _degree(left, noisy) + _degree(right, noisy)
        case Binary(operator="/", left=left, right=right) if _degree(right, noisy) == 0:
            return _degree(left, noisy)
        case Binary(operator="^", left=left, right=tree.Number(value=power)) if power in (1, 2):
            return int(power) * _degree(left, noisy)
        case _:
            raise Beyond(_OTHER)


def _quotient(one: Slopes, other: Slopes) -> Number:
    """Return by what one direction is multiplied to be another one.

    Raises:
        Beyond: if they are not parallel.
    """
    at = next(at for at, each in enumerate(other) if each != 0)
    factor = exact.div(one[at], other[at])
    if factor == 0 or any(exact.mul(factor, each) != mine for mine, each in zip(one, other, strict=True)):
        raise Beyond(_OTHER)
    return factor


def _unit(size: int, at: int, length: int) -> list[Number]:
    return [length if each == at else 0 for each in range(size)]


def _sum(terms: Sequence[Number]) -> Number:
    total: Number = 0
    for each in terms:
        total = exact.add(total, each)
    return total
