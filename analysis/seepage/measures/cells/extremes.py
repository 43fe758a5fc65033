r"""The greatest or least of several values that are independent given discrete ones, of any laws: :math:`P(\max_i v_i \le t) = \prod_i P(v_i \le t)`.

The density follows by the product rule, :math:`\sum_i f_i \prod_{j \ne i} F_j`, and its slope by the same rule once more; a value that one of them takes with a chance of its
own has the jump of the product there. The least is the same with chances to be at least t.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from math import prod
from operator import mul

from flint import arb

from seepage.data_classes import dataclass
from seepage.exact import Number, enclose
from seepage.measures.gaussian.maximum import Hump
from seepage.measures.pivot.guessing import Blended, Slab
from seepage.measures.privacy.noise_reading import NotRead
from seepage.semantics.core import CoreAssign, CoreProgram, CoreStatement
from seepage.semantics.expressions import without_parentheses
from seepage.semantics.statements import may_write
from seepage.source import Span
from seepage.syntax.tree import Call, Expression, Name

_NOWHERE = Span(0, 0)
_MOST_TERMS = 256
_FAR = 1 << 60  # farther than any output


@dataclass(frozen=True, slots=True)
class Extreme:
    """An output that is the greatest or the least of others.

    Attributes:
        core: the program, which has the others as variables.
        terms: their names.
        side: 1 of the greatest, −1 of the least.
    """

    core: CoreProgram
    terms: tuple[str, ...]
    side: int


def extreme_of(core: CoreProgram, name: str) -> Extreme | None:
    """Return the values that a variable is the greatest or the least of, at the end of a program; None if it is of none."""
    if not any(map(_of, core.statements)):
        return None
    written = _written(core)
    places: list[tuple[int, Expression]] = []
    word = ""
    waiting: list[tuple[str, int]] = [(name, len(core.statements))]
    while waiting:
        wanted, before = waiting.pop()
        earlier = written.get(wanted, ())
        last = bisect_left(earlier, before) - 1
        at = earlier[last] if last >= 0 else None
        found = None if at is None else _of(core.statements[at])
        if at is None or found is None or (word and found.function != word):
            if not word:
                return None
            places.append((before, Name(wanted, _NOWHERE)))
            continue
        word = found.function
        for argument in found.arguments:
            plain = without_parentheses(argument)
            if isinstance(plain, Name) and plain.id not in core.parameters:
                waiting.append((plain.id, at))
            else:
                places.append((at, argument))
        if len(places) + len(waiting) > _MOST_TERMS:
            return None
    terms = tuple(f"@{name} {number}" for number in range(len(places)))
    added: dict[int, list[CoreStatement]] = {}
    for term, (at, value) in zip(terms, places, strict=True):
        added.setdefault(at, []).append(CoreAssign(Name(term, _NOWHERE), value, _NOWHERE))
    statements = [
        each for at in range(len(core.statements) + 1) for each in (*added.get(at, ()), *core.statements[at : at + 1])
    ]
    program = replace(core, statements=tuple(statements), variables=(*core.variables, *terms))
    return Extreme(program, terms, 1 if word == "max" else -1)


def _written(core: CoreProgram) -> Mapping[str, Sequence[int]]:
    """Return for each variable which statements may write it, in their order."""
    found: dict[str, list[int]] = {}
    for at, statement in enumerate(core.statements):
        for name in may_write(core, (statement,)):
            found.setdefault(name, []).append(at)
    return found


def _of(statement: CoreStatement) -> Call | None:
    match statement:
        case CoreAssign(target=Name(), value=value):
            plain = without_parentheses(value)
            if isinstance(plain, Call) and plain.function in ("max", "min") and len(plain.arguments) > 1:
                return plain
    return None


@dataclass(frozen=True, slots=True)
class Term:
    """The law of one of the values: those with a chance of their own, and the density of the others."""

    atoms: Mapping[Number, arb]
    density: tuple[tuple[arb, Hump], ...]

    def beyond(self, place: arb, side: int, *, or_at: bool) -> arb:
        """Return the chance to be less than a place (side 1) or more (−1); ``or_at``: or there, where an atom may be."""
        total = arb(0)
        for value, mass in self.atoms.items():
            at = enclose(value)
            inside = at < place if side > 0 else at > place
            if inside or (or_at and at.overlaps(place)):
                total += mass
        for weight, hump in self.density:
            total += weight * (hump.below(place) if side > 0 else hump.above(place))
        return total


@dataclass(frozen=True, slots=True)
class ExtremeHump:
    """The density of the greatest or least of some values."""

    terms: tuple[Term, ...]
    side: int

    def marks(self) -> Sequence[arb]:
        """Return the marks of all."""
        found = [mark for term in self.terms for _, hump in term.density for mark in hump.marks()]
        return [*found, *(enclose(value) for term in self.terms for value in term.atoms)]

    def below(self, place: arb) -> arb:
        """Return the mass of smaller values; the place lies before all marks."""
        if self._is_empty(place - _FAR, place):
            return arb(0)
        return self.all_beyond(place, or_at=False) if self.side > 0 else 1 - self.all_beyond(place, or_at=True)

    def above(self, place: arb) -> arb:
        """Return the mass of larger values; the place lies behind all marks."""
        if self._is_empty(place, place + _FAR):
            return arb(0)
        return 1 - self.all_beyond(place, or_at=True) if self.side > 0 else self.all_beyond(place, or_at=False)

    def between(self, left: arb, right: arb) -> arb:
        """Return the mass of an interval between marks."""
        if self._is_empty(left, right):
            return arb(0)
        start, end = (left, right) if self.side > 0 else (right, left)
        return self.all_beyond(end, or_at=False) - self.all_beyond(start, or_at=True)

    def density(self, place: arb, inside: arb) -> arb:
        """Return a ball that holds the density in a ball of points."""
        own, chances = self._parts(place, inside)
        return sum((f * _without(chances, at) for at, f in enumerate(own)), arb(0))

    def slope(self, place: arb, inside: arb, density: arb) -> arb:
        """Return the derivative of the density."""
        del density
        own, chances = self._parts(place, inside)
        total = arb(0)
        for at, term in enumerate(self.terms):
            change = sum(
                (weight * hump.slope(place, inside, hump.density(place, inside)) for weight, hump in term.density),
                arb(0),
            )
            total += change * _without(chances, at)
            for other, f in enumerate(own):
                if other != at:
                    total += self.side * own[at] * f * _without(chances, at, other)
        return total

    def _is_empty(self, left: arb, right: arb) -> bool:
        """Tell whether no value has a density between two marks."""
        whole, middle = left.union(right), ((left + right) / 2).mid()
        return all(hump.density(whole, middle).is_zero() for term in self.terms for _, hump in term.density)

    def _parts(self, place: arb, inside: arb) -> tuple[list[arb], list[arb]]:
        own = [
            sum((weight * hump.density(place, inside) for weight, hump in term.density), arb(0)) for term in self.terms
        ]
        chances = []
        for term in self.terms:
            atoms = Term(term.atoms, ()).beyond(inside, self.side, or_at=False)
            chances.append(atoms + Term({}, term.density).beyond(place, self.side, or_at=False))
        return own, chances

    def all_beyond(self, place: arb, *, or_at: bool) -> arb:
        """Return the chance that all values are beyond a place, as :meth:`Term.beyond`."""
        return reduce(mul, (term.beyond(place, self.side, or_at=or_at) for term in self.terms), arb(1))


def _without(chances: Sequence[arb], *left_out: int) -> arb:
    return prod((chance for at, chance in enumerate(chances) if at not in left_out), start=arb(1))


def law_of(terms: Sequence[Term], side: int) -> tuple[dict[Number, arb], list[tuple[arb, Hump]]]:
    """Return the law of the greatest (1) or the least (−1) of independent values: its atoms, and its density.

    Raises:
        NotRead: if a density has no distribution function at hand.
    """
    if any(not isinstance(hump, Slab | Blended) for term in terms for _, hump in term.density):
        raise NotRead
    whole = ExtremeHump(tuple(terms), side)
    atoms: dict[Number, arb] = {}
    for value in dict.fromkeys(value for term in terms for value in term.atoms):
        at = enclose(value)
        jump = whole.all_beyond(at, or_at=True) - whole.all_beyond(at, or_at=False)
        if jump > 0:
            atoms[value] = jump
    if all(not term.density for term in terms):
        return atoms, []
    return atoms, [(arb(1), whole)]
