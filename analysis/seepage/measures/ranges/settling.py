"""How the outcome of a program depends on one draw: not at all from some value on (``n > 3``, ``min(n, 5)``), in a straight line (``s + 2*n``), or otherwise.

The degree in the draw is followed through the program. Where an expression lies between two equal numbers (:mod:`seepage.engines.forward.spans`) for all
values of the draw in an interval it is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field

from seepage.data_classes import dataclass
from seepage.engines.forward.spans import of_draw, span
from seepage.semantics.core import (
    CoreAssign,
    CoreIf,
    CoreLocal,
    CoreObserve,
    CoreProgram,
    CoreSample,
    CoreStatement,
    CoreWhile,
    unsettled,
)
from seepage.semantics.expressions import arguments_of, children, nodes, plain_names
from seepage.semantics.ranges import FALSE, TRUE, Range, hull
from seepage.syntax import tree
from seepage.syntax.tree import Expression

NOT_AT_ALL, STRAIGHT, OTHERWISE = 0, 1, 2
_OPERATORS = frozenset({"+", "-", "*"}) | tree.COMPARISONS | tree.LOGICAL
_FUNCTIONS = frozenset({"min", "max", "abs", "floor", "ceil"})


def dependence(core: CoreProgram, site: CoreSample, within: Range, asked: Iterable[str]) -> int:
    """Return how variables depend on a draw in an interval, all else being equal: the greatest degree, ``OTHERWISE`` if which statements are run does.

    Args:
        core: the program.
        site: the sampling, the very object in it, which is there once.
        within: the interval.
        asked: plain variables.
    """
    walk = _Walk(core, site, within)
    if not walk.block(core.statements):
        return OTHERWISE
    return max((walk.degrees.get(name, NOT_AT_ALL) for name in asked), default=NOT_AT_ALL)


def is_total(expression: Expression) -> bool:
    """Tell whether an expression is of operations alone that have a value whatever those of its names are."""
    for node in nodes(expression):
        match node:
            case tree.Binary(operator=operator):
                if operator not in _OPERATORS:
                    return False
            case tree.Call(function=function):
                if function not in _FUNCTIONS:
                    return False
            case (
                tree.Name() | tree.Number() | tree.Boolean() | tree.Unary() | tree.Parenthesized() | tree.Conditional()
            ):
                pass
            case _:
                return False
    return True


@dataclass(slots=True)
class _Walk:
    core: CoreProgram
    site: CoreSample
    within: Range
    degrees: dict[str, int] = field(default_factory=dict)  # of variables in the draw, those above 0
    spans: dict[str, Range] = field(default_factory=dict)

    def block(self, statements: Sequence[CoreStatement]) -> bool:
        """Follow statements; False where which are run, or a law, depends on the draw."""
        return all(self._statement(each) for each in statements)

    def _statement(self, statement: CoreStatement) -> bool:
        match statement:
            case CoreAssign(target=target, value=value):
                return self._write(target, span(value, self.spans, {}), self._degree(value))
            case CoreSample(target=target) if statement is self.site:
                return self._write(target, self.within, STRAIGHT)
            case CoreSample(target=target, distribution=distribution):
                if any(self._degree(part) for part in arguments_of(distribution)):
                    return False
                return self._write(target, of_draw(distribution, self.spans, {}), NOT_AT_ALL)
            case CoreObserve(condition=condition):
                return not self._degree(condition)
            case CoreIf(condition=condition, consequent=consequent, alternative=alternative):
                return not self._degree(condition) and self._branch(condition, consequent, alternative)
            case CoreWhile() | CoreLocal():
                unsettled(statement)

    def _branch(
        self, condition: Expression, consequent: Sequence[CoreStatement], alternative: Sequence[CoreStatement]
    ) -> bool:
        decided = span(condition, self.spans, {})
        if decided in (TRUE, FALSE) and self._is_total(condition):
            return self.block(consequent if decided == TRUE else alternative)
        degrees, spans = dict(self.degrees), dict(self.spans)
        if not self.block(consequent):
            return False
        degrees_after, self.degrees = self.degrees, degrees
        spans_after, self.spans = self.spans, spans
        if not self.block(alternative):
            return False
        for name, degree in degrees_after.items():
            self.degrees[name] = max(degree, self.degrees.get(name, NOT_AT_ALL))
        for name in {**spans_after, **self.spans}:
            self.spans[name] = hull(spans_after.get(name, (0, 0)), self.spans.get(name, (0, 0)))
        return True

    def _write(self, target: tree.Target, within: Range, degree: int) -> bool:
        if isinstance(target, tree.Name):
            self.spans[target.id], self.degrees[target.id] = within, degree
            return True
        if self._degree(target.index):
            return False
        for name in self._elements(target.array):
            self.spans[name] = hull(within, self.spans.get(name, (0, 0)))
            self.degrees[name] = max(degree, self.degrees.get(name, NOT_AT_ALL))
        return True

    def _degree(self, expression: Expression) -> int:
        match expression:
            case tree.Name(id=name):
                return self.degrees.get(name, NOT_AT_ALL)
            case tree.Index(array=array, index=index):
                elements = [self.degrees.get(name, NOT_AT_ALL) for name in self._elements(array)]
                return OTHERWISE if self._degree(index) else max(elements, default=NOT_AT_ALL)
            case _:
                parts = [self._degree(child) for child in children(expression)]
                degree = _combined(expression, parts) if any(parts) else NOT_AT_ALL
                return NOT_AT_ALL if degree and self._is_constant(expression) else degree

    def _is_constant(self, expression: Expression) -> bool:
        low, high = span(expression, self.spans, {})
        return low is not None and low == high and self._is_total(expression)

    def _is_total(self, expression: Expression) -> bool:
        """Tell whether an expression has a value whatever those of its variables are; one that holds a parameter, of which the spans know nothing, may not."""
        return is_total(expression) and not any(name in self.core.parameters for name in plain_names(expression))

    def _elements(self, array: str) -> Iterator[str]:
        return (f"{array}[{i}]" for i in self.core.arrays.get(array, ()))


def _combined(expression: Expression, parts: Sequence[int]) -> int:
    """Return the degree of an expression from those of its parts, not all 0."""
    match expression:
        case tree.Parenthesized() | tree.Unary(operator="-"):
            return parts[0]
        case tree.Binary(operator="+" | "-"):
            return max(parts)
        case tree.Binary(operator="*"):
            return min(sum(parts), OTHERWISE)
        case tree.Binary(operator="/"):
            return OTHERWISE if parts[1] else parts[0]
        case tree.Conditional():
            return OTHERWISE if parts[0] else max(parts[1:])
        case _:
            return OTHERWISE
