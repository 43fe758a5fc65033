"""Units of measures, as far as their names tell: known before any number is.

The unit of a measure is a power of bits or nats: 1 for entropies and informations, 0 for chances, means and variances. Combinations follow the rules of
dimensions; a static number takes the unit of what it is added to. Measures in natural units are left to the analysis.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum, auto
from typing import Literal, TypeAlias

from seepage import rules
from seepage.diagnostics import Diagnostic, Edit, Fix
from seepage.semantics.checked import RequireSymbol, ShowSymbol
from seepage.source import Span
from seepage.syntax.tree import MeasureArithmetic, MeasureCall, MeasureExpression, MeasureNegation, MeasureOptimum
from seepage.syntax.vocabulary.measures import MEASURES

_POWERS: Mapping[str, int] = {
    name: 1 if word.unit == "information" else 0 for name, word in MEASURES.items() if word.unit != "natural"
}


class _Other(Enum):
    STATIC = auto()
    UNKNOWN = auto()


_Power: TypeAlias = int | Literal[_Other.STATIC, _Other.UNKNOWN]


def check_units(symbol: ShowSymbol | RequireSymbol) -> Iterator[Diagnostic]:
    """Yield what is surely wrong with the units of a ``show`` or ``require``: one fault, the first that the analysis would meet."""
    node = symbol.node
    found: list[Diagnostic] = []
    power = _power(node.measure, symbol.start, found)
    if found:
        yield found[0]
    elif isinstance(power, int) and power not in (0, 1):
        message = "found a product or quotient of units, expected one unit or none"
        yield Diagnostic(rules.UNITS_DO_NOT_FIT, node.measure.span.shift(symbol.start), message)
    elif power == 0 and node.unit is not None:
        yield _no_unit(symbol, node.unit)


def _no_unit(symbol: ShowSymbol | RequireSymbol, unit: str) -> Diagnostic:
    measure = symbol.node.measure
    what = f"'{measure.name}'" if isinstance(measure, MeasureCall) else "the measure"
    fixes: tuple[Fix, ...] = ()
    if isinstance(symbol, ShowSymbol):
        behind = Span(measure.span.shift(symbol.start).end, symbol.span.end)
        fixes = (Fix(f"remove 'in {unit}'", (Edit(behind, ""),), automatic=True),)
    return Diagnostic(
        rules.UNITS_DO_NOT_FIT, symbol.span, f"{what} has no unit: found {unit}, expected none", fixes=fixes
    )


def _power(measure: MeasureExpression, start: int, found: list[Diagnostic]) -> _Power:
    """Return the power of the unit in a measure; measures nest no deeper than the parser allows."""
    match measure:
        case MeasureCall(name=name):
            return _POWERS.get(name, _Other.UNKNOWN)
        case MeasureNegation(operand=operand) | MeasureOptimum(operand=operand):
            return _power(operand, start, found)
        case MeasureArithmetic(operator=operator, left=left, right=right):
            powers = _power(left, start, found), _power(right, start, found)
            return _combined(operator, *powers, measure.span.shift(start), found)
        case _:
            return _Other.STATIC


def _combined(operator: str, left: _Power, right: _Power, place: Span, found: list[Diagnostic]) -> _Power:
    if left is _Other.UNKNOWN or right is _Other.UNKNOWN or operator == "^":
        return _Other.STATIC if left is _Other.STATIC and right is _Other.STATIC else _Other.UNKNOWN
    if left is _Other.STATIC and right is _Other.STATIC:
        return _Other.STATIC
    if operator in ("+", "-"):
        if isinstance(left, int) and isinstance(right, int) and left != right:
            message = "found measures with different units, expected the same unit on both sides"
            found.append(Diagnostic(rules.UNITS_DO_NOT_FIT, place, message))
            return _Other.UNKNOWN
        return left if isinstance(left, int) else right
    one, other = (power if isinstance(power, int) else 0 for power in (left, right))
    return one + other if operator == "*" else one - other
