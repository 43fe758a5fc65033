"""Budgets for products, quotients and other arithmetic of measures over ranges: enclosed part by part.

Each measure is a function of the parameters by itself (:mod:`seepage.measures.ranges.problem`, :mod:`seepage.measures.ranges.guessing`), in the unit of
the budget; values and slopes are put together by interval arithmetic and the rules for derivatives. So
what the parts have in common does not cancel: an enclosure is wider than that of one function, and the search looks at more boxes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

from seepage.data_classes import dataclass
from seepage.engines import intervals
from seepage.engines.intervals import Box, Interval
from seepage.engines.outcome import Budget
from seepage.exact import Number, div, enclose
from seepage.measures.planning.table import row_of
from seepage.measures.ranges.guessing import guessing_problem
from seepage.measures.ranges.privacy import Difference, written
from seepage.measures.ranges.problem import problem_of
from seepage.measures.ranges.runs import NoProblem, Runs
from seepage.measures.ranges.search import Enclosed, Question
from seepage.measures.scope import Scope
from seepage.semantics.checked import Domain
from seepage.source import Span
from seepage.syntax import tree
from seepage.syntax.tree import (
    Expression,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MeasureOptimum,
)

_BITS = 96
_LETTERS = 64  # of one part: the letters of part i count from i · 64
_ZERO = tree.Number(Fraction(0), Span(0, 0))


@dataclass(frozen=True, slots=True)
class Leaf:
    """One measure or static number, by its place among the parts; its values times ``scale``."""

    part: int
    scale: Number


@dataclass(frozen=True, slots=True)
class Node:
    """Two parts combined."""

    operator: str
    left: Tree
    right: Tree


Tree: TypeAlias = Leaf | Node


@dataclass(frozen=True, slots=True)
class Together:
    """``sign · (M − e)`` on some face of the ranges."""

    tree: Tree
    parts: tuple[Enclosed, ...]
    sign: int

    def letters(self, box: Box) -> dict[int, Interval]:
        """Enclose the letters of all parts on a box."""
        return {
            number * _LETTERS + place: interval
            for number, part in enumerate(self.parts)
            for place, interval in part.letters(box).items()
        }

    def value(self, letters: Mapping[int, Interval]) -> Interval:
        """Enclose the values."""
        values = [part.value(_own(letters, number)) for number, part in enumerate(self.parts)]
        found, _ = _enclosed(self.tree, values, [{} for _ in values], ())
        return found if self.sign == 1 else intervals.negative(found)

    def slopes(self, names: Sequence[str], box: Box, letters: Mapping[int, Interval]) -> dict[str, Interval]:
        """Enclose the derivatives, of maxima their generalised gradients."""
        own = [_own(letters, number) for number in range(len(self.parts))]
        values = [part.value(each) for part, each in zip(self.parts, own, strict=True)]
        slopes = [part.slopes(names, box, each) for part, each in zip(self.parts, own, strict=True)]
        _, found = _enclosed(self.tree, values, slopes, names)
        return found if self.sign == 1 else {name: intervals.negative(slope) for name, slope in found.items()}


def _own(letters: Mapping[int, Interval], number: int) -> dict[int, Interval]:
    return {key - number * _LETTERS: each for key, each in letters.items() if key // _LETTERS == number}


def _enclosed(
    of: Tree, values: Sequence[Interval], slopes: Sequence[Mapping[str, Interval]], names: Sequence[str]
) -> tuple[Interval, dict[str, Interval]]:
    """Return the enclosures of a value and its derivatives."""
    if isinstance(of, Leaf):
        factor = enclose(of.scale, _BITS)
        point: Interval = (factor, factor)
        own = slopes[of.part]
        return intervals.times(values[of.part], point), {name: intervals.times(own[name], point) for name in names}
    (a, da), (b, db) = (_enclosed(each, values, slopes, names) for each in (of.left, of.right))
    match of.operator:
        case "+" | "-":
            if of.operator == "-":
                b, db = intervals.negative(b), {name: intervals.negative(each) for name, each in db.items()}
            return intervals.plus(a, b), {name: intervals.plus(da[name], db[name]) for name in names}
        case "*":
            return intervals.times(a, b), {name: _product_slope(a, da[name], b, db[name]) for name in names}
        case _:
            share = _reciprocal(b)
            change = intervals.negative(intervals.times(share, share))
            return intervals.times(a, share), {
                name: _product_slope(a, da[name], share, intervals.times(change, db[name])) for name in names
            }


def _product_slope(a: Interval, da: Interval, b: Interval, db: Interval) -> Interval:
    return intervals.plus(intervals.times(a, db), intervals.times(da, b))


def _reciprocal(of: Interval) -> Interval:
    """Enclose 1/b: anything where b may be 0, as the measure has no value there."""
    return intervals.inverse(of) if of[0] > 0 or of[1] < 0 else intervals.WHOLE


@dataclass(frozen=True, slots=True)
class CombinedProblem:
    """``sign · (M − e)`` in the parameters."""

    tree: Tree
    parts: tuple[Question, ...]
    ranges: Mapping[str, Domain]
    sign: int

    @property
    def is_cut(self) -> bool:
        """Whether values were left out of infinite supports: never."""
        return False

    def form(self, at: Mapping[str, Number]) -> Together:
        """Return the function when some parameters have values; raises :class:`NoAlgebra` if it cannot be written."""
        return Together(self.tree, tuple(part.form(at) for part in self.parts), self.sign)

    def vanishes(self, at: Mapping[str, Number]) -> bool:
        """Return False: arithmetic of measures is not compared by algebra."""
        return False

    def smooth(self, at: Mapping[str, Number]) -> None:
        """Return None: arithmetic of measures is not derived twice."""

    def ceiling(self, at: Mapping[str, Number]) -> None:
        """Return no function above this one."""

    def negated(self) -> CombinedProblem:
        """Return e − M for M − e."""
        return replace(self, sign=-self.sign)


def combined_problem(
    scope: Scope,
    measure: MeasureExpression,
    bound: Expression,
    per_unit: Number,
    ranges: Mapping[str, Domain],
    budget: Budget,
) -> tuple[CombinedProblem, Runs]:
    """Put arithmetic of measures minus e as a function of the parameters; arguments as :func:`seepage.measures.ranges.problem.problem_of`.

    Raises:
        NoProblem: for parts that cannot be followed, with the reason.
        Fault: of the program or the measure.
    """
    values = {name: value for name, value in scope.parameters.items() if name not in ranges}
    builder = _Builder(scope, per_unit, ranges, Runs(scope, values, ranges, budget), [])
    built = Node("-", builder.tree(measure), builder.static(bound))
    return CombinedProblem(built, tuple(builder.parts), ranges, 1), builder.runs


@dataclass(slots=True)
class _Builder:
    scope: Scope
    per_unit: Number
    ranges: Mapping[str, Domain]
    runs: Runs
    parts: list[Question]

    def tree(self, measure: MeasureExpression) -> Tree:
        match measure:
            case MeasureCall():
                return self._call(measure)
            case MeasureNegation(operand=operand):
                return Node("-", self.static(_ZERO), self.tree(operand))
            case MeasureArithmetic(operator="+" | "-" | "*" | "/" as operator, left=left, right=right):
                return Node(operator, self.tree(left), self.tree(right))
            case MeasureOptimum():
                raise NoProblem("the best strategy of an attacker is not followed over a range")
            case MeasureArithmetic():
                raise NoProblem("a power of a measure is not followed over a range")
            case _:
                return self.static(measure)

    def static(self, expression: Expression) -> Leaf:
        """Return a number that depends on parameters alone."""
        return self._add(Difference(written(self.scope, expression, self.ranges), _ZERO, self.ranges), 1)

    def _call(self, call: MeasureCall) -> Leaf:
        budget = self.runs.budget
        if row_of(call).is_of_gains:
            found, runs = guessing_problem(self.scope, call, _ZERO, 1, self.ranges, 1, budget)
            if found.is_cut:
                raise NoProblem("infinitely many values matter")
            self.runs.made += runs.made
            return self._add(found, self._nats() if row_of(call).dimension else 1)
        problem = problem_of(self.scope, call, _ZERO, 1, self.ranges, 1, budget)
        if problem.is_cut:
            raise NoProblem("infinitely many values matter")
        self.runs.made += [*(joint for part in problem.parts for joint in (part.joint, part.other)), *problem.observed]
        return self._add(problem, self._nats() if row_of(call).dimension else 1)

    def _nats(self) -> Number:
        return div(1, self.per_unit)

    def _add(self, question: Question, scale: Number) -> Leaf:
        self.parts.append(question)
        return Leaf(len(self.parts) - 1, scale)
