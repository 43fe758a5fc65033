r"""Neighbours that differ in one of many records: what the others add to sums moves both alike, so that records are asked one by one.

Let the outputs y depend on independent records :math:`x_1 … x_n` through sums :math:`t_j = c_j + \sum_i f_{ij}(x_i)` and through values k of a few records. Where a move of
each :math:`t_j` only moves the outputs, whatever the rest is, the laws given two values of :math:`x_i`, the other records being fixed, are those with
:math:`f_{ij}(x_i)` in place of :math:`t_j`, both moved by one vector, which changes no divergence. So a supremum over neighbours is the greatest one over records i, over the
values of those other records that k reads, and over pairs of values of :math:`x_i`. Records whose values move the sums alike, up to a vector, are asked once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from typing import TypeAlias

from seepage import exact
from seepage.diagnostics import Fault
from seepage.engines.additive import Additive, NotAdditive, additives
from seepage.exact import Irrational, Number
from seepage.measures.planning.claim import Claim
from seepage.measures.planning.folding import largest
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.planning.reductions.statistic import FEW, places_of
from seepage.measures.quantity import NOWHERE
from seepage.measures.sufficiency import cut_between
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.shifts import NotMoved, moves
from seepage.semantics.statements import written_variables
from seepage.source import Span
from seepage.syntax.tree import Argument, Binary, Conditional, Expression, Family, Name
from seepage.syntax.tree import Number as Literal

_NOWHERE = Span(0, 0)
_RECORD = "@record"  # no name of the language holds an @
_TOLD = "@told"
_MOST_ASKED = 64  # questions
_SOURCE = "Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy, definitions 2.4 and 3.1; divergences keep their values under one-to-one maps"

_Row: TypeAlias = tuple[Number, ...]  # values of the sums and of what is read beside them


@dataclass(frozen=True, slots=True)
class _Sums:
    """What the second part of a program reads of the first one.

    Attributes:
        program: both parts.
        second: statements.
        read: the variables, those that move the outputs before the others.
        values: of which records these are sums.
        moving: how many of them move the outputs.
    """

    program: CoreProgram
    second: tuple[CoreStatement, ...]
    read: tuple[str, ...]
    values: tuple[Additive, ...]
    moving: int

    @property
    def beside(self) -> tuple[str, ...]:
        """The records that are read otherwise than through sums that move the outputs."""
        return tuple(dict.fromkeys(name for value in self.values[self.moving :] for name in value.terms))

    def rows(self, record: str) -> Iterator[tuple[_Row, ...]]:
        """Yield what is read for each value of a record, once for the values of each of the others that matter."""
        supports = self.values[0].supports
        others = [name for name in self.beside if name != record]
        for places in product(*(range(len(supports[name])) for name in others)):
            held = dict(zip(others, places, strict=True))
            rows = (self._row({**held, record: place}) for place in range(len(supports[record])))
            yield self._normal(tuple(rows))

    def _row(self, places: dict[str, int]) -> _Row:
        found: list[Number] = []
        for value in self.values:
            total: Number = value.constant
            for name, place in places.items():
                if name in value.terms:
                    total = exact.add(total, value.terms[name][place])
            found.append(total)
        return tuple(found)

    def _normal(self, rows: tuple[_Row, ...]) -> tuple[_Row, ...]:
        """Return rows that differ, in an order of their own, the least one moved to 0 where that moves the outputs only."""
        listed = sorted(set(rows), key=_order)
        base = listed[0][: self.moving]
        return tuple((*map(exact.sub, row, base), *row[self.moving :]) for row in listed)


def _order(row: _Row) -> tuple[Fraction, ...]:
    return tuple(map(_rational, row))


def _apply(question: Question) -> Reduced | None:
    if not question.measure.is_over_neighbours or question.given or len(question.x) < 2:
        return None
    if places_of(question) != 1:
        return None
    try:
        sums = _sums(question)
        if sums is None or prod(len(values) for values in sums.values[0].supports.values()) <= FEW:
            return None
        asked = _different(sums, question.x)
    except (NotAdditive, Fault):
        return None
    if not asked:
        return None
    posed = tuple(_posed(question, sums, rows) for rows in asked)
    because = (
        f"neighbours differ in one of {len(question.x):,} records, and what the others add to sums moves both alike"
    )
    return Reduced(posed, _greatest, "=", because)


def _greatest(claims: Sequence[Claim]) -> Claim:
    return replace(largest([(claim, 1) for claim in claims], 1), witness=NOWHERE, formula=None)


def _sums(question: Question) -> _Sums | None:
    """Read a program as sums of records with what is computed of them."""
    found = cut_between(question.core, question.x, question.y)
    if found is None:
        return None
    program, copies = found
    at = next(place for place, each in enumerate(program.statements) if _copies(each, copies))
    first, second = program.statements[:at], program.statements[at + len(copies) :]
    names = [name.removesuffix(_TOLD) for name in copies]
    parameters = question.evaluation.scope.parameters
    moving = [name for name in names if _moves(second, name, parameters)]
    if not moving:
        return None
    read = (*moving, *(name for name in names if name not in moving))
    return _Sums(program, second, read, additives(first, question.x, read, parameters), len(moving))


def _copies(statement: CoreStatement, names: Sequence[str]) -> bool:
    return isinstance(statement, CoreAssign) and isinstance(statement.target, Name) and statement.target.id in names


def _moves(second: Sequence[CoreStatement], name: str, parameters: Mapping[str, Number]) -> bool:
    try:
        moves(second, name, parameters)
    except NotMoved:
        return False
    return True


def _different(sums: _Sums, records: Sequence[str]) -> list[tuple[_Row, ...]] | None:
    """Return what is read for the values of each record, each once that differs; None where that is too much."""
    supports = sums.values[0].supports
    if prod(len(supports[name]) for name in sums.beside) > _MOST_ASKED:
        return None
    found: dict[tuple[_Row, ...], None] = {}
    for record in records:
        for rows in sums.rows(record):
            if len(rows) > 1:
                found[rows] = None
        if len(found) > _MOST_ASKED:
            return None
    return list(found)


def _posed(question: Question, sums: _Sums, rows: tuple[_Row, ...]) -> Question:
    """Return the question about a record with such values, the others standing still."""
    law = Family(
        "uniform_int", tuple(Argument(None, _number(end), _NOWHERE) for end in (0, len(rows) - 1)), _NOWHERE, _NOWHERE
    )
    columns = zip(*rows, strict=True)
    statements = (
        CoreSample(_name(_RECORD), law, _NOWHERE),
        *(CoreAssign(_name(name), _chosen(column), _NOWHERE) for name, column in zip(sums.read, columns, strict=True)),
        *sums.second,
    )
    program = replace(sums.program, statements=statements, variables=written_variables(statements))
    posed = question.of(program, (_RECORD,), question.y)
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
