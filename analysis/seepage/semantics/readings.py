"""Which reading was taken of a condition behind ``|`` that could be a variable or an event: the hint of *Fine print* 6."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.semantics.checked import Kind, Symbols
from seepage.semantics.evaluate import spelled
from seepage.semantics.expressions import without_parentheses
from seepage.source import Span
from seepage.syntax.tree import (
    Expression,
    Index,
    MeasureArithmetic,
    MeasureCall,
    MeasureExpression,
    MeasureNegation,
    MeasureOptimum,
    Name,
    Parenthesized,
)
from seepage.syntax.vocabulary.measures import MEASURES


def readings(symbols: Symbols, kinds: Mapping[str, Kind]) -> Iterator[Diagnostic]:
    """Yield a hint for each boolean variable that is the only condition of a measure, with or without parentheses."""
    shown = [(one.node.measure, one.start) for one in symbols.shows]
    required = [(one.node.measure, one.start) for one in symbols.requires]
    for measure, start in (*shown, *required):
        for call in _calls(measure):
            if MEASURES[call.name].takes_an_event and len(call.given) == 1:
                yield from _reading(call.given[0], start, kinds)


def _calls(measure: MeasureExpression) -> Iterator[MeasureCall]:
    stack = [measure]
    while stack:
        node = stack.pop()
        match node:
            case MeasureCall():
                yield node
            case MeasureArithmetic(left=left, right=right):
                stack.extend((right, left))
            case MeasureNegation(operand=operand) | MeasureOptimum(operand=operand):
                stack.append(operand)
            case _:
                pass


def _reading(condition: Expression, start: int, kinds: Mapping[str, Kind]) -> Iterator[Diagnostic]:
    variable = without_parentheses(condition)
    if not isinstance(variable, Name | Index):
        return
    name = variable.id if isinstance(variable, Name) else variable.array
    if kinds.get(name) is not Kind.BOOLEAN:
        return
    span, text = condition.span.shift(start), spelled(variable)
    if isinstance(condition, Parenthesized):
        message = f"'({text})' is read as the event '{text} == 1'; '{text}' alone would be given as a variable"
        fix = Fix(f"give the variable '{text}'", (Edit(span, text),), automatic=False)
    else:
        message = f"'{text}' is read as a variable, averaged over; for the event '{text} == 1' write '({text})'"
        ends = (Edit(Span(span.start, span.start), "("), Edit(Span(span.end, span.end), ")"))
        fix = Fix(f"condition on the event '{text} == 1'", ends, automatic=False)
    yield Diagnostic(rules.READING_OF_CONDITION, span, message, fixes=(fix,))
