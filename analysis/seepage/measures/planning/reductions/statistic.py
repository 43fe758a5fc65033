r"""Many inputs that outputs depend on through a sum only: neighbours are as far apart as the sum may move.

Let the outputs y depend on independent inputs :math:`x_1 … x_n` through :math:`t = c + \sum f_i(x_i)` alone, each :math:`f_i` taking all multiples of one
step g from its least value to its greatest, :math:`m_i` steps above it. By changing at most k inputs, t reaches from any of its values exactly those at most
:math:`g \cdot (\text{sum of the k largest } m_i)` away: of an increase by d, take k inputs that can carry it, as low as the rest allows. So a supremum over neighbours
of x is one over values of t at most so far apart. Where a move of t only moves the outputs, the law given :math:`t + d` is that given t, moved, and pairs from the least
value of t upwards stand for all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from heapq import nlargest
from math import gcd, lcm, prod

from seepage import exact
from seepage.data_classes import dataclass
from seepage.diagnostics import Fault
from seepage.engines.additive import Additive, NotAdditive, Table, additive
from seepage.exact import Irrational
from seepage.measures.planning.question import Question
from seepage.measures.planning.reductions.reduction import Reduced, Reduction
from seepage.measures.quantity import NOWHERE
from seepage.measures.sufficiency import cut_between
from seepage.semantics.core import CoreAssign, CoreProgram, CoreSample, CoreStatement
from seepage.semantics.shifts import NotMoved, moves
from seepage.semantics.statements import written_variables
from seepage.source import Span
from seepage.syntax.tree import Argument, Binary, Expression, Family, Name
from seepage.syntax.tree import Number as Literal

FEW = 100
"""Combinations of inputs that are looked at one by one, which finds formulas and the worst of them."""


_NOWHERE = Span(0, 0)
_STEPS, _SUM = "@steps", "@sum"  # no name of the language holds an @
_SOURCE = "Dwork and Roth 2014, The Algorithmic Foundations of Differential Privacy, definition 3.1 and theorem 3.6"


@dataclass(frozen=True, slots=True)
class _Steps:
    """A sum: ``low`` and all that is whole steps above it, ``counts`` of which each input moves it."""

    low: Fraction
    step: Fraction
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Cut:
    """A program in two parts: the second writes no input, and reads one variable of the first."""

    program: CoreProgram
    first: tuple[CoreStatement, ...]
    second: tuple[CoreStatement, ...]
    read: str


def _apply(question: Question) -> Reduced | None:
    if not question.measure.is_over_neighbours or question.given or len(question.x) < 2:
        return None
    places, cut = places_of(question), _cut(question)
    if places is None or cut is None:
        return None
    parameters = question.evaluation.scope.parameters
    try:
        value = additive(cut.first, question.x, cut.read, parameters)
        steps = _steps(value)
    except NotAdditive:
        return None
    if prod(len(values) for values in value.supports.values()) <= FEW:
        return None
    most, far = sum(steps.counts), sum(nlargest(places, steps.counts))
    if far == 0:
        return None
    try:
        moves(cut.second, cut.read, parameters)
        asked = _posed(question, cut, steps, far, None)
    except (NotMoved, Fault):
        asked = _posed(question, cut, steps, most, far * steps.step if far < most else None)
    neighbours = "any two inputs" if places >= len(question.x) else f"neighbours in {places} of the inputs"
    amount = exact.show(exact.number(far * steps.step))
    return Reduced(
        (asked,),
        lambda claims: replace(claims[0], witness=NOWHERE, formula=None),
        "=",
        f"the outputs depend on {len(question.x):,} inputs through a sum, and {neighbours} move it by at most {amount}",
    )


def _cut(question: Question) -> _Cut | None:
    found = cut_between(question.core, question.x, question.y)
    if found is None or len(found[1]) != 1:
        return None
    program, (copy,) = found
    for place, each in enumerate(program.statements):
        if isinstance(each, CoreAssign) and each.target == Name(copy, each.span) and isinstance(each.value, Name):
            statements = program.statements
            return _Cut(program, statements[:place], statements[place + 1 :], each.value.id)
    return None


def places_of(question: Question) -> int | None:
    """Return in how many inputs neighbours may differ; None where it is not told in whole numbers."""
    found = question.argument("distance")
    if found is None:
        return len(question.x)
    return found if isinstance(found, int) and found > 0 else None


def _steps(value: Additive) -> _Steps:
    """Return a sum as whole steps.

    Raises:
        NotAdditive: if some input moves it by other amounts than all multiples of one step.
    """
    tables = [_rational(table) for table in value.terms.values()]
    (constant,) = _rational((value.constant,))
    gaps = [abs(each - table[0]) for table in tables for each in table if each != table[0]]
    if not gaps:
        raise NotAdditive
    scale = lcm(*(gap.denominator for gap in gaps))
    step = Fraction(gcd(*(int(gap * scale) for gap in gaps)), scale)
    counts = []
    for table in tables:
        count = (max(table) - min(table)) / step
        if len(set(table)) != count + 1:
            raise NotAdditive
        counts.append(int(count))
    return _Steps(constant + sum(min(table) for table in tables), step, tuple(counts))


def _rational(table: Table) -> tuple[Fraction, ...]:
    if any(isinstance(each, Irrational) for each in table):
        raise NotAdditive
    return tuple(Fraction(each) for each in table if not isinstance(each, Irrational))


def _posed(question: Question, cut: _Cut, steps: _Steps, most: int, distance: Fraction | None) -> Question:
    """Return the question about a sum of at most so many steps, in place of the inputs; neighbours are at most ``distance`` apart.

    The sum is a variable of its own, for what the outputs read of it may be assigned anew.
    """
    ends = (Argument(None, _number(end), _NOWHERE) for end in (0, most))
    moved = Binary("*", _number(steps.step), Name(_STEPS, _NOWHERE), _NOWHERE)
    statements = (
        CoreSample(Name(_STEPS, _NOWHERE), Family("uniform_int", tuple(ends), _NOWHERE, _NOWHERE), _NOWHERE),
        CoreAssign(Name(_SUM, _NOWHERE), Binary("+", _number(steps.low), moved, _NOWHERE), _NOWHERE),
        CoreAssign(Name(cut.read, _NOWHERE), Name(_SUM, _NOWHERE), _NOWHERE),
        *cut.second,
    )
    program = replace(cut.program, statements=statements, variables=written_variables(statements))
    posed = question.of(program, (_SUM,), question.y)
    return replace(posed, call=replace(posed.call, named=tuple(_named(question.call.named, distance))))


def _named(arguments: Iterable[Argument], distance: Fraction | None) -> Iterable[Argument]:
    """Yield the arguments of a measure with another distance, or without one."""
    for each in arguments:
        if each.name != "distance":
            yield each
    if distance is not None:
        yield Argument("distance", _number(distance), _NOWHERE)


def _number(value: int | Fraction) -> Expression:
    return Literal(Fraction(value), _NOWHERE)


STATISTIC = Reduction("sum of inputs", _SOURCE, _apply)
