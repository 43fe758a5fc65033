r"""Neighbours that differ in one of many records: what the others add to sums moves both alike, so that records are asked one by one.

Let the outputs y depend on independent records :math:`x_1 … x_n` through sums :math:`t_j = c_j + \sum_i f_{ij}(x_i)` and through values k of a few records. Outputs that are
independent of each other given these have laws of their own, and those that read nothing of :math:`x_i` have one law for both neighbours, which changes no divergence. Where a move of
each :math:`t_j` only moves the outputs, whatever the rest is, the laws given two values of :math:`x_i`, the other records being fixed, are those with
:math:`f_{ij}(x_i)` in place of :math:`t_j`, both moved by one vector, which changes none either. So a supremum over neighbours is the greatest one over records i, over the
values of those other records that k reads, and over pairs of values of :math:`x_i`. Records whose values do the same to like outputs, up to a vector, are asked once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.additive import Additive, NotAdditive, additives
from seepage.exact import Irrational, Number
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.folding import largest
from seepage.measures.planning.likeness import Likeness, likeness
from seepage.measures.planning.question import Names, Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.statistic import FEW, places_of
from seepage.measures.quantity import NOWHERE
from seepage.measures.sufficiency import cut_between
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.lifting import with_parts
from seepage.semantics.separation import separate
from seepage.semantics.shifts import NotMoved, moves
from seepage.semantics.slice import slice_program
from seepage.semantics.statements import names_read, written_variables
from seepage.source import Span
from seepage.syntax.tree import Argument, Binary, Conditional, Expression, Family, Name
from seepage.syntax.tree import Number as Literal

_NOWHERE = Span(0, 0)
_RECORD = "@record"  # no name of the language holds an @
_TOLD = "@told"
_MOST_ASKED = 64  # questions
_MOST_SUMS = 32  # that are read beside records, or of one record only
_SOURCE = "Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy, definitions 2.4 and 3.1; divergences keep their values under one-to-one maps"

_Row: TypeAlias = tuple[Number, ...]  # values of what is read


@dataclass(frozen=True, slots=True)
class _Group:
    """Outputs that are dependent given what the second part reads, and what of that they read."""

    outputs: Names
    read: Names


@dataclass(frozen=True, slots=True)
class _Sums:
    """What the second part of a program reads of the first one.

    Attributes:
        second: the program of the second part alone.
        values: what it reads, by name: of which records these are sums.
        moving: those that move the outputs.
        groups: of outputs.
    """

    second: CoreProgram
    values: Mapping[str, Additive]
    moving: frozenset[str]
    groups: tuple[_Group, ...]

    @property
    def supports(self) -> Mapping[str, tuple[Number, ...]]:
        """The values of all records."""
        return next(iter(self.values.values())).supports

    def of(self, record: str, outputs: Names) -> Iterator[_Asked]:
        """Yield what there is to ask of a record, once for the values of each of the others that matter.

        Raises:
            NotAdditive: if these are too many.
        """
        touched = [group for group in self.groups if any(record in self.values[name].terms for name in group.read)]
        read = sorted(
            {name for group in touched for name in group.read}, key=lambda name: (name not in self.moving, name)
        )
        seen = frozenset(name for group in touched for name in group.outputs)
        others = {name for each in read if each not in self.moving for name in self.values[each].terms}
        beside = sorted(others - {record})
        if prod(len(self.supports[name]) for name in beside) > _MOST_ASKED:
            raise NotAdditive
        for places in product(*(range(len(self.supports[name])) for name in beside)):
            held = dict(zip(beside, places, strict=True))
            rows = [self._row(read, {**held, record: place}) for place in range(len(self.supports[record]))]
            found = self._normal(read, rows)
            if len(found) > 1:
                yield _Asked(tuple(read), found, tuple(name for name in outputs if name in seen))

    def _row(self, read: Sequence[str], places: Mapping[str, int]) -> _Row:
        found: list[Number] = []
        for name in read:
            total: Number = self.values[name].constant
            for record, place in places.items():
                if record in self.values[name].terms:
                    total = exact.add(total, self.values[name].terms[record][place])
            found.append(total)
        return tuple(found)

    def _normal(self, read: Sequence[str], rows: Iterable[_Row]) -> tuple[_Row, ...]:
        """Return rows that differ, in an order of their own, the least one moved to 0 where that moves the outputs only."""
        listed = sorted(set(rows), key=_order)
        base = [least if name in self.moving else 0 for name, least in zip(read, listed[0], strict=True)]
        return tuple(tuple(map(exact.sub, row, base)) for row in listed)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the second part reads for each value of one record, and the outputs that it reads it for."""

    read: Names
    rows: tuple[_Row, ...]
    outputs: Names


def _order(row: _Row) -> tuple[Fraction, ...]:
    return tuple(map(_rational, row))


def _apply(question: Question) -> Reduced | None:
    if not question.measure.is_over_neighbours or question.given or len(question.x) < 2:
        return None
    if places_of(question) != 1:
        return None
    try:
        sums = _sums(question, question.core) or _sums(question, _lifted(question))
        if sums is None or prod(len(values) for values in sums.supports.values()) <= FEW:
            return None
        posed = _different(question, sums)
    except (NotAdditive, Fault):
        return None
    if not posed:
        return None
    because = (
        f"neighbours differ in one of {len(question.x):,} records, and what the others add to sums moves both alike"
    )
    return Reduced(posed, _greatest, "=", because)


def _greatest(claims: Sequence[Claim]) -> Claim:
    return replace(largest([(claim, 1) for claim in claims], 1), witness=NOWHERE, formula=None)


def _lifted(question: Question) -> CoreProgram:
    """Return the program in which sums of records that stand within expressions are variables."""
    return with_parts(slice_program(question.core, question.names), question.x)


def _sums(question: Question, core: CoreProgram) -> _Sums | None:
    """Read a program as sums of records with what is computed of them."""
    found = cut_between(core, question.x, question.y, len(question.x) + _MOST_SUMS)
    if found is None:
        return None
    program, copies = found
    at = next(place for place, each in enumerate(program.statements) if _copies(each, copies))
    first, second = program.statements[:at], program.statements[at + len(copies) :]
    read = [name.removesuffix(_TOLD) for name in copies]
    parameters = question.evaluation.scope.parameters
    values = dict(zip(read, additives(first, question.x, read, parameters), strict=True))
    several = [name for name in read if len(values[name].terms) > 1 or len(read) <= _MOST_SUMS]
    moving = frozenset(name for name in several if _moves(second, name, parameters))
    if not moving:
        return None
    alone = replace(program, statements=second, variables=written_variables(second))
    return _Sums(alone, values, moving, tuple(_groups(alone, question.y, frozenset(read))))


def _groups(second: CoreProgram, outputs: Names, read: frozenset[str]) -> Iterator[_Group]:
    """Yield the outputs of the second part that are independent given what it reads."""
    separation = separate(second, outputs)
    for names in (*(part.names for part in separation.parts), *((name,) for name in separation.constants)):
        statements = slice_program(second, names).statements
        found = read & {*names_read(statements), *names}
        if found:
            yield _Group(names, tuple(sorted(found)))


def _copies(statement: CoreStatement, names: Sequence[str]) -> bool:
    return isinstance(statement, CoreAssign) and isinstance(statement.target, Name) and statement.target.id in names


def _moves(second: Sequence[CoreStatement], name: str, parameters: Mapping[str, Number]) -> bool:
    try:
        moves(second, name, parameters)
    except NotMoved:
        return False
    return True


def _different(question: Question, sums: _Sums) -> tuple[Question, ...]:
    """Return what is asked of the records, like questions once.

    Raises:
        NotAdditive: if these are too many.
    """
    seen: dict[_Asked, None] = {}
    found: dict[Likeness, Question] = {}
    for record in question.x:
        for asked in sums.of(record, question.y):
            if asked in seen:
                continue
            seen[asked] = None
            posed = _posed(question, sums, asked)
            fixed = question.core.parameters
            found.setdefault(likeness(posed.core.statements, (posed.x, posed.y), fixed), posed)
        if len(found) > _MOST_ASKED:
            raise NotAdditive
    return tuple(found.values())


def _posed(question: Question, sums: _Sums, asked: _Asked) -> Question:
    """Return the question about a record with such values, the others standing still."""
    ends = tuple(Argument(None, _number(end), _NOWHERE) for end in (0, len(asked.rows) - 1))
    columns = zip(*asked.rows, strict=True)
    statements = (
        CoreSample(_name(_RECORD), Family("uniform_int", ends, _NOWHERE, _NOWHERE), _NOWHERE),
        *(CoreAssign(_name(name), _chosen(column), _NOWHERE) for name, column in zip(asked.read, columns, strict=True)),
        *slice_program(sums.second, asked.outputs).statements,
    )
    program = replace(sums.second, statements=statements, variables=written_variables(statements))
    posed = question.of(program, (_RECORD,), asked.outputs)
    named = tuple(each for each in posed.call.named if each.name != "distance")
    return replace(posed, call=replace(posed.call, named=named)).without_formulas()


def _chosen(column: Sequence[Number]) -> Expression:
    """Return the value in a column at the record's place."""
    chosen = _number(column[-1])
    for place in range(len(column) - 2, -1, -1):
        if column[place] != column[-1] or not isinstance(chosen, Literal):
            here = Binary("==", _name(_RECORD), _number(place), _NOWHERE)
            chosen = Conditional(here, _number(column[place]), chosen, _NOWHERE)
    return chosen


def _rational(value: Number) -> Fraction:
    if isinstance(value, Irrational):
        raise NotAdditive
    return Fraction(value)


def _number(value: Number) -> Expression:
    return Literal(_rational(value), _NOWHERE)


def _name(name: str) -> Name:
    return Name(name, _NOWHERE)


ONE_RECORD = Reduction("one record at a time", _SOURCE, _apply)
